/**
 * What tests expect of each client. All facts about a client are in its folder here: those of `expected.ts` were recorded from
 * the real client or are in its documentation, and `compiled.txt` is what we compile for it.
 */

import type { Client } from '../../src/clients/contract.ts';
import type { Session, Turns } from '../../src/clients/driver/driver.ts';
import type { Step } from '../../src/clients/driver/script.ts';
import { CLIENTS, type ClientId } from '../../src/clients/registry.ts';
import { isRun } from '../../src/clients/version.ts';
import type { Event, WaitsFor } from '../../src/declaration/declaration.ts';

/** A tool of an MCP server by its real names. */
export interface McpTool {
  readonly server: string;
  readonly tool: string;
}
/** A tool of the client itself, by its name, or a tool of an MCP server. */
export type Call = string | McpTool;

export interface Calls {
  readonly yes: readonly Call[];
  readonly no: readonly Call[];
}

/** Where servers are configured: fixtures/configured/<id>. */
export interface Servers {
  /** The files, below the home and below the project (absent: it reads none there), and the key in them. */
  readonly home: string;
  readonly project?: string;
  readonly key: string;
  /** Variables that the entry of the server `annal` has, and what the server gets; `{home}` is filled in. */
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The value that the last argument gets, which is a variable that is not set. */
  readonly last: string;
  /** The server starts in the folder of the session, not in the home. */
  readonly inSession?: true;
  /** The entry names the server's file by its path in the home. */
  readonly absolute?: true;
  /** A project's entries are used, with the user's consent, before the client has approved them. */
  readonly offers?: true;
  /** How a user approves a project: writes this, or replaces a text with another. `{project}` is filled in, in quotes. */
  readonly approval?: { readonly file: string; readonly from?: string; readonly to: string };
}

