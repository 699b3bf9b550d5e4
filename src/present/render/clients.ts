/** What happens to the hooks in each client, as briefly as possible: the grade, and the reason if it is not exact. */

import type { Grade } from '../../clients/contract.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { trustOf } from '../../clients/registry.ts';
import type { LoweredHook } from '../../compile/report.ts';
import type { Placed } from '../../edit/edit.ts';
import type { Plan } from '../../install/plan.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import { hooksInWords } from '../../system/plurals.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { placeIn, type Say } from '../../system/words.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { trustMessages } from '../messages/trust.ts';
import { hookInWords } from '../messages/words.ts';
import { sharedNote, withoutScope } from './scope.ts';

export const GRADES: Readonly<Record<Grade, Style>> = {
  exact: 'green',
  adapted: 'yellow',
  late: 'yellow',
  none: 'red',
};

interface Row {
  readonly word: string;
  readonly style: Style;
  readonly text: string;
}

/** A table: the client, a grade or what else there is to say in a word, and the reason. */
export function clientTable(
  terminal: Terminal,
  plan: Plan,
  trusts: boolean,
  say: Say = sentence,
): string {
  const rows = plan.clients.map((one) => ({
    name: one.client.name,
    rows: rowsOf(one, plan, trusts, say),
  }));
  const without = withoutScope(plan, say).map(({ client, why }) => ({
    name: client.name,
    rows: [{ word: 'none', style: 'red', text: why } as const],
  }));
  const all = [...rows, ...without];
  const width = Math.max(...all.map(({ name }) => name.length)) + 2;
  const words = Math.max(...all.flatMap((one) => one.rows.map(({ word }) => word.length))) + 2;
  return all
    .flatMap(({ name, rows }) =>
      rows.map(({ word, style, text }, index) => {
        const head = paint(terminal, 'bold', (index === 0 ? name : '').padEnd(width));
        const first = `${head}${paint(terminal, style, word.padEnd(words))}`;
        return wrap(text, terminal.columns, ' '.repeat(width + words), first).trimEnd();
      }),
    )
    .join('\n');
}

function rowsOf(one: ClientPlan, { kind, places, label }: Plan, trusts: boolean, say: Say): Row[] {
  const { client, path, change, refusal, byHand, compiled, foreign = [] } = one;
  const file = inLine(tilde(path, places.home));
  if (refusal) {
    const why = inLine(`${placeIn(file, refusal.line, refusal.column)}: ${say(refusal.problem)}`);
    const text = byHand === undefined ? why : `${stopped(why)} ${inLine(say(byHand))}`;
    return [{ word: 'refused', style: 'red', text }];
  }
  const asking = compiled && compiled.groups.length > 0 && trustOf(client);
  const note = (text: string): Row => ({ word: 'note', style: 'dim', text });
  const warning = (text: string): Row => ({ word: 'warning', style: 'yellow', text });
  if (kind === 'install' && !compiled) return change ? [note(messages.copyGoes(file))] : [];
  const { hooks = [], notes = [], tooOld } = compiled ?? {};
  return [
    ...(compiled ? graded(hooks, say) : []),
    ...(compiled && hooks.length > 0
      ? []
      : [{ word: '', style: 'dim', text: change ? file : `${file} (no change)` } as const]),
    ...(tooOld === undefined ? [] : [warning(messages.tooOldHere(client, tooOld))]),
    ...(foreign.length > 0
      ? [warning(messages.altered(inLine(foreign.join(', '), 200), label))]
      : []),
    ...shared(one, places, say, warning, note),
    ...notes.map((one) => (one.code === 'own-server-missing' ? warning : note)(say(one))),
    ...(asking && trusts
      ? [note(trustMessages.willTrust(client, groupsInWords(compiled.groups).join(', ')))]
      : asking && change
        ? [note(trustMessages.runsTrustedOnly(client))]
        : []),
  ];
}

function shared(
  one: ClientPlan,
  places: Places,
  say: Say,
  ...[warning, note]: ((text: string) => Row)[]
) {
  const said = sharedNote(one, places, say);
  if (!said) return [];
  const row = said.level === 'warning' ? warning : note;
  return row ? [row(inLine(said.message))] : [];
}

/** One row for all hooks with the same result. */
function graded(hooks: readonly LoweredHook[], say: Say = sentence): Row[] {
  const alike = new Map<string, { grade: Grade; why: string; numbers: number[] }>();
  for (const [index, hook] of hooks.entries()) {
    const { grade } = hook;
    const why = reasonOf(hook, say);
    const key = `${grade} ${why}`;
    const found = alike.get(key) ?? { grade, why, numbers: [] };
    alike.set(key, found);
    found.numbers.push(index + 1);
  }
  return [...alike.values()].map(({ grade, why, numbers }) => {
    const which = hooks.length === 1 ? '' : hooksInWords(numbers);
    return { word: grade, style: GRADES[grade], text: [which, why].filter(Boolean).join(': ') };
  });
}

/** The hooks that a client never shows to its model, and why. */
export const unshown = (hooks: readonly LoweredHook[]): string[] =>
  graded(hooks).flatMap(({ word, text }) => (word === 'none' ? text : []));

/** Why a hook is not as declared, and what else its author and its user should know. */
function reasonOf({ grade, when, notes }: LoweredHook, say: Say): string {
  const said = inLine(say(when), 1000);
  const words = { exact: [], none: [`not shown, ${said}`], late: [said], adapted: [said] }[grade];
  const last = notes.map((note) => inLine(say(note), 1000));
  return [...words, ...last]
    .map((one, index, all) => (index < all.length - 1 ? stopped(one) : one))
    .join(' ');
}

const stopped = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

export const groupsInWords = (groups: readonly Placed[]): string[] =>
  groups.map(({ event, group }) => hookInWords(event, group.matcher));
