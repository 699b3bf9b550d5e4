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

export interface Startup {
  /** The command with which the user sees for himself. */
  readonly program: string;
  /** Why the client does not start, in its own words; undefined: it does, or cannot be asked. */
  readonly whyItStops: (question: StartQuestion) => Promise<string | undefined>;
}
