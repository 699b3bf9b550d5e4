/** What can be said of whether hooks fire, and why not: codes with their facts. src/cli/messages/diagnose.ts has the words. */

import type { Whose } from '../clients/health/health.ts';
import type { InstallMessage } from '../install/messages.ts';
import type { Message } from '../system/errors.ts';
import type { SystemMessage } from '../system/messages.ts';

type Numbered = readonly { readonly number: number; readonly event: string }[];

/** The facts of each message that has some. */
interface Facts {
  'so-no-tools': { why: DiagnoseMessage };
  'no-trust-needed': { inProject: boolean };
  'in-both-scopes': { forUser: boolean; clients: readonly string[]; folder: string };
  'uninstall-in-folder': { label: string; scopeFlag: string; otherFlag: string };
  'hook-of-others': { client: string; native: string; name?: string };
  'only-one-heard': { client: string; native: string };
  'hook-elsewhere': { native: string };
  'stranger-in-own-file': { label: string };
  'update-client': { npmPackage: string };
  'tools-not-granted': { hooks: readonly number[]; allowedNow: boolean };
  'too-many-then': { hooks: readonly number[]; allowedNow: boolean };
  'tools-forbidden': { hooks: Numbered };
  'beyond-hooks-per-server': { hooks: Numbered };
  'beyond-hooks-per-event': { hooks: Numbered };
  'verify-again': { label: string };
  'update-asks': { label: string };
  'no-longer-configured': { name: string };
  'configure-again': { label: string };
  'configuration-unread': { name: string };
  'install-in-client': { id: string };
  'entries-not-looked-at': { client: string };
  'puts-right': { command: string };
  'take-hook-out': { command: string };
  'runner-part-missing': { file: string };
  'runner-altered': { file: string };
  'writes-anew': { command: string };
  'other-node': { node: string };
  'with-new-node': { command: string };
  'looks-elsewhere': { client: string; path: string };
  'start-as-then': { client: string; command: string };
  'runner-of-another-folder': { folder: string };
  'makes-anew': { command: string };
  'not-on-path': { executable: string };
  'install-or-take-out': { npmPackage: string; id: string };
  'install-client': { npmPackage: string };
  'version-unknown': { verified: string };
  'ask-version': { executable: string; since: string };
  'version-runs-no-hooks': { version: string };
  'newer-needed': { since: string; command: string };
  'as-verified': { version: string };
  'version-not-verified': { version: string; than: 'older' | 'newer'; verified: string };
  'verify-live': { id: string };
  'also-run-by': { name: string; hooks: string };
  'folder-refused': { folder: string };
  'folder-undecided': { folder: string; undecided: string };
  'configure-server': { client: string };
  'entries-unrecorded': { label: string };
  'install-or-uninstall': { label: string; scopeFlag: string };
  'other-state-folder': { own: string; other: string };
  'look-at-other-state': { state: string };
  'state-folder-gone': { state: string };
  'declared-twice': { other: string };
  'take-one-out': { label: string; other: string };
  'take-either-out': { label: string; id: string };
  'puts-in': { command: string };
  'puts-in-when-allowed': { command: string };
  'puts-them-in': { command: string };
  'raise-then-puts-in': { command: string };
  'goes-on-as-it-is': { where: string };
  'shows-changes': { command: string };
  'shows-and-asks': { command: string };
  'brings-up-to-date': { command: string };
  'link-unknown': { client: string };
  'mend-for-hooks': { client: string };
  'switched-off': { whose: Whose; key: string; value: boolean };
  'switched-off-elsewhere': { whose: Whose; key: string; value: boolean };
  'take-out-or-set': { key: string; file: string; value: boolean };
  'hooks-folder-unread': { why: SystemMessage };
  'mend-hooks-folder': { client: string };
  'switched-off-by-name': { label: string; native: string };
  'enable-hook': { hook: string; client: string; key: string };
  'log-in': { server: string };
  'sign-in-wanted': { server: string };
  'sign-in-unread': { server: string };
  'signed-out': { server: string };
  'update-or-diff': { command: string };
  'sessions-old': { files: number; days: number };
  'sessions-many': { files: number };
  'firings-failed': { firings: number; days: number; last: string };
  'show-failed': { label: string };
  'log-grown': { mebibytes: number };
  /** Why something could not be looked at: it was only looked at, so nothing need be said of writing. */
  refused: { problem: Message };
  /** What to do about a refusal: what it says itself, or that it has to be put right. */
  mend: { details: readonly Message[] };
  'policy-wrong': { problem: Message };
  'record-not-writable': { why: SystemMessage };
  'memory-not-writable': { why: SystemMessage };
  'drift-in-client': { client: string; drift: InstallMessage };
  'unknown-label': { label: string; near: readonly string[]; known: readonly string[] };
  'last-call-failed': { hooks: readonly number[]; client: string; native: string; reason: string };
  'matcher-edited': { client: string; native: string; hooks: readonly number[] };
  lost: { name: string; numbers: readonly number[]; fires: boolean; why: Message };
  'or-another-way': { again: string; update: string };
  'ours-elsewhere': { client: string };
  /** `why`: in the client's own words. */
  'client-stops': { client: string; why: string };
  /** `program`: the command with which the user sees for himself. */
  'mend-startup': { program: string };
  'entry-altered': { file: string; again: string };
  'entry-unknown': { file: string; label: string };
  'runner-not-run': { drift: Message; again: string };
}

