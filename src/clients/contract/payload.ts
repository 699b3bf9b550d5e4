/** What a client sends to hooks, what it reads of their answers, and what it writes down of a session. */

import type { JsonObject } from '../../edit/edit.ts';

export interface NativeEvent {
  readonly matcher: 'tool' | 'none' | { readonly fixed: string };
  /** Seconds after which the client gives up on us; the runner's own deadline is earlier. */
  readonly timeout: number;
  /** The key, at the top of the payload, that tells two such events of a session apart. */
  readonly occasion?: string;
  /** The session ends: nobody should have to wait. */
  readonly end?: true;
  /** Of several hooks, only the first one's answer counts. Where that is so of texts that ours can join: `firstOnly`. */
  readonly firstHookOnly?: true;
  /** Differences of this event's payload or answer from the client's usual ones. */
  readonly wire?: Partial<Wire>;
}

/** Other clients that run the hooks of this one, too. */
export interface Hosts {
  /** A variable that this client sets to its process id for hooks. */
  readonly own?: string;
  /** Variables that each of them sets, one of which is enough. */
  readonly others: Readonly<Record<string, readonly string[]>>;
  /** A key at the top of the payload that only this other client sends. */
  readonly payloads?: Readonly<Record<string, string>>;
  /** Variables that only another client sets, which runs these hooks as well: they never do anything there. */
  readonly never?: readonly string[];
}

/** Any text but none, for `onlyIf`. The first stage knows it, too. */
export const NOT_EMPTY = '[^]';

/** Where the runner finds things in a client's payload (dotted paths), and what it answers. */
export interface Wire {
  readonly session: string;
  /**
   * How every payload begins, up to the session's id; `{event}` is the native event. The first stage leaves any other to the
   * second.
   */
  readonly begins: string;
  readonly event: string;
  /** Where the session's folder is; absent: only in a variable. */
  readonly cwd?: string;
  /** The variable with the session's folder. */
  readonly cwdVariable?: string;
  /** The event only counts if the value there, as text, is like this (regular expression). */
  readonly onlyIf?: { readonly at: string; readonly like: string };
  readonly source: string;
  /** The sources that may come again in a session. */
  readonly recurring: readonly string[];
  /** The sources of a session that goes on with its history. */
  readonly continuing: readonly string[];
  readonly transcript: string;
  /**
   * Where the transcript is if the payload does not say: in the folder that a variable names, otherwise in this one of the home.
   * `{session}` is filled in, and `*` stands for the folder that has the session.
   */
  readonly transcriptFile?: {
    readonly variable: string;
    readonly folder: string;
    readonly name: string;
  };
  readonly history: History;
  /** What tells two events of the same kind apart: all of these keys that are there, together. */
  readonly occasion: readonly string[];
  readonly prompt: string;
  readonly toolName: string;
  readonly toolInput: string;
  /** The first that is there is the tool's output. */
  readonly toolOutput: readonly string[];
  /** The configured name of the MCP server whose tool is called, if the client sends it. */
  readonly serverName?: string;
  readonly serverTool?: string;
  /** With this in the payload, a prompt is not the user's (but a subagent's). */
  readonly subagent?: string;
  /** True in the payload, or a number above 0, when the turn that ends was started by an `ask`. */
  readonly continued: string;
  /**
   * Prompts that the client wrote itself, or that are commands for it: regular expression, tested on the whole prompt.
   * Alternatives each begin with `^`.
   */
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
   * these; none of them: the event never comes after such a call. Absent: the client does not report it.
   */
  readonly failed?: true | readonly Failed[];
  /** With this in the payload, the call has failed, and the client drops the texts of hooks about it. */
  readonly drops?: string;
  /** Parts of an output that differ with each call (regular expression): two errors are the same without them. */
  readonly varying?: string;
  /**
   * Of what the client tells its user: whether it waits for an answer to a question, always or if the text there is like this
   * (regular expression). Otherwise it waits for the next prompt.
   */
  readonly asks?: true | { readonly at: string; readonly like: string };
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
   * Of several hooks, only the last one's answer counts, so each of ours repeats the texts of those before it. This key at
   * the top of the payload has the same value for all hooks of one event.
   */
  readonly repeats?: string;
  /**
   * All hooks of an event run at the same time, and the model reads the text of the first that has one. So one of ours has the
   * texts of all of them.
   */
  readonly firstOnly?: true;
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
  /** A decision leaves no room for a text: the client drops it. `block`: only a block does. */
  readonly alone?: true | 'block';
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
  /** Dotted paths of when a line was written, in words or milliseconds; the first line that has one of them begins the session. */
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

const NEVER: Lines = { part: 'no-such-line', keys: {} };

/** Nothing is known of how it is written, or nobody writes it. */
export const NO_HISTORY: History = { said: NEVER, anew: NEVER };

/** What only the extended vocabulary needs. Programs without it do not contain these. */
const LIFECYCLE = [
  'decide',
  'failed',
  'varying',
  'asks',
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
