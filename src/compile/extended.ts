/** Hooks of the extended vocabulary: the events that they are bound to, and what the runner's chain gets of them. */

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
  SESSION_FIELDS,
  TOOL_EVENTS,
} from '../declaration/declaration.ts';
import type { ServerHooks } from '../declaration/declared.ts';
import { loadedBy } from '../declaration/loaded.ts';
import type { Rules } from '../declaration/policy.ts';
import { type Glob, parseGlob } from './glob.ts';
import type { CompileMessage } from './messages.ts';
import { toolGlobs } from './names.ts';
import type { Changed, ExtendedHook, ProgramCommand } from './program.ts';

/** The decisions that are allowed, either now or perhaps later by the policy. */
export type Granted = Pick<Rules, Decision | 'command' | 'projectCode'>;

/** Why a hook is left out in every client; undefined: it is not. */
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

/** The lowering of a cell, adapted to decisions and `once`. */
export function bound(
  hook: HookDeclaration,
  { decide }: EventLowering,
  lowering: Lowering,
  client: Client,
): Lowering | CompileMessage {
  if (!isExtended(hook)) return lowering;
  if (isOfFailures(hook) && !knowsFailures(client, lowering.on))
    return { code: 'no-such-moment', client: client.name, why: client.cannot?.tool_error };
  if (hook.block !== undefined) {
    const how = decide?.block;
    if (!how) return { code: 'cannot-block', client: client.name };
    const { grade, extraTurn } = how;
    // A block that makes a turn go on is not repeated at the end of that turn, like any other `ask`.
    const act = extraTurn ? 'ask' : 'tell';
    const on: readonly Binding[] = how.on === undefined ? lowering.on : [{ native: how.on, act }];
    const isThere = on.every(({ native }) => tells(lowering, native));
    const { extraTurn: _, ...rest } = isThere ? lowering : withoutException(lowering);
    return perTurn(hook, { ...rest, grade, ...(extraTurn && { extraTurn }), on }, client);
  }
  const decided = (hook.may ?? []).flatMap((one) => changes(one).map((what) => decide?.[what]?.on));
  const keeps = [...new Set(decided)].filter(
    (native): native is string => native !== undefined && !tells(lowering, native),
  );
  if (keeps.length === 0) return perTurn(hook, lowering, client);
  // The decision and the text that comes with it go out at different times.
  const later = lowering.on.filter(({ act, native }) => act !== 'mark' && !keeps.includes(native));
  const on = [
    ...keeps.map((native) => ({ native, act: 'keep' as const })),
    ...later.map((binding) => ({ ...binding, marked: true as const })),
  ];
  return perTurn(hook, { ...lowering, on }, client);
}

const tells = ({ on }: Lowering, native: string): boolean =>
  on.some((one) => one.native === native && one.act !== 'mark');

/** The exception is about the events that tell a text. */
const withoutException = ({ except: _, exceptIsMcp: _m, ...rest }: Lowering): Lowering => rest;

/** Whether a hook only speaks after failed calls. */
const isOfFailures = ({ event, matcher }: HookDeclaration): boolean =>
  event === 'post_tool_use' && (matcher?.failed === true || matcher?.repeat?.same === 'error');

/** Whether a client says on any of these events that a call has failed. */
export const knowsFailures = (client: Client, on: Lowering['on']): boolean =>
  on.some(({ native }) => wireOf(client, native).failed !== undefined);

/** A prompt begins a turn. What follows a mark needs no turn of its own: the mark has taken it. */
function perTurn(hook: HookDeclaration, lowering: Lowering, client: Client): Lowering {
  const prompt = promptOf(client);
  if (hook.once !== 'turn' || prompt === undefined || !isCounted(lowering, prompt)) return lowering;
  return {
    ...lowering,
    on: [
      { native: prompt, act: 'mark', turn: 'begins' },
      ...lowering.on.map((one) => (one.marked ? one : { ...one, turn: 'takes' as const })),
    ],
  };
}

const promptOf = ({ lowering }: Client): string | undefined =>
  lowering.pre_request?.text.on.find(({ act }) => act === 'tell')?.native;

/** Whether its turns have to be counted. A hook that only speaks with prompts speaks once per turn anyway. */
const isCounted = ({ on }: Lowering, prompt: string): boolean =>
  on.some(({ act, native }) => act !== 'mark' && native !== prompt);

/** Whether a binding only marks a turn. It has no conditions. */
export const isMarkOfTurn = ({ turn }: Binding): boolean => turn === 'begins';

export const changes = (decision: Decision): readonly Changed[] =>
  decision === 'block' ? ['block'] : ['input', 'output'];

