/**
 * What tests expect of each client. All facts about a client are in its folder here: those of `expected.ts` were recorded from the
 * real client or are in its documentation, and `compiled.txt` is what we make for it.
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
/** A tool of the client's own, by its name, or one of an MCP server. */
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
  /** What becomes of the last argument, a variable that is not set. */
  readonly last: string;
  /** It starts in the folder of the session, and not in the home. */
  readonly inSession?: true;
  /** The server's file is named as in the home. */
  readonly absolute?: true;
  /** What a project says is taken, with the user's consent, before the client has approved it. */
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
  /** The node that runs it, below node_modules, if it needs a newer one than we do. Where that is not installed, ours does. */
  readonly node?: string;
  /** The variable that names the folder into which it unpacks itself, and those with which it asks nobody. */
  readonly cache?: string;
  readonly offline?: Readonly<Record<string, string>>;
  /** The arguments of a start that ends by itself, for a client of which two first starts in a home cannot be at the same time. */
  readonly firstStart?: readonly string[];
  /** How its tools of the server `my-srv` begin in a script. */
  readonly tools: string;
  /** An event on which the model reads the texts of all hooks, and not of one alone. */
  readonly readsAll: string;
  /** For a client that runs programs and no commands: one of a user's own, in the file `byHand`, that runs this command on that event. */
  readonly ownHook?: (command: string) => string;
  /** A process for one prompt runs no hook when it ends. */
  readonly endsOnlyLive?: true;
  /** A prompt that a hook has blocked is in the history, and so read with the next one. */
  readonly keepsBlocked?: true;
  /** The texts of hooks about a call wait for the next prompt. */
  readonly tellsLater?: true;
  /** It shows texts after a tool of a server whose result is an error. */
  readonly hearsFailedTools?: true;
  /** Why nothing is told of a call that failed. */
  readonly untold?: string;
  /** What becomes of a text beside these (dropped.test.ts). */
  readonly texts: Readonly<Record<Situation, 'read' | 'dropped' | 'not run'>>;
  /** Calls of its tools for files, as its models make them, for each kind of model that it gives other tools. */
  readonly fileCalls: readonly {
    readonly model?: string;
    readonly steps: Readonly<Partial<Record<FileCall, (file: string) => Step>>>;
  }[];
  /** How many texts of each event the model reads in a session. */
  readonly sessions: Readonly<Record<SessionKind, string>>;
  /** Which outputs are read, and what is decided (decisions.test.ts). */
  readonly outputs: readonly string[];
  readonly decided: readonly string[];
  /** It asks the user about a call with another input as about any other. */
  readonly asks?: true;
  /** How many of 36 calls that nothing tells apart come to a hook, before it takes them for a loop. */
  readonly manyCalls?: number;
  /** Without a terminal, it runs no hook when a session ends: how it is started in one, and what is typed after what it shows. */
  readonly terminal?: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly types: readonly { readonly after: string; readonly keys: string }[];
  };
  /** The words with which it works by itself, where our sessions tell it on stdin what to do. */
  readonly again?: readonly string[];
  /** How it starts a subagent for SUBTASK; `isTold`: texts then reach the subagent; `goesOn`: so does a block of its end. */
  readonly subagent: {
    readonly steps: Session['steps'];
    readonly isTold?: true;
    readonly goesOn?: boolean;
  };
  /** How a history comes to be compacted, and the first request after it. */
  readonly compaction: {
    readonly session: Pick<Session, 'turns' | 'aside' | 'prompts' | 'steps'>;
    readonly next: number;
    /** The shell's command that starts it then, if it compacts only when it is started so; `$0` is its program. */
    readonly command?: string;
    /** Why what a session begins with is not shown again. */
    readonly untold?: string;
    /** What the user has said is gone, too. */
    readonly dropsPrompts?: true;
  };
  /**
   * How it starts in a terminal with a prompt, so that it asks before a command runs and says when it waits: what it needs in its
   * home, and its question whether a folder is trusted. Absent: nobody has tried it.
   */
  readonly waiting?: {
    readonly args: readonly string[];
    readonly settings?: (project: string) => Readonly<Record<string, object>>;
    readonly trust?: string;
  };
  /** Each process that goes on with a session is told what it begins with; `keepsStart`: a compaction does not remove it. */
  readonly forgetsStart?: true;
  readonly keepsStart?: true;
  /** A process that goes on with a session does not know for what a hook had asked the model. */
  readonly forgetsAsked?: true;
  /** A script can type /clear. */
  readonly clears?: true;
  /** The ways in which it takes a package, with the turns in which its hooks run if not in all; `validates`: it has a command for it. */
  readonly ways: Readonly<Record<string, Turns | null>>;
  readonly validates?: true;
  /** What becomes of each hook of `verify --live`, where that is tested of this client alone. */
  readonly live?: readonly string[];
  /** The hooks of the cookbook that do nothing in its session without a terminal, and why. */
  readonly cookbook: Readonly<Record<string, string>>;
  /** What becomes of hooks about failed calls, budgets (a text and a block) and compactions. */
  readonly rare: readonly string[];
}

