/** What the compiler, the planner and the runner know of a client: data where data can say it. */

import type { ServerEnvironment } from '../declaration/configured-server.ts';
import type { Event } from '../declaration/declaration.ts';
import type { Dialect, JsonObject } from '../edit/edit.ts';
import type { Env } from '../system/env.ts';

/** How faithfully a declared hook arrives: `adapted`, the same effect by other means; `late`, read later than declared. */
export type Grade = 'exact' | 'adapted' | 'late' | 'none';

/**
 * What the runner does when a native event arrives for a hook:
 * - `tell`: the text goes into the model's context.
 * - `ask`: the text starts one more turn of the model, at the end of a turn.
 * - `mark`: nothing is said, but a later `tell` of the same hook that waits for the mark will be.
 * - `call`: the tool is called; its reply reaches nobody.
 * - `keep`: the tool or command runs now, and what it says waits for a later `tell` of the same hook that is `marked`.
 */
export type Act = 'tell' | 'ask' | 'mark' | 'call' | 'keep';

export interface Binding {
  readonly native: string;
  readonly act: Act;
  /** Act on the first of these in a session only. */
  readonly once?: true;
  /** Act only when a `mark` of the same hook came before in the session; takes the mark away. */
  readonly marked?: true;
  /** Act only for calls of this tool, by the name that declarations have for it. */
  readonly tool?: string;
}

/** How one declared event is made to happen in a client. */
export interface Lowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** When the model reads the text and why not as declared: the end of "the model is told ...". */
  readonly when: string;
  /** What this client cannot do for the event, in one sentence, although the grade holds otherwise. */
  readonly except?: string;
  /** That is about tools of MCP servers alone. */
  readonly exceptIsMcp?: true;
  readonly on: readonly Binding[];
  /** Every firing costs one more turn of the model. */
  readonly extraTurn?: true;
  /** It would be told sooner by what the event has for `--act-now`. */
  readonly sooner?: true;
  /** The gaps of the client's version that this goes round. */
  readonly instead?: readonly EventGap[];
}

/** How a declared event is lowered: its texts, its tools where that differs, and what `--act-now` makes of it. */
export interface EventLowering {
  readonly text: Lowering;
  readonly tool?: Lowering;
  readonly actNow?: Lowering;
  /** What becomes of decisions; absent: the client cannot make them for this event. */
  readonly decide?: {
    readonly block?: DecisionLowering;
    readonly input?: DecisionLowering;
    readonly output?: DecisionLowering;
  };
}

export interface DecisionLowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** What happens, where that is not just what was decided: the end of "a block ...". */
  readonly when?: string;
  /** The native event on which it is decided; absent: those on which the hook says something. */
  readonly on?: string;
  /** It costs one more turn of the model, at whose end it is not decided again. */
  readonly extraTurn?: true;
}

export interface NativeEvent {
  readonly matcher: 'tool' | 'none' | { readonly fixed: string };
  /** Seconds after which the client gives up on us; the runner's own deadline lies before it. */
  readonly timeout: number;
  /** With the session, what in the payload (a key at its top) tells one such event from another. */
  readonly occasion?: string;
  /** The session ends: nobody should have to wait. */
  readonly end?: true;
  /** Where its payload or its answer is not that of the others. */
  readonly wire?: Partial<Wire>;
}

/** Other clients that run the hooks of this one, too. */
export interface Hosts {
  /** A variable that this client sets to its process id for hooks. */
  readonly own?: string;
  readonly others: Readonly<Record<string, readonly string[]>>;
}

