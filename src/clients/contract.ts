/** What the compiler, the planner and the runner know of a client, as data wherever data can say it. */

import type { ServerEnvironment } from '../declaration/configured-server.ts';
import type { Event } from '../declaration/declaration.ts';
import type { Dialect, JsonObject, Layout } from '../edit/edit.ts';
import type { Env } from '../system/env.ts';

/** How faithfully a declared hook arrives: `adapted`, the same effect by other means; `late`, read later than declared. */
export type Grade = 'exact' | 'adapted' | 'late' | 'none';

/**
 * What the runner does for a hook when a native event arrives:
 * - `tell`: the text goes into the model's context.
 * - `ask`: the text starts one more turn of the model, at the end of a turn.
 * - `mark`: nothing is said, but a later `tell` of the same hook that waits for the mark will speak.
 * - `call`: the tool is called; nobody reads its reply.
 * - `keep`: the tool or command runs now, and its answer waits for a later `tell` of the same hook that is `marked`.
 */
export type Act = 'tell' | 'ask' | 'mark' | 'call' | 'keep';

export interface Binding {
  readonly native: string;
  readonly act: Act;
  /** Act only on the first of these events in a session. */
  readonly once?: true;
  /** Act only if a `mark` of the same hook came earlier in the session; removes the mark. */
  readonly marked?: true;
  /** Of a hook that speaks once per turn: whether the event begins a turn for it, or takes the turn's only chance to speak. */
  readonly turn?: 'begins' | 'takes';
  /** Act only for calls of this tool, named as in declarations. */
  readonly tool?: string;
}

/** How a client makes one declared event happen. */
export interface Lowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** When the model reads the text, and why not as declared: the end of "the model is told ...". */
  readonly when: string;
  /** What this client cannot do for the event, in one sentence, although the grade holds in all other cases. */
  readonly except?: string;
  /** The exception is only about tools of MCP servers. */
  readonly exceptIsMcp?: true;
  readonly on: readonly Binding[];
  /** Every firing costs one more turn of the model. */
  readonly extraTurn?: true;
  /** `--act-now` would tell it sooner. */
  readonly sooner?: true;
}

/** How a declared event is lowered: for texts, for tools where that differs, and with `--act-now`. */
export interface EventLowering {
  readonly text: Lowering;
  readonly tool?: Lowering;
  readonly actNow?: Lowering;
  /** The decisions that the client can carry out for this event; absent: none. */
  readonly decide?: {
    readonly block?: DecisionLowering;
    readonly input?: DecisionLowering;
    readonly output?: DecisionLowering;
  };
}

export interface DecisionLowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** What happens, if that is not just what was decided: the end of "a block ...". */
  readonly when?: string;
  /** The native event that decides; absent: the events on which the hook speaks. */
  readonly on?: string;
  /** It costs one more turn of the model. At the end of that turn, the hook does not decide again. */
  readonly extraTurn?: true;
}

export interface NativeEvent {
  readonly matcher: 'tool' | 'none' | { readonly fixed: string };
  /** Seconds after which the client gives up on us; the runner's own deadline is earlier. */
  readonly timeout: number;
  /** The key, at the top of the payload, that tells two such events of a session apart. */
  readonly occasion?: string;
  /** The session ends: nobody should have to wait. */
  readonly end?: true;
  /** Differences of this event's payload or answer from the client's usual ones. */
  readonly wire?: Partial<Wire>;
}

/** Other clients that run the hooks of this one, too. */
export interface Hosts {
  /** A variable that this client sets to its process id for hooks. */
  readonly own?: string;
  readonly others: Readonly<Record<string, readonly string[]>>;
}