/** What a client's documentation can say. Its payloads in fixtures/events may be made from there. */
export interface Documented {
  /** Its folder in a home. */
  readonly folder: string;
  /** A file in which users have hooks of their own. */
  readonly byHand: string;

  /** Its tool that runs commands, as hooks are told. */
  readonly shell: string;
  /** Its tool that reads a file, if it has one. */
  readonly read?: string;
  /** Of its tools and those of servers, which ones a glob of Claude Code's names is about. */
  readonly globs: Readonly<Record<'{?dit,Web*}' | 'Ba*h', Calls>>;
  /** What it calls the tools of servers with odd names, as recorded (test/real-clients/names.test.ts); null: it offers none. */
  readonly mcpNames: readonly (readonly [McpTool, string | null])[];
  /** It cuts off the ends of long names, and does not tell the server's, so some tools cannot be told apart. */
  readonly cutsNames?: 'tools' | 'servers and tools';
  /** Which matchers of its own start a hook for which tool: "matcher for tool". */
  readonly matches: readonly string[];
  /** For `exclude.paths: ['*.lock']`: a call, and whether it is left out. The event is the one that decides before a call. */
  readonly excluded: readonly (readonly [tool: string, input: unknown, isOut: boolean])[];

  /** The recorded call of its shell tool: texts that are in its input, and others. */
  readonly input: { readonly yes: readonly string[]; readonly no: readonly string[] };
  /** The recorded call of a tool of the server `tiny`: which, and what a hook reads of its output. */
  readonly mcpCall: { readonly tool: string; readonly output: string };
  /** Recorded calls: whether they failed; undefined where the client does not say. */
  readonly failed: Readonly<Record<string, boolean | undefined>>;
  /** The recorded call that failed, of a client with an event for these: the tool, and what a hook reads of its output. */
  readonly failedCall?: readonly [tool: string, output: string];
  /** Two outputs of one failure, on a recorded call. */
  readonly sameFailure?: readonly [file: string, one: string, other: string];
  /** Outputs of its tool for reading a file that only look like failures. */
  readonly looksFailed: readonly string[];
  /** Its events for failed calls. */
  readonly failures: readonly string[];
  /** What another call of the same tool differs in. */
  readonly anotherCall: object;
  /** Nothing tells two equal calls apart, so each is a new one. */
  readonly callsAlike?: true;

  /** The recorded prompts that are not the user's, and what is behind them. */
  readonly foreignPrompts: readonly string[];
  readonly foreignPrompt: object;
  /** Those of them that the first stage knows, so that nothing is started for them. */
  readonly knownPrompts?: readonly string[];
  /** Other prompts of which the first stage cannot tell whose they are, as in JSON. */
  readonly doubtful: readonly string[];

  /** What it reads on stdout. */
  readonly answers: {
    tell(event: string, text: string): object;
    ask(event: string, text: string): object;
    deny(event: string, reason: string): object;
    /** Absent: it changes no input. */
    input?(event: string, input: object): object;
    /** Absent: after a call, a hook can decide nothing. */
    output?(event: string, text: string): object;
  };
  /** The declared events that it cannot make happen. */
  readonly never?: readonly Event[];
  /** No hook has it go on at the end of a turn, so what is said before a session ends comes with the next prompt. */
  readonly asksNothing?: true;
  /** The most that it takes whole. */
  readonly longest: { readonly characters: number; readonly bytes?: number };

