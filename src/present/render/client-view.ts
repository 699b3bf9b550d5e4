/** The part of a plan about each client, as printed by `--json`. All other renderings of a plan are based on it. */

import type { Client, Grade } from '../../clients/contract.ts';
import { hasProjects } from '../../clients/places.ts';
import { trustOf } from '../../clients/registry.ts';
import type { LoweredHook } from '../../compile/report.ts';
import type { Plan } from '../../install/plan.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import { pathIn } from '../../system/files.ts';
import { quoted } from '../../system/strings.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Say } from '../../system/words.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { indented } from './lines.ts';

const GRADES: Readonly<Record<Grade, Style>> = {
  exact: 'green',
  adapted: 'yellow',
  late: 'yellow',
  none: 'red',
};

type HookView = ReturnType<typeof hookView>;

export function clientView(one: ClientPlan, { places }: Plan, say: Say = sentence) {
  const { client, path, change, refusal, byHand, compiled, foreign, git } = one;
  const asking = trustOf(client);
  return {
    id: client.id,
    file: path,
    changes: change !== undefined,
    hooks: compiled?.hooks.map((hook) => hookView(hook, say)),
    notes: compiled?.notes.length ? compiled.notes.map(say) : undefined,
    serverName: compiled?.serverName,
    version: compiled?.version,
    warning: compiled?.tooOld && messages.tooOldHere(client, compiled.tooOld),
    refusal: refusal && {
      message: say(refusal.problem),
      line: refusal.line,
      column: refusal.column,
      byHand: byHand && say(byHand),
      code: refusal.problem.code,
    },
    foreign,
    git,
    shared: sharedNote(one, places, say),
    afterInstall: compiled && change && asking?.byHand,
  };
}

export const hookView = (
  { declaration, grade, when, notes, native }: LoweredHook,
  say = sentence,
) => ({
  event: declaration.event,
  grade,
  when: say(when),
  notes: notes.map(say),
  native,
});

/** Why an entry that we are about to write may reach other people. */
function sharedNote(
  plan: ClientPlan,
  { scope, project }: Plan['places'],
  say: Say,
): { level: 'warning' | 'note'; message: string } | undefined {
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

/** The clients for which nothing is planned, because they have no settings for the scope. */
export const withoutScope = (
  { withoutScope = [] }: Plan,
  say: Say = sentence,
): { client: Client; why: string }[] =>
  withoutScope.map((client) => {
    const { id, name, projectFolder } = client;
    const folder = hasProjects(client) ? `${projectFolder}/` : undefined;
    return { client, why: messages.noLocal(name, id, folder, say) };
  });

export const stopped = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

/** A line for each hook, with its notes below. */
export const hookLines = (terminal: Terminal, hooks: readonly HookView[]): string[] =>
  hooks.flatMap(({ grade, when, notes }, index) => {
    const head = `  ${index + 1}. ${paint(terminal, GRADES[grade], grade.padEnd(7))} `;
    const line = grade === 'none' ? `not shown: ${when}` : `shown ${when}`;
    const indent = ' '.repeat(13);
    // It may contain words of the server, such as an unknown tool.
    return [
      wrap(inLine(line, 1000), terminal.columns, indent, head),
      ...notes.map((note) => indented(terminal, inLine(note, 1000), indent)),
    ];
  });