/** Where the runner finds things in the payload a client sends (dotted paths), and what it answers with. */
export interface Wire {
  readonly session: string;
  /** How every payload begins, up to the session's id; `{event}` is the native event. The first stage leaves any other. */
  readonly begins: string;
  readonly event: string;
  readonly cwd: string;
  readonly source: string;
  /** The sources that may come again in a session. */
  readonly recurring: readonly string[];
  /** The sources of a session that goes on with its history. */
  readonly continuing: readonly string[];
  readonly transcript: string;
  readonly history: History;
  /** What tells one event from another of the same kind; those that are there, together. */
  readonly occasion: readonly string[];
  readonly prompt: string;
  readonly toolName: string;
  readonly toolInput: string;
  /** The first that is there is the tool's output. */
  readonly toolOutput: readonly string[];
  /** The configured name of the MCP server whose tool is called, where the client says it. */
  readonly serverName?: string;
  readonly serverTool?: string;
  /** Native events that are no request of the user's when this is in the payload (a subagent's). */
  readonly subagent?: string;
  /** True in the payload when the turn that ends was started by an `ask`. */
  readonly continued: string;
  /** Prompts that the client wrote itself: regular expression, tested on the whole prompt. */
  readonly ownPrompt?: string;
  /** What the client puts before the user's prompt: regular expression, taken away. */
  readonly promptPrefix?: string;
  /** More than this the client cuts: characters (UTF-16), bytes (UTF-8). */
  readonly limit: { readonly characters?: number; readonly bytes?: number };
  /** The JSON object for a `tell`; `{event}`, `{text}` and, with a key at the top of the payload, `{payload:key}` are filled in. */
  readonly tell: JsonObject;
  readonly ask: JsonObject;
  /** How it is made to do something else than go on; absent: it cannot be. */
  readonly decide?: Decide;
  /**
   * Whether a call failed: `true` where the event comes after failed ones only; else where the payload says it, and what
   * (regular expression) stands there then. Absent: it does not say.
   */
  readonly failed?: true | { readonly at: string; readonly like?: string };
  /** The kind of subagent, where one is at work. */
  readonly agent?: string;
  /** Milliseconds that the call took. */
  readonly duration?: string;
  readonly usage?: Usage;
  /** Where the payload itself has the tokens that the session has used, and how often it was compacted. */
  readonly used?: { readonly tokens: string; readonly window: string };
  /** What the transcript says of the session. */
  readonly record?: SessionRecord;
  /** What the payload itself says of it: keys at its top, by the names that commands know. */
  readonly told?: readonly string[];
  /**
   * Of several hooks only the answer of the last one counts, so each of ours says again what ours before it have said: the
   * key at the top of the payload whose value is the same for all hooks of one event.
   */
  readonly repeats?: string;
}

/** The JSON objects by which an event is decided, laid over that of a `tell` when there is something to tell as well. */
export interface Decide {
  /** What was about to happen does not; `{reason}` is filled in. */
  readonly block?: JsonObject;
  /** The call is made with another input: the value `"{input}"`. */
  readonly input?: JsonObject;
  /** The model reads another output: the value `"{output}"`. */
  readonly output?: JsonObject;
  /**
   * Where the text stands in a tool's output that is an object (dotted paths): the first that is there. One that has none
   * of them cannot be changed. Absent, or any other output: `output` is given the text alone. `any`: it takes any value.
   */
  readonly outputText?: readonly string[] | 'any';
  /** With a decision nothing else may be said. */
  readonly alone?: true;
}

/** How a session's transcript records the tokens that the model was sent and has answered with. */
export interface Usage {
  /** Part of each line that has them. */
  readonly line: string;
  /** Dotted paths of numbers in such a line: together they are what the context holds now. */
  readonly tokens: readonly string[];
}

/** What commands are told of a session, as its transcript has it: lines of JSON. `*` in a path stands for each element of a list. */
export interface SessionRecord {
  /** Dotted paths of when a line was written; the first line that has one of them begins the session. */
  readonly time: readonly string[];
  /** Lines with calls of tools (regular expression), and the dotted paths of what tells one call from another: the first that is there. */
  readonly calls: { readonly line: string; readonly names: readonly string[] };
  /** How many tokens the model takes: part of each line that has it, and its dotted path. Absent: the client does not write it down. */
  readonly window?: { readonly line: string; readonly at: string };
  /**
   * A client that writes down late what has happened: the part of a line by which it writes the event itself down, and the key of
   * the payload whose value is in that line as well.
   */
  readonly until?: { readonly line: string; readonly key: string };
  /**
   * Where the transcript is if the payload does not say: in the folder that a variable names, otherwise in this one of the home.
   * `{session}` is filled in.
   */
  readonly file?: { readonly variable: string; readonly folder: string; readonly name: string };
}

