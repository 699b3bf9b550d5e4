/**
 * mcp-hooks: the conditions of extended hooks: paths, patterns, repetitions, the branch, the project, a budget. No server's
 * pattern may take long, and no lookup starts a program.
 */

import { clockOf } from './clock.cjs';
import { jsonOf } from './json.cjs';

import texts = require('./texts.cjs');

import type {
  Condition,
  EventProgram,
  Firing,
  Glob,
  ProgramHook,
  Running,
  Stage,
} from './types.cjs';

/** Whether all conditions of a hook hold, besides those that `fits` of runner.cjs checks. */
export const holds = (hook: ProgramHook, run: Condition): boolean => unmet(hook, run) === undefined;

/** A field of the extended vocabulary that is a condition. */
type Unmet =
  | 'failed'
  | 'waits_for'
  | 'exclude'
  | 'branch'
  | 'project'
  | 'output_contains'
  | 'input_matches'
  | 'output_matches'
  | 'repeat'
  | 'budget';

/** The field of the first condition that does not hold; undefined: all hold. */
function unmet(hook: ProgramHook, run: Condition): Unmet | undefined {
  const { program, firing, stage } = run;
  const { when = {}, budget } = hook.extended ?? {};
  const failed = () => hasFailed(firing, program, stage) === true;
  if (hook.event === 'tool_error' && !failed()) return 'failed';
  if (when.failed !== undefined && when.failed !== failed()) return 'failed';
  if (when.waitsFor && when.waitsFor !== waitsFor(firing, program, stage)) return 'waits_for';
  if (when.exclude && isExcluded(when.exclude, run)) return 'exclude';
  if (when.branch && !isAny(require('./repository.cjs').branchOf(firing), when.branch, stage))
    return 'branch';
  if (when.project) {
    firing.project ??= require('./repository.cjs').projectName(firing.cwd);
    if (!isAny(firing.project, when.project, stage)) return 'project';
  }
  const { outputContains, inputMatches, outputMatches } = when;
  if (outputContains !== undefined && !texts.contains(firing, firing.output, outputContains))
    return 'output_contains';
  const inputs =
    hook.event === 'pre_request' ? [firing.prompt] : [firing.input, firing.native?.input];
  const isLike = (pattern: string) => inputs.some((one) => texts.isMatched(firing, one, pattern));
  if (inputMatches !== undefined && !isLike(inputMatches)) return 'input_matches';
  if (outputMatches !== undefined && !texts.isMatched(firing, firing.output, outputMatches))
    return 'output_matches';
  if (when.repeat && !require('./repetitions.cjs').isRepeated(when.repeat, hook, run))
    return 'repeat';
  return budget && !require('./budget.cjs').isOver(hook, run) ? 'budget' : undefined;
}

/** Records the call, or another event, if a hook counts repetitions. */
export function noteCall(run: Condition): void {
  const { program, firing, stage } = run;
  if (!program.hooks.some(({ extended }) => extended?.when?.repeat)) return;
  const failed = hasFailed(firing, program, stage) === true;
  run.call = require('./repetitions.cjs').noted(run, failed);
}

/** Like `unmet`, for a caller that only asks. It may write to the program's state folder. */
export function wouldNotHold(
  hook: ProgramHook,
  firing: Firing,
  program: EventProgram,
  stage: Stage,
): Unmet | undefined {
  const now: Running = { ...program, started: Date.now() };
  const run: Condition = { program: now, firing: { ...firing, budgets: new Map() }, stage };
  noteCall(run);
  return unmet(hook, run);
}

/** Whether the call has failed; undefined: it is not over, or the client does not report failures. */
export function hasFailed(
  { payload, tool }: Pick<Firing, 'payload' | 'tool'>,
  { wire: { failed } }: { readonly wire: Pick<Running['wire'], 'failed'> },
  { get }: Pick<Stage, 'get'>,
): boolean | undefined {
  if (failed === undefined || failed === true) return failed;
  const said = failed.map(({ at, like, tools }) => {
    const value = get(payload, at);
    if (tools && !(tool !== undefined && tools.includes(tool))) return false;
    if (like === undefined) return Boolean(value);
    if (value === undefined) return undefined;
    const text = typeof value === 'string' ? value : jsonOf(value);
    return new RegExp(like).test(text.slice(-END));
  });
  return said.includes(true) || (said.length === 0 || said.includes(false) ? false : undefined);
}

/** What the client waits for when it notifies its user. */
export function waitsFor(
  { payload }: Pick<Firing, 'payload'>,
  { wire: { asks } }: { readonly wire: Pick<Running['wire'], 'asks'> },
  { get }: Pick<Stage, 'get'>,
): 'prompt' | 'permission' {
  const isAsked =
    typeof asks === 'object' ? new RegExp(asks.like).test(String(get(payload, asks.at))) : asks;
  return isAsked ? 'permission' : 'prompt';
}

/** Characters at the end of an output that show how a command ended. Searching more could take long. */
const END = 1000;

const isAny = (
  name: string | undefined,
  globs: readonly Glob[],
  { isLike }: Condition['stage'],
): boolean => name !== undefined && globs.some((glob) => isLike(name, glob));

type Conditions = NonNullable<NonNullable<ProgramHook['extended']>['when']>;

// Excluded tools and paths.

function isExcluded(
  { tools, paths }: NonNullable<Conditions['exclude']>,
  { firing, stage }: Condition,
): boolean {
  if (firing.names.some((name) => tools.some((globs) => stage.isOf(name, globs)))) return true;
  if (paths.length === 0) return false;
  const clock = clockOf(firing);
  const isMeant = (name: string) =>
    paths.some((glob) => {
      clock.step(name.length + 20);
      return stage.isLike(name, glob);
    });
  const files = require('./paths.cjs').pathsOf(firing);
  return (
    files.length > 0 &&
    files.every(({ written, opened }) => written.some(isMeant) && opened().some(isMeant))
  );
}
