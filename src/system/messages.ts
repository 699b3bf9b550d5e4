/** What can be said of files, folders and locks: codes with their facts. src/cli/messages/system.ts has the words. */

import type { Bare, MessagesOf, Quote, SystemReason } from './errors.ts';

export type SystemMessage =
  | Quote
  | SystemReason
  | Bare<'hard-link' | 'no-folder' | 'no-plain-file' | 'no-regular-file' | 'read-only'>
  | MessagesOf<{
      'cannot-use': { path: string; why: SystemReason };
      'not-a-file': { path: string };
      'cannot-read': { path: string; why: SystemReason };
      'changed-meanwhile': { path: string };
      'cannot-write': { path: string; why: SystemReason };
      'owned-by-another': { uid: number };
      'not-our-lock': { path: string };
      locked: { path: string; pid: string };
    }>;