/** A call that fails, or another answer of ours. */
export const SITUATIONS = [
  'failed command',
  'failed call',
  'failed MCP call',
  'block',
  'change',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** What a model does with files, in a folder with `two.txt`: see test/real-clients/vocabulary.test.ts. */
export const FILE_CALLS = ['write', 'read', 'edit', 'edit both'] as const;
export type FileCall = (typeof FILE_CALLS)[number];

/** Sessions in which a text may be lost or come twice (test/real-clients/shown.test.ts). */
export const SESSIONS = [
  'one prompt',
  'a session that is resumed twice',
  'two sessions at once',
  'a patch of two files',
  'a client that the first hook has started',
] as const;
export type SessionKind = (typeof SESSIONS)[number];

/** What the tests with the real client need. */
interface Real {
  /** Its program, below node_modules. */
  readonly program: string;
  /** The Node that runs it, below node_modules, if it needs a newer one than we do. If that is not installed, ours runs it. */
  readonly node?: string;
  /** The variable that names the folder into which it unpacks itself, and the variables that keep it offline. */
  readonly cache?: string;
  readonly offline?: Readonly<Record<string, string>>;
  /** Arguments of a start that ends by itself, for a client whose first start in a home must not run twice at the same time. */
  readonly firstStart?: readonly string[];
  /** The prefix of the tools of the server `my-srv` in a script. */
  readonly tools: string;
  /** An event on which the model reads the texts of all hooks, not only of one. */
  readonly readsAll: string;
  /**
   * For a client that loads programs instead of commands: a program of the user, in the file `byHand`, which runs this command on
   * that event.
   */
  readonly ownHook?: (command: string) => string;
  /** A process for one prompt runs no hook when it ends. */
  readonly endsOnlyLive?: true;
  /** A prompt that a hook blocked stays in the history, so the model reads it with the next one. */
  readonly keepsBlocked?: true;
  /** The texts of hooks about a call wait for the next prompt. */
  readonly tellsLater?: true;
  /** It shows texts after a tool of a server whose result is an error. */
  readonly hearsFailedTools?: true;
  /** Why no text is shown after a failed call. */
  readonly untold?: string;
  /** What happens to a text in each situation (dropped.test.ts). */
  readonly texts: Readonly<Record<Situation, 'read' | 'dropped' | 'not run'>>;
  /** Calls of its tools for files, as its models make them, for each kind of model that gets different tools. */
  readonly fileCalls: readonly {
    readonly model?: string;
    readonly steps: Readonly<Partial<Record<FileCall, (file: string) => Step>>>;
  }[];
  /** How many texts of each event the model reads in a session. */
  readonly sessions: Readonly<Record<SessionKind, string>>;
  /** Which outputs are read, and what is decided (decisions.test.ts). */
  readonly outputs: readonly string[];
  readonly decided: readonly string[];
  /** It asks the user about a call with a changed input as about any other call. */
  readonly asks?: true;
  /** How many of 36 identical calls reach a hook before the client takes them for a loop. */
  readonly manyCalls?: number;
  /** For a client that runs no hook at a session's end without a terminal: how to start it in one, and the keys to type. */
  readonly terminal?: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly types: readonly { readonly after: string; readonly keys: string }[];
  };
  /** Arguments with which it works by itself, for a client that gets its instructions on stdin in our sessions. */
  readonly again?: readonly string[];
  /** How it starts a subagent for SUBTASK; `isTold`: texts then reach the subagent; `goesOn`: so does a block of its end. */
  readonly subagent: {
    readonly steps: Session['steps'];
    readonly isTold?: true;
    readonly goesOn?: boolean;
  };
  /** How to have a history compacted, and the first request after that. */
  readonly compaction: {
    readonly session: Pick<Session, 'turns' | 'aside' | 'prompts' | 'steps'>;
    readonly next: number;
    /** The shell command that starts it, if it compacts only when it is started like this. `$0` is its program. */
    readonly command?: string;
    /** Why the texts of a session's start are not shown again. */
    readonly untold?: string;
    /** The user's prompts are removed, too. */
    readonly dropsPrompts?: true;
  };
  /**
   * How it starts in a terminal with a prompt, so that it asks before a command runs and says when it waits: the settings that
   * it needs in its home, and its question whether a folder is trusted. Absent if this was not tried.
   */
  readonly waiting?: {
    readonly args: readonly string[];
    readonly settings?: (project: string) => Readonly<Record<string, object>>;
    readonly trust?: string;
  };
  /**
   * How an editor starts it, the events that its hooks then log, and those for which none run. Absent if all tests run it like
   * this, or if this was not tried.
   */
  readonly editor?: Readonly<Record<'args' | 'fired' | 'lacks', readonly string[]>>;
  /** Each process that resumes a session gets the texts of its start again. `keepsStart`: a compaction does not remove them. */
  readonly forgetsStart?: true;
  readonly keepsStart?: true;
  /** A process that resumes a session does not know what a hook asked the model for. */
  readonly forgetsAsked?: true;
  /** A script can type /clear. */
  readonly clears?: true;
  /** In a trusted folder, it also runs the hooks that a project has for this client. */
  readonly runsHooksOf?: ClientId;
  /** The ways to install a package, with the turns in which its hooks run if not in all. `validates`: it checks packages. */
  readonly ways: Readonly<Record<string, Turns | null>>;
  readonly validates?: true;
  /** The result for each hook of `verify --live`, if that is tested for this client alone. */
  readonly live?: readonly string[];
  /** The hooks of the cookbook that do nothing in its session without a terminal, and why. */
  readonly cookbook: Readonly<Record<string, string>>;
  /** The results for hooks about failed calls, budgets (a text and a block) and compactions. */
  readonly rare: readonly string[];
}

/** The facts that a client's documentation can have. Its payloads in fixtures/events may be made from it. */
export interface Documented {
  /** Its folder in a home. */
  readonly folder: string;
  /** A file in which users have hooks of their own. */
  readonly byHand: string;

  /** The name of its tool that runs commands, as hooks get it. */
  readonly shell: string;
  /** Its tool that reads a file, if it has one. */
  readonly read?: string;
  /** Which of its tools and of servers' tools a glob of Claude Code's names matches. */
  readonly globs: Readonly<Record<'{?dit,Web*}' | 'Ba*h', Calls>>;
  /** Its names for servers' tools with odd names, as recorded (test/real-clients/names.test.ts); null: it does not offer them. */
  readonly mcpNames: readonly (readonly [McpTool, string | null])[];
  /** It cuts off the ends of long names, and does not send the server's name, so some tools cannot be told apart. */
  readonly cutsNames?: 'tools' | 'servers and tools';
  /** Which matchers of its own start a hook for which tool: "matcher for tool". */
  readonly matches: readonly string[];
  /** For `exclude.paths: ['*.lock']`: a call, and whether it is left out. The event is the one that decides before a call. */
  readonly excluded: readonly (readonly [tool: string, input: unknown, isOut: boolean])[];

