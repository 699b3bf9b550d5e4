/** Compiles a declaration for one client into native hook groups and a program for the runner. Pure. */

import {
  type Binding,
  type Client,
  type Lowering,
  plainWire,
  type Wire,
  wireOf,
} from '../clients/contract.ts';
import { entryFor } from '../clients/entries.ts';
import { isTooOld } from '../clients/version.ts';
import type { HookDeclaration, Matcher, Priority } from '../declaration/declaration.ts';
import { isExtended, LABEL, PRIORITIES, toolMatcher } from '../declaration/declaration.ts';
import type { ServerHooks } from '../declaration/declared.ts';
import { MOST, RULES, type Rules, STRICTER_ABOVE } from '../declaration/policy.ts';
import type { Placed } from '../edit/edit.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { within } from '../system/path.ts';
import { programServer, whyNotCalled } from './called-server.ts';
import {
  entryCommands,
  firstStageName,
  type ShippedPlace,
  shippedCommand,
  shippedPowerShell,
} from './command.ts';
import {
  bound as boundIn,
  extendedHook,
  type Granted,
  isMarkOfTurn,
  whyLeftOut,
} from './extended.ts';
import { matcherFor } from './matcher.ts';
import type { KnownServers } from './mentions.ts';
import type { CompileMessage } from './messages.ts';
import { canonicalNames, DECLARED, namesApart, toolGlobs } from './names.ts';
import {
  handedName,
  handsOwnServer,
  namesOwnServer,
  reasonFor,
  textFor,
  withOwnServer,
} from './own-server.ts';
import {
  type Program,
  type ProgramHook,
  type ProgramRules,
  timeWithin,
  turnMarkOf,
} from './program.ts';
import { type LoweredHook, report } from './report.ts';

export interface CompileOptions {
  /** Absolute path of the runner's folder, or how a shipped runner finds it. */
  readonly runner: string | ShippedPlace;
  /** Absolute path of our state folder; empty for a shipped runner. */
  readonly state: string;
  /** `post_request` is told at the end of each turn, at the cost of one more turn each time. */
  readonly actNow?: boolean;
  /** False: nothing that costs a turn of the model; `session_end` texts are then left out. Default true. */
  readonly extraTurns?: boolean;
  /** The client's version; undefined: unknown. */
  readonly version?: string | undefined;
  /** Set if the clients run on Windows: the node to start there. */
  readonly windows?: { readonly node: string };
  /** For a shipped runner: the client takes a second command for PowerShell. */
  readonly besidePowerShell?: boolean;
  /** The MCP servers that the client has configured; absent: unknown. */
  readonly servers?: KnownServers;
  /** What `{server}` stands for; absent: the client's own name for the server if that is known, else the label. */
  readonly serverName?: string | undefined;
  /** The rules for the label without a policy, including the user's grants; by default nothing is granted. */
  readonly defaults?: Rules;
  /** The rules with the policy as it is now; by default the same. */
  readonly rules?: Rules;
  /** The policy's rules for this label were written for another source. */
  readonly restricting?: boolean;
  /** Absolute path of the file that keeps the user's token for the server; absent: the server is called without one. */
  readonly tokens?: string | undefined;
}

export interface Compiled {
  readonly client: Client;
  readonly hooks: readonly LoweredHook[];
  readonly groups: readonly Placed[];
  /** What `{server}` stands for, if a hook uses it. */
  readonly serverName?: string;
  /** The client's version that this is for, if known. */
  readonly version?: string;
  /** The same, if it is older than the client's minimum. */
  readonly tooOld?: string;
  readonly notes: readonly CompileMessage[];
  readonly program: Program;
}

/** What the parts of a compilation share. */
interface Compiling {
  readonly declared: ServerHooks;
  readonly client: Client;
  readonly options: CompileOptions;
  /** What `{server}` stands for. */
  readonly name: string;
  /** What nobody has allowed is left out. What only the policy forbids stays in, and the runner skips it. */
  readonly granted: Granted & { readonly contextTool: boolean };
  readonly defaults: Rules;
  readonly rules: Rules;
  /** How many hooks may be heard: a later policy may let fewer of these be heard, but no others. */
  readonly heard: number;
}

