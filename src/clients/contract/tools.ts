/** How a client names tools, and compares a hook's matcher with their names. */

/** How a client names the tools of MCP servers: prefix, server, separator, tool. */
export interface McpNames {
  readonly prefix: string;
  readonly separator: string;
  /** Each character outside this class is replaced: the inside of a regular expression's `[]`. */
  readonly allowed: string;
  /** The character that replaces it; absent: `_`. */
  readonly replacement?: string;
  /** What becomes of a server's name before that: another character replaces others, and its end is cut off; characters. */
  readonly server?: { readonly replacement: string; readonly length: number };
  /** What may come before the name of a plugin's server: regular expression. */
  readonly plugin?: string;
  /** The name has no server in it: prefix, tool. */
  readonly withoutServer?: true;
  /** Its part for the server is what the server calls itself, whatever the user calls it. */
  readonly announced?: true;
  /** What the client may put at the end of a name: regular expression. */
  readonly suffix?: string;
  /** What it puts there if it had to change the name. Absent: nobody can foretell it. */
  readonly suffixOf?: (name: string) => string;
  /** Names, as in a declaration, that the client does not offer or offers under a name that nobody can foretell: regular expression. */
  readonly unpredictable?: string;
  /**
   * A longer name is cut in its middle to `<first>...<last>`, or without `first` at its end, so that `kept` (absent: `length`)
   * are left before its suffix; characters.
   */
  readonly limit?: { readonly length: number; readonly first?: number; readonly kept?: number };
}

/** How the input of a client's tool differs from that of Claude Code's. */
export interface ToolInput {
  /** Keys of the client, each with Claude Code's. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The key under which there may be a patch; empty: the whole input may be one. */
  readonly patch?: string;
}

/** By default, a matcher that is absent, empty or `*` fits everything, and any other is an unanchored regular expression. */
export interface Matching {
  /** A matcher of this form (a regular expression for all of it) lists whole names, separated by `|` or `,`. */
  readonly lists?: string;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly anchored?: true;
  /** `*` is no matcher for everything, but a regular expression with a mistake. */
  readonly noStar?: true;
  /** A matcher that is not a regular expression is a whole name; absent: it fits nothing. */
  readonly otherwise?: 'name';
}
