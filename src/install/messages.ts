/** What can be said of what is written, and what stands against it: codes with their facts. src/cli/messages/install.ts has the words. */

import type { PlaceInFile } from '../declaration/messages.ts';
import type { Bare, Message, MessagesOf } from '../system/errors.ts';

/** One difference; `what` is the native event of an entry or the name of a file. */
export interface Drift {
  readonly code:
    | 'runner missing'
    | 'runner altered'
    | 'run interrupted'
    | 'not recorded'
    | 'file missing'
    | 'file refused'
    | 'entry missing'
    | 'entry edited'
    | 'entry altered'
    | 'entry moved'
    | 'entry copied';
  readonly what?: string;
}

export type InstallMessage =
  | Bare<'intact' | 'unknown-here'>
  | MessagesOf<{
      drifted: { drift: readonly Drift[] };
      'in-file': PlaceInFile & { problem: Message };
      'file-refused': PlaceInFile & { why: Message };
      'mend-or-leave-out': { client: string };
      'own-link': { path: string };
      'not-writable': { path: string; why: Message };
      'not-put-back': { paths: readonly string[] };
      'leads-out': { link: string; target: string };
      'ledger-newer': { path: string };
      'none-has-local': { clients: readonly string[] };
      'two-names': { other: string };
      'remove-by-hand': { folder: string };
    }>;