/** A hook, and one way in which it happens. */
interface Bound {
  readonly declaration: HookDeclaration;
  readonly binding: Binding;
}

export function compile(declared: ServerHooks, client: Client, options: CompileOptions): Compiled {
  const { version, servers, defaults = RULES, rules = defaults } = options;
  const allowed = (rule: 'contextTool' | keyof Granted) => defaults[rule] || rules[rule];
  const compiling: Compiling = {
    ...{ declared, client, options, defaults, rules },
    name: options.serverName ?? servers?.own ?? declared.label,
    granted: {
      contextTool: allowed('contextTool'),
      block: allowed('block'),
      modify: allowed('modify'),
      command: allowed('command'),
      projectCode: allowed('projectCode'),
    },
    heard: Math.max(defaults.hooksPerServer, rules.hooksPerServer),
  };
  const { name } = compiling;
  const lowered = lowerHooks(compiling);
  const bound = lowered.flatMap(({ declaration, lowering }) =>
    'code' in lowering ? [] : lowering.on.map((binding) => ({ declaration, binding })),
  );
  const { groups, events, notes } = bindEvents(bound, compiling);
  const isNamed = bound.some(({ declaration }) => namesOwnServer(declaration));
  const unnamed = isNamed && servers && servers.own === undefined;
  const notCalled = whyNotCalled(declared);
  return {
    client,
    hooks: lowered.map(({ declaration, lowering }) =>
      report(declaration, lowering, { client, defaults, rules, servers, name, notCalled }),
    ),
    ...(isNamed && { serverName: name }),
    ...(version !== undefined && { version }),
    ...(isTooOld(client, version) && { tooOld: version }),
    groups,
    notes: [
      ...('documented' in client.evidence
        ? [{ code: 'never-run', client: client.name, page: client.evidence.documented } as const]
        : []),
      ...notes,
      ...(unnamed
        ? [{ code: 'own-server-missing', client: client.name, name, add: servers.add } as const]
        : []),
    ],
    program: programWith(events, compiling),
  };
}

/** Each hook with the way in which it happens, or why it does not. */
function lowerHooks({ declared, client, options, granted, heard }: Compiling) {
  const enabled = declared.hooks.filter((hook) => hook.enabled !== false);
  const left = unheard(enabled, heard);
  return declared.hooks.map((declaration): LoweredDeclaration => {
    if (left.includes(declaration)) return { declaration, lowering: { code: 'not-heard', heard } };
    const why = whyLeftOut(declaration, declared, granted);
    return { declaration, lowering: why ?? choose(declaration, client, granted, options) };
  });
}

interface LoweredDeclaration {
  readonly declaration: HookDeclaration;
  readonly lowering: Lowering | CompileMessage;
}

/** Milliseconds within which we are done if no tool is called. There is more time at the start of a session. */
const DEADLINE = 1000;
const START_DEADLINE = 2000;

/** The native events on which hooks happen, each with its entry in the settings and what the runner does there. */
function bindEvents(all: readonly Bound[], compiling: Compiling) {
  const { declared, client, options, name, granted } = compiling;
  const { trusted, other } = ranks(declared.hooks.filter((hook) => hook.enabled !== false));
  const groups: Placed[] = [];
  const notes = new Map<string, CompileMessage>();
  const events: Record<string, Program['events'][string]> = {};
  for (const [native, event] of Object.entries(client.nativeEvents)) {
    const { matcher, timeout, occasion, end } = event;
    const here = all.filter(({ binding }) => binding.native === native);
    if (here.length === 0) continue;
    const wanted =
      typeof matcher === 'object'
        ? { matcher: matcher.fixed }
        : matcher === 'tool'
          ? matcherFor(
              client,
              here.map((one) => callsIn(one, compiling)),
            )
          : {};
    if ('leftOut' in wanted) notes.set(wanted.leftOut.code, wanted.leftOut);
    const filter = 'matcher' in wanted && { matcher: wanted.matcher };
    const commands = commandsFor(declared, client, native, options);
    const { label } = declared;
    groups.push({
      event: native,
      group: entryFor(client, { label, native, ...commands, timeout, ...filter }),
    });
    const hooks = here
      .map(({ declaration, binding }): ProgramHook => {
        const meant = withOwnServer(declaration, name);
        const extended = extendedHook(
          ofClient(declaration, client, name),
          ...([binding, client, declared, granted] as const),
        );
        return {
          id: idOf(declaration, binding),
          ...programHook(meant, binding, client, name),
          ...(extended && { extended }),
          number: declared.hooks.indexOf(declaration) + 1,
          ranks: { trusted: trusted.indexOf(declaration), other: other.indexOf(declaration) },
        };
      })
      .sort((a, b) => a.ranks.other - b.ranks.other);
    const isChain = hooks.some(({ extended }) => extended);
    const isStart = here.some(({ declaration }) => declaration.event === 'session_start');
    events[native] = {
      deadline: isStart ? START_DEADLINE : DEADLINE,
      most: timeWithin(timeout),
      ...(end && { end }),
      ...(occasion !== undefined && { occasion }),
      ...wireFor(client, native, isChain),
      ...(isChain && { chain: true }),
      hooks,
    };
  }
  return { groups, events, notes: [...notes.values()] };
}

