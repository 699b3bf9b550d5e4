/** What a client sends to hooks, what it reads from their answers, and what it records of a session. */

import type { JsonObject } from '../../edit/edit.ts';

export interface NativeEvent {
  readonly matcher: 'tool' | 'none' | { readonly fixed: string };
  /** Seconds after which the client stops waiting for us. The runner's own deadline is earlier. */
  readonly timeout: number;
  /** The top-level key of the payload that distinguishes two such events of a session. */
  readonly occasion?: string;
  /** Set if the session ends, so that the user is not kept waiting. */
  readonly end?: true;
  /** Set if only the first hook's answer counts. If our hooks can join texts into that answer, use `firstOnly`. */
  readonly firstHookOnly?: true;
  /** Differences between this event's payload or answer and the client's usual ones. */
  readonly wire?: Partial<Wire>;
}

/** Other clients that also run this client's hooks. */
export interface Hosts {
  /** A variable that this client sets to its process id for hooks. */
  readonly own?: string;
  /**
   * Variables that each of them sets. One of them is enough. The key is the client whose hooks, if they are installed, are the
   * ones that show texts there: nearly always the other client itself.
   */
  readonly others: Readonly<Record<string, readonly string[]>>;
  /** What one of them reads besides our client's shape of a text, of which it reads nothing on some events. */
  readonly tell?: Readonly<Record<string, JsonObject>>;
  /** The same by a top-level key of the payload that only this other client sends. */
  readonly payloads?: Readonly<Record<string, string>>;
  /** Variables of another client that also runs these hooks. The hooks never do anything there. */
  readonly never?: readonly string[];
}

/** Any text that is not empty, for `onlyIf`. The first stage knows this pattern, too. */
export const NOT_EMPTY = '[^]';

/** The places of values in a client's payload (dotted paths), and the answers to it. */
export interface Wire {
  readonly session: string;
  /**
   * The beginning of every payload, up to the session's id; `{event}` is the native event. The first stage leaves any other
   * payload to the second.
   */
  readonly begins: string;
  readonly event: string;
  /** The place of the session's folder; absent: it is only in a variable. */
  readonly cwd?: string;
  /** The variable with the session's folder. */
  readonly cwdVariable?: string;
  /** The event only counts if the value there, as text, matches this regular expression. */
  readonly onlyIf?: { readonly at: string; readonly like: string };
  readonly source: string;
  /** The sources that may recur in a session. */
  readonly recurring: readonly string[];
  /** The sources of a session that continues with its history. */
  readonly continuing: readonly string[];
  readonly transcript: string;
  /**
   * The path of the transcript if the payload does not have it: in the folder that a variable names, otherwise in this folder
   * of the home. `{session}` is filled in, and `*` matches the folder that contains the session.
   */
  readonly transcriptFile?: {
    readonly variable: string;
    readonly folder: string;
    readonly name: string;
  };
  readonly history: History;
  /** Distinguishes two events of the same kind: the combination of all of these keys that are present. */
  readonly occasion: readonly string[];
  readonly prompt: string;
  readonly toolName: string;
  readonly toolInput: string;
  /** The first one that is present is the tool's output. */
  readonly toolOutput: readonly string[];
  /** The configured name of the called tool's MCP server, if the client sends it. */
  readonly serverName?: string;
  readonly serverTool?: string;
  /** If the payload has this key, the prompt is not from the user but from a subagent. */
  readonly subagent?: string;
  /** True in the payload, or a number above 0, if the turn that ends was started by an `ask`. */
  readonly continued: string;
  /**
   * Prompts that the client wrote itself, or that are commands for it: regular expression for the whole prompt. Each
   * alternative begins with `^`.
   */
  readonly ownPrompt?: string;
  /** Text that the client puts before the user's prompt and that is removed: regular expression. */
  readonly promptPrefix?: string;
  /** The client cuts longer texts: characters (UTF-16), bytes (UTF-8). */
  readonly limit: { readonly characters?: number; readonly bytes?: number };
  /**
   * The JSON object for a `tell`, with blanks for `{event}`, `{text}` and, for a top-level key of the payload, `{payload:key}`.
   */
  readonly tell: JsonObject;
  readonly ask: JsonObject;
  /** How a decision is sent to the client; absent: it accepts none. */
  readonly decide?: Decide;
  /**
   * Whether a call failed: `true` if the event only comes after failed calls; otherwise the places in the payload, any of which
   * is enough; an empty list if the event never comes after such a call. Absent: the client does not report it.
   */
  readonly failed?: true | readonly Failed[];
  /** If the payload has this key, the call has failed, and the client drops hooks' texts about it. */
  readonly drops?: string;
  /** Parts of an output that differ in each call (regular expression). Without them, two equal errors are the same. */
  readonly varying?: string;
  /**
   * For a notification: whether the client waits for an answer to a question, always or if the text there matches this regular
   * expression. Otherwise, it waits for the next prompt.
   */
  readonly asks?: true | { readonly at: string; readonly like: string };
  /** The type of subagent, if the event is from one. */
  readonly agent?: string;
  /** The duration of the call in milliseconds. */
  readonly duration?: string;
  readonly usage?: Usage;
  /** The place in the payload of the number of tokens that the session has used, and of the number of its compactions. */
  readonly used?: { readonly tokens: string; readonly window: string };
  /** The facts about the session in the transcript. */
  readonly record?: SessionRecord;
  /** The facts about the session in the payload itself: top-level keys, under the names that commands use. */
  readonly facts?: readonly string[];
  /**
   * Set if only the last hook's answer counts, so that each of our hooks repeats the texts of those before it. This top-level
   * key of the payload has the same value for all hooks of one event.
   */
  readonly repeats?: string;
  /**
   * Set if all hooks of an event run at the same time, and the model reads the first text. Then one of our hooks has the texts
   * of all of them.
   */
  readonly firstOnly?: PackageRecords;
}

