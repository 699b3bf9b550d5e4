/** What the engine is told of an event, and what it answers. */

import type { BASE_COAT_EVENTS, Event } from '../../declaration/declaration.ts';

/** An event by our name or by Base Coat's. */
export type EventName = Event | keyof typeof BASE_COAT_EVENTS;

/** Something that has happened in an agent. More keys may stand in it; only JSON is read. */
export interface EventEnvelope {
  /** The event. It or `hook` has to be there. */
  readonly event?: EventName;
  /** The same by Base Coat's key. */
  readonly hook?: EventName;
  /** The same for all events of a session: what is told once, or counted, is so within it. */
  readonly sessionId: string;
  /** Absolute path of the folder that the session is in. Default: that of the process. */
  readonly cwd?: string;
  /** Why a session starts, for example. */
  readonly source?: string;
  /** The kind of agent, or of subagent. */
  readonly agent?: string;
  /** `pre_request`: what the user has written; with nothing in it nothing is evaluated. */
  readonly prompt?: string;
  /** True at the end of a turn, or of a subagent, that a block has started: nothing blocks there again. */
  readonly continued?: boolean;
  /** For events that are about a call. */
  readonly tool?: {
    /** As the agent calls it. */
    readonly name: string;
    /** The name of the MCP server that has the tool, if there is one. */
    readonly server?: string;
    /** What it is given, or was. */
    readonly input?: unknown;
    /** What it has returned. */
    readonly output?: unknown;
    /** False: the call has failed. Absent: nobody knows. */
    readonly success?: boolean;
    /** Milliseconds. */
    readonly durationMs?: number;
  };
  /** For `budget_exceeded`. */
  readonly budget?: {
    /** Tokens that the session's context holds. */
    readonly usedTokens: number;
    /** How often it was compacted, from 0. */
    readonly compactions?: number;
  };
  /** Before a compaction: what the session was about. A command or tool is told what you say here, with secrets masked. */
  readonly conversation_summary?: string;
  /** Before a compaction: what was decided in it. */
  readonly key_decisions?: readonly string[];
  /** Before a compaction: how many tokens the context has left. Default: from `budget` here and in the declarations. */
  readonly remaining_context_tokens?: number;
  /** At the end: how long the session has lasted. */
  readonly duration_seconds?: number;
  /** At the end: how many tools it has called. */
  readonly tool_calls?: number;
  /** At the end: tokens that its context holds. Default: that of `budget`. */
  readonly tokens_used?: number;
  readonly [more: string]: unknown;
}

/** What comes of an event: Base Coat's response envelope. */
export interface ResponseEnvelope {
  /** What the agent has to do: go on, tell the model something, stop, or go on with another input or output. */
  readonly action: 'passThrough' | 'injectContext' | 'block' | 'modify';
  /** What the model is to read, whatever the action. */
  readonly additionalContext: readonly string[];
  /** Why it is blocked. */
  readonly reason?: string;
  /** The input to make the call with. */
  readonly modifiedInput?: unknown;
  /** The output that the model is to read. */
  readonly modifiedOutput?: unknown;
  /** For people. */
  readonly warnings: readonly string[];
  /** How it came to this, for a log. */
  readonly metadata: {
    /** The hooks that have come to something: their places in the declaration, from 1. Registered handlers follow the declared ones. */
    readonly hooks: readonly number[];
    /** What was obeyed: SHA-256 of input or output `before` and `after`, no contents. */
    readonly decisions: readonly EngineDecision[];
    /** Why something was not said or not obeyed: codes with facts. */
    readonly why: readonly {
      /** In kebab-case. */
      readonly code: string;
    }[];
  };
}

/** A block or a change that was obeyed. */
export interface EngineDecision {
  /** Which hook: its place in the declaration, from 1. */
  readonly hook: number;
  /** What it has done. */
  readonly action: 'block' | 'modify';
  /** Why, in the hook's words. */
  readonly reason?: string;
  /** SHA-256 of the input or output as it was. */
  readonly before: string;
  /** SHA-256 of what came in its place. */
  readonly after?: string;
}

/** What a handler may answer: a text, an envelope of any convention that commands may follow, or nothing. */
export type HandlerAnswer =
  | string
  | { readonly [key: string]: unknown }
  | Partial<ResponseEnvelope>
  | undefined;

/** What a handler is told: the event by the names of several conventions side by side, with secrets masked. */
export interface ToldEvent {
  /** The event by Base Coat's name, where it has one. */
  readonly hook: string;
  /** The event by our name. */
  readonly event: Event;
  /** ISO 8601. */
  readonly timestamp: string;
  /** As in the envelope. */
  readonly sessionId: string;
  /** Absolute path of the session's folder. */
  readonly cwd: string;
  /** For events that are about a call. */
  readonly tool?: {
    /** As the agent calls it. */
    readonly name: string;
    /** What it is given, or was. */
    readonly input?: unknown;
    /** What it has returned. */
    readonly output?: unknown;
  };
  /** What the user has written. */
  readonly prompt?: string;
  readonly [more: string]: unknown;
}
