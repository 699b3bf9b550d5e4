/** A hook as it stands in a client's settings. */

import type { JsonObject } from '../edit/edit.ts';
import type { Client } from './contract.ts';

/** One handler of one hook group. */
export interface ConfiguredHook {
  readonly client: Client;
  /** Absolute path of the file it is in. */
  readonly path: string;
  /** The client's own event. */
  readonly native: string;
  /** The place of its group among those of the event, from 0. */
  readonly index: number;
  /** Its own place among the handlers of the group, from 0. */
  readonly handlerIndex: number;
  /** Absent: the client runs it for all. */
  readonly matcher?: string;
  /** Undefined: it is no command. */
  readonly command?: string;
  /** Milliseconds; undefined: the client's own default. */
  readonly timeout?: number;
  readonly handler: JsonObject;
  /** The label whose runner it starts; undefined: it is not ours. */
  readonly label?: string;
}
