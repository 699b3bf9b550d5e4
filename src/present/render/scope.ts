/** Notes about the scope: who else gets a file, and which clients have no such file. */

import type { Client } from '../../clients/contract.ts';
import { hasProjects, type Places } from '../../clients/places.ts';
import type { Install } from '../../install/ledger.ts';
import type { Plan } from '../../install/plan.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import { labelAt, siteInWords, siteOf } from '../../install/site.ts';
import { pathIn } from '../../system/files.ts';
import { quoted } from '../../system/strings.ts';
import { inLine } from '../../system/visible.ts';
import type { Say } from '../../system/words.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';

/** Why an entry that we are about to write may reach other people. */
export function sharedNote(plan: ClientPlan, { scope, project }: Places, say: Say = sentence) {
  const { client, path, change, compiled, git } = plan;
  if (project === undefined || !change || !compiled || git === 'ignored') return undefined;
  if (scope === 'project') {
    const [own] = client.placement.files.local ?? [];
    const instead = own
      ? messages.useLocal(`${client.projectFolder}/${own.name}`, say)
      : messages.noLocalInstead(client.name, say);
    return git === 'tracked'
      ? { level: 'warning', message: messages.trackedShared(instead) }
      : { level: 'note', message: messages.shared(instead) };
  }
  const file = pathIn(path, project);
  if (git === 'tracked') {
    const command = `git rm --cached ${quoted(file)}`;
    return { level: 'warning', message: messages.trackedLocal(command) };
  }
  return git && { level: 'warning', message: messages.notIgnored(file) };
}

export const withoutScope = (
  { withoutScope = [] }: Plan,
  say: Say = sentence,
): { client: Client; why: string }[] =>
  withoutScope.map((client) => {
    const { id, name, projectFolder } = client;
    const folder = hasProjects(client) ? `${projectFolder}/` : undefined;
    return { client, why: messages.noLocal(name, id, folder, say) };
  });

export function nothingIn(places: Places, elsewhere: readonly Install[], broken = false): string {
  if (broken) return messages.installedUnknown;
  if (elsewhere.length === 0) return messages.nothingInstalled;
  const others = elsewhere.map((one) => inLine(labelAt(one, places.home)));
  return messages.nothingInstalledIn(inLine(siteInWords(siteOf(places), places.home)), others);
}
