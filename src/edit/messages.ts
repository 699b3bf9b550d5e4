/** Why a file is left alone: codes with their facts. src/present/messages/edit.ts has the words. */

import type { Said } from '../system/errors.ts';

/** Things in a file that some clients do not accept. */
export type Unwelcome =
  | 'byte-order-mark'
  | 'second-byte-order-mark'
  | 'empty'
  | 'comment'
  | 'bare-return'
  | 'trailing comma';

export type EditMessage =
  | Said<'utf16' | 'invalid-utf8' | 'nul-byte' | 'merge-conflict' | 'no-object' | 'unclosed-string'>
  /** A program without the list of hooks that we have in ours. */
  | Said<'not-our-program'>
  | Said<'too-deep-or-long' | 'toml-null' | 'changes-too-much' | 'wrong-result'>
  /** Somebody's keys, or nothing but a comment, in a hook of ours that would be changed. */
  | Said<'not-ours-inside', { event: string; keys: readonly string[]; hasTables: boolean }>
  | Said<'file-too-large', { limitMegabytes: number }>
  /** `otherwise`: the client's reaction to such a file, in its own words. */
  | Said<'not-in-dialect', { what: Unwelcome; otherwise: string }>
  | Said<'duplicate-key', { name: string }>
  | Said<'brackets-too-deep' | 'tables-too-deep', { depth: number }>
  /** `mistake`: the parser's name for it; `found`: the token found there, "" for the end of the file. */
  | Said<'invalid-json', { mistake?: string; found?: string }>
  /** `path`: keys from the root of the document; absent: the document itself. */
  | Said<'unexpected-type', { type: 'object' | 'array'; found: string; path?: string }>
  | Said<'not-an-array' | 'not-a-table', { path: string }>
  | Said<'impossible-date', { date: string; otherwise: string }>
  | Said<'integer-too-large', { otherwise: string }>
  /** `text`: the parser's own words, without the lines that it quotes. */
  | Said<'invalid-toml', { text: string }>;
