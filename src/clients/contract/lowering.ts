/** How a client implements declared events, and which decisions of a hook it can carry out. */

import type { WaitsFor } from '../../declaration/declaration.ts';

/**
 * How closely the delivery follows the declaration. `adapted`: the same effect by other means. `late`: read later than
 * declared.
 */
export type Grade = 'exact' | 'adapted' | 'late' | 'none';

/**
 * What the runner does for a hook when a native event arrives:
 * - `tell`: the text goes into the model's context.
 * - `ask`: the text starts one more turn of the model, at the end of a turn.
 * - `mark`: nothing is shown, but a later `tell` of the same hook that waits for the mark shows its text.
 * - `call`: the tool is called, but its reply is not read.
 * - `keep`: the tool or command runs now, and its answer waits for a later `tell` of the same hook that is `marked`.
 */
export type Act = 'tell' | 'ask' | 'mark' | 'call' | 'keep';

export interface Binding {
  readonly native: string;
  readonly act: Act;
  /** Act only on the first of these events in a session. */
  readonly once?: true;
  /** Act only if a `mark` of the same hook came earlier in the session; removes the mark. */
  readonly marked?: true;
  /** The conditions on a call applied at the `mark`, so any call matches now. */
  readonly ofAnyCall?: true;
  /** For a hook that is shown once per turn: whether the event begins a turn for it, or uses the turn up. */
  readonly turn?: 'begins' | 'takes';
  /** Act only for calls of this tool, named as in declarations. */
  readonly tool?: string;
}

/** How a client implements one declared event. */
export interface Lowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** When the model reads the text, and the difference from the declaration: the end of "shown ...". */
  readonly when: string;
  /** A limitation of this client for the event, in one sentence. The grade applies to all other cases. */
  readonly except?: string;
  /** The hooks that the exception applies to, if not all: tools of MCP servers, tools other than the shell, or long texts. */
  readonly exceptOf?: 'mcp' | 'not-shell' | 'long';
  readonly on: readonly Binding[];
  /** Every firing costs one more turn of the model. */
  readonly extraTurn?: true;
  /** `--act-now` would tell it sooner. */
  readonly sooner?: true;
  /** Not tried: it is based on the client's documentation. */
  readonly documented?: true;
}

/** How a declared event is lowered: for texts, for tools if that differs, and with `--act-now`. */
export interface EventLowering {
  readonly text: Lowering;
  readonly tool?: Lowering;
  readonly actNow?: Lowering;
  /** For a notification: by what the client waits for; absent: the client never reports that it waits for it. */
  readonly waitsFor?: Readonly<Partial<Record<WaitsFor, Lowering>>>;
  /** The decisions that the client can carry out for this event; absent: none. */
  readonly decide?: {
    readonly block?: DecisionLowering;
    readonly input?: DecisionLowering;
    readonly output?: DecisionLowering;
  };
}

export interface DecisionLowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** The effect, if it is more than the decision: the end of "a block ...". */
  readonly when?: string;
  /** The native event that decides; absent: the events on which the hook is shown. */
  readonly on?: string;
  /** It costs one more turn of the model. At the end of that turn, the hook does not decide again. */
  readonly extraTurn?: true;
}
