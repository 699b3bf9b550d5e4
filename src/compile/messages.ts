/** Messages about what happens to a hook in a client: codes with their facts. src/cli/messages/compile.ts has the words. */

import type { Grade } from '../clients/contract.ts';
import type { Decision, OnFailure } from '../declaration/declaration.ts';
import type { Message, Said } from '../system/errors.ts';
import type { MissingTool } from './known-tools.ts';
import type { Changed } from './program.ts';

export type CompileMessage =
  | MissingTool
  /** `when`: the client's own words, the end of "told ...". `actNow`: it would be sooner if the user paid for it. */
  | Said<'told', { when: string; actNow?: true }>
  /** `text`: the client's own words for what it cannot do. */
  | Said<'exception', { text: string }>
  | Said<'no-such-moment', { client: string; why: string | undefined }>
  /** The hook is for calls that did not fail. */
  | Said<'failures-unknown', { client: string }>
  | Said<'extra-turn'>
  | Said<'unknown-native-tool', { client: string; tool: string }>
  /** `hook`: its place in the declaration, from 1; absent: it is clear which. `text`: as the declaration has it. */
  | Said<
      'unknown-server-named',
      { hook?: number; text: string; server: string; client: string; near?: string }
    >
  /** The client has not configured the server that `{server}` stands for. `name`: what stands there instead; `add`: the command that adds it. */
  | Said<'own-server-missing', { client: string; name: string; add?: string }>
  /** The client has the server under a different name than the hooks. */
  | Said<'own-server-renamed', { client: string; was: string; name: string }>
  | Said<'muted-by-policy'>
  | Said<'tool-forbidden-by-policy'>
  | Said<'text-cut', { characters: number }>
  | Said<'text-too-long', { characters: number; read: number }>
  | Said<'not-heard', { heard: number }>
  | Said<'left-out-here'>
  | Said<'not-enabled'>
  | Said<'command-left-out' | 'project-code-left-out'>
  /** The user has not named the file with the command. */
  | Said<'command-not-named'>
  | Said<'block-left-out'>
  /** Things that a package cannot contain. */
  | Said<'command-not-shipped'>
  | Said<'tool-not-shipped', { tool: string }>
  /** `why`: why npx cannot start the package that it is in. */
  | Said<'package-not-shipped', { why: Message }>
  /** `word`: the part of the server's start that names a file of the machine. */
  | Said<'server-not-shipped', { word: string }>
  /** `where`: the place of a possible secret in the server's start, without the secret. */
  | Said<'secret-not-shipped', { where: string }>
  | Said<'hook-secret-not-shipped', { where: string }>
  /** What a hook in a package may do only if `policy.json` says so. */
  | Said<'policy-decides', { rules: readonly string[] }>
  | Said<'policy-trusts'>
  | Said<'cannot-block', { client: string }>
  | Said<'deadline-cut', { client: string; milliseconds: number }>
  /** `when`: the client's own words, if it does not just block; the end of "told ...". */
  | Said<'blocks', { when?: string }>
  | Said<'decided', { what: Changed; grade: Grade; when?: string }>
  /** The hook blocks when it fails, and the client lets no hook block this. */
  | Said<'deny-in-vain', { client: string }>
  | Said<'failure-by-policy', { action: OnFailure }>
  | Said<'not-decided', { what: Changed; client: string }>
  | Said<'not-granted', { decision: Decision }>
  | Said<'no-such-tool', { glob: string }>
  | Said<'fires-all-the-same'>
  | Said<'nothing-to-tell'>
  | Said<'too-many-names'>
  | Said<'downgraded-by-policy'>
  | Said<'downgraded-here'>
  | Said<'tools-not-called', { names: readonly string[] }>
  | Said<'tools-not-over-sse'>
  | Said<'empty-field', { field: string; so: CompileMessage }>
  | Said<'never-fires'>
  | Said<'unknown-variable', { name: string; near: string }>
  | Said<'matcher-too-long', { client: string; limitCharacters: number }>;
