/** A server in a client's configuration: how its entry is read, and what the client makes of it. */

/** Keys of an entry besides `command`, `args` and `type`. The runner uses them, too, so they are data. */
export interface EntryFields {
  /** The variables of a server; absent: `env`. */
  readonly env?: string;
  /** The address: the first of these keys that is there. */
  readonly url: readonly string[];
  readonly headers: string;
  /** Headers with the names of variables that hold their values. */
  readonly headersFromVariables?: string;
  /** The name of a variable that holds a bearer token. */
  readonly bearer?: string;
  /** A list of variables that the server gets unchanged. */
  readonly passedOn?: string;
  /** The path of a file with variables; those in `env` come first. */
  readonly envFile?: string;
  readonly cwd?: string;
}

/** A place in a file: nested keys from its top. */
export interface PlaceInFile {
  readonly file: string;
  readonly format: 'json' | 'toml';
  readonly path: readonly string[];
}

/** Names of variables or headers; their values are read when the tool is called, and never copied. */
export interface ValuesInFile extends PlaceInFile {
  /** Only these, which the user has seen: a name that is added to the file later is not used. */
  readonly names: readonly string[];
  /**
   * A hash of the variables that decide what runs (src/compile/steering.ts); with others, no server is started. Absent:
   * there are none.
   */
  readonly steering?: string;
  /** A hash of the values that pass on variables of the user, as they are written. Absent: there are none. */
  readonly passing?: string;
  /** Keys of the object that has them; absent: `server`. */
  readonly at?: readonly string[];
}

/** A server in a client's configuration: all of it is read there when the tool is called. */
export interface ConfiguredEntry extends ValuesInFile {
  readonly fields: EntryFields;
  /** A hash of what the user has seen, except values of variables and headers. If it no longer fits, the tool is not called. */
  readonly seen: string;
}

/** Variables of the user that a header or variable of the server has. `written`: the whole value, if it is not the user's own. */
export interface PassedOn {
  readonly name: string;
  readonly variables: readonly string[];
  readonly written?: string;
}

/** What the runner needs to read a server in a client's configuration. */
export interface ConfiguredServer {
  readonly entry: ConfiguredEntry;
  /** How the client with this configuration handles variables in it. */
  readonly given: ServerEnvironment;
  /** For a server at an address: the name of the file that keeps the user's token for it, if the user has signed in. */
  readonly tokens?: string;
  /**
   * The variables that decide what runs, as they are written there, and the path of the file with more of them. To be shown.
   * Null: the value is the user's own and is only bound.
   */
  readonly steering?: Readonly<Record<string, string | null>>;
  /** Who gets which variables of the user. To be shown. */
  readonly passing?: readonly PassedOn[];
  readonly envFile?: string;
}

/** The environment that a client gives to its configured MCP servers. A server whose tool we call gets the same. */
export interface ServerEnvironment {
  /** Which variables of our environment they get: the first matching rule decides. Variables without a rule are passed on. */
  readonly variables: readonly VariableRule[];
  /** Further variables that they get if our environment does not have them. */
  readonly set?: Readonly<Record<string, string>>;
  /** Names that a server's own `env` cannot set, in upper or lower case: regular expression. */
  readonly refused?: string;
  /** Absent: variables in a server's configuration stay as they are. */
  readonly expansion?: Expansion;
  /** The variable, in hooks, with the folder in which servers start; absent: the session's folder. */
  readonly folder?: string;
}

/** Regular expressions over a variable's name and its value; a rule with both fits when one of them does. */
export interface VariableRule {
  readonly name?: string;
  readonly value?: string;
  readonly anyCase?: true;
  readonly kept: boolean;
}

/**
 * How variables in `command`, `args`, `url`, `env` and `headers` are filled in. The patterns are regular expressions with
 * groups for the variable's name. Their last group is the default for a variable that is not set; without it, the reference
 * stays.
 */
export interface Expansion {
  readonly pattern: string;
  /** Only in values of `env` and `headers`. */
  readonly onlyValues?: true;
  /** The default is for a variable that is empty, too. */
  readonly emptyIsUnset?: true;
  /** Variables that are in our environment and not in the client's, by name: regular expression. */
  readonly except: string;
  /** A second pass over values of `env` and `headers`: fills in what the servers get. A variable that is not set is empty. */
  readonly again?: string;
  /** Texts to replace that are not variables: by `{cwd}`, the name of its `{folder}`, `{home}` or `{separator}`. */
  readonly places?: Readonly<Record<string, string>>;
  /** References that only the client itself can fill in: regular expression. We cannot use a configuration with one of these. */
  readonly unknown?: string;
}