/** Where the runner finds things in a client's payload (dotted paths), and what it answers. */
export interface Wire {
  readonly session: string;
  /**
   * How every payload begins, up to the session's id; `{event}` is the native event. The first stage leaves any other to the
   * second.
   */
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
  /** What tells two events of the same kind apart: all of these keys that are there, together. */
  readonly occasion: readonly string[];
  readonly prompt: string;
  readonly toolName: string;
  readonly toolInput: string;
  /** The first that is there is the tool's output. */
  readonly toolOutput: readonly string[];
  /** The configured name of the MCP server whose tool is called, if the client tells it. */
  readonly serverName?: string;
  readonly serverTool?: string;
  /** With this in the payload, a prompt is not the user's (but a subagent's). */
  readonly subagent?: string;
  /** True in the payload when the turn that ends was started by an `ask`. */
  readonly continued: string;
  /** Prompts that the client wrote itself: regular expression, tested on the whole prompt. */
  readonly ownPrompt?: string;
  /** Text that the client puts before the user's prompt: regular expression. It is removed. */
  readonly promptPrefix?: string;
  /** The client cuts longer texts: characters (UTF-16), bytes (UTF-8). */
  readonly limit: { readonly characters?: number; readonly bytes?: number };
  /** The JSON object for a `tell`; `{event}`, `{text}` and, with a key at the top of the payload, `{payload:key}` are filled in. */
  readonly tell: JsonObject;
  readonly ask: JsonObject;
  /** How the client is made to do something else than go on; absent: it cannot be. */
  readonly decide?: Decide;
  /**
   * Whether a call failed: `true` if the event only comes after failed calls; otherwise where the payload says so, any of
   * these. Absent: the client does not tell.
   */
  readonly failed?: true | readonly Failed[];
  /** Parts of an output that differ with each call (regular expression): two errors are the same without them. */
  readonly varying?: string;
  /** The kind of subagent, where one is at work. */
  readonly agent?: string;
  /** Milliseconds that the call took. */
  readonly duration?: string;
  readonly usage?: Usage;
  /** Where the payload itself has the number of tokens that the session has used, and how often it was compacted. */
  readonly used?: { readonly tokens: string; readonly window: string };
  /** What the transcript says of the session. */
  readonly record?: SessionRecord;
  /** What the payload itself says of the session: keys at its top, under the names that commands know. */
  readonly told?: readonly string[];
  /**
   * Of several hooks, only the last one's answer counts, so each of ours repeats what those before it have said. This key at
   * the top of the payload has the same value for all hooks of one event.
   */
  readonly repeats?: string;
}

/** Where a payload says that a call failed. */
export interface Failed {
  readonly at: string;
  /** How the text there ends then (regular expression); absent: anything is there. */
  readonly like?: string;
  /** The client's names of the tools that say so; absent: all. Anything may stand in the outputs of others. */
  readonly tools?: readonly string[];
}

/** The JSON objects that carry a decision, merged over the one of a `tell` when there is a text as well. */
export interface Decide {
  /** Stops what was about to happen; `{reason}` is filled in. */
  readonly block?: JsonObject;
  /** Makes the call with another input, the value `"{input}"`. */
  readonly input?: JsonObject;
  /** Shows the model another output, the value `"{output}"`. */
  readonly output?: JsonObject;
  /**
   * Where the text stands in a tool's output that is an object (dotted paths): the first that is there. An output without
   * any of them cannot be changed. Absent, or for any other output: `output` gets the text alone. `any`: it takes any value.
   */
  readonly outputText?: readonly string[] | 'any';
  /** Other texts in such an output that the model reads: they become empty. */
  readonly outputRest?: readonly string[];
  /** The model reads the tool's output next to the reason of a block, so a change of it counts as well. */
  readonly beside?: true;
  /** A decision leaves no room for a text. */
  readonly alone?: true;
}

/** Lines of a transcript, each of them JSON. Anybody's words may stand in such a line, so the keys that the client itself writes decide. */
export interface Lines {
  /** Part of each such line, so that others need not be parsed. */
  readonly part: string;
  /**
   * Dotted paths from the top of the line, each with what is there: a text, any of several, or with `*` at its beginning or end
   * any that ends or begins so; `true`: anything but `false`.
   */
  readonly keys: Readonly<Record<string, string | readonly string[] | true>>;
}