  /** Its event before a call that can decide. */
  readonly decidesBefore: string;
  /**
   * Its event before a compaction, what else is in the payload if a user asks for it, and the next that tells the model. Absent:
   * it has none.
   */
  readonly compaction?: {
    readonly event: string;
    readonly asked?: object;
    readonly next: readonly [event: string, file: string];
    /** Prompts that ask for one, where its event for prompts comes with them, too. */
    readonly commands?: readonly string[];
  };
  /** The milliseconds that it leaves a hook when a session ends; undefined: as long as elsewhere. */
  readonly timeAtEnd?: number;

  /** What a hook of subcog expects under a name, and is here something else: "event.field: kind". */
  readonly otherKinds: readonly string[];

  /** What becomes of hooks that a user has written for it. */
  readonly imported: {
    /** Events of which a text or program comes back elsewhere, because the declared event is lowered differently. */
    readonly elsewhere?: Readonly<Record<string, string>>;
    /** A matcher of SessionStart, and the event with its differences, or why it is left out. */
    readonly starts: readonly (readonly [matcher: string | undefined, ...made: string[]])[];
    readonly matchers: readonly (readonly [matcher: string, glob: string | undefined])[];
    /** An event, and those where a text or a program is then. */
    readonly moved: readonly (readonly [string, 'text' | 'program', (readonly string[])?])[];
  };
  /** fixtures/imported/<id>: how many entries and hooks each has, how many of them are commands, and what is left out. */
  readonly published: Readonly<Record<string, string>>;
  readonly servers: Servers;
}

/** What was recorded from a client that somebody has run. */
export interface Expectations extends Documented {
  /** The variable that names another folder, or the home that it is in. */
  readonly variable: string;
  /** Where an administrator's hooks are, below the root. */
  readonly managed?: string;
  /** The command with which a user tries what `build` has made, its paths in braces. */
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
   * fixtures/transcripts/<id>.jsonl: when it began, calls, the tokens in use, and those that the model takes. Absent: it writes
   * nothing down, and its payloads say what there is to know.
   */
  readonly transcript?: {
    readonly began: string;
    readonly calls: number;
    readonly tokens: number;
    /** It has none: they are a quarter of its bytes, rounded up. */
    readonly estimated?: boolean;
    readonly window?: number;
    /** The payload at the end of a session does not say where it is: there is this file in its folder. */
    readonly atEnd?: {
      readonly file: string;
      /** With this line, everything before SessionEnd.json has been written. Absent: it is written at once. */
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
    /** Transcripts, each with the number or id of its last compaction and the tokens counted since, where that is not plain. */
    readonly windows?: readonly (readonly [
      lines: readonly object[],
      window: unknown,
      used?: number,
    ])[];
    /** For a client that says that a session goes on: the text of a hook there, and that of a user. */
    readonly history?: { said(text: string): object; quoted(text: string): object };
    /** Two calls, each with several names or on one line. */
    readonly twoCalls: readonly object[];
    /** fixtures/transcripts/forged/<id>.jsonl is a line with what a tool or the model has written: where. */
    readonly forged: string;
    /** That line has a count of tokens of its own. */
    readonly countsCalls?: true;
  };
  /** It ends the session after each turn. */
  readonly endsEachTurn?: true;
  readonly real: Real;
  /** What it hands on to the servers that it starts. */
  readonly given: {
    /** Variables that are there when a hook of it runs. */
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
  };
}

const read = async (clients: readonly Client[]) =>
  Object.fromEntries(
    await Promise.all(
      clients.map(async ({ id }) => [id, (await import(`./${id}/expected.ts`)).EXPECTED] as const),
    ),
  );

/** Of the clients that somebody has run. */
export const expected: Readonly<Record<ClientId, Expectations>> = (await read(
  CLIENTS.filter(isRun),
)) as Record<ClientId, Expectations>;

/** Of the others. */
export const documented: Readonly<Record<string, Documented>> = await read(
  CLIENTS.filter((client) => !isRun(client)),
);

/** What is known of every client. */
export const known: Readonly<Record<ClientId, Documented>> = { ...expected, ...documented };

/** Whether the model is never shown a text of an event there. */
export const isNever = (id: ClientId, event: Event): boolean =>
  expected[id].never?.includes(event) ?? false;
