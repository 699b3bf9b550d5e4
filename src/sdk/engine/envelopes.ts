/** The events that the engine takes, and its answers. */

import type { BASE_COAT_EVENTS, Event, WaitsFor } from '../../declaration/declaration.ts';

/** An event by our name or by Base Coat's. */
export type EventName = Event | keyof typeof BASE_COAT_EVENTS;

/** Something that has happened in an agent. It may have more keys; only JSON is read. */
export interface EventEnvelope {
  /** The event. Either this or `hook` is needed. */
  readonly event?: EventName;
  /** The same under Base Coat's key. */
  readonly hook?: EventName;
  /** The same for all events of a session: "once" and counts are per session. */
  readonly sessionId: string;
  /** Absolute path of the session's folder. Default: the process's. */
  readonly cwd?: string;
  /** Why a session starts, for example. */
  readonly source?: string;
  /** The kind of agent, or of subagent. */
  readonly agent?: string;
  /** `pre_request`: what the user has written. An empty prompt is not evaluated. */
  readonly prompt?: string;
  /** True at the end of a turn, or of a subagent, that a block has started: nothing blocks there again. */
  readonly continued?: boolean;
  /** For events that are about a call. */
  readonly tool?: {
    /** The agent's name for it. */
    readonly name: string;
    /** The name of the MCP server that has the tool, if there is one. */
    readonly server?: string;
    /** Its input. */
    readonly input?: unknown;
    /** Its output. */
    readonly output?: unknown;
    /** False: the call failed. Absent: unknown. */
    readonly success?: boolean;
    /** Milliseconds. */
    readonly durationMs?: number;
  };
  /** For `notification`: what the agent waits for. Default: the next prompt. */
  readonly waits_for?: WaitsFor;
  /** For `notification`: its text. */
  readonly message?: string;
  /** For `budget_exceeded`, and for hooks that read how much of a declared budget is used. */
  readonly budget?: {
    /** Tokens in the session's context. */
    readonly usedTokens: number;
    /** How often the context was compacted, from 0. */
    readonly compactions?: number;
  };
  /** Before a compaction: what the session was about. A command or tool reads this text, with secrets masked. */
  readonly conversation_summary?: string;
  /** Before a compaction: the decisions in the session. */
  readonly key_decisions?: readonly string[];
  /** Before a compaction: how many tokens the context has left. Default: from `budget` here and in the declarations. */
  readonly remaining_context_tokens?: number;
  /** At the end: how long the session has lasted. */
  readonly duration_seconds?: number;
  /** At the end: how many tools it has called. */
  readonly tool_calls?: number;
  /** At the end: tokens in the context. Default: from `budget`. */
  readonly tokens_used?: number;
  readonly [more: string]: unknown;
}

/** The outcome of an event: Base Coat's response envelope. */
export interface ResponseEnvelope {
  /** What the agent has to do: go on, tell the model something, stop, or go on with another input or output. */
  readonly action: 'passThrough' | 'injectContext' | 'block' | 'modify';
  /** What the model should read, whatever the action. */
  readonly additionalContext: readonly string[];
  /** Why it is blocked. */
  readonly reason?: string;
  /** The input for the call. */
  readonly modifiedInput?: unknown;
  /** The output for the model to read. */
  readonly modifiedOutput?: unknown;
  /** For people. */
  readonly warnings: readonly string[];
  /** How this came about, for a log. */
  readonly metadata: {
    /** The hooks that had an effect: their places in the declaration, from 1. Registered handlers follow the declared hooks. */
    readonly hooks: readonly number[];
    /** What was obeyed: SHA-256 of input or output `before` and `after`, no contents. */
    readonly decisions: readonly EngineDecision[];
    /** What became of the event because of hooks that may decide and failed; absent: there were none. */
    readonly onFailure?: readonly EngineFailure[];
    /** Why something was not shown or not obeyed: codes with facts. */
    readonly why: readonly {
      /**
       * In kebab-case. For example `block-left-out`: `allow` does not include what the hook needs; `blocks-forbidden`: the policy
       * does not let it.
       */
      readonly code: string;
      /** The hook that it is about, as in `hooks`; absent: the code does not say. */
      readonly hook?: number;
    }[];
  };
}

/** A block or a change that was obeyed. */
export interface EngineDecision {
  /** The hook's place in the declaration, from 1. */
  readonly hook: number;
  /** What it did. */
  readonly action: 'block' | 'modify';
  /** Why, in the hook's words. */
  readonly reason?: string;
  /** SHA-256 of the input or output as it was. */
  readonly before: string;
  /** SHA-256 of what replaced it. */
  readonly after?: string;
}

/** A hook that may decide, and failed. */
export interface EngineFailure {
  /** The hook's place in the declaration, from 1. */
  readonly hook: number;
  /** Whether what it could not decide about goes on; `allow-again`: it has been blocked for ten minutes in this session. */
  readonly action: 'allow' | 'allow-again' | 'deny';
}

/** A handler's answer: a text, an envelope of any convention that commands may follow, or nothing. */
export type HandlerAnswer =
  | string
  | { readonly [key: string]: unknown }
  | Partial<ResponseEnvelope>
  | null
  | undefined;

/** What a handler gets: the event with the names of several conventions side by side, and secrets masked. */
export interface ToldEvent {
  /** Base Coat's name for the event, if it has one. */
  readonly hook: string;
  /** Our name for the event. */
  readonly event: Event;
  /** ISO 8601. */
  readonly timestamp: string;
  /** As in the envelope. */
  readonly sessionId: string;
  /** Absolute path of the session's folder. */
  readonly cwd: string;
  /** For events that are about a call. */
  readonly tool?: {
    /** The agent's name for it. */
    readonly name: string;
    /** Its input. */
    readonly input?: unknown;
    /** Its output. */
    readonly output?: unknown;
  };
  /** What the user has written. */
  readonly prompt?: string;
  readonly [more: string]: unknown;
}
