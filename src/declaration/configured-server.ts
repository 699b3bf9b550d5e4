/** A server in a client's configuration: how its entry is read, and how the client interprets it. */

/** The keys of an entry besides `command`, `args` and `type`. They are data, because the runner uses them, too. */
export interface EntryFields {
  /** The key of the server's variables; absent: `env`. */
  readonly env?: string;
  /** The keys of the URL. The first that is present counts. */
  readonly url: readonly string[];
  readonly headers: string;
  /** Headers whose values are in variables, by the names of those. */
  readonly headersFromVariables?: string;
  /** The name of a variable with a bearer token. */
  readonly bearer?: string;
  /** A list of variables that are passed to the server unchanged. */
  readonly passedOn?: string;
  /** The path of a file with variables. Those in `env` take precedence. */
  readonly envFile?: string;
  readonly cwd?: string;
}

/** A place in a file: nested keys from the root. */
export interface PlaceInFile {
  readonly file: string;
  readonly format: 'json' | 'toml';
  readonly path: readonly string[];
}

/** Names of variables or headers. Their values are read when the tool is called, and never copied. */
export interface ValuesInFile extends PlaceInFile {
  /** Only these, which the user has seen. A name added to the file later is not used. */
  readonly names: readonly string[];
  /**
   * A hash of the variables that decide what runs (src/compile/steering.ts). If they change, the server is not started. Absent:
   * there are none.
   */
  readonly steering?: string;
  /** A hash of the values that pass on variables of the user, as written. Absent: there are none. */
  readonly passing?: string;
  /** The keys of the object that contains them; absent: `server`. */
  readonly at?: readonly string[];
}

/** A server in a client's configuration. Everything is read from there when the tool is called. */
export interface ConfiguredEntry extends ValuesInFile {
  readonly fields: EntryFields;
  /**
   * A hash of what the user has seen, except values of variables and headers. If it no longer matches, the tool is not called.
   */
  readonly seen: string;
}

/** Variables of the user in a header or variable of the server. `written`: the whole value, if it is not the user's own. */
export interface PassedOn {
  readonly name: string;
  readonly variables: readonly string[];
  readonly written?: string;
}

/** The data with which the runner reads a server in a client's configuration. */
export interface ConfiguredServer {
  readonly entry: ConfiguredEntry;
  /** How the client of this configuration handles variables in it. */
  readonly given: ServerEnvironment;
  /** For a server at a URL: the name of the file with the user's token for it, if the user has signed in. */
  readonly tokens?: string;
  /**
   * The variables that decide what runs, as written, and the path of the file with more of them. For display. Null: the value
   * is the user's own and is only bound.
   */
  readonly steering?: Readonly<Record<string, string | null>>;
  /** Which variables of the user are passed to whom. For display. */
  readonly passing?: readonly PassedOn[];
  readonly envFile?: string;
}

/** The environment that a client gives to its configured MCP servers, and that we give to a server whose tool we call. */
export interface ServerEnvironment {
  /** Which variables of our environment they get. The first matching rule decides; variables without a rule are passed on. */
  readonly variables: readonly VariableRule[];
  /** Additional variables, if our environment does not have them. */
  readonly set?: Readonly<Record<string, string>>;
  /**
   * Behind an HTTP proxy, its variables are set in both cases, together with the one that has Node use it, and never for these
   * hosts. Absent: they are passed on like others.
   */
  readonly unproxied?: readonly string[];
  /** Names that a server's own `env` cannot set, in either case: regular expression. */
  readonly refused?: string;
  /** Absent: variables in a server's configuration are not expanded. */
  readonly expansion?: Expansion;
  /** The environment variable of hooks with the folder in which servers start; absent: the session's folder. */
  readonly folder?: string;
}

/** Regular expressions for a variable's name and value. A rule with both matches if either does. */
export interface VariableRule {
  readonly name?: string;
  readonly value?: string;
  readonly anyCase?: true;
  readonly kept: boolean;
}

/**
 * How variables in `command`, `args`, `url`, `env` and `headers` are filled in. The patterns are regular expressions with
 * groups for the variable's name. Their last group is the default for an unset variable; without a default, the reference
 * stays.
 */
export interface Expansion {
  readonly pattern: string;
  /** Only in values of `env` and `headers`. */
  readonly onlyValues?: true;
  /** The default also applies to an empty variable. */
  readonly emptyIsUnset?: true;
  /** Variables that are in our environment but not in the client's, by name: regular expression. */
  readonly except: string;
  /**
   * A second pass over values of `env` and `headers`, with the variables that the servers get. Unset variables become empty.
   */
  readonly again?: string;
  /** Other texts to replace: by `{cwd}`, the name of its `{folder}`, `{home}` or `{separator}`. */
  readonly places?: Readonly<Record<string, string>>;
  /** References that only the client can fill in: regular expression. A configuration that contains one cannot be used. */
  readonly unknown?: string;
}
