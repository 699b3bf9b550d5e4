/** The differences between a server's declaration and the one that the user agreed to. Pure. */

import { type Bound, filesOf } from '../../declaration/command.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import { canonical } from '../../system/fingerprint.ts';
import type { Approval } from './approval.ts';

/** A hook and its position in its declaration, counted from 1. */
export interface Numbered {
  readonly number: number;
  readonly hook: HookDeclaration;
  /** For a command: the folder that its arguments are relative to, and the files that they name. */
  readonly bound?: Bound;
}

export interface Changes {
  readonly removed: readonly Numbered[];
  readonly changed: readonly { readonly before: Numbered; readonly after: Numbered }[];
  readonly added: readonly Numbered[];
  /** How many hooks have not changed. */
  readonly same: number;
  /** The unchanged hooks are in a different order. */
  readonly moved: boolean;
  /** What is started or queried for the tools, in words. Absent if it is unchanged. */
  readonly launch?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

export function changesBetween(before: Approval, after: Approval): Changes {
  const [gone, come] = [numbered(before), numbered(after)];
  const same = paired(gone, come, ({ hook, bound }) => canonical([hook, bound]));
  // A new hook counts as the changed form of the missing hook that it has most in common with.
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

/** Compares the marks if both approvals have one: the words for the same server may have been masked differently. */
const isOtherLaunch = (before: Approval, after: Approval): boolean =>
  (after.copy !== undefined && after.copy !== before.copy) || isOtherServer(before, after);

const isOtherServer = (before: Approval, after: Approval): boolean =>
  before.server !== undefined &&
  after.server !== undefined &&
  after.launch.length > 0 &&
  before.launch.length > 0
    ? before.server !== after.server
    : canonical(before.launch) !== canonical(after.launch);

/** The stored words next to the current ones. A line without masked parts is shown the same on both sides. */
function launchesOf(before: Approval, after: Approval): NonNullable<Changes['launch']> {
  const whole = new Map(after.launch.map((line, at) => [line, after.shown?.[at] ?? line]));
  return {
    before: before.launch.map((line) => (line.includes('***') ? line : (whole.get(line) ?? line))),
    after: after.launch.map((line) => whole.get(line) ?? line),
  };
}

/** Whether there is nothing that the user has to agree to again. */
export const isSame = ({ removed, changed, added, moved, launch }: Changes): boolean =>
  removed.length + changed.length + added.length === 0 && !moved && launch === undefined;

/** What two hooks must share to count as one changed hook; closest match first. */
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

/** The files of a single command. The files of other hooks are irrelevant to it. */
const boundIn = (all: Bound, command: readonly string[]): Bound => ({
  commandsFrom: all.commandsFrom,
  commandFiles: filesOf(command, all),
});

/** Removes pairs that are alike from both lists, in order. */
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