/** The runner's input for all events. */
function programWith(
  events: Program['events'],
  { declared, client, options, defaults, granted, heard }: Compiling,
): Program {
  const { label, hooks } = declared;
  const { runner, state, restricting } = options;
  const apart = namesApart(client);
  const { suffix } = client.mcpNames;
  const server = programServer(declared, client, options.tokens);
  const isCalled = granted.contextTool && hooks.some((hook) => hook.context_tool);
  const isChain = Object.values(events).some(({ chain }) => chain);
  return {
    label,
    client: client.id,
    state,
    ...(typeof runner === 'object' && { shipped: foundAs(client, runner) }),
    wire: plainWire(client.wire),
    names: {
      aliases: aliases(client),
      allowed: canonicalNames(client).allowed,
      ...(apart && { apart }),
      ...(suffix !== undefined && { suffix }),
    },
    events,
    ...(server && isCalled && { server }),
    policy: {
      rules: isChain ? defaults : plainRules(defaults),
      most: MOST,
      heard,
      label: LABEL.source,
      ...(restricting && { restricting: STRICTER_ABOVE }),
    },
    ...(client.hosts && { hosts: client.hosts }),
  };
}

const commandsFor = (
  { label }: ServerHooks,
  { id }: Client,
  native: string,
  { runner, windows, besidePowerShell }: CompileOptions,
): ReturnType<typeof entryCommands> =>
  typeof runner === 'string'
    ? entryCommands(runner, id, native, windows)
    : {
        command: shippedCommand(runner, label, firstStageName(id, native)),
        ...(besidePowerShell && { powerShell: shippedPowerShell(label) }),
      };

const foundAs = (
  { givenToServers: { folder } }: Client,
  place: ShippedPlace,
): NonNullable<Program['shipped']> => ({
  ...(folder !== undefined && { folder }),
  // Only in a place where no user can write.
  ...('path' in place && { policy: within(place.path, 'policy.json', false) }),
});

/** The payloads' form, if it differs from the program's. Only the events of a chain have the parts that a chain needs. */
function wireFor(client: Client, native: string, isChain: boolean): { readonly wire?: Wire } {
  const all = wireOf(client, native);
  if (isChain) return { wire: all };
  const own = plainWire(client.nativeEvents[native]?.wire ?? {});
  return Object.keys(own).length > 0 ? { wire: plainWire(all) } : {};
}

/** A program without decisions stays as it was before there were any. */
function plainRules({
  block: _,
  modify: _m,
  command: _c,
  projectCode: _p,
  redact: _r,
  onFailure: _f,
  ...rules
}: Rules): ProgramRules {
  return rules;
}

function choose(
  declaration: HookDeclaration,
  client: Client,
  { contextTool }: Compiling['granted'],
  { actNow = false, extraTurns = true }: CompileOptions,
): Lowering | CompileMessage {
  const { event, context_tool, command } = declaration;
  if (context_tool !== undefined && !contextTool) return { code: 'left-out-here' };
  const cell = client.lowering[event];
  if (!cell) return { code: 'no-such-moment', client: client.name, why: client.cannot?.[event] };
  const isCalled = context_tool !== undefined || command !== undefined;
  const plain = isCalled ? (cell.tool ?? cell.text) : cell.text;
  const lowering = boundIn(
    declaration,
    cell,
    (actNow && extraTurns && cell.actNow) || plain,
    client,
  );
  return 'on' in lowering && lowering.extraTurn && !extraTurns ? { code: 'extra-turn' } : lowering;
}

