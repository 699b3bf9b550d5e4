/** A server in a client's configuration: how its entry is read, and what the client makes of it. */

/** Keys of an entry beside `command`, `args`, `env` and `type`. The runner reads by these, too, so they are data. */
export interface EntryFields {
  /** The address; the first that is there. */
  readonly url: readonly string[];
  readonly headers: string;
  /** Headers with the names of variables that hold their values. */
  readonly headersFromVariables?: string;
  /** The name of a variable that holds a bearer token. */
  readonly bearer?: string;
  /** A list of variables that the server is given as they are. */
  readonly passedOn?: string;
  /** The path of a file of variables; what `env` says comes before it. */
  readonly envFile?: string;
  readonly cwd?: string;
}

/** A place in a file: keys from its top, one in the other. */
export interface PlaceInFile {
  readonly file: string;
  readonly format: 'json' | 'toml';
  readonly path: readonly string[];
}

/** Names of variables or headers; their values are read when the tool is called, and never copied. */
export interface ValuesInFile extends PlaceInFile {
  /** Only these, which the user has seen: a name that the file has later is not taken. */
  readonly names: readonly string[];
  /** A hash of the variables that decide what runs (src/compile/steering.ts): no server is started with others. Absent: there are none. */
  readonly steering?: string;
  /** Keys of the object that has them; absent: `server`. */
  readonly at?: readonly string[];
}

/** A server in a client's configuration: all of it is read there when the tool is called. */
export interface ConfiguredEntry extends ValuesInFile {
  readonly fields: EntryFields;
  /** A hash of what the user has seen, values of variables and headers apart; the tool is called only as long as it is that. */
  readonly seen: string;
}

/** What the runner needs to read a server in a client's configuration. */
export interface ConfiguredServer {
  readonly entry: ConfiguredEntry;
  /** What the client whose configuration it is makes of variables in it. */
  readonly given: ServerEnvironment;
  /** For one at an address: the name of the file that keeps what the user has signed in with there, if he has. */
  readonly tokens?: string;
  /** The variables that decide what runs, as they are written there, and the path of the file that has more: to be shown. */
  readonly steering?: Readonly<Record<string, string>>;
  readonly envFile?: string;
}

/** What a client gives the MCP servers of its configuration; a server whose tool we call is given the same. */
export interface ServerEnvironment {
  /** Which variables of our environment they have, too: the first rule that fits decides. The others they have. */
  readonly variables: readonly VariableRule[];
  /** What they have besides, where it is not in our environment. */
  readonly set?: Readonly<Record<string, string>>;
  /** Names that a server's own `env` cannot set, in any case of letters: regular expression. */
  readonly refused?: string;
  /** Absent: variables in a server's configuration stay as they are. */
  readonly expansion?: Expansion;
  /** The variable, in hooks, that holds the folder they are started in; absent: the one that the session is in. */
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
 * groups for the variable's name, and as their last group what stands for one that is not set; without that it stays.
 */
export interface Expansion {
  readonly pattern: string;
  /** Variables that are in our environment and not in the client's, by name: regular expression. */
  readonly except: string;
  /** What is left in values of `env` and `headers` then: from what the servers are given; what is not set is empty. */
  readonly again?: string;
  /** Texts in the place of which something stands that is no variable: `{cwd}`, the name of its `{folder}`, `{home}`, `{separator}`. */
  readonly places?: Readonly<Record<string, string>>;
  /** What only the client itself can fill in: regular expression. A configuration with one of these is of no use to us. */
  readonly unknown?: string;
}
