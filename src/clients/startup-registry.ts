/** The clients that can be asked whether they start with their configuration. */

import type { Client } from './contract.ts';
import { which } from './detect.ts';
import type { StartQuestion, Startup } from './startup.ts';

/** By the client's id, loaded when they are needed, because they start programs; null: the client cannot be asked. */
const STARTUP: Readonly<Record<string, (() => Promise<Startup>) | null>> = {
  'claude-code': null,
  codex: async () => (await import('./codex/startup.ts')).codex,
  'gemini-cli': null,
};

/** Whether a client can be asked at all. */
export const canBeAsked = ({ id }: Client): boolean => Boolean(STARTUP[id]);

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
  const load = STARTUP[client.id];
  const found = which(client.executable, question.places);
  if (!load || found === undefined) return undefined;
  const { program, whyItStops } = await load();
  const why = await whyItStops({ ...question, launch: [found] });
  return why === undefined ? undefined : { why, program };
}
