/** Hooks of the extended vocabulary: the events that they are bound to, and their data for the runner's chain. */

import {
  type Binding,
  type Client,
  type EventLowering,
  type Lowering,
  wireOf,
} from '../clients/contract.ts';
import { filesOf, wordsOf } from '../declaration/command.ts';
import {
  DECISIONS,
  DEFAULT_BUDGET,
  DEFAULT_ORDER,
  type Decision,
  type Event,
  type ExtendedMatcher,
  type HookDeclaration,
  isExtended,
  isMeant,
  ownLimit,
  toolMatcher,
} from '../declaration/declaration.ts';
import type { ServerHooks } from '../declaration/declared.ts';
import { BACKGROUND_MS } from '../declaration/limits.ts';
import { loadedBy } from '../declaration/loaded.ts';
import type { Rules } from '../declaration/policy.ts';
import { type Glob, isLike, parseGlob } from './glob.ts';
import type { CompileMessage } from './messages.ts';
import { toolGlobs } from './names.ts';
import type { Changed, ExtendedHook } from './program.ts';

/** The decisions that are granted now, or may be granted later by the policy. */
export type Granted = Pick<Rules, Decision | 'command' | 'projectCode'>;

/** Why a hook is left out in every client; undefined if it is not. */
export function whyLeftOut(
  { enabled, command, block }: HookDeclaration,
  { commandsFrom }: Pick<ServerHooks, 'commandsFrom'>,
  granted: Granted,
): CompileMessage | undefined {
  if (enabled === false) return { code: 'not-enabled' };
  if (command && !granted.command) return { code: 'command-left-out' };
  if (command && !granted.projectCode && loadedBy(command).ofProject)
    return { code: 'project-code-left-out' };
  if (command && commandsFrom === undefined) return { code: 'command-not-named' };
  if (block !== undefined && !granted.block) return { code: 'block-left-out' };
  return undefined;
}

/** The lowering of a cell, adapted to what an extended hook decides, and to `once`. */
export function adaptedLowering(
  hook: HookDeclaration,
  { decide }: EventLowering,
  lowering: Lowering,
  client: Client,
): Lowering | CompileMessage {
  if (!isExtended(hook)) return lowering;
  const { failed, repeat } = hook.matcher ?? {};
  const isOfFailures =
    hook.event === 'tool_error' ||
    (hook.event === 'post_tool_use' && (failed === true || repeat?.same.endsWith('error')));
  if (isOfFailures && !comesAfterFailures(client, lowering.on))
    return { code: 'no-such-moment', client: client.name, why: client.cannot?.tool_error };
  if (isOfFailures && isDropped(hook, client, lowering.on))
    return { code: 'failures-dropped', client: client.name };
  if (hook.async) return perTurn(hook, inBackground(hook, lowering, decide?.block?.on), client);
  if (hook.block !== undefined) {
    const how = decide?.block;
    if (!how) return { code: 'cannot-block', client: client.name };
    const { grade, extraTurn } = how;
    // Like any other `ask`, a block that makes a turn continue is not repeated at the end of that turn.
    const act = extraTurn ? 'ask' : 'tell';
    // The budget's warning is a text, so it is bound to events that can show one.
    const warns = hook.event === 'budget_exceeded' ? lowering.on : [];
    const on: readonly Binding[] =
      how.on === undefined
        ? lowering.on
        : [...warns.filter(({ native }) => native !== how.on), { native: how.on, act }];
    const isThere = on.every(({ native }) => tells(lowering, native));
    // The exception only applies to events that show a text.
    const { except, exceptOf } = isThere ? lowering : {};
    return perTurn(hook, { ...lowering, except, exceptOf, grade, extraTurn, on }, client);
  }
  const decided = (hook.may ?? []).flatMap((one) => changes(one).map((what) => decide?.[what]?.on));
  const keeps = [...new Set(decided)].filter(
    (native): native is string => native !== undefined && !tells(lowering, native),
  );
  if (keeps.length === 0) return perTurn(hook, lowering, client);
  // The decision and its text are sent at different events.
  const later = lowering.on.filter(({ act, native }) => act !== 'mark' && !keeps.includes(native));
  const on = [
    ...keeps.map((native) => ({ native, act: 'keep' as const })),
    ...later.map((binding) => ({ ...binding, marked: true as const })),
  ];
  return perTurn(hook, { ...lowering, on }, client);
}

