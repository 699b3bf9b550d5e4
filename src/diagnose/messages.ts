/** Whether hooks fire, and why not: codes with facts. The words are in src/cli/messages/diagnose.ts. */

import type { Whose } from '../clients/health/health.ts';
import type { TrustReading, TrustState, TrustTrouble, WhyUnknown } from '../clients/trust.ts';
import type { RunnerReason } from '../compile/runner-messages.ts';
import type { InstallMessage } from '../install/messages.ts';
import type { Message, Said } from '../system/errors.ts';
import type { SystemMessage } from '../system/messages.ts';

type Numbered = readonly { readonly number: number; readonly event: string }[];

/** The codes without facts. */
export type PlainMessage =
  | Said<
      | 'runner-unchanged'
      | 'allow-tools'
      | 'allow-commands'
      | 'allow-project-code'
      | 'allow-blocks'
      | 'raise-hooks-per-server'
      | 'raise-hooks-per-event'
    >
  | Said<'no-tool-failed' | 'configured-as-it-was' | 'configuration-changed' | 'mend-file'>
  | Said<'hooks-installed' | 'nothing-installed' | 'entries-intact' | 'project-gone'>
  | Said<'leave-runner' | 'node-there' | 'no-node' | 'paths-of-today' | 'on-path'>
  | Said<'version-verified' | 'no-version' | 'run-by-no-other' | 'also-run-is-fine'>
  | Said<'folder-trusted' | 'no-strays' | 'state-folder-moved' | 'take-stranger-out'>
  | Said<'told-by-nobody-else' | 'policy-readable' | 'nothing-silenced' | 'rules-unknown'>
  | Said<'muted' | 'take-muted-out' | 'server-declares-same' | 'no-server-needed'>
  | Said<'server-not-looked-at' | 'nothing-understood-any-more' | 'nothing-declared-any-more'>
  | Said<'manifest-names-no-server' | 'hooks-are-manifests' | 'compare-with-manifest'>
  | Said<'another-server' | 'server-declares-else' | 'remembered-in-words' | 'settings-readable'>
  | Said<'settings-valid' | 'no-other-void' | 'not-switched-off' | 'ask-administrator'>
  | Said<'from-catalogue' | 'catalogue-changed', { name: string }>
  | Said<'no-sign-in-missing' | 'declaration-unchanged' | 'declared-by-server'>
  | Said<'put-back', { isNeeded: boolean }>
  | Said<'programs-unchanged' | 'restore-program'>
  | Said<'program-changed' | 'program-gone', { hooks: readonly number[] }>
  | Said<'allow-program', { command: string; grants: readonly string[]; where: string }>
  | Said<'manifest-and-values-gone', { hooks: readonly number[] }>
  | Said<'manifest-gone' | 'manifest-unusable'>
  | Said<'manifest-declares-else' | 'state-writable' | 'own-folder-needed' | 'record-readable'>
  | Said<'open-to-others' | 'close-it'>
  | Said<'record-unread' | 'install-again' | 'no-run-interrupted' | 'another-at-work'>
  | Said<'run-interrupted' | 'do-again' | 'file-left' | 'next-run-takes-away' | 'lock-left'>
  | Said<'lock-occupied' | 'move-away' | 'no-old-sessions' | 'delete-sessions'>
  | Said<
      'no-failure-lately' | 'delete-log' | 'mend-policy' | 'steering-changed' | 'passes-on-others'
    >
  | Said<'mend-settings' | 'start-by-hand' | 'policy-not-valid' | 'policy-forbids-tools'>;