/** How a session's transcript records the tokens that the model received and wrote. */
export interface Usage {
  /** Those that have these numbers. */
  readonly lines: Lines;
  /** Dotted paths of numbers in such a line: their sum is the size of the context now. */
  readonly tokens: readonly string[];
  /**
   * The entry that only a compaction has, in a list of a line with which the history begins anew: its keys, and the one whose
   * value tells two compactions apart. Absent: each such line is a compaction.
   */
  readonly compaction?: Pick<Lines, 'keys'> & { readonly list: string; readonly id: string };
}

/** What commands read of a session, from its transcript: lines of JSON. `*` in a path stands for each element of a list. */
export interface SessionRecord {
  /** Dotted paths of when a line was written; the first line that has one of them begins the session. */
  readonly time: readonly string[];
  /** Those with tool calls, and dotted paths of what tells two calls apart: the first that is there. */
  readonly calls: { readonly lines: Lines; readonly names: readonly string[] };
  /** The most tokens that the model takes: the lines that have it, and its dotted path. Absent: it is not written down. */
  readonly window?: { readonly lines: Lines; readonly at: string };
  /**
   * For a client that writes late: the line that records the event itself, and the key of the payload whose value is in that
   * line as well.
   */
  readonly until?: { readonly lines: Lines; readonly key: string };
  /**
   * Where the transcript is if the payload does not say: in the folder that a variable names, otherwise in this one of the home.
   * `{session}` is filled in.
   */
  readonly file?: { readonly variable: string; readonly folder: string; readonly name: string };
}

/** How a client writes a session's history down: a line of JSON for each thing. */
export interface History {
  readonly said: Lines;
  readonly anew: Lines;
  /** Messages are taken back; lines then have to be read one after the other. */
  readonly back?: Lines;
  /** The session goes on from another one, whose history is elsewhere. */
  readonly inherited?: Lines;
  /** `<` and `>` are written as in HTML. */
  readonly html?: true;
}

/** How a client names the tools of MCP servers: prefix, server, separator, tool. */
export interface McpNames {
  readonly prefix: string;
  readonly separator: string;
  /** Each character outside this class is replaced: the inside of a regular expression's `[]`. */
  readonly allowed: string;
  /** The character that replaces it; absent: `_`. */
  readonly replacement?: string;
  /** What may come before the name of a plugin's server: regular expression. */
  readonly plugin?: string;
  /** A longer name is cut in its middle to `<first>...<last>`, or without `first` at its end; characters. */
  readonly limit?: { readonly length: number; readonly first?: number };
}

/** By default, a matcher that is absent, empty or `*` fits everything, and any other is an unanchored regular expression. */
export interface Matching {
  /** A matcher of this form (a regular expression for all of it) lists whole names, separated by `|` or `,`. */
  readonly lists?: string;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly anchored?: true;
  /** A matcher that is not a regular expression is a whole name; absent: it fits nothing. */
  readonly otherwise?: 'name';
}

/** JSON as defined, which most clients read. */
export const STRICT = {
  comments: false,
  returns: false,
  trailingCommas: false,
  bom: false,
  empty: false,
} as const;

/** Hooks by event in an object of their own, as most clients have them. */
export const UNDER_HOOKS: Layout = { kind: 'lists', under: 'hooks' };

export const SCOPES = ['user', 'project', 'local'] as const;
/** Whose settings hold the hooks: the user's, a project's, or the user's own of a project (`local`), which nobody shares. */
export type Scope = (typeof SCOPES)[number];

/** How a client reads a file with hooks. */
interface FileKind {
  readonly format: 'json' | 'toml';
  readonly dialect: Dialect;
  readonly layout: Layout;
}

/** One of the files in which a client looks for hooks. */
export interface ConfigFile extends FileKind {
  /** Name within the config folder. */
  readonly name: string;
  /** How a file that we create begins; absent: it holds nothing but our hooks. */
  readonly start?: string;
}

/** The files of each scope that may hold hooks and that anybody may write to. Without one, the client has no such scope. */
export interface ScopedFiles {
  readonly user: readonly [ConfigFile, ...ConfigFile[]];
  readonly project?: readonly ConfigFile[];
  readonly local?: readonly ConfigFile[];
}