/**
 * A background command runs when the event happens, no matter when the client could show its answer.
 *
 * @param stops The native event on which the client can stop what is about to happen.
 */
function inBackground({ event }: HookDeclaration, lowering: Lowering, stops?: string): Lowering {
  const { on, grade, when, except, exceptOf } = lowering;
  if (on.every(({ act }) => act === 'call')) return lowering;
  const runs = (native: string) => ({ native, act: 'call' as const });
  // An exceeded budget is noticed late, and stopped even later.
  const [first, ...others] =
    stops !== undefined && event !== 'budget_exceeded'
      ? [runs(stops)]
      : on.flatMap(({ native, act }) => (act === 'keep' ? runs(native) : []));
  const why = 'nothing: it runs in the background';
  if (first) return { grade: 'exact', when: why, on: [first, ...others] };
  const called = on.map((one) => (one.act === 'mark' ? one : { ...one, act: 'call' as const }));
  const later = grade === 'exact' ? why : `${why}, ${when}`;
  return { grade, when: later, except, exceptOf, on: called };
}

const tells = ({ on }: Lowering, native: string): boolean =>
  on.some((one) => one.native === native && one.act !== 'mark');

/** Whether any of these events can come after a failed call and reports the failure in its payload. */
const comesAfterFailures = (client: Client, on: Lowering['on']): boolean =>
  on.some(({ native }) => {
    const { failed = [] } = wireOf(client, native);
    return failed === true || failed.length > 0;
  });

/** Whether a client reports on any of these events whether a call has failed. */
export const knowsFailures = (client: Client, on: Lowering['on']): boolean =>
  on.some(({ native }) => wireOf(client, native).failed !== undefined);

/** Whether a client drops every text of a hook for failed calls. Decisions still count, and a program may do more. */
function isDropped(hook: HookDeclaration, client: Client, on: Lowering['on']): boolean {
  if (hook.block !== undefined || hook.may || hook.command) return false;
  const { tool_name = '*', tool_server } = toolMatcher(hook) ?? {};
  const globs = tool_server === undefined ? parseGlob(tool_name) : [];
  const isMeant = (tool: string) => {
    const names = [tool, ...Object.keys(client.tools).filter((one) => client.tools[one] === tool)];
    return names.some((name) => globs.some((glob) => isLike(name, glob)));
  };
  return on.every(({ native }) => {
    const { failed, drops } = wireOf(client, native);
    // A failed call does not even get there.
    if (failed === undefined) return true;
    if (failed === true || drops === undefined) return false;
    return failed.every(({ at, tools }) => at === drops || tools?.some(isMeant) === false);
  });
}

/** A prompt begins a turn. A hook that fires after a mark needs no turn of its own, because the mark has used it. */
function perTurn(hook: HookDeclaration, lowering: Lowering, client: Client): Lowering {
  const prompt = client.lowering.pre_request?.text.on[0]?.native;
  // A hook that is shown only with prompts is shown once per turn anyway.
  const isCounted = lowering.on.some(({ act, native }) => act !== 'mark' && native !== prompt);
  if (hook.once !== 'turn' || prompt === undefined || !isCounted) return lowering;
  return {
    ...lowering,
    on: [
      { native: prompt, act: 'mark', turn: 'begins' },
      ...lowering.on.map((one) => (one.marked ? one : { ...one, turn: 'takes' as const })),
    ],
  };
}

/** Whether a binding only marks a turn. Such a binding has no conditions. */
export const isMarkOfTurn = ({ turn }: Binding): boolean => turn === 'begins';

