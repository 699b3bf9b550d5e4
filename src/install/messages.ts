/** What can be said of what is written, and what stands against it: codes with their facts. src/cli/messages/install.ts has the words. */

import type { Message } from '../system/errors.ts';

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
  | { readonly code: 'intact' }
  /** What has happened to ours, at least one thing. */
  | { readonly code: 'drifted'; readonly drift: readonly Drift[] }
  | {
      readonly code: 'in-file';
      readonly path: string;
      readonly line?: number;
      readonly column?: number;
      readonly problem: Message;
    }
  | {
      readonly code: 'file-refused';
      readonly path: string;
      readonly line?: number;
      readonly column?: number;
      readonly why: Message;
    }
  | { readonly code: 'mend-or-leave-out'; readonly client: string }
  | { readonly code: 'own-link'; readonly path: string }
  | { readonly code: 'not-writable'; readonly path: string; readonly why: Message }
  | { readonly code: 'not-put-back'; readonly paths: readonly string[] }
  | { readonly code: 'unknown-here' }
  | { readonly code: 'leads-out'; readonly link: string; readonly target: string }
  | { readonly code: 'ledger-newer'; readonly path: string }
  | { readonly code: 'none-has-local'; readonly clients: readonly string[] }
  | { readonly code: 'two-names'; readonly other: string }
  | { readonly code: 'remove-by-hand'; readonly folder: string };
