/** How to ask and answer a client that wants the user's agreement before it runs hooks. */

import type { Placed } from '../edit/edit.ts';
import type { Executable } from '../system/child.ts';
import type { Message } from '../system/errors.ts';
import type { ConfiguredHook } from './entries.ts';
import type { TrustLook } from './health/health.ts';
import type { Places } from './places.ts';

/** `changed`: it is no longer what the user agreed to. `unknown`: neither the client nor its file can tell. */
export type TrustState = 'trusted' | 'untrusted' | 'changed' | 'disabled' | 'unknown';

export interface TrustPlace {
  readonly places: Places;
  readonly read: (path: string) => Buffer | null;
}

export interface TrustQuestion extends TrustPlace {
  readonly cwd: string;
  /** What starts the client; absent: it is not there, or must not be started. */
  readonly launch?: Executable | undefined;
  /** Milliseconds after which a client that does not answer is killed; absent: the client's own default. */
  readonly deadline?: number;
}

/** Why it is not known whether a client runs a hook: a code, and the facts that its sentence needs. */
export type WhyUnknown =
  | { readonly code: 'trust-file-unreadable'; readonly why: Message }
  | { readonly code: 'project-untrusted'; readonly client: string; readonly executable: string }
  | { readonly code: 'hook-not-listed'; readonly client: string };

export interface HookTrust {
  readonly hook: ConfiguredHook;
  readonly trust: TrustState;
  readonly why?: WhyUnknown;
}

/** What a client did when we started it, instead of a useful answer. */
export type Unanswered =
  | { readonly code: 'ask-ended-early'; readonly exitCode: number }
  | { readonly code: 'ask-too-old'; readonly version?: string }
  | { readonly code: 'ask-not-json' | 'ask-refused' | 'trust-not-taken' };

/** Why a client did not answer, or did not do what we asked. */
export type TrustTrouble = {
  readonly client: string;
  /** The program that was started, as a user would type it. */
  readonly program: string;
  /** The first version that can be asked. */
  readonly needed: string;
  /** Its last output, in one line, without possible secrets. */
  readonly said?: string;
} & (
  | Unanswered
  | { readonly code: 'ask-timeout'; readonly seconds: number }
  | { readonly code: 'ask-not-started'; readonly executable: string; readonly cause: string }
);

export interface TrustReading {
  /** The source: the client itself, or the file in which it keeps trust. */
  readonly from: 'client' | 'file';
  /** Why we could not ask the client, although it is there. */
  readonly trouble?: TrustTrouble;
  readonly hooks: readonly HookTrust[];
}

/** The result of granting trust: all or nothing. */
export type Granted =
  | {
      readonly granted: readonly HookTrust[];
      /** All hooks that should become trusted, as the client sees them afterwards. */
      readonly after: readonly HookTrust[];
    }
  | { readonly trouble: TrustTrouble };

/** What the client's file has about hooks, to be taken out of it. */
export interface Forgotten {
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The client's own names for these hooks. */
  readonly keys: readonly string[];
  readonly without: (text: string) => string;
}

export interface Trust {
  /** What the user has to do if we record nothing in the client: a sentence. */
  readonly byHand: string;
  /** What a user types in the client to review its hooks. */
  readonly reviewCommand: string;
  readonly file: string;

  readonly path: (places: Places) => string;
  /** Whether the client reads the hooks of a project at all, by the settings that do not come with the project. */
  readonly readsProject: (project: string, setting: TrustLook['setting']) => boolean;
  /** The file's state for each of these hooks, in their order; starts no program. @throws Refusal */
  readonly recorded: (hooks: readonly ConfiguredHook[], at: TrustPlace) => readonly TrustState[];
  /** The trust in hooks of one scope: asks the client if it may be started, and reads its file otherwise. */
  readonly read: (
    hooks: readonly ConfiguredHook[],
    question: TrustQuestion,
  ) => Promise<TrustReading>;
  /** Tells the client that the user trusts these hooks as they are now. Touches no other hook, and switches none on. */
  readonly grant: (
    hooks: readonly ConfiguredHook[],
    question: TrustQuestion & { readonly launch: Executable },
  ) => Promise<Granted>;
  /** How its file forgets these hooks; absent: it has nothing about them that can be taken out. */
  readonly forget: (hooks: readonly ConfiguredHook[], at: TrustPlace) => Forgotten | undefined;
  /** The planned groups that the client would run without asking, because it trusted the same before. */
  readonly carriedOver: (groups: readonly Placed[], at: TrustPlace) => readonly Placed[];
}
