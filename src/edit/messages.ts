/** Why a file is left alone: codes with their facts. src/cli/messages/edit.ts has the words. */

import type { Bare, MessagesOf } from '../system/errors.ts';

/** What some clients do not take in a file. */
export type Unwelcome =
  | 'byte-order-mark'
  | 'second-byte-order-mark'
  | 'empty'
  | 'comment'
  | 'trailing comma';

export type EditMessage =
  | Bare<'utf16' | 'invalid-utf8' | 'nul-byte' | 'merge-conflict' | 'no-object' | 'unclosed-string'>
  | Bare<'too-deep-or-long' | 'toml-null' | 'changes-too-much' | 'says-otherwise'>
  | MessagesOf<{
      'file-too-large': { limitMegabytes: number };
      /** `otherwise`: what the client makes of such a file, in its own words. */
      'not-in-dialect': { what: Unwelcome; otherwise: string };
      'duplicate-key': { name: string };
      'brackets-too-deep': { depth: number };
      /** `mistake`: the parser's name for it; `found`: the token that stands there, "" for the end of the file. */
      'invalid-json': { mistake?: string; found?: string };
      /** `path`: keys from the root of the document; absent: the document itself. */
      'unexpected-type': { type: 'object' | 'array'; found: string; path?: string };
      'not-an-array': { path: string };
      'not-a-table': { path: string };
      'tables-too-deep': { depth: number };
      'impossible-date': { date: string; otherwise: string };
      /** `text`: the parser's own words, without the lines that it quotes. */
      'invalid-toml': { text: string };
    }>;
