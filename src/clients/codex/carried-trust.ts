/** Trust that Codex has kept of hooks under the same name: it goes by the command, whoever's hooks that starts. */

import { hookInWords } from '../../cli/render/plan.ts';
import { Refusal } from '../../edit/edit.ts';
import type { Plan } from '../../install/plan.ts';
import { handlersIn } from '../entries.ts';
import { disk } from '../../system/disk.ts';
import { codex } from './client.ts';
import { trustedHashes } from './trust-file.ts';
import { trustHash } from './trust-hash.ts';

/** Those of the planned hooks, in words, that Codex would run without asking, because it trusted such ones before. */
export function trustedAlready({ plan }: { readonly plan: Plan }): string[] {
  const mine = plan.clients.find(({ client }) => client.id === codex.id);
  if (!mine?.compiled) return [];
  let trusted: readonly string[];
  try {
    trusted = trustedHashes(plan.places, disk);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
  if (trusted.length === 0) return [];
  return mine.compiled.groups.flatMap(({ event, group }) => {
    const [written] = handlersIn(codex, group);
    if (!written) return [];
    const { handler, matcher } = written;
    const hash = trustHash({
      native: event,
      handler,
      ...(matcher !== undefined && { matcher }),
    });
    return hash !== undefined && trusted.includes(hash) ? [hookInWords(event, matcher)] : [];
  });
}
