/** Messages about files, folders and locks: codes with their facts. src/cli/messages/system.ts has the words. */

import type { Quote, Said, SystemReason } from './errors.ts';

export type SystemMessage =
  | Quote
  | SystemReason
  | Said<'hard-link' | 'no-folder' | 'no-plain-file' | 'no-regular-file' | 'read-only'>
  | Said<'cannot-use' | 'cannot-read' | 'cannot-write', { path: string; why: SystemReason }>
  | Said<'not-a-file' | 'changed-meanwhile' | 'not-our-lock', { path: string }>
  | Said<'folder-read-only' | 'folder-not-writable', { folder: string }>
  | Said<'owned-by-another', { uid: number }>
  | Said<'locked', { path: string; pid: string }>;