export type DiagnoseMessage =
  | PlainMessage
  | Said<'not-used', { found: string }>
  | Said<'so-no-tools', { why: DiagnoseMessage }>
  | Said<'no-trust-needed', { inProject: boolean }>
  | Said<
      'from-administrator' | 'from-administrator-too' | 'administrator-runner-gone',
      { label: string }
    >
  | Said<'in-both-scopes', { forUser: boolean; clients: readonly string[]; folder: string }>
  | Said<'uninstall-in-folder', { label: string; scopeFlag: string; otherFlag: string }>
  /** A plugin has the same hooks. */
  | Said<'shipped-too', { client: string }>
  | Said<'shipped-is-silent', { label: string; id: string }>
  | Said<'hook-of-others', { client: string; native: string; name?: string }>
  | Said<'by-hand-too', { client: string; native: string; isText: boolean }>
  | Said<'only-one-heard', { client: string; native: string }>
  | Said<'take-copy-out'>
  | Said<'copied-here', { label: string }>
  | Said<'hook-elsewhere', { native: string }>
  | Said<'stranger-in-own-file' | 'verify-again' | 'update-asks', { label: string }>
  | Said<'download-first', { launcher: string; label: string; command: string }>
  | Said<'configure-again' | 'entries-unrecorded' | 'show-failed', { label: string }>
  | Said<'install-client', { npmPackage: string }>
  | Said<'tools-not-granted' | 'too-many-then', { hooks: readonly number[]; allowedNow: boolean }>
  | Said<
      | 'tools-forbidden'
      | 'commands-forbidden'
      | 'project-code-forbidden'
      | 'blocks-forbidden'
      | 'beyond-hooks-per-server',
      { hooks: Numbered }
    >
  | Said<'beyond-hooks-per-event', { hooks: Numbered }>
  | Said<'no-longer-configured' | 'configuration-unread', { name: string }>
  | Said<'install-in-client' | 'verify-live' | 'no-recordings', { id: string }>
  | Said<'entries-not-looked-at' | 'configure-server' | 'link-unknown', { client: string }>
  /** `places`: line and column of each. */
  | Said<'remove-commas', { client: string; places: readonly string[] }>
  | Said<'mend-for-hooks' | 'mend-hooks-folder' | 'ours-elsewhere', { client: string }>
  | Said<
      'puts-right' | 'move-out' | 'take-hook-out' | 'writes-anew' | 'with-new-node',
      { command: string }
    >
  | Said<'makes-anew' | 'puts-in' | 'puts-them-in', { command: string }>
  | Said<'puts-in-when-allowed', { command: string; grants: readonly string[] }>
  | Said<'raise-then-puts-in' | 'shows-changes' | 'shows-and-asks', { command: string }>
  | Said<'brings-up-to-date' | 'takes-name', { command: string }>
  | Said<'add-own-server', { client: string; command: string }>
  | Said<'update-or-diff', { command: string; where: string }>
  | Said<'put-back-or-moved', { where: string; isNeeded?: boolean }>
  | Said<'runner-part-missing' | 'runner-altered', { file: string }>
  | Said<'other-node', { node: string }>
  | Said<'looks-elsewhere', { client: string; path: string }>
  | Said<'start-as-then', { client: string; command: string }>
  | Said<'runner-of-another-folder' | 'folder-refused', { folder: string }>
  | Said<'not-on-path', { executable: string }>
  | Said<'install-or-take-out', { npmPackage: string; id: string }>
  | Said<'version-unknown', { verified: string }>
  | Said<'ask-version', { executable: string; minimum: string }>
  | Said<'version-too-old' | 'as-verified', { version: string }>
  | Said<'newer-needed', { minimum: string; npmPackage: string }>
  | Said<'version-not-verified', { version: string; than: 'older' | 'newer'; verified: string }>
  | Said<'also-run-by', { name: string; hooks: string }>
  | Said<'folder-undecided', { folder: string; undecided: string }>
  | Said<'install-or-uninstall', { label: string; scopeFlag: string }>
  | Said<'other-state-folder', { own: string; other: string }>
  | Said<'look-at-other-state' | 'state-folder-gone', { state: string }>
  | Said<'declared-twice', { other: string }>
  | Said<'take-one-out', { label: string; other: string }>
  | Said<'take-either-out' | 'take-by-hand-out', { label: string; id: string }>
  | Said<'goes-on-as-it-is', { where: string }>
  | Said<'switched-off' | 'switched-off-elsewhere', { whose: Whose; key: string; value: boolean }>
  | Said<'take-out-or-set', { key: string; file: string; value: boolean }>
  | Said<'hooks-folder-unread' | 'record-not-writable', { why: SystemMessage }>
  | Said<'memory-not-writable', { why: SystemMessage }>
  | Said<'switched-off-by-name', { label: string; native: string }>
  | Said<'enable-hook', { hook: string; client: string; key: string }>
  | Said<'log-in' | 'sign-in-wanted' | 'sign-in-unread' | 'signed-out', { server: string }>
  | Said<'sessions-old', { files: number; days: number }>
  | Said<'sessions-many', { files: number }>
  /** Hooks that may decide. */
  | Said<'guards-failed', { passed: number; denied: number; days: number }>
  | Said<'firings-failed', { firings: number; days: number; last: readonly RunnerReason[] }>
  | Said<'log-grown', { mebibytes: number }>
  /** Why something could not be looked at. As we only looked, the sentence need not say that nothing was written. */
  | Said<'refused', { problem: Message }>
  /** What to do about a refusal: its own advice, or to fix the problem. */
  | Said<'mend', { details: readonly Message[] }>
  | Said<'refused-saying', { problem: Message; details: readonly Message[] }>
  | Said<'policy-unknown-label', { name: string; near: string }>
  | Said<'rename-in-policy'>
  | Said<'policy-wrong', { problem: Message }>
  | Said<'drift-in-client', { client: string; drift: InstallMessage }>
  /** The clients in which hooks have fired whose label is not installed. */
  | Said<'shipped', { label: string; clients: readonly string[] }>
  | Said<'unknown-label', { label: string; near: readonly string[]; known: readonly string[] }>
  | Said<
      'last-call-failed',
      { hooks: readonly number[]; client: string; native: string; why: readonly RunnerReason[] }
    >
  | Said<'matcher-edited', { client: string; native: string; hooks: readonly number[] }>
  /** `why`: in the client's own words. */
  | Said<'client-stops', { client: string; why: string }>
  /** `program`: the command with which the user can check. */
  | Said<'mend-startup', { program: string }>
  | Said<'entry-altered', { file: string; again: string }>
  | Said<'entry-unknown', { file: string; label: string }>
  | Said<'runner-not-run', { drift: Message; again: string }>;

