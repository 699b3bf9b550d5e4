/** Notes about the scope: who else gets a file, and which clients have no such file. */

import type { Client } from '../../clients/contract.ts';
import type { Places } from '../../clients/places.ts';
import type { Install } from '../../install/ledger.ts';
import type { Plan } from '../../install/plan.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import { labelAt, siteInWords, siteOf } from '../../install/site.ts';
import { quoted } from '../../sources/shown-launch.ts';
import { pathIn } from '../../system/files.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { COMMAND_LINE } from '../messages/voice.ts';

/** Why an entry that we are about to write may reach other people. */
export function sharedNote(plan: ClientPlan, { scope, project }: Places, voice = COMMAND_LINE) {
  const { client, path, change, compiled, git } = plan;
  if (project === undefined || !change || !compiled || git === 'ignored') return undefined;
  if (scope === 'project') {
    const [own] = client.placement.files.local ?? [];
    const instead = own
      ? voice.useLocal(`${client.projectFolder}/${own.name}`)
      : voice.noLocalInstead(client.name);
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
  voice = COMMAND_LINE,
): { client: Client; why: string }[] =>
  withoutScope.map((client) => {
    const { id, name, projectFolder } = client;
    return { client, why: voice.noLocal(name, id, `${projectFolder}/`) };
  });

export function nothingIn(places: Places, elsewhere: readonly Install[], broken = false): string {
  if (broken) return messages.installedUnknown;
  if (elsewhere.length === 0) return messages.nothingInstalled;
  const others = elsewhere.map((one) => inLine(labelAt(one, places.home)));
  return messages.nothingInstalledIn(inLine(siteInWords(siteOf(places), places.home)), others);
}