/** The hooks that are not among a server's `heard` strongest, whether or not `required` is honoured. */
export function unheard(hooks: readonly HookDeclaration[], heard: number): HookDeclaration[] {
  const { trusted, other } = ranks(hooks);
  const kept = new Set([...trusted.slice(0, heard), ...other.slice(0, heard)]);
  return hooks.filter((hook) => !kept.has(hook));
}

/** Strongest first: with `required` honoured, and without. */
const ranks = (hooks: readonly HookDeclaration[]) => ({
  trusted: ranked(hooks, PRIORITIES),
  other: ranked(hooks, ['important', 'suggestion']),
});

/** Strongest first, otherwise in declared order. A priority that is not among the words ranks with the first. */
const ranked = (hooks: readonly HookDeclaration[], words: readonly Priority[]): HookDeclaration[] =>
  hooks.toSorted(
    (a, b) => Math.max(0, words.indexOf(a.priority)) - Math.max(0, words.indexOf(b.priority)),
  );

/** The calls that the client's own matcher is to fit. */
function callsIn({ declaration, binding }: Bound, { client, name }: Compiling) {
  const meant = withOwnServer(declaration, name);
  return isExtended(meant) ? callsOf(meant, binding, client) : meant.matcher;
}

/** The calls that a hook is for, as far as SEP-2282 can describe them. */
const callsOf = (
  declaration: HookDeclaration,
  { tool }: Binding,
  { mcpNames }: Client,
): Matcher | undefined => {
  const matcher = toolMatcher(declaration);
  if (tool !== undefined) return { ...matcher, tool_name: tool };
  if (matcher?.tool_server === undefined || !mcpNames.withoutServer) return matcher;
  const { tool_server: _, ...others } = matcher;
  return { tool_name: `${DECLARED.prefix}*`, ...others };
};

function idOf(declaration: HookDeclaration, binding: Binding): string {
  const id = fingerprint(JSON.stringify(declaration));
  return isMarkOfTurn(binding) ? turnMarkOf(id) : id;
}

function programHook(
  declaration: HookDeclaration,
  binding: Binding,
  client: Client,
  name: string,
): Omit<ProgramHook, 'id' | 'number' | 'ranks'> {
  const { event, priority, context, context_tool, context_tool_args, block } = declaration;
  const { act, once, marked } = binding;
  const matcher = isMarkOfTurn(binding) ? undefined : callsOf(declaration, binding, client);
  return {
    event,
    priority,
    act,
    ...(once && { once }),
    ...(marked && { marked }),
    ...(matcher && {
      when: {
        ...(matcher.tool_name !== undefined && toolGlobs(client, matcher.tool_name)),
        ...(matcher.input_contains !== undefined && { input: matcher.input_contains }),
        ...(matcher.tool_server !== undefined && { server: matcher.tool_server }),
      },
    }),
    ...(HANDS.test(context ?? block ?? JSON.stringify(context_tool_args ?? {})) && {
      hands: true as const,
    }),
    ...(context_tool !== undefined && {
      call: {
        tool: context_tool,
        args: context_tool_args ?? {},
        ...(handsOwnServer(declaration) && { own: handedName(name) }),
      },
    }),
    ...(isText(declaration) && { text: textFor(client, context ?? '', name) }),
  };
}

/** The hook with the client's name for the server, also in the reason for a block. */
function ofClient(declaration: HookDeclaration, client: Client, name: string): HookDeclaration {
  const meant = withOwnServer(declaration, name);
  const { block } = meant;
  return block === undefined ? meant : { ...meant, block: reasonFor(client, block, name) };
}

const isText = ({ context_tool, block, command }: HookDeclaration): boolean =>
  context_tool === undefined && block === undefined && command === undefined;

/** A text or an argument that something of a call is filled into. */
const HANDS = /\{tool_(?:input|output)\}/;

/** The declared names of each native tool that has a different name. */
function aliases(client: Client): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const [declared, native] of Object.entries(client.tools))
    if (declared !== native) names[native] = [...(names[native] ?? []), declared];
  return names;
}
