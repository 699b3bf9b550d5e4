/** The types that the files of the runner share. The shapes of a program's file are defined by the compiler. */

import type {
  Decide,
  History,
  Lines,
  PackageRecords,
  ToolInput,
  Usage,
  Wire,
} from '../src/clients/contract.ts';
import type { Glob } from '../src/compile/glob.ts';
import type {
  Alone,
  CopiedStart,
  EventProgram,
  ExtendedHook,
  ProgramHook,
  ProgramRules,
  ProgramServer,
  ToolGlobs,
} from '../src/compile/program.ts';
import type {
  ConfiguredEntry,
  EntryFields,
  PlaceInFile,
  ServerEnvironment,
  ValuesInFile,
} from '../src/declaration/configured-server.ts';

export type {
  Alone,
  ConfiguredEntry,
  CopiedStart,
  Decide,
  EntryFields,
  EventProgram,
  ExtendedHook,
  Glob,
  History,
  Lines,
  PackageRecords,
  PlaceInFile,
  ProgramHook,
  ProgramServer,
  ServerEnvironment,
  ToolGlobs,
  ToolInput,
  Usage,
  ValuesInFile,
  Wire,
};

/** The user's rules. */
export type Rules = ProgramRules;

/** A JSON object with unknown keys. */
export type JsonObject = Record<string, unknown>;

/** A code with its facts (src/compile/runner-messages.ts): why something was not shown or obeyed. */
export interface Why {
  readonly code: string;
  /** The number of the hook concerned; absent: it is about the whole event. */
  readonly hook?: number;
  readonly [fact: string]: unknown;
}

/** A program while it runs. */
export type Running = EventProgram & {
  /** As in Date.now(). */
  readonly started: number;
  /** Whether our own shell has read the whole payload; absent: there is no shell of ours between the client and us. */
  readonly shell?: string | undefined;
  /** Gets what would be printed and logged (src/sdk/engine/engine.ts). */
  readonly to?: { print(text: string): void; log(facts: object): void };
  stdin?: string;
  /** The client has its answer. */
  isAnswered?: boolean;
};

/** An event in neutral terms. */
export interface Firing {
  readonly session: string;
  readonly cwd: string;
  readonly source: unknown;
  /** Identifies this event among others of its kind. */
  readonly occasion: readonly string[];
  /** The path of the client's transcript of the session. */
  readonly transcript: unknown;
  /** This turn was started by a hook. */
  readonly continued: boolean;
  readonly payload: JsonObject;
  /** The deadline, as in Date.now(). */
  readonly until: number;
  readonly tool: string | undefined;
  /** The tool's name cannot be mistaken for a sentence, and is unchanged in JSON. */
  readonly isName: boolean;
  /** Every name under which a declaration may know the tool. */
  readonly names: readonly string[];
  readonly server: unknown;
  input: unknown;
  /** The input in the client's own form, if that differs. */
  native?: NativeInput;
  output: unknown;
  prompt?: string;
  /** The files that `forget` removes. */
  readonly claimed: Map<ProgramHook, string>;

  // Computed once for all hooks.
  texts?: Map<unknown, TextsOfPart>;
  clock?: Clock;
  /** The input as JSON. A hook may change the input, so it says which one it is of. */
  json?: { readonly of: unknown; readonly text: string };
  moment?: string;
  /** Lines of the transcript. */
  history?: readonly string[];
  /** Values of variables as the model sees them. */
  shown?: Map<string, { readonly value: string; readonly text: string; readonly isData?: boolean }>;
  project?: string;
  branch?: { readonly name: string | undefined };
  repository?: { readonly name: string | undefined };
  paths?: { readonly input: unknown; readonly all: readonly NamedFile[] };
  /** Null: there is nothing to count. */
  used?: Used | null;
}

interface NativeInput {
  readonly input: unknown;
  /** The declared tool that does what the input says, if the client's own tool may do several things. */
  readonly tool: string | undefined;
}

/** A part of the payload as searchable texts. */
export interface TextsOfPart {
  readonly json: string;
  all?: readonly string[];
  others?: readonly string[];
  joined?: string;
}

/** The names by which a file may be meant: as written, and of the file that is opened. */
export interface NamedFile {
  /** The absolute path, as written. */
  readonly whole: string;
  readonly written: readonly string[];
  opened(): readonly string[];
}