/** What can go wrong when metrics are sent. */
export type TelemetryMessage =
  | Said<'endpoint-unfit' | 'endpoint-with-user'>
  | Said<'not-sent', { label: string; endpoint: string; why: Message }>
  | Said<'collector-refused', { status: number }>
  | Said<'sent-by-another', { label: string }>
  | Said<'sent-unread', { path: string }>;

/** A hook that a client asks the user about. */
interface HookFacts {
  readonly client: string;
  readonly native: string;
  readonly matcher?: string;
  readonly path: string;
  readonly from: TrustReading['from'];
  /** The name of the file in which the client keeps trust. */
  readonly file: string;
}

/** The messages of the trust checks. `client`: its short name. */
export type TrustMessage =
  | TrustTrouble
  | WhyUnknown
  | Said<`hook-${TrustState}`, HookFacts>
  | Said<'all-trusted' | 'nothing-to-trust' | 'start-before-trust', { client: string }>
  | Said<'trust-from-file' | 'switched-off-in', { client: string }>
  | Said<'trust-by-hand', { byHand: string; run?: string }>
  | Said<'switch-on', { command: string; executable: string }>
  | Said<'why-unknown', { why: WhyUnknown }>
  | Said<'trust-trouble', { trouble: TrustTrouble }>
  | Said<'project-unread', { client: string; project: string }>
  | Said<'trust-project', { executable: string }>
  | Said<'edited-not-trusted', { client: string; native: string }>
  | Said<'entry-edited'>
  | Said<'not-trusted' | 'changed-since-trusted' | 'project-not-trusted'>;
