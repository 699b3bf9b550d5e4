/** Whether Codex starts: its own answer, asked for once. */

import { codex } from '../../clients/codex/client.ts';
import type { At } from './context.ts';

const ANSWERS = new WeakMap<At, Promise<string | undefined>>();

/** Why it does not; undefined: it does, or nothing of ours is in it, or it cannot be asked. */
export function whyCodexStops(at: At): Promise<string | undefined> {
  const answer = ANSWERS.get(at) ?? ask(at);
  ANSWERS.set(at, answer);
  return answer;
}

async function ask(at: At): Promise<string | undefined> {
  if (!at.installs.some(({ clients }) => clients.includes(codex.id))) return undefined;
  const starts = await import('../../clients/codex/starts.ts');
  return starts.whyCodexStops({
    places: at.user,
    cwd: at.machine.cwd,
    deadline: at.deadline,
  });
}
