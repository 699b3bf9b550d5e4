/** Why a file is left alone: codes with their facts. src/cli/messages/edit.ts has the words. */

export type EditMessage =
  | { readonly code: 'file-too-large'; readonly limitMegabytes: number }
  | { readonly code: 'utf16' }
  | { readonly code: 'invalid-utf8' }
  | { readonly code: 'nul-byte' }
  | { readonly code: 'merge-conflict' }
  /** `otherwise`: what the client makes of such a file, in its own words. */
  | {
      readonly code: 'not-in-dialect';
      readonly what:
        | 'byte-order-mark'
        | 'second-byte-order-mark'
        | 'empty'
        | 'comment'
        | 'trailing comma';
      readonly otherwise: string;
    }
  | { readonly code: 'duplicate-key'; readonly name: string }
  | { readonly code: 'brackets-too-deep'; readonly depth: number }
  /** `mistake`: the parser's name for it; `found`: the token that stands there, "" for the end of the file. */
  | { readonly code: 'invalid-json'; readonly mistake?: string; readonly found?: string }
  | { readonly code: 'no-object' }
  /** `path`: keys from the root of the document; absent: the document itself. */
  | {
      readonly code: 'unexpected-type';
      readonly type: 'object' | 'array';
      readonly found: string;
      readonly path?: string;
    }
  | { readonly code: 'not-an-array'; readonly path: string }
  | { readonly code: 'not-a-table'; readonly path: string }
  | { readonly code: 'too-deep-or-long' }
  | { readonly code: 'tables-too-deep'; readonly depth: number }
  | { readonly code: 'impossible-date'; readonly date: string; readonly otherwise: string }
  | { readonly code: 'unclosed-string' }
  /** `text`: the parser's own words, without the lines that it quotes. */
  | { readonly code: 'invalid-toml'; readonly text: string }
  | { readonly code: 'toml-null' }
  | { readonly code: 'changes-too-much' }
  | { readonly code: 'says-otherwise' };
