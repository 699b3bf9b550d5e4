/** Why a file is left unchanged: codes with their facts. The texts are in src/present/messages/edit.ts. */

import type { Said } from '../system/errors.ts';

/** Things in a file that some clients reject. */
export type Unwelcome =
  | 'byte-order-mark'
  | 'second-byte-order-mark'
  | 'empty'
  | 'comment'
  | 'bare-return'
  | 'trailing comma';

export type EditMessage =
  | Said<'utf16' | 'invalid-utf8' | 'nul-byte' | 'merge-conflict' | 'no-object' | 'unclosed-string'>
  /** A program without the list of hooks that our programs have. */
  | Said<'not-our-program'>
  /** One of our programs, after an edit by the user. */
  | Said<'program-broken'>
  | Said<'too-deep-or-long' | 'toml-null' | 'changes-too-much' | 'wrong-result'>
  /** Keys of the user, or only a comment, in a hook of ours that would be changed. */
  | Said<'not-ours-inside', { event: string; keys: readonly string[]; hasTables: boolean }>
  | Said<'file-too-large', { limitMegabytes: number }>
  /** `otherwise`: the client's reaction to such a file, in its own words. */
  | Said<'not-in-dialect', { what: Unwelcome; otherwise: string }>
  | Said<'duplicate-key', { name: string }>
  | Said<'brackets-too-deep' | 'tables-too-deep', { depth: number }>
  /** `mistake`: the parser's name for it. `found`: the token at that position, "" for the end of the file. */
  | Said<'invalid-json', { mistake?: string; found?: string }>
  /** `path`: keys from the root of the document; absent for the document itself. */
  | Said<'unexpected-type', { type: 'object' | 'array'; found: string; path?: string }>
  | Said<'not-an-array' | 'not-a-table', { path: string }>
  | Said<'impossible-date', { date: string; otherwise: string }>
  | Said<'integer-too-large', { otherwise: string }>
  /** `text`: the parser's own message, without the lines that it quotes. */
  | Said<'invalid-toml', { text: string }>;