/** How a client writes a session's history down: a line of JSON for each thing. All are parts of lines. */
export interface History {
  readonly said: string;
  readonly anew: string;
  /** Messages are taken back; lines then have to be read one after the other. */
  readonly back?: string;
  /** The session goes on from another one, whose history is elsewhere. */
  readonly inherited?: string;
  /** `<` and `>` are written as in HTML. */
  readonly html?: true;
}

/** How a client names the tools of MCP servers: prefix, server, separator, tool. */
export interface McpNames {
  readonly prefix: string;
  readonly separator: string;
  /** Each character outside this class is replaced: the inside of a regular expression's `[]`. */
  readonly allowed: string;
  /** The character that comes in its place; absent: `_`. */
  readonly replacement?: string;
  /** What may stand before the name of a server that a plugin brings: regular expression. */
  readonly plugin?: string;
  /** Matchers have to fit the tool's own name as well: the gap `mcp-names`. */
  readonly bare?: true;
  /** A longer name is cut in its middle to `<first>...<last>`, or without `first` at its end; characters. */
  readonly limit?: { readonly length: number; readonly first?: number };
}

/** Unless it says otherwise, a matcher that is absent, empty or `*` fits all, any other is an unanchored expression. */
export interface Matching {
  /** A matcher of this form (a regular expression over the whole of it) lists whole names, between `|` or `,`. */
  readonly lists?: string;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly anchored?: true;
  /** One that is no regular expression is a whole name; absent: it fits nothing. */
  readonly otherwise?: 'name';
}

/** JSON as it is defined: what most dialects are. */
export const STRICT = { comments: false, trailingCommas: false, bom: false, empty: false } as const;

/** One of the files in which a client looks for hooks. */
export interface ConfigFile {
  /** Name within the config folder. */
  readonly name: string;
  readonly format: 'json' | 'toml';
  readonly dialect: Dialect;
  /** What a file begins as that we make; absent: there is nothing in it but our hooks. */
  readonly start?: string;
}

export interface Entry {
  /**
   * - `grouped`: an element has a matcher and a list of handlers, `{ "matcher", "hooks": [{ "type", "command" }] }`.
   * - `flat`: an element is the handler, with its matcher in it.
   */
  readonly shape: 'grouped' | 'flat';
  /** What a matcher has to be written as, so that the client reads it as it is meant; absent: as it is. */
  readonly matcher?: (matcher: string) => string;
  readonly handler: (handler: Omit<Handler, 'matcher'>) => JsonObject;
  /** The keys of a handler whose values are commands, the one for this system first. */
  readonly commands: readonly [string, ...string[]];
}

/** A folder of which the client reads every file, so that no label has to share one. */
export interface HooksFolder {
  /** Within the config folder, the user's or a project's. */
  readonly name: string;
  readonly fileOf: (label: string) => string;
  readonly ending: string;
  readonly format: ConfigFile['format'];
  readonly dialect: Dialect;
}

export interface Handler {
  readonly label: string;
  readonly native: string;
  readonly command: string;
  readonly powerShell?: string;
  /** Seconds. */
  readonly timeout: number;
  /** Absent when every call is wanted or the event has no matcher. */
  readonly matcher?: string;
}

/** What older versions of a client lack. docs/versions.md has the measurements. */
export type Gap = EventGap | CapabilityGap;

