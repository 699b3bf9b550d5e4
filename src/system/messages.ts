/** What can be said of files, folders and locks: codes with their facts. src/cli/messages/system.ts has the words. */

import type { Quote, SystemReason } from './errors.ts';

export type SystemMessage =
  | Quote
  | SystemReason
  | { readonly code: 'cannot-use'; readonly path: string; readonly why: SystemReason }
  | { readonly code: 'no-plain-file' }
  | { readonly code: 'no-folder' }
  | { readonly code: 'not-a-file'; readonly path: string }
  | { readonly code: 'cannot-read'; readonly path: string; readonly why: SystemReason }
  | { readonly code: 'changed-meanwhile'; readonly path: string }
  | { readonly code: 'cannot-write'; readonly path: string; readonly why: SystemReason }
  | { readonly code: 'no-regular-file' }
  | { readonly code: 'owned-by-another'; readonly uid: number }
  | { readonly code: 'read-only' }
  | { readonly code: 'hard-link' }
  | { readonly code: 'not-our-lock'; readonly path: string }
  | { readonly code: 'locked'; readonly path: string; readonly pid: string };
