/** How to query and grant trust, for a client that requires the user's trust before it runs hooks. */

import type { Placed } from '../edit/edit.ts';
import type { Executable } from '../system/child.ts';
import type { Message } from '../system/errors.ts';
import type { ConfiguredHook } from './entries.ts';
import type { TrustLook } from './health/health.ts';
import type { Places } from './places.ts';

/** `changed`: it differs from what the user agreed to. `unknown`: neither the client nor its file can tell. */
export type TrustState = 'trusted' | 'untrusted' | 'changed' | 'disabled' | 'unknown';

export interface TrustPlace {
  readonly places: Places;
  readonly read: (path: string) => Buffer | null;
}

export interface TrustQuestion extends TrustPlace {
  readonly cwd: string;
  /** The command that starts the client; absent: it is not installed, or must not be started. */
  readonly launch?: Executable | undefined;
  /** Milliseconds after which a client without an answer is killed; absent: the client's own default. */
  readonly deadline?: number;
}

/** Why it is unknown whether a client runs a hook: a code with the facts for its sentence. */
export type WhyUnknown =
  | { readonly code: 'trust-file-unreadable'; readonly why: Message }
  | { readonly code: 'project-untrusted'; readonly client: string; readonly executable: string }
  | { readonly code: 'hook-not-listed'; readonly client: string };

export interface HookTrust {
  readonly hook: ConfiguredHook;
  readonly trust: TrustState;
  readonly why?: WhyUnknown;
}

/** The behaviour of a client that started but gave no useful answer. */
export type Unanswered =
  | { readonly code: 'ask-ended-early'; readonly exitCode: number }
  | { readonly code: 'ask-too-old'; readonly version?: string }
  | { readonly code: 'ask-not-json' | 'ask-refused' | 'trust-not-taken' };

/** Why a client did not answer, or did not do what we requested. */
export type TrustTrouble = {
  readonly client: string;
  /** The program that was started, as a user would type it. */
  readonly program: string;
  /** The first version that can be queried. */
  readonly needed: string;
  /** Its last output, on one line, with possible secrets masked. */
  readonly said?: string;
} & (
  | Unanswered
  | { readonly code: 'ask-timeout'; readonly seconds: number }
  | { readonly code: 'ask-not-started'; readonly executable: string; readonly cause: string }
);

export interface TrustReading {
  /** The source: the client itself, or the file in which it stores trust. */
  readonly from: 'client' | 'file';
  /** Why we could not query the client, although it is installed. */
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

/** The parts of the client's file about hooks that are to be removed. */
export interface Forgotten {
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The client's own keys of these hooks. */
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
  /** Whether the client reads a project's hooks at all, by settings that are not from the project. */
  readonly readsProject: (project: string, setting: TrustLook['setting']) => boolean;
  /** The file's state for each of these hooks, in order. Starts no program. @throws Refusal */
  readonly recorded: (hooks: readonly ConfiguredHook[], at: TrustPlace) => readonly TrustState[];
  /** The trust in hooks of one scope: queries the client if it may be started, and reads its file otherwise. */
  readonly read: (
    hooks: readonly ConfiguredHook[],
    question: TrustQuestion,
  ) => Promise<TrustReading>;
  /** Records in the client that the user trusts these hooks in their current form. Changes no other hook, and enables none. */
  readonly grant: (
    hooks: readonly ConfiguredHook[],
    question: TrustQuestion & { readonly launch: Executable },
  ) => Promise<Granted>;
  /** How to remove these hooks from its file; absent: the file has nothing about them that can be removed. */
  readonly forget: (hooks: readonly ConfiguredHook[], at: TrustPlace) => Forgotten | undefined;
  /** The planned groups that the client would run without asking, because it trusted identical ones before. */
  readonly carriedOver: (groups: readonly Placed[], at: TrustPlace) => readonly Placed[];
}