/** A native event that does not exist yet, or an act that has no effect on it. */
export interface EventGap {
  /** The first version without the gap. */
  readonly until: string;
  readonly native: string;
  /** Absent: the event never fires. */
  readonly act?: Act;
  /** Another way to the same effect in these versions, which newer ones accept as well. Absent: there is none. */
  readonly instead?: { readonly on: readonly [string, ...string[]] } | { readonly ask: JsonObject };
}

/** `no-proxy`: NO_PROXY is ignored. `mcp-names`: a server's tool has its own name; behind `<server>__` where two are alike. */
export interface CapabilityGap {
  readonly until: string;
  readonly lacks: 'no-proxy' | 'mcp-names';
}

export interface Client {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  /** The same in a sentence, where there is no doubt about it. */
  readonly shortName: string;
  /** The version on which everything in the file was measured. */
  readonly verified: string;
  /** The first version that runs our hooks, without a switch that would turn them on first. */
  readonly hooksSince: string;
  readonly gaps: readonly Gap[];
  readonly executable: string;
  readonly npmPackage: string;
  /** Folder of the user's configuration; absolute when the environment is. */
  readonly userFolder: (env: Env, home: string) => string;
  /** Folder of a project's configuration, below the folder in which the client is started. */
  readonly projectFolder: string;
  /** In the user's folder and in a project's. The first that already holds hooks is written to, else the first. */
  readonly files: readonly [ConfigFile, ...ConfigFile[]];
  /** Absent: hooks stand in `files` alone. Otherwise ours are written here, each label's in a file of its own. */
  readonly hooksFolder?: HooksFolder;
  /** Further events of the client. Where it has several files, one holds hooks if there are some under an event that it knows. */
  readonly otherEvents?: readonly string[];
  /** The same for the user's own settings of a project, which nobody shares; empty: the client has no such file. */
  readonly localFiles: readonly ConfigFile[];
  /** Trust hangs on a group's position, so no later group may ever move. */
  readonly positional: boolean;
  /** What a hook's command is given to as the last argument. */
  readonly hookShell: readonly [string, ...string[]];
  /** Milliseconds in one of a handler's `timeout`. */
  readonly hookTimeUnit: 1 | 1000;
  /** What it sets in the environment of hooks; `{cwd}`, `{session}` and `{pid}` (its own) are filled in. */
  readonly hookVariables: Readonly<Record<string, string>>;
  readonly matching: Matching;
  /** The names that SEP-2282 uses to the client's own. One that is not here is passed through and reported. */
  readonly tools: Readonly<Record<string, string>>;
  /** Its other tools, for which SEP-2282 has no name; also those of versions before and after the one that was measured. */
  readonly otherTools: readonly string[];
  readonly mcpNames: McpNames;
  /** How the names of the MCP servers begin that it brings along; `_` for what is neither a letter nor a digit. */
  readonly builtInServers?: readonly string[];
  readonly givenToServers: ServerEnvironment;
  readonly nativeEvents: Readonly<Record<string, NativeEvent>>;
  /** `null`: this client cannot, at all. */
  readonly lowering: Readonly<Record<Event, EventLowering | null>>;
  /** Why it cannot, where that is not plain: behind "it has no such moment". */
  readonly cannot?: Readonly<Partial<Record<Event, string>>>;
  readonly wire: Wire;
  readonly hosts?: Hosts;
  readonly entry: Entry;
}

/** What only the extended vocabulary asks for: a program without it has nothing of this. */
const LIFECYCLE = [
  'decide',
  'failed',
  'agent',
  'duration',
  'usage',
  'used',
  'record',
  'told',
] as const;

export function plainWire<Some extends Partial<Wire>>(wire: Some): Some {
  const plain = { ...wire };
  for (const key of LIFECYCLE) delete plain[key];
  return plain;
}

/** What payloads look like on one native event, and what it is answered with: as in the client, with what the event has of its own. */
export const wireOf = (
  { wire, nativeEvents }: Pick<Client, 'wire' | 'nativeEvents'>,
  native: string,
): Wire => ({ ...wire, ...nativeEvents[native]?.wire });
