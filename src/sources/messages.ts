/**
 * Messages about servers, where they are declared and how they are asked: codes with facts. The words are in
 * src/cli/messages/sources.ts.
 */

import type { RunnerMessage } from '../compile/runner-messages.ts';
import { type Message, type Said, type SystemReason, UserError } from '../system/errors.ts';

export type SourceMessage =
  /** `above`: nor in any parent folder. */
  | Said<'not-there', { above: boolean }>
  | Said<'not-read', { line?: number; column?: number; why: Message }>
  | Said<'linked-out', { target: string }>
  | Said<'servers-there' | 'header-again', { names: readonly string[] }>
  | Said<'no-token' | 'no-page' | 'looked-in' | 'two-sources' | 'no-source' | 'label-needed'>
  | Said<'bad-header' | 'headers-need-address' | 'package-without' | 'npm-missing'>
  | Said<'npm-last-words' | 'password-in-address' | 'address-unfit' | 'address-unfit-user'>
  | Said<'server-crashed' | 'server-last-lines'>
  /** `at`: keys from the root of the document, with dots. */
  | Said<'problem-at' | 'left-out-at', { at: string; problem: Message }>
  | Said<'stdout-not-json' | 'no-address', { text: string }>
  | Said<'address-with-user' | 'which-server' | 'several-servers', { name: string }>
  | Said<'no-label-in-name' | 'our-header' | 'needs-variable' | 'beyond-limits', { name: string }>
  | Said<'address-hung-up', { name: string }>
  | Said<'address-needs-label', { host: string }>
  | Said<'called-after-host', { label: string; host: string }>
  | Said<'unknown-server-client', { name: string; known: readonly string[] }>
  | Said<'choose-with-from' | 'bundle-without', { id: string }>
  | Said<'says-no-start', { name: string; file: string }>
  | Said<'file-of-the-folder', { file: string; client: string; canTell: boolean }>
  | Said<'configured-in', { file: string; client: string; scope: string; over: readonly string[] }>
  | Said<'only-nearest', { client: string; file: string }>
  | Said<'also-configured', { where: readonly string[] }>
  | Said<'switched-off-there', { client: string; why: string }>
  | Said<'helper-left-out', { client: string }>
  | Said<'configuration-broken', { file: string; line?: number; column?: number; why: Message }>
  | Said<'not-configured', { name: string; near: readonly string[] }>
  | Said<'catalogue-has', { entry: string; what: string }>
  | Said<'add-server', { words: string }>
  | Said<'looked-at', { path: string; client: string; scope: string; found: SourceMessage }>
  | Said<'not-filled-in', { why: RunnerMessage }>
  | Said<'sign-in-refused', { why: string }>
  | Said<'only-its-client', { reference: string }>
  | Said<'unknown-source', { source: string }>
  | Said<'header-unset' | 'header-unfit', { name: string; variable: string }>
  | Said<'insecure-address' | 'sign-in-first' | 'still-unauthorized', { server: string }>
  | Said<'sign-in-needs-terminal' | 'no-registration', { server: string }>
  | Said<'bundle-broken' | 'bundle-two-manifests' | 'bundle-no-manifest', { path: string }>
  | Said<'packed-package' | 'unpack-it', { path: string }>
  | Said<'bundle-several', { id: string; keys: readonly string[] }>
  | Said<'bundle-foreign' | 'registry-without', { key: string; id: string }>
  | Said<'needs-shell', { part: string }>
  | Said<'tool-of-nobody', { tool: string }>
  | Said<'of-one-server', { name: string; others: readonly string[] }>
  | Said<'servers-in-file', { path: string; names: readonly string[] }>
  | Said<'choose-by-name', { path: string; name: string }>
  | Said<'package-unnamed', { folder: string }>
  | Said<'tools-server-unknown' | 'tools-server-unclear' | 'server-not-said', { name: string }>
  | Said<'say-server', { path: string; name: string }>
  | Said<'folder-without-hooks', { folder: string; looked: readonly string[] }>
  | Said<'registry-large' | 'registry-too-large', { bytes: number; limitBytes: number }>
  | Said<'npm-broken' | 'npm-not-found' | 'npm-no-version' | 'npm-bad-spec', { spec: string }>
  | Said<'manifest-names-it', { path: string }>
  | Said<'npm-choose' | 'npm-consent', { spec: string }>
  | Said<'npm-too-large', { spec: string; limitBytes: number }>
  | Said<'npm-silent', { spec: string; seconds: number }>
  | Said<'npm-not-allowed' | 'npm-offline' | 'npm-failed', { spec: string; npmCode: string }>
  | Said<'npm-no-command', { spec: string; why?: Message }>
  | Said<'npm-twice' | 'npm-link', { spec: string; file: string }>
  | Said<'not-an-address', { typed: string }>
  | Said<'sign-in-failed', { server: string; why: Message }>
  | Said<'sign-in-elsewhere', { origin: string }>
  | Said<'sign-in-late', { seconds: number; strangers: boolean }>
  | Said<'no-redirect', { why: Message }>
  | Said<'sign-in-page', { server: string; opened: boolean }>
  | Said<'tokens-locked', { file: string }>
  | Said<'server-error', { command: string; error: string }>
  | Said<'discover-error', { error: string }>
  | Said<'server-not-mcp', { command: string }>
  | Said<'response-too-deep', { name: string; depth: number }>
  | Said<'response-too-large', { name: string; limitBytes: number }>
  | Said<'address-silent', { name: string; deadlineMs: number }>
  | Said<'address-unreached', { name: string; why: SystemReason }>
  | Said<'sign-in-needed' | 'address-status', { name: string; status: number }>
  | Said<'challenge', { words: string }>
  | Said<'address-moved', { name: string; to: string }>
  | Said<'server-silent', { command: string; deadlineMs: number; asked: string }>
  | Said<'start-not-told', { name: string }>
  | Said<'package-consent', { file: string }>
  | Said<'tools-not-told', { name: string; error: string }>
  // About the arguments for a tool. `argument` is a path such as `items[0].name`.
  | Said<'argument-missing', { tool: string; argument: string }>
  | Said<'argument-unknown', { tool: string; argument: string; known: readonly string[] }>
  | Said<'argument-type', ArgumentType>
  | Said<'argument-value', { tool: string; argument: string; allowed: readonly string[] }>
  | Said<'download-too-long', { name: string; launcher: string; limitMs: number }>
  | Said<'server-not-started', { command: string; why: SystemReason }>
  | Said<'server-exited', { command: string; exitCode: number | null; signal?: string }>
  | Said<'server-folder-missing', { command: string; folder: string }>
  // Why we cannot tell how a server is started.
  | Said<'no-bin' | 'server-malformed' | 'host-starts' | 'bundle-packed' | 'not-on-disk'>
  | Said<'values-in-package' | 'no-package' | 'not-stdio' | 'wrong-argument'>
  | Said<'several-bins', { names: readonly string[] }>
  | Said<'bin-outside' | 'bin-missing' | 'bin-not-for-node', { path: string }>
  | Said<'host-variable', { text: string }>
  | Said<'not-in-folder', { command: string }>
  | Said<'registry-unknown' | 'remote-unknown', { type: string }>
  | Said<'wrong-package', { identifier: string }>
  | Said<'other-registry' | 'wrong-address', { url: string }>
  | Said<'input-needed' | 'header-needed', { name: string }>;

export interface ArgumentType {
  readonly tool: string;
  readonly argument: string;
  /** Types of JSON Schema. */
  readonly expected: readonly string[];
  readonly found: string;
}

/** An error with one of these messages. */
export class SourceError extends UserError<SourceMessage> {}
