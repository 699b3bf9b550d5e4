/** Whether a client starts with its configuration, where only the client itself can say. */

import type { Executable } from '../system/child.ts';
import type { Places } from './places.ts';

export interface StartQuestion {
  readonly places: Places;
  /** The folder in which the client would be started. */
  readonly cwd: string;
  readonly launch: Executable;
  /** Milliseconds until a client that does not answer is ended; the client's own default where absent. */
  readonly deadline?: number;
}

/** A client that does not start. */
export interface Stopped {
  /** Why, in its own words. */
  readonly why: string;
  /** The command with which the user sees for himself. */
  readonly program: string;
}

/** Undefined: the client starts, or cannot be asked. */
export type Startup = (question: StartQuestion) => Promise<Stopped | undefined>;
