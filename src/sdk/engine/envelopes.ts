/** The events that the engine accepts, and its answers. */

import type { BASE_COAT_EVENTS, Event, WaitsFor } from '../../declaration/declaration.ts';

/** An event by our name or by its Base Coat name. */
export type EventName = Event | keyof typeof BASE_COAT_EVENTS;

/** Something that happened in an agent. It may have more keys. Only JSON values are read. */
export interface EventEnvelope {
  /** The event. Either `event` or `hook` is required. */
  readonly event?: EventName;
  /** The same under Base Coat's key. */
  readonly hook?: EventName;
  /** The same for all events of a session: "once" and counts apply per session. */
  readonly sessionId: string;
  /** Absolute path of the session's folder. Default: the working directory of the process. */
  readonly cwd?: string;
  /** Why something happened, for example why a session starts. */
  readonly source?: string;
  /** The kind of agent, or of subagent. */
  readonly agent?: string;
  /** `pre_request`: the user's prompt. An empty prompt is not evaluated. */
  readonly prompt?: string;
  /** True at the end of a turn or of a subagent that was continued by a block, where nothing blocks again. */
  readonly continued?: boolean;
  /** For events about a call. */
  readonly tool?: {
    /** The agent's name for the tool. */
    readonly name: string;
    /** The name of the MCP server that provides the tool, if any. */
    readonly server?: string;
    /** Its input. */
    readonly input?: unknown;
    /** Its output. */
    readonly output?: unknown;
    /** False if the call failed. Absent if that is unknown. */
    readonly success?: boolean;
    /** Milliseconds. */
    readonly durationMs?: number;
  };
  /** For `notification`: what the agent is waiting for. Default: the next prompt. */
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
  /** Before a compaction: what the session was about. A command or tool receives this text with secrets masked. */
  readonly conversation_summary?: string;
  /** Before a compaction: the decisions in the session. */
  readonly key_decisions?: readonly string[];
  /**
   * Before a compaction: how many tokens are left in the context. Default: computed from `budget` here and in the declarations.
   */
  readonly remaining_context_tokens?: number;
  /** At the end: the duration of the session. */
  readonly duration_seconds?: number;
  /** At the end: the number of tool calls. */
  readonly tool_calls?: number;
  /** At the end: tokens in the context. Default: from `budget`. */
  readonly tokens_used?: number;
  readonly [more: string]: unknown;
}

/** The result of an event: Base Coat's response envelope. */
export interface ResponseEnvelope {
  /** What the agent has to do: continue, add context for the model, stop, or continue with a modified input or output. */
  readonly action: 'passThrough' | 'injectContext' | 'block' | 'modify';
  /** What the model should read, whatever the action is. */
  readonly additionalContext: readonly string[];
  /** The reason for a block. */
  readonly reason?: string;
  /** The modified input for the call. */
  readonly modifiedInput?: unknown;
  /** The modified output for the model. */
  readonly modifiedOutput?: unknown;
  /** Warnings for people. */
  readonly warnings: readonly string[];
  /** How the result came about, for a log. */
  readonly metadata: {
    /**
     * The hooks that had an effect, by their positions in the declaration, from 1. Registered handlers follow the declared
     * hooks.
     */
    readonly hooks: readonly number[];
    /**
     * The decisions that were obeyed, with SHA-256 hashes of the input or output `before` and `after`, and without contents.
     */
    readonly decisions: readonly EngineDecision[];
    /** What happened to the event because deciding hooks failed. Absent if none failed. */
    readonly onFailure?: readonly EngineFailure[];
    /** Why something was not shown or not obeyed: codes with facts. */
    readonly why: readonly {
      /**
       * In kebab-case. For example `block-left-out`: `allow` does not include what the hook needs; `blocks-forbidden`: the
       * policy does not allow the block.
       */
      readonly code: string;
      /** The hook that the code is about, as in `hooks`. Absent if that is not specified. */
      readonly hook?: number;
    }[];
  };
}

/** A block or a modification that was obeyed. */
export interface EngineDecision {
  /** The hook's position in the declaration, from 1. */
  readonly hook: number;
  /** What the hook did. */
  readonly action: 'block' | 'modify';
  /** The reason, in the hook's words. */
  readonly reason?: string;
  /** SHA-256 of the original input or output. */
  readonly before: string;
  /** SHA-256 of the replacement. */
  readonly after?: string;
}

/** A hook that may decide, but failed. */
export interface EngineFailure {
  /** The hook's position in the declaration, from 1. */
  readonly hook: number;
  /**
   * Whether the event that it could not decide about continues. `allow-again`: it was blocked in this session for ten minutes.
   */
  readonly action: 'allow' | 'allow-again' | 'deny';
}

/** A handler's answer: a text, an envelope of any convention that commands may follow, or nothing. */
export type HandlerAnswer =
  | string
  | { readonly [key: string]: unknown }
  | Partial<ResponseEnvelope>
  | null
  | undefined;

/** The input of a handler: the event with the names of several conventions side by side, and secrets masked. */
export interface HandlerInput {
  /** Base Coat's name for the event, if it has one. */
  readonly hook: string;
  /** Our name for the event. */
  readonly event: Event;
  /** ISO 8601. */
  readonly timestamp: string;
  /** As in the event envelope. */
  readonly sessionId: string;
  /** Absolute path of the session's folder. */
  readonly cwd: string;
  /** For events about a call. */
  readonly tool?: {
    /** The agent's name for the tool. */
    readonly name: string;
    /** Its input. */
    readonly input?: unknown;
    /** Its output. */
    readonly output?: unknown;
  };
  /** The user's prompt. */
  readonly prompt?: string;
  readonly [more: string]: unknown;
}
