/** Messages about files with hooks written by hand. The words are in src/cli/messages/import.ts. */

import type { Said } from '../../system/errors.ts';

export type HandFileMessage =
  | Said<'hand-linked-out' | 'hand-not-there' | 'hand-no-client' | 'hand-no-hooks'>
  | Said<'hand-large', { bytes: number; limitBytes: number }>
  | Said<
      'hand-file',
      { path: string; line?: number; column?: number; why: { readonly code: string } }
    >
  | Said<'hand-nowhere', { clients: readonly string[] }>
  | Said<'hand-out-there', { path: string }>
  | Said<'hand-force-needs-out'>;
