/** How a client names tools, and how it compares a hook's matcher with their names. */

/** The form of a client's names of MCP tools: prefix, server, separator, tool. */
export interface McpNames {
  readonly prefix: string;
  readonly separator: string;
  /** Each character outside this class is replaced: the content of a regular expression's `[]`. */
  readonly allowed: string;
  /** The replacement character; absent: `_`. */
  readonly replacement?: string;
  /** Applied to a server's name before that: its replacement character, and the length in characters to which it is cut. */
  readonly server?: { readonly replacement: string; readonly length: number };
  /** A possible prefix of the name of a plugin's server: regular expression. */
  readonly plugin?: string;
  /** The name does not contain the server: prefix, tool. */
  readonly withoutServer?: true;
  /** The server's part of the name is the name that the server announces, not the user's name for it. */
  readonly announced?: true;
  /** A possible suffix of a name: regular expression. */
  readonly suffix?: string;
  /** The suffix that is added if a name had to be changed. Absent: it is unpredictable. */
  readonly suffixOf?: (name: string) => string;
  /** Names, as in a declaration, that the client does not offer, or only under an unpredictable name: regular expression. */
  readonly unpredictable?: string;
  /**
   * A longer name is cut in its middle to `<first>...<last>` or, without `first`, at its end, so that `kept` characters
   * (absent: `length`) are left before its suffix.
   */
  readonly limit?: { readonly length: number; readonly first?: number; readonly kept?: number };
}

/** How the input of a client's tool differs from that of Claude Code's. */
export interface ToolInput {
  /** The client's keys, each with Claude Code's. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The key of a value that may be a patch; empty: the whole input may be one. */
  readonly patch?: string;
}

/**
 * By default, a missing or empty matcher or `*` matches everything, and any other matcher is an unanchored regular expression.
 */
export interface Matching {
  /** A matcher that completely matches this regular expression is a list of whole names, separated by `|` or `,`. */
  readonly lists?: string;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly anchored?: true;
  /** `*` does not match everything, but is an invalid regular expression. */
  readonly noStar?: true;
  /** A matcher that is not a regular expression is a whole name; absent: it matches nothing. */
  readonly otherwise?: 'name';
}
