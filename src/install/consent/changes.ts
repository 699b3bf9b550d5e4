/** How what a server declares differs from what the user agreed to. Pure. */

import { type Bound, filesOf } from '../../declaration/command.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import { canonical } from '../../system/fingerprint.ts';
import type { Approval } from './approval.ts';

/** A hook and its place in its declaration, from 1. */
export interface Numbered {
  readonly number: number;
  readonly hook: HookDeclaration;
  /** Of a command: the folder from which its words are meant, and the files that it names. */
  readonly bound?: Bound;
}

export interface Changes {
  readonly removed: readonly Numbered[];
  readonly changed: readonly { readonly before: Numbered; readonly after: Numbered }[];
  readonly added: readonly Numbered[];
  /** How many are as they were. */
  readonly same: number;
  /** Those that are as they were come in another order. */
  readonly moved: boolean;
  /** What is run or asked for its tools, in words. Absent: the same as before. */
  readonly launch?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

export function changesBetween(before: Approval, after: Approval): Changes {
  const [gone, come] = [numbered(before), numbered(after)];
  const same = paired(gone, come, ({ hook, bound }) => canonical([hook, bound]));
  // What has most in common with a hook that is gone is what became of it.
  const changed = LIKENESSES.flatMap((likeness) => paired(gone, come, likeness));
  const order = same.map(([, { number }]) => number);
  return {
    removed: gone,
    changed: changed
      .map(([before, after]) => ({ before, after }))
      .sort((a, b) => a.after.number - b.after.number),
    added: come,
    same: same.length,
    moved: order.some((number, at) => number < (order[at - 1] ?? 0)),
    ...(isOtherLaunch(before, after) && { launch: launchesOf(before, after) }),
  };
}

/** By the mark where both have one: the words of one and the same server may have been masked in another way. */
const isOtherLaunch = (before: Approval, after: Approval): boolean =>
  before.server !== undefined &&
  after.server !== undefined &&
  after.launch.length > 0 &&
  before.launch.length > 0
    ? before.server !== after.server
    : canonical(before.launch) !== canonical(after.launch);

/** What was kept beside all that there is now; a line of which nothing was left out is shown in the same way on both sides. */
function launchesOf(before: Approval, after: Approval): NonNullable<Changes['launch']> {
  const whole = new Map(after.launch.map((line, at) => [line, after.shown?.[at] ?? line]));
  return {
    before: before.launch.map((line) => (line.includes('***') ? line : (whole.get(line) ?? line))),
    after: after.launch.map((line) => whole.get(line) ?? line),
  };
}

/** Nothing that a user would have to agree to anew. */
export const isSame = ({ removed, changed, added, moved, launch }: Changes): boolean =>
  removed.length + changed.length + added.length === 0 && !moved && launch === undefined;

/** What two hooks have in common that are taken for one that changed; closest first. */
const LIKENESSES: readonly ((one: Numbered) => string)[] = [
  ({ hook }) => canonical([hook.event, ...doing(hook)]),
  ({ hook }) => canonical([hook.event, hook.matcher]),
  ({ hook }) => canonical(doing(hook)),
  ({ hook }) => hook.event,
];

const doing = ({ context, context_tool, block, command }: HookDeclaration): unknown[] => [
  context,
  context_tool,
  block,
  command,
];

const numbered = ({ hooks, ...approval }: Approval): Numbered[] =>
  hooks.map((hook, index) => ({
    number: index + 1,
    hook,
    ...(hook.command && { bound: boundIn(approval, hook.command) }),
  }));

/** What is bound for one command: another hook's file is nothing to it. */
const boundIn = (all: Bound, command: readonly string[]): Bound => ({
  commandsFrom: all.commandsFrom,
  commandFiles: filesOf(command, all),
});

/** Takes out of both lists what is alike, first with first. */
function paired(
  gone: Numbered[],
  come: Numbered[],
  likeness: (one: Numbered) => string,
): [Numbered, Numbered][] {
  const waiting = new Map<string, Numbered[]>();
  for (const one of come) {
    const key = likeness(one);
    waiting.set(key, [...(waiting.get(key) ?? []), one]);
  }
  const pairs = gone.flatMap((before): [Numbered, Numbered][] => {
    const after = waiting.get(likeness(before))?.shift();
    return after ? [[before, after]] : [];
  });
  const taken = new Set(pairs.flat());
  for (const list of [gone, come])
    list.splice(0, list.length, ...list.filter((one) => !taken.has(one)));
  return pairs;
}
