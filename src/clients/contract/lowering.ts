/** How a client makes declared events happen, and what it lets a hook decide. */

import type { WaitsFor } from '../../declaration/declaration.ts';

/** How faithfully a declared hook arrives: `adapted`, the same effect by other means; `late`, read later than declared. */
export type Grade = 'exact' | 'adapted' | 'late' | 'none';

/**
 * What the runner does for a hook when a native event arrives:
 * - `tell`: the text goes into the model's context.
 * - `ask`: the text starts one more turn of the model, at the end of a turn.
 * - `mark`: nothing is shown, but a later `tell` of the same hook that waits for the mark shows its text.
 * - `call`: the tool is called; nobody reads its reply.
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
  /** The conditions on a call were about the one of the `mark`: any call will do now. */
  readonly ofAnyCall?: true;
  /** Of a hook that is shown once per turn: whether the event begins a turn for it, or uses the turn up. */
  readonly turn?: 'begins' | 'takes';
  /** Act only for calls of this tool, named as in declarations. */
  readonly tool?: string;
}

/** How a client makes one declared event happen. */
export interface Lowering {
  readonly grade: Exclude<Grade, 'none'>;
  /** When the model reads the text, and why not as declared: the end of "shown ...". */
  readonly when: string;
  /** What this client cannot do for the event, in one sentence, although the grade holds in all other cases. */
  readonly except?: string;
  /** What the exception is about, if not all hooks: tools of MCP servers, or texts that may be long. */
  readonly exceptOf?: 'mcp' | 'long';
  readonly on: readonly Binding[];
  /** Every firing costs one more turn of the model. */
  readonly extraTurn?: true;
  /** `--act-now` would tell it sooner. */
  readonly sooner?: true;
  /** Nobody has tried it: it is what the client's documentation says. */
  readonly documented?: true;
}

/** How a declared event is lowered: for texts, for tools where that differs, and with `--act-now`. */
export interface EventLowering {
  readonly text: Lowering;
  readonly tool?: Lowering;
  readonly actNow?: Lowering;
  /** Of a notification: for one thing that is waited for; absent: the client never says that it waits for it. */
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
  /** What happens, if that is not just what was decided: the end of "a block ...". */
  readonly when?: string;
  /** The native event that decides; absent: the events on which the hook is shown. */
  readonly on?: string;
  /** It costs one more turn of the model. At the end of that turn, the hook does not decide again. */
  readonly extraTurn?: true;
}
