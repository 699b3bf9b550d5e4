/** What the files of the runner hand to each other. The shapes of a program's file are the compiler's own. */

import type { Decide, History, Lines, ToolInput, Usage, Wire } from '../src/clients/contract.ts';
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

/** What the user allows. */
export type Rules = ProgramRules;

/** An object of JSON whose keys are not known. */
export type JsonObject = Record<string, unknown>;

/** A code with its facts (src/compile/runner-messages.ts): why something was not shown or obeyed. */
export interface Why {
  readonly code: string;
  /** The number of the hook that it is about; absent: it is about the event as a whole. */
  readonly hook?: number;
  readonly [fact: string]: unknown;
}

/** A program at the moment when it runs. */
export type Running = EventProgram & {
  /** As in Date.now(). */
  readonly started: number;
  /** Our own shell is between the client and us, and this says whether it has read the whole payload. */
  readonly shell?: string | undefined;
  /** Takes what would be printed and logged (src/sdk/engine/engine.ts). */
  readonly to?: { print(text: string): void; log(facts: object): void };
  stdin?: string;
  /** The client has its answer. */
  isTold?: boolean;
};

/** An event in neutral terms. */
export interface Firing {
  readonly session: string;
  readonly cwd: string;
  readonly source: unknown;
  /** What tells this event from others of its kind. */
  readonly occasion: readonly string[];
  /** The path of what the client has written down of the session. */
  readonly transcript: unknown;
  /** A hook has started this turn. */
  readonly continued: boolean;
  readonly payload: JsonObject;
  /** When it has to be over, as in Date.now(). */
  readonly until: number;
  readonly tool: string | undefined;
  /** The tool's name cannot be taken for a sentence, and is the same in JSON. */
  readonly isName: boolean;
  /** Every name under which a declaration may know the tool. */
  readonly names: readonly string[];
  readonly server: unknown;
  input: unknown;
  /** The input in the client's own form, if that is another one. */
  native?: NativeInput;
  output: unknown;
  prompt?: string;
  /** What `forget` takes back. */
  readonly claimed: Map<ProgramHook, string>;

  // What is made once for all hooks.
  texts?: Map<unknown, TextsOfPart>;
  clock?: Clock;
  json?: string;
  moment?: string;
  /** Lines of the transcript. */
  history?: readonly string[];
  /** Values of variables as they are shown to the model. */
  shown?: Map<string, { readonly value: string; readonly text: string; readonly isData?: boolean }>;
  project?: string;
  branch?: { readonly name: string | undefined };
  repository?: { readonly name: string | undefined };
  paths?: { readonly input: unknown; readonly all: readonly NamedFile[] };
  /** Null: there is nothing to count. */
  used?: Used | null;
}

export interface NativeInput {
  readonly input: unknown;
  /** The declared tool that does what the input says, if the client's own tool may do several things. */
  readonly tool: string | undefined;
}

/** A part of the payload as texts to look into. */
export interface TextsOfPart {
  readonly json: string;
  all?: readonly string[];
  others?: readonly string[];
  joined?: string;
}

/** The names under which a file may be meant: as it is written, and of the file that is opened. */
export interface NamedFile {
  /** Its absolute path, as it is written. */
  readonly whole: string;
  readonly written: readonly string[];
  opened(): readonly string[];
}

/** Tokens that a session has used. `window`: what tells one compaction from the next. */
export interface Used {
  readonly tokens: number;
  readonly window: unknown;
  readonly estimated: boolean;
}

export interface Clock {
  /** Throws when time is up, or when the client has killed our shell and nobody hears us any more. */
  look(): void;
  /** The same, for a loop in which looking each time would cost more than the rest. @param size How much has been done. */
  step(size?: number): void;
  /** Milliseconds. */
  left(): number;
  /** What this waits for is not counted: somebody else works, who has a deadline. */
  wait<T>(something: Promise<T>): Promise<T>;
}

/** The text of a hook, before there is room for it. */
export interface Said {
  readonly hook: ProgramHook;
  readonly text: string;
  /** Part of it is not the server's own words. */
  readonly data?: boolean;
}

/** The text of an event, the hooks that it comes from, and how many characters are from each. */
export interface Told {
  readonly text: string;
  readonly told: readonly ProgramHook[];
  readonly lengths: readonly number[];
  /** Those with a text for which there was no room. */
  readonly noRoom?: readonly ProgramHook[];
}

/** A tool's reply. */
export interface Reply {
  readonly text: string;
  readonly structured?: JsonObject;
}

/** What tools have answered. */
export interface Answers {
  readonly replies: ReadonlyMap<ProgramHook, Reply>;
  readonly reasons: readonly Why[];
  readonly asked: ReadonlyMap<ProgramHook, Asked>;
}

/** How a tool or a program was asked. */
export interface Asked {
  readonly milliseconds: number;
  readonly failed?: boolean;
  /** It was only started. */
  readonly isAsync?: boolean;
}

/** How much of the smallest limit that its server declares a session has used. */
export interface Budget {
  readonly used: number;
  readonly limit: number;
  readonly percent: number;
  readonly estimated: boolean;
  readonly level?: 'warn' | 'fire';
  readonly window?: unknown;
}

/** An event for hooks of the extended vocabulary. */
export interface ChainFiring extends Firing {
  /** The payload's facts about the session, under the names that commands know. */
  readonly facts?: JsonObject;
  readonly budgets: Map<ProgramHook, Budget>;
}

/** What is needed to check the conditions of a hook. */
export interface Condition {
  readonly program: Running;
  readonly firing: ChainFiring;
  readonly stage: Pick<Stage, 'append' | 'get' | 'isLike' | 'isOf' | 'memory'>;
  /** What is written down of this call, if a hook asks for repetitions. */
  call?: NotedCall;
}

/** A call: only hashes, no contents. */
export interface NotedCall {
  readonly at: number;
  /** '': nothing tells it from others. */
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
  /** It is not what it seems to be. */
  readonly why?: Why;
}

/** What a hook has decided. */
export interface Decided {
  readonly decision?: { readonly action: 'block'; readonly reason: string; readonly hook: number };
  /** As the last hook that changed them left them. */
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

/** A text with as much of it as may be shown, and whole. */
export interface Limited extends Said {
  readonly whole: string;
  readonly limit: number;
}

/** What became of an event because of a hook that may decide and failed. */
export interface Failure {
  readonly hook: number;
  readonly action: 'allow' | 'allow-again' | 'deny';
}

/** The functions of runner.cjs, which its other files are handed. `handlers`: for a hook, the function in this process that answers for it. */
export type Stage = typeof import('./runner.cjs')['stage'] & {
  readonly handlers?: ReadonlyMap<ProgramHook, (event: never) => unknown>;
};