/** Tokens that a session has used. `window`: differs between compactions. */
export interface Used {
  readonly tokens: number;
  readonly window: unknown;
  readonly estimated: boolean;
}

export interface Clock {
  /** Throws when time is up, or when the client has killed our shell and no longer reads our answer. */
  look(): void;
  /** The same, for a loop in which a check at each step would cost too much. @param size The number of steps done. */
  step(size?: number): void;
  /** In milliseconds. */
  left(): number;
  /** The time spent waiting for this does not count, because another process works and has its own deadline. */
  wait<T>(something: Promise<T>): Promise<T>;
}

/** A hook's text, before it is fitted into the limits. */
export interface Said {
  readonly hook: ProgramHook;
  readonly text: string;
  /** Part of the text is not the server's own words. */
  readonly data?: boolean;
}

/** The text of an event, the hooks that it comes from, and how many characters are from each. */
export interface EventText {
  readonly text: string;
  readonly shown: readonly ProgramHook[];
  readonly lengths: readonly number[];
  /** Hooks whose text did not fit. */
  readonly noRoom?: readonly ProgramHook[];
}

/** A tool's reply. */
export interface Reply {
  readonly text: string;
  readonly structured?: JsonObject;
}

/** The answers of tools. */
export interface Answers {
  readonly replies: ReadonlyMap<ProgramHook, Reply>;
  readonly reasons: readonly Why[];
  readonly asked: ReadonlyMap<ProgramHook, Asked>;
}

/** How a tool or program was asked. */
export interface Asked {
  readonly milliseconds: number;
  readonly failed?: boolean;
  /** It was only started. */
  readonly isAsync?: boolean;
}

/** How much of the smallest limit that the server declares a session has used. */
export interface Budget {
  readonly used: number;
  readonly limit: number;
  readonly percent: number;
  readonly estimated: boolean;
  readonly level?: 'warn' | 'fire';
  readonly window?: string;
}

/** An event for hooks of the extended vocabulary. */
export interface ChainFiring extends Firing {
  /** The payload's facts about the session, under the names that commands use. */
  readonly facts?: JsonObject;
  readonly budgets: Map<ProgramHook, Budget>;
}

/** The data for checking a hook's conditions. */
export interface Condition {
  readonly program: Running;
  readonly firing: ChainFiring;
  readonly stage: Pick<Stage, 'append' | 'get' | 'isLike' | 'isOf' | 'memory'>;
  /** The record of this call, if a hook asks for repetitions. */
  call?: NotedCall;
}

/** A call, as hashes without contents. */
export interface NotedCall {
  readonly at: number;
  /** '': indistinguishable from others. */
  readonly moment: string;
  readonly tool: string;
  readonly input: string;
  readonly error?: string;
}

/** An answer of any convention. No answer can allow anything. */
export interface Answer {
  readonly texts: readonly string[];
  readonly warnings: readonly string[];
  /** Part of the texts is not the server's own words. */
  readonly data?: boolean;
  /** The reason of a block. */
  readonly block?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  /** It is not a valid answer. */
  readonly why?: Why;
}

/** A hook's decision. */
export interface Decided {
  readonly decision?: { readonly action: 'block'; readonly reason: string; readonly hook: number };
  /** As left by the last hook that changed it. */
  readonly modifiedInput?: unknown;
  readonly modifiedOutput?: unknown;
}

/** A decision that was obeyed, with hashes and no contents. */
export interface Obeyed {
  readonly hook: number;
  readonly action: 'block' | 'modify';
  readonly reason?: string;
  readonly before: string;
  readonly after?: string;
}

/** A text cut to its limit, and the whole text. */
export interface Limited extends Said {
  readonly whole: string;
  readonly limit: number;
}

/** The result for an event when a hook that may decide has failed. */
export interface Failure {
  readonly hook: number;
  readonly action: 'allow' | 'allow-again' | 'deny';
}

/**
 * The functions of runner.cjs for its other files. `handlers`: for a hook, the function in this process that answers for it.
 */
export type Stage = typeof import('./runner.cjs')['stage'] & {
  readonly handlers?: ReadonlyMap<ProgramHook, (event: never) => unknown>;
};