export const changes = (decision: Decision): readonly Changed[] =>
  decision === 'block' ? ['block'] : ['input', 'output'];

/** The decisions on an event that a client can carry out. */
export const decisionsOn = (event: Event, { lowering }: Client): Decision[] =>
  DECISIONS.filter((decision) =>
    changes(decision).some((what) => lowering[event]?.decide?.[what] !== undefined),
  );

/** The decisions of a hook that a client can carry out on any of its events. */
export function possible(hook: HookDeclaration, client: Client): Changed[] {
  const cell = client.lowering[hook.event];
  return mayOf(hook)
    .flatMap(changes)
    .filter((what) => cell?.decide?.[what] !== undefined);
}

const mayOf = ({ block, may = [] }: HookDeclaration): readonly Decision[] =>
  block === undefined ? may : ['block'];

/** Undefined for a hook of SEP-2282, and for a binding that only marks a turn. */
export function extendedHook(
  hook: HookDeclaration,
  binding: Binding,
  client: Client,
  declared: Pick<ServerHooks, 'hooks' | 'commandsFrom' | 'commandFiles'>,
  granted: Granted,
): ExtendedHook | undefined {
  if (!isExtended(hook) || isMarkOfTurn(binding)) return undefined;
  const { order = DEFAULT_ORDER, once, cooldown, deadline, budget, block, command } = hook;
  const isAsync = hook.async || undefined;
  const { native, turn } = binding;
  const { decide } = wireOf(client, native);
  const cell = client.lowering[hook.event]?.decide;
  const isHere = (what: Changed) =>
    cell?.[what] !== undefined &&
    (cell[what].on ?? native) === native &&
    decide?.[what] !== undefined;
  const limits = declared.hooks.flatMap((one) =>
    one.budget && one.enabled !== false ? [one.budget.tokens] : [],
  );
  const when = conditions(hook, client);
  const hasConditions = Object.values(when).some((condition) => condition !== undefined);
  return {
    order,
    may: DECISIONS.filter((one) => mayOf(hook).includes(one) && granted[one]),
    can: possible(hook, client).filter(isHere),
    ...(hook.on_failure === 'deny' && { onFailure: 'deny' }),
    block,
    ...(command && {
      command: {
        words: wordsOf(command, declared),
        files: filesOf(command, declared),
        ...(loadedBy(command).ofProject && { ofProject: true }),
        ...(isAsync && { isAsync }),
      },
    }),
    every: once === 'turn' && turn === undefined ? undefined : once,
    cooldown,
    ...(hook.limit && { limit: ownLimit(hook) }),
    deadline: deadline ?? (isAsync && BACKGROUND_MS.usual),
    ...(budget && { budget: { ...DEFAULT_BUDGET, ...budget } }),
    ...(limits.length > 0 && { window: Math.min(...limits) }),
    ...(hasConditions && { when }),
  };
}

function conditions(hook: HookDeclaration, client: Client): NonNullable<ExtendedHook['when']> {
  const { event, matcher: declared = {} } = hook;
  const meant = Object.entries(declared).filter(([field]) => isMeant(field, event, declared));
  const matcher: ExtendedMatcher = Object.fromEntries(meant);
  const { exclude, failed, repeat, branch, project } = matcher;
  const inPath = (glob: string): Glob[] => {
    const path = glob.replace(/^\.\//, '');
    // A leading `**` also matches no folder at all.
    return [...parseGlob(path), ...(path.startsWith('**/') ? parseGlob(path.slice(3)) : [])];
  };
  return {
    exclude: exclude && {
      tools: (exclude.tools ?? []).map((glob) => toolGlobs(client, glob)),
      paths: (exclude.paths ?? []).flatMap(inPath),
    },
    inputMatches: matcher.input_matches,
    outputMatches: matcher.output_matches,
    outputContains: matcher.output_contains,
    failed,
    waitsFor: matcher.waits_for,
    repeat,
    branch: branch === undefined ? undefined : parseGlob(branch),
    project: project === undefined ? undefined : parseGlob(project),
  };
}