  /** The recorded call of its shell tool: texts that are in its input, and others. */
  readonly input: { readonly yes: readonly string[]; readonly no: readonly string[] };
  /** The recorded call of a tool of the server `tiny`: the tool, and its output as a hook reads it. */
  readonly mcpCall: { readonly tool: string; readonly output: string };
  /** Recorded calls: whether they failed; undefined if the client does not say. */
  readonly failed: Readonly<Record<string, boolean | undefined>>;
  /** The recorded call that failed, of a client with an event for failures: the tool, and its output as a hook reads it. */
  readonly failedCall?: readonly [tool: string, output: string];
  /** Two outputs of one failure, on a recorded call. */
  readonly sameFailure?: readonly [file: string, one: string, other: string];
  /** Outputs of its tool for reading a file that only look like failures. */
  readonly looksFailed: readonly string[];
  /** Its events for failed calls. */
  readonly failures: readonly string[];
  /** The fields in which another call of the same tool differs. */
  readonly anotherCall: object;
  /** Two equal calls cannot be told apart, so each counts as a new one. */
  readonly callsAlike?: true;

  /** The recorded prompts that are not the user's, and the fields by which they are recognised. */
  readonly foreignPrompts: readonly string[];
  readonly foreignPrompt: object;
  /** Those that the first stage recognises, so that it starts nothing for them. */
  readonly knownPrompts?: readonly string[];
  /** Other prompts whose author the first stage cannot tell, with escapes as in JSON. */
  readonly doubtful: readonly string[];

  /** What it reads on stdout. */
  readonly answers: {
    tell(event: string, text: string): object;
    ask(event: string, text: string): object;
    deny(event: string, reason: string): object;
    /** Absent: hooks cannot change an input. */
    input?(event: string, input: object): object;
    /** Absent: after a call, a hook can decide nothing. */
    output?(event: string, text: string): object;
  };
  /** The declared events that it does not support. */
  readonly never?: readonly Event[];
  /** No hook can make it continue at the end of a turn, so texts for the end of a session come with the next prompt. */
  readonly asksNothing?: true;
  /** The longest text that it passes on whole. */
  readonly longest: { readonly characters: number; readonly bytes?: number };

  /** Its event before a call that can decide. */
  readonly decidesBefore: string;
  /**
   * Its event before a compaction, what else is in the payload if the user asks for one, and the next event that shows texts.
   * Absent: it has none.
   */
  readonly compaction?: {
    readonly event: string;
    readonly asked?: object;
    readonly next: readonly [event: string, file: string];
    /** Prompts that ask for a compaction, if its event for prompts also comes with them. */
    readonly commands?: readonly string[];
  };
  /** The milliseconds that it leaves a hook when a session ends; undefined: as long as elsewhere. */
  readonly timeAtEnd?: number;

  /** Fields of another type than a hook of subcog expects: "event.field: type". */
  readonly otherKinds: readonly string[];

  /** The results of importing hooks that a user wrote for it. */
  readonly imported: {
    /** Events whose texts or programs come back on another event, because the declared event is lowered differently. */
    readonly elsewhere?: Readonly<Record<string, string>>;
    /** A matcher of SessionStart, and the event with its differences, or why it is left out. */
    readonly starts: readonly (readonly [matcher: string | undefined, ...made: string[]])[];
    readonly matchers: readonly (readonly [matcher: string, glob: string | undefined])[];
    /** An event, and the events that have its text or program after the import. */
    readonly moved: readonly (readonly [string, 'text' | 'program', (readonly string[])?])[];
  };
  /** fixtures/imported/<id>: how many entries and hooks each has, how many of them are commands, and what is left out. */
  readonly published: Readonly<Record<string, string>>;
  readonly servers: Servers;
}

