/** What the engine is told of an event, and what it answers. */

import type { BASE_COAT_EVENTS, Event } from '../../declaration/declaration.ts';

/** An event by our name or by Base Coat's. */
export type EventName = Event | keyof typeof BASE_COAT_EVENTS;

/** Something that has happened in an agent. More keys may stand in it; only JSON is read. */
export interface EventEnvelope {
  /** The event; or `hook`, which Base Coat has for it. One of them has to be there. */
  readonly event?: EventName;
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
  readonly tool?: {
    readonly name: string;
    /** The name of the MCP server that has the tool, if there is one. */
    readonly server?: string;
    readonly input?: unknown;
    readonly output?: unknown;
    /** False: the call has failed. Absent: nobody knows. */
    readonly success?: boolean;
    /** Milliseconds. */
    readonly durationMs?: number;
  };
  /** For `budget_exceeded`: tokens that the session's context holds, and how often it was compacted, from 0. */
  readonly budget?: { readonly usedTokens: number; readonly compactions?: number };
  readonly [more: string]: unknown;
}

/** What comes of an event: Base Coat's response envelope. */
export interface ResponseEnvelope {
  readonly action: 'passThrough' | 'injectContext' | 'block' | 'modify';
  /** What the model is to read, whatever the action. */
  readonly additionalContext: readonly string[];
  /** Why it is blocked. */
  readonly reason?: string;
  readonly modifiedInput?: unknown;
  readonly modifiedOutput?: unknown;
  /** For people. */
  readonly warnings: readonly string[];
  readonly metadata: {
    /** The hooks that have come to something: their places in the declaration, from 1. Registered handlers follow the declared ones. */
    readonly hooks: readonly number[];
    /** What was obeyed: SHA-256 of input or output `before` and `after`, no contents. */
    readonly decisions: readonly EngineDecision[];
    /** Why something was not said or not obeyed: codes with facts. */
    readonly why: readonly { readonly code: string }[];
  };
}

export interface EngineDecision {
  readonly hook: number;
  readonly action: 'block' | 'modify';
  readonly reason?: string;
  readonly before: string;
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
  readonly hook: string;
  readonly event: Event;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly tool?: { readonly name: string; readonly input?: unknown; readonly output?: unknown };
  readonly prompt?: string;
  readonly [more: string]: unknown;
}