/** Those that have none. */
export type PlainCode =
  | 'runner-unchanged'
  | 'allow-tools'
  | 'raise-hooks-per-server'
  | 'raise-hooks-per-event'
  | 'no-tool-failed'
  | 'configured-as-it-was'
  | 'configuration-changed'
  | 'mend-file'
  | 'hooks-installed'
  | 'nothing-installed'
  | 'not-used'
  | 'entries-intact'
  | 'project-gone'
  | 'leave-runner'
  | 'node-there'
  | 'no-node'
  | 'paths-of-today'
  | 'on-path'
  | 'version-verified'
  | 'no-version'
  | 'run-by-no-other'
  | 'also-run-is-fine'
  | 'folder-trusted'
  | 'no-strays'
  | 'state-folder-moved'
  | 'take-stranger-out'
  | 'told-by-nobody-else'
  | 'policy-readable'
  | 'nothing-silenced'
  | 'rules-unknown'
  | 'muted'
  | 'take-muted-out'
  | 'server-declares-same'
  | 'no-server-needed'
  | 'server-not-looked-at'
  | 'nothing-understood-any-more'
  | 'nothing-declared-any-more'
  | 'manifest-names-no-server'
  | 'hooks-are-manifests'
  | 'compare-with-manifest'
  | 'another-server'
  | 'server-declares-else'
  | 'remembered-in-words'
  | 'settings-readable'
  | 'settings-valid'
  | 'no-other-void'
  | 'not-switched-off'
  | 'ask-administrator'
  | 'no-sign-in-missing'
  | 'declaration-unchanged'
  | 'declared-by-server'
  | 'put-back'
  | 'manifest-and-values-gone'
  | 'manifest-gone'
  | 'manifest-unusable'
  | 'manifest-declares-else'
  | 'state-writable'
  | 'own-folder-needed'
  | 'record-readable'
  | 'record-unread'
  | 'install-again'
  | 'no-run-interrupted'
  | 'another-at-work'
  | 'run-interrupted'
  | 'do-again'
  | 'file-left'
  | 'next-run-takes-away'
  | 'lock-left'
  | 'lock-occupied'
  | 'move-away'
  | 'no-old-sessions'
  | 'delete-sessions'
  | 'no-failure-lately'
  | 'delete-log'
  | 'mend-policy'
  | 'steering-changed'
  | 'mend-settings';

export type DiagnoseMessage =
  | { [Code in PlainCode]: { readonly code: Code } }[PlainCode]
  | { [Code in keyof Facts]: { readonly code: Code } & Readonly<Facts[Code]> }[keyof Facts];
