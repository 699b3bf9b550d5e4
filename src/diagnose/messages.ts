/** What diagnose has to say: codes and their facts. The words are in src/cli/messages/diagnose.ts. */

import type { InstallMessage } from '../install/messages.ts';
import type { Message } from '../system/errors.ts';
import type { SystemMessage } from '../system/messages.ts';

export type DiagnoseMessage =
  /** Why something could not be looked at: it was only looked at, so nothing need be said of writing. */
  | { readonly code: 'refused'; readonly problem: Message }
  /** What to do about a refusal: what it says itself, or that it has to be put right. */
  | { readonly code: 'mend'; readonly details: readonly Message[] }
  | { readonly code: 'policy-wrong'; readonly problem: Message }
  | { readonly code: 'mend-policy' }
  | { readonly code: 'record-not-writable' | 'memory-not-writable'; readonly why: SystemMessage }
  | { readonly code: 'drift-in-client'; readonly client: string; readonly drift: InstallMessage }
  | {
      readonly code: 'unknown-label';
      readonly label: string;
      readonly near: readonly string[];
      readonly known: readonly string[];
    }
  | {
      readonly code: 'last-call-failed';
      readonly hooks: readonly number[];
      readonly client: string;
      readonly native: string;
      readonly reason: string;
    }
  | { readonly code: 'steering-changed' }
  | {
      readonly code: 'matcher-edited';
      readonly client: string;
      readonly native: string;
      readonly hooks: readonly number[];
    }
  | {
      readonly code: 'lost';
      readonly name: string;
      readonly numbers: readonly number[];
      readonly fires: boolean;
      readonly why: Message;
    }
  | { readonly code: 'or-another-way'; readonly again: string; readonly update: string }
  | { readonly code: 'ours-elsewhere'; readonly client: string }
  | { readonly code: 'mend-settings' }
  /** `why`: in the client's own words. */
  | { readonly code: 'client-stops'; readonly client: string; readonly why: string }
  /** `program`: the command with which the user sees for himself. */
  | { readonly code: 'mend-startup'; readonly program: string }
  | { readonly code: 'entry-altered'; readonly file: string; readonly again: string }
  | { readonly code: 'entry-unknown'; readonly file: string; readonly label: string }
  | { readonly code: 'runner-not-run'; readonly drift: Message; readonly again: string };
