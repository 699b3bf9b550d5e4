/** Whether a client starts: its own answer, asked for once. */

import type { Client } from '../../clients/contract.ts';
import { stopped } from '../../clients/detect.ts';
import type { Stopped } from '../../clients/folder.ts';
import type { DoctorContext } from './context.ts';

const ANSWERS = new WeakMap<DoctorContext, Map<Client, Promise<Stopped | undefined>>>();

/** Why it does not; undefined: it does, or nothing of ours is in it, or it cannot be asked. */
export function whyStopped(client: Client, at: DoctorContext): Promise<Stopped | undefined> {
  const answers = ANSWERS.get(at) ?? new Map<Client, Promise<Stopped | undefined>>();
  ANSWERS.set(at, answers);
  const answer = answers.get(client) ?? ask(client, at);
  answers.set(client, answer);
  return answer;
}

async function ask(client: Client, at: DoctorContext): Promise<Stopped | undefined> {
  if (!at.installs.some(({ clients }) => clients.includes(client.id))) return undefined;
  const { user: places, deadline, machine } = at;
  return stopped(client, { places, cwd: machine.cwd, deadline });
}