/** The facts recorded from a client that was run. */
export interface Expectations extends Documented {
  /** The variable that names another folder, or the home that it is in. */
  readonly variable: string;
  /** Where an administrator's hooks are, below the root. */
  readonly managed?: string;
  /** The command with which a user tries the output of `build`, with its paths in braces. */
  readonly loads?: string;
  /** A real version, the last one before the minimum. */
  readonly tooOld: string;
  /** Recordings in which it waits for its user or says something else, and what a hook for notifications reads then. */
  readonly notices: readonly {
    readonly recording: string;
    readonly waitsFor?: WaitsFor;
    readonly message?: string;
  }[];

  /**
   * fixtures/transcripts/<id>.jsonl: when it began, its calls, the tokens in use, and the size of the context. Absent: it
   * writes no transcript, and its payloads have all the facts.
   */
  readonly transcript?: {
    readonly began: string;
    readonly calls: number;
    readonly tokens: number;
    /** It has no token counts: they are estimated as a quarter of its bytes, rounded up. */
    readonly estimated?: boolean;
    readonly window?: number;
    /** The payload at the end of a session does not name the transcript: it is this file in the client's folder. */
    readonly atEnd?: {
      readonly file: string;
      /** Once this line is there, everything before SessionEnd.json has been written. Absent: it is written at once. */
      readonly lastLine?: object;
    };
  };
  /** What it writes into a transcript. */
  readonly writes?: {
    /** An answer of the model, with this many tokens in use. */
    answer(tokens: number): object;
    /** The history is compacted. */
    readonly compaction: object;
    /** An answer after that, if it is written in another way. */
    answerAfter?(tokens: number): object;
    /** Transcripts, each with the number or id of its last compaction and the tokens counted since, if that is not obvious. */
    readonly windows?: readonly (readonly [
      lines: readonly object[],
      window: unknown,
      used?: number,
    ])[];
    /** For a client that reports a resumed session: the text of a hook in its transcript, and that of the user. */
    readonly history?: { said(text: string): object; quoted(text: string): object };
    /** Two calls, each with several names or on one line. */
    readonly twoCalls: readonly object[];
    /** Where the words of a tool or of the model are in the line of fixtures/transcripts/forged/<id>.jsonl. */
    readonly forged: string;
    /** That line has a count of tokens of its own. */
    readonly countsCalls?: true;
  };
  /** It ends the session after each turn. */
  readonly endsEachTurn?: true;
  readonly real: Real;
  /** What it passes on to the servers that it starts. */
  readonly given: {
    /** Variables that it sets for its hooks. */
    readonly set?: Readonly<Record<string, string>>;
    /** Words of a configuration that it expands, as an argument and as a variable where that differs. */
    readonly expands: Readonly<
      Record<string, string | readonly [argument: string, variable: string]>
    >;
    /** Variables that a server does not inherit, or that it inherits alone. */
    readonly without?: readonly string[];
    readonly only?: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    /** The server starts in the folder that this variable names, not in the session's. */
    readonly folder?: string;
    /** Where the server starts if the client was started in `files` and its session is in `project`. Absent: not tried. */
    readonly elsewhere?: 'files' | 'project';
    /** Words in a variable of its own with which the server is not started at all. */
    readonly refuses?: readonly string[];
    /** Variables that only the client can set, because hooks do not get their values. */
    readonly adds?: readonly string[];
  };
}

const read = async (clients: readonly Client[]) =>
  Object.fromEntries(
    await Promise.all(
      clients.map(async ({ id }) => [id, (await import(`./${id}/expected.ts`)).EXPECTED] as const),
    ),
  );

/** The expectations of the clients that were run. */
export const expected: Readonly<Record<ClientId, Expectations>> = (await read(
  CLIENTS.filter(isRun),
)) as Record<ClientId, Expectations>;

/** The expectations of the other clients. */
export const documented: Readonly<Record<string, Documented>> = await read(
  CLIENTS.filter((client) => !isRun(client)),
);

/** The facts about every client. */
export const known: Readonly<Record<ClientId, Documented>> = { ...expected, ...documented };

/** Whether the model is never shown a text of an event there. */
export const isNever = (id: ClientId, event: Event): boolean =>
  expected[id].never?.includes(event) ?? false;