/**
 * Where a client's hooks are. With `shared-file`, ours are among those of others: in the file of the scope that already holds
 * hooks, else in the first. With `own-file`, each label has a file of its own in a folder, and the others are only read.
 */
export type Placement =
  | { readonly kind: 'shared-file'; readonly files: ScopedFiles }
  | { readonly kind: 'own-file'; readonly folder: HooksFolder; readonly files: ScopedFiles };

export interface Entry {
  /**
   * - `grouped`: an element has a matcher and a list of handlers, `{ "matcher", "hooks": [{ "type", "command" }] }`.
   * - `flat`: an element is the handler, with its matcher in it.
   */
  readonly shape: 'grouped' | 'flat';
  /** Rewrites a matcher so that the client reads it as it is meant; absent: it stays as it is. */
  readonly matcher?: (matcher: string) => string;
  readonly handler: (handler: Omit<Handler, 'matcher'>) => JsonObject;
  /** The keys of a handler whose values are commands, starting with the one for this system. */
  readonly commands: readonly [string, ...string[]];
}

/** A folder in which the client reads every file, so that each label can have its own. */
export interface HooksFolder extends FileKind {
  /** Within the config folder, the user's or a project's. */
  readonly name: string;
  readonly fileOf: (label: string) => string;
  readonly ending: string;
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

export interface Client {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  /** The short name, for sentences in which it is not ambiguous. */
  readonly shortName: string;
  /** The version on which everything in the file was measured. */
  readonly verified: string;
  /** The oldest version in which all that is in the file holds: `npm run test:versions`. Older ones are not supported. */
  readonly minimum: string;
  readonly executable: string;
  readonly npmPackage: string;
  /** Folder of the user's configuration; absolute if the environment's paths are. */
  readonly userFolder: (env: Env, home: string) => string;
  /** Folder of a project's configuration, below the folder in which the client is started. */
  readonly projectFolder: string;
  readonly placement: Placement;
  /** Other events of the client. If it has several files, a file holds hooks when it has some under an event that the client knows. */
  readonly otherEvents?: readonly string[];
  /** Trust depends on a group's position, so no later group may ever move. */
  readonly positional: boolean;
  /** The program that gets a hook's command as its last argument. */
  readonly hookShell: readonly [string, ...string[]];
  /** Milliseconds in one unit of a handler's `timeout`. */
  readonly hookTimeUnit: 1 | 1000;
  /** Variables that the client sets for hooks; `{cwd}`, `{session}` and `{pid}` (its own) are filled in. */
  readonly hookVariables: Readonly<Record<string, string>>;
  readonly matching: Matching;
  /** SEP-2282's names of tools, with the client's own. A name that is not here is passed through and reported. */
  readonly tools: Readonly<Record<string, string>>;
  /** The client's other tools, for which SEP-2282 has no name. Includes tools of versions before and after the measured one. */
  readonly otherTools: readonly string[];
  readonly mcpNames: McpNames;
  /** How the names of the client's own MCP servers begin, with `_` for anything but letters and digits. */
  readonly builtInServers?: readonly string[];
  readonly givenToServers: ServerEnvironment;
  readonly nativeEvents: Readonly<Record<string, NativeEvent>>;
  /** `null`: this client cannot do it at all. */
  readonly lowering: Readonly<Record<Event, EventLowering | null>>;
  /** Why it cannot, if that is not obvious: follows "it has no such moment". */
  readonly cannot?: Readonly<Partial<Record<Event, string>>>;
  readonly wire: Wire;
  readonly hosts?: Hosts;
  readonly entry: Entry;
}

/** What only the extended vocabulary needs. Programs without it do not contain these. */
const LIFECYCLE = [
  'decide',
  'failed',
  'varying',
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

/** The payloads and answers of one native event: the client's, with the event's own differences. */
export const wireOf = (
  { wire, nativeEvents }: Pick<Client, 'wire' | 'nativeEvents'>,
  native: string,
): Wire => ({ ...wire, ...nativeEvents[native]?.wire });
