/** Asking a client whether it starts with its configuration. */

import type { Client } from './contract.ts';
import { which } from './detect.ts';
import { startupOf } from './registry.ts';
import type { StartQuestion } from './startup.ts';

/** A client that does not start. */
export interface Stopped {
  /** Why, in its own words. */
  readonly why: string;
  /** The command with which the user sees for himself. */
  readonly program: string;
}

/** Undefined: it starts, or it is not there, or cannot be asked. */
export async function stopped(
  client: Client,
  question: Omit<StartQuestion, 'launch'>,
): Promise<Stopped | undefined> {
  const found = which(client.executable, question.places);
  const startup = found === undefined ? undefined : await startupOf(client);
  if (!startup || found === undefined) return undefined;
  const why = await startup.whyItStops({ ...question, launch: [found] });
  return why === undefined ? undefined : { why, program: startup.program };
}
