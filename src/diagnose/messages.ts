/** What can be said of whether hooks fire, and why not: codes with their facts. src/cli/messages/diagnose.ts has the words. */

import type { Whose } from '../clients/health/health.ts';
import type { InstallMessage } from '../install/messages.ts';
import type { Message } from '../system/errors.ts';
import type { SystemMessage } from '../system/messages.ts';

export type DiagnoseMessage =
  | { readonly code: 'runner-unchanged' }
  | { readonly code: 'so-no-tools'; readonly why: DiagnoseMessage }
  | { readonly code: 'no-trust-needed'; readonly inProject: boolean }
  | {
      readonly code: 'in-both-scopes';
      readonly forUser: boolean;
      readonly clients: readonly string[];
      readonly folder: string;
    }
  | {
      readonly code: 'uninstall-in-folder';
      readonly label: string;
      readonly scopeFlag: string;
      readonly otherFlag: string;
    }
  | {
      readonly code: 'hook-of-others';
      readonly client: string;
      readonly native: string;
      readonly name?: string;
    }
  | { readonly code: 'update-client'; readonly npmPackage: string }
  | {
      readonly code: 'tools-not-granted';
      readonly hooks: readonly number[];
      readonly allowedNow: boolean;
    }
  | {
      readonly code: 'too-many-then';
      readonly hooks: readonly number[];
      readonly allowedNow: boolean;
    }
  | {
      readonly code: 'tools-forbidden' | 'beyond-hooks-per-server' | 'beyond-hooks-per-event';
      readonly hooks: readonly { readonly number: number; readonly event: string }[];
    }
  | { readonly code: 'allow-tools' | 'raise-hooks-per-server' | 'raise-hooks-per-event' }
  | { readonly code: 'no-tool-failed' }
  | { readonly code: 'verify-again'; readonly label: string }
  | { readonly code: 'configured-as-it-was' }
  | { readonly code: 'update-asks'; readonly label: string }
  | { readonly code: 'no-longer-configured'; readonly name: string }
  | { readonly code: 'configure-again'; readonly label: string }
  | { readonly code: 'configuration-changed' }
  | { readonly code: 'configuration-unread'; readonly name: string }
  | { readonly code: 'mend-file' }
  | { readonly code: 'hooks-installed' }
  | { readonly code: 'nothing-installed' }
  | { readonly code: 'not-used' }
  | { readonly code: 'install-in-client'; readonly id: string }
  | { readonly code: 'entries-intact' }
  | { readonly code: 'project-gone' }
  | { readonly code: 'leave-runner' }
  | { readonly code: 'entries-not-looked-at'; readonly client: string }
  | { readonly code: 'puts-right'; readonly command: string }
  | { readonly code: 'take-hook-out'; readonly command: string }
  | { readonly code: 'runner-part-missing'; readonly file: string }
  | { readonly code: 'runner-altered'; readonly file: string }
  | { readonly code: 'writes-anew'; readonly command: string }
  | { readonly code: 'node-there' }
  | { readonly code: 'other-node'; readonly node: string }
  | { readonly code: 'no-node' }
  | { readonly code: 'with-new-node'; readonly command: string }
  | { readonly code: 'paths-of-today' }
  | { readonly code: 'looks-elsewhere'; readonly client: string; readonly path: string }
  | { readonly code: 'start-as-then'; readonly client: string; readonly command: string }
  | { readonly code: 'runner-of-another-folder'; readonly folder: string }
  | { readonly code: 'makes-anew'; readonly command: string }
  | { readonly code: 'on-path' }
  | { readonly code: 'not-on-path'; readonly executable: string }
  | { readonly code: 'install-or-take-out'; readonly npmPackage: string; readonly id: string }
  | { readonly code: 'install-client'; readonly npmPackage: string }
  | { readonly code: 'version-verified' }
  | { readonly code: 'no-version' }
  | { readonly code: 'version-unknown'; readonly verified: string }
  | { readonly code: 'ask-version'; readonly executable: string; readonly since: string }
  | { readonly code: 'version-runs-no-hooks'; readonly version: string }
  | { readonly code: 'newer-needed'; readonly since: string; readonly command: string }
  | { readonly code: 'as-verified'; readonly version: string }
  | {
      readonly code: 'version-not-verified';
      readonly version: string;
      readonly than: 'older' | 'newer';
      readonly verified: string;
    }
  | { readonly code: 'verify-live'; readonly id: string }
  | { readonly code: 'run-by-no-other' }
  | { readonly code: 'also-run-by'; readonly name: string; readonly hooks: string }
  | { readonly code: 'also-run-is-fine' }
  | { readonly code: 'folder-trusted' }
  | { readonly code: 'folder-refused'; readonly folder: string }
  | { readonly code: 'folder-undecided'; readonly folder: string; readonly undecided: string }
  | { readonly code: 'configure-server'; readonly client: string }
  | { readonly code: 'no-strays' }
  | { readonly code: 'entries-unrecorded'; readonly label: string }
  | { readonly code: 'install-or-uninstall'; readonly label: string; readonly scopeFlag: string }
  | { readonly code: 'other-state-folder'; readonly own: string; readonly other: string }
  | { readonly code: 'look-at-other-state'; readonly state: string }
  | { readonly code: 'state-folder-gone'; readonly state: string }
  | { readonly code: 'state-folder-moved' }
  | { readonly code: 'told-by-nobody-else' }
  | { readonly code: 'declared-twice'; readonly other: string }
  | { readonly code: 'take-one-out'; readonly label: string; readonly other: string }
  | { readonly code: 'take-either-out'; readonly label: string; readonly id: string }
  | { readonly code: 'policy-readable' }
  | { readonly code: 'nothing-silenced' }
  | { readonly code: 'rules-unknown' }
  | { readonly code: 'muted' }
  | { readonly code: 'take-muted-out' }
  | { readonly code: 'puts-in'; readonly command: string }
  | { readonly code: 'puts-in-when-allowed'; readonly command: string }
  | { readonly code: 'puts-them-in'; readonly command: string }
  | { readonly code: 'raise-then-puts-in'; readonly command: string }
  | { readonly code: 'server-declares-same' }
  | { readonly code: 'no-server-needed' }
  | { readonly code: 'server-not-looked-at' }
  | { readonly code: 'nothing-understood-any-more' }
  | { readonly code: 'nothing-declared-any-more' }
  | { readonly code: 'goes-on-as-it-is'; readonly where: string }
  | { readonly code: 'shows-changes'; readonly command: string }
  | { readonly code: 'manifest-names-no-server' }
  | { readonly code: 'hooks-are-manifests' }
  | { readonly code: 'compare-with-manifest' }
  | { readonly code: 'another-server' }
  | { readonly code: 'shows-and-asks'; readonly command: string }
  | { readonly code: 'server-declares-else' }
  | { readonly code: 'brings-up-to-date'; readonly command: string }
  | { readonly code: 'remembered-in-words' }
  | { readonly code: 'settings-readable' }
  | { readonly code: 'link-unknown'; readonly client: string }
  | { readonly code: 'mend-for-hooks'; readonly client: string }
  | { readonly code: 'settings-valid' }
  | { readonly code: 'no-other-void' }
  | { readonly code: 'not-switched-off' }
  | {
      readonly code: 'switched-off';
      readonly whose: Whose;
      readonly key: string;
      readonly value: boolean;
    }
  | {
      readonly code: 'switched-off-elsewhere';
      readonly whose: Whose;
      readonly key: string;
      readonly value: boolean;
    }
  | { readonly code: 'ask-administrator' }
  | { readonly code: 'take-out-or-set'; readonly value: boolean }
  | { readonly code: 'switched-off-by-name'; readonly label: string; readonly native: string }
  | {
      readonly code: 'enable-hook';
      readonly hook: string;
      readonly client: string;
      readonly key: string;
    }
  | { readonly code: 'no-sign-in-missing' }
  | { readonly code: 'log-in'; readonly server: string }
  | { readonly code: 'sign-in-wanted'; readonly server: string }
  | { readonly code: 'sign-in-unread'; readonly server: string }
  | { readonly code: 'signed-out'; readonly server: string }
  | { readonly code: 'declaration-unchanged' }
  | { readonly code: 'declared-by-server' }
  | { readonly code: 'put-back' }
  | { readonly code: 'manifest-and-values-gone' }
  | { readonly code: 'manifest-gone' }
  | { readonly code: 'manifest-unusable' }
  | { readonly code: 'update-or-diff'; readonly command: string }
  | { readonly code: 'manifest-declares-else' }
  | { readonly code: 'state-writable' }
  | { readonly code: 'own-folder-needed' }
  | { readonly code: 'record-readable' }
  | { readonly code: 'record-unread' }
  | { readonly code: 'install-again' }
  | { readonly code: 'no-run-interrupted' }
  | { readonly code: 'another-at-work' }
  | { readonly code: 'run-interrupted' }
  | { readonly code: 'do-again' }
  | { readonly code: 'file-left' }
  | { readonly code: 'next-run-takes-away' }
  | { readonly code: 'lock-left' }
  | { readonly code: 'lock-occupied' }
  | { readonly code: 'move-away' }
  | { readonly code: 'no-old-sessions' }
  | { readonly code: 'sessions-old'; readonly files: number; readonly days: number }
  | { readonly code: 'sessions-many'; readonly files: number }
  | { readonly code: 'delete-sessions' }
  | { readonly code: 'no-failure-lately' }
  | {
      readonly code: 'firings-failed';
      readonly firings: number;
      readonly days: number;
      readonly last: string;
    }
  | { readonly code: 'show-failed'; readonly label: string }
  | { readonly code: 'log-grown'; readonly mebibytes: number }
  | { readonly code: 'delete-log' }
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