/** The decisions on an event that a client can carry out. */
export const decisionsOn = (event: Event, { lowering }: Client): Decision[] =>
  DECISIONS.filter((decision) =>
    changes(decision).some((what) => lowering[event]?.decide?.[what] !== undefined),
  );

/** What a hook may decide and a client can carry out, on any of its events. */
export function possible(hook: HookDeclaration, client: Client): Changed[] {
  const cell = client.lowering[hook.event];
  return mayOf(hook)
    .flatMap(changes)
    .filter((what) => cell?.decide?.[what] !== undefined);
}

const mayOf = ({ block, may = [] }: HookDeclaration): readonly Decision[] =>
  block === undefined ? may : ['block'];

/** Undefined for a hook of SEP-2282, and for what only marks a turn. */
export function extendedHook(
  hook: HookDeclaration,
  binding: Binding,
  client: Client,
  declared: Pick<ServerHooks, 'hooks' | 'commandsFrom' | 'commandFiles'>,
  granted: Granted,
): ExtendedHook | undefined {
  if (!isExtended(hook) || isMarkOfTurn(binding)) return undefined;
  const { order = DEFAULT_ORDER, once, cooldown, limit, deadline, budget, block, command } = hook;
  const { native, turn } = binding;
  const { decide } = wireOf(client, native);
  const cell = client.lowering[hook.event]?.decide;
  const isHere = (what: Changed) =>
    cell?.[what] !== undefined &&
    (cell[what].on ?? native) === native &&
    decide?.[what] !== undefined;
  const every = once === 'turn' && turn === undefined ? undefined : once;
  const when = conditions(hook, client);
  return {
    order,
    may: DECISIONS.filter((one) => mayOf(hook).includes(one) && granted[one]),
    can: possible(hook, client).filter(isHere),
    ...(hook.on_failure === 'deny' && { onFailure: 'deny' as const }),
    ...(block !== undefined && { block }),
    ...(command && { command: programCommand(command, declared) }),
    ...(every && { every }),
    ...(cooldown !== undefined && { cooldown }),
    ...(limit && { limit: 'characters' in limit ? limit.characters : CHARACTERS * limit.tokens }),
    ...(deadline !== undefined && { deadline }),
    ...(budget && { budget: { ...DEFAULT_BUDGET, ...budget } }),
    ...windowOf(declared),
    ...(Object.keys(when).length > 0 && { when }),
  };
}

/** The smallest of the hooks' limits. */
function windowOf({ hooks }: Pick<ServerHooks, 'hooks'>): Pick<ExtendedHook, 'window'> {
  const limits = hooks.flatMap(({ budget, enabled }) =>
    budget && enabled !== false ? [budget.tokens] : [],
  );
  return limits.length > 0 ? { window: Math.min(...limits) } : {};
}

/** Characters that count as one token. */
const CHARACTERS = 4;

const programCommand = (
  command: readonly string[],
  declared: Pick<ServerHooks, 'commandsFrom' | 'commandFiles'>,
): ProgramCommand => ({
  words: wordsOf(command, declared),
  files: filesOf(command, declared),
  ...(loadedBy(command).ofProject && { ofProject: true }),
});

type When = NonNullable<ExtendedHook['when']>;

function conditions(hook: HookDeclaration, client: Client): When {
  const isCall = TOOL_EVENTS.includes(hook.event);
  const meant = Object.entries(hook.matcher ?? {}).filter(
    ([field]) => isCall || SESSION_FIELDS.includes(field),
  );
  const matcher: ExtendedMatcher = Object.fromEntries(meant);
  const { exclude, failed, repeat, branch, project } = matcher;
  const { input_matches, output_matches, output_contains } = matcher;
  return {
    ...(exclude && {
      exclude: {
        tools: (exclude.tools ?? []).map((glob) => toolGlobs(client, glob)),
        paths: (exclude.paths ?? []).flatMap(pathGlobs),
      },
    }),
    ...(input_matches !== undefined && { inputMatches: input_matches }),
    ...(output_matches !== undefined && { outputMatches: output_matches }),
    ...(output_contains !== undefined && { outputContains: output_contains }),
    ...(failed !== undefined && { failed }),
    ...(repeat && { repeat }),
    ...(branch !== undefined && { branch: parseGlob(branch) }),
    ...(project !== undefined && { project: parseGlob(project) }),
  };
}

/** A leading `**` also stands for no folder. */
const pathGlobs = (glob: string): Glob[] => {
  const path = glob.replace(/^\.\//, '');
  return [...parseGlob(path), ...(path.startsWith('**/') ? parseGlob(path.slice(3)) : [])];
};