/** Where a client records its installed packages, with a JSON file for each. Their hooks run together with those of the user. */
export interface PackageRecords {
  /** The folder of these files, below the one that the variable names; without it, below the home. */
  readonly folder: string;
  readonly variable: string;
  /** The place of the package's folder in such a file, as keys with dots. */
  readonly at: string;
}

/** The place in a payload that shows that a call failed. */
export interface Failed {
  readonly at: string;
  /** A regular expression for the end of the text there; absent: any value counts. */
  readonly like?: string;
  /** The client's names of the tools to which this applies; absent: all. The outputs of other tools may contain anything. */
  readonly tools?: readonly string[];
}

/** The JSON objects for a decision. If there is a text as well, they are merged over the object of a `tell`. */
export interface Decide {
  /** Stops what was about to happen, with `{reason}` filled in. */
  readonly block?: JsonObject;
  /** Makes the call with another input: the value `"{input}"`. */
  readonly input?: JsonObject;
  /** Shows the model another output: the value `"{output}"`. */
  readonly output?: JsonObject;
  /**
   * The place of the text in a tool's output that is an object (dotted paths): the first one that is present. An output without
   * any of them cannot be changed. Absent, or for any other output: `output` gets only the text. `any`: it accepts any value.
   */
  readonly outputText?: readonly string[] | 'any';
  /** Other texts in such an output that the model reads. They are emptied. */
  readonly outputRest?: readonly string[];
  /** The model reads the tool's output next to the reason of a block, so a change of it also counts. */
  readonly beside?: true;
  /** The client drops a text next to a decision. `block`: only next to a block. */
  readonly alone?: true | 'block';
}

/**
 * Lines of a transcript, each of them JSON. Such a line may quote any text, so the keys that the client itself writes decide.
 */
export interface Lines {
  /** Part of each such line, so that others need not be parsed. */
  readonly part: string;
  /**
   * Dotted paths from the root of the line, each with its value: a text, any of several texts, or with a leading or trailing
   * `*` any text with that end or beginning; `true`: any value but `false`.
   */
  readonly keys: Readonly<Record<string, string | readonly string[] | true>>;
}

/** How a session's transcript records the tokens that the model read and wrote. */
export interface Usage {
  /** The lines that have these numbers. */
  readonly lines: Lines;
  /** Dotted paths of numbers in such a line. Their sum is the current size of the context. */
  readonly tokens: readonly string[];
  /**
   * The entry that only a compaction has, in a list of a line that begins the history anew: its keys, and the key whose value
   * distinguishes two compactions. Absent: each such line is a compaction.
   */
  readonly compaction?: Pick<Lines, 'keys'> & { readonly list: string; readonly id: string };
}

/** The facts for commands in a session's transcript, which has lines of JSON. `*` in a path means each element of a list. */
interface SessionRecord {
  /** Dotted paths of a line's time, as text or in milliseconds. The session begins with the first line that has one of them. */
  readonly time: readonly string[];
  /** The lines with tool calls, and dotted paths of what distinguishes two calls: the first one that is present. */
  readonly calls: { readonly lines: Lines; readonly names: readonly string[] };
  /** The model's context window: the lines that have it, and its dotted path. Absent: it is not recorded. */
  readonly window?: { readonly lines: Lines; readonly at: string };
  /**
   * For a client that writes late: the line that records the event itself, and the key of the payload whose value is also in
   * that line.
   */
  readonly until?: { readonly lines: Lines; readonly key: string };
}

/** How a client writes a session's history: one line of JSON per item. */
export interface History {
  readonly said: Lines;
  readonly anew: Lines;
  /** Lines that take back messages. The lines then have to be read in order. */
  readonly back?: Lines;
  /** The session continues another one, whose history is elsewhere. */
  readonly inherited?: Lines;
  /** `<` and `>` are written as in HTML. */
  readonly html?: true;
}

const NEVER: Lines = { part: 'no-such-line', keys: {} };

/** The format is unknown, or there is no history. */
export const NO_HISTORY: History = { said: NEVER, anew: NEVER };

/** Only the extended vocabulary needs these. Programs without it do not contain them. */
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
  'facts',
] as const;

export function plainWire<Some extends Partial<Wire>>(wire: Some): Some {
  const plain = { ...wire };
  for (const key of LIFECYCLE) delete plain[key];
  return plain;
}
