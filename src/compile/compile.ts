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
import {
  isExtended,
  LABEL,
  PRIORITIES,
  TOOL_EVENTS,
  toolMatcher,
} from '../declaration/declaration.ts';
import { onlyIn, type ServerHooks } from '../declaration/declared.ts';
import { MOST, RULES, type Rules, STRICTER_ABOVE } from '../declaration/policy.ts';
import type { Placed } from '../edit/edit.ts';
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
  adaptedLowering,
  extendedHook,
  type Granted,
  isMarkOfTurn,
  whyLeftOut,
} from './extended.ts';
import { matcherFor } from './matcher.ts';
import type { KnownServers } from './mentions.ts';
import type { CompileMessage } from './messages.ts';
import { canonicalNames, DECLARED, namesApart, toolGlobs, withServersCut } from './names.ts';
import {
  handedName,
  handsOwnServer,
  namesOwnServer,
  reasonFor,
  textFor,
  withOwnServer,
} from './own-server.ts';
import {
  idOf,
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
  /** Tell `post_request` at the end of each turn, at the cost of one more turn each time. */
  readonly actNow?: boolean;
  /** False: do not spend turns of the model, so the texts of `session_end` are left out. Default true. */
  readonly extraTurns?: boolean;
  /** The client's version; undefined: unknown. */
  readonly version?: string | undefined;
  /** Set if the clients run on Windows: the path of node there. */
  readonly windows?: { readonly node: string };
  /** For a shipped runner: the client takes a second command for PowerShell. */
  readonly besidePowerShell?: boolean;
  /** The MCP servers that the client has configured; absent: unknown. */
  readonly servers?: KnownServers;
  /** Whether the user has other hooks on a native event of the client; absent: unknown. */
  readonly othersOn?: ((native: string) => boolean) | undefined;
  /** The value of `{server}`; absent: the client's own name for the server if that is known, else the label. */
  readonly serverName?: string | undefined;
  /** The rules for the label without a policy, including the user's grants; by default, there are no grants. */
  readonly defaults?: Rules;
  /** The rules under the current policy; by default the same. */
  readonly rules?: Rules;
  /** The policy's rules for this label were written for another source. */
  readonly restricting?: boolean;
  /** Absolute path of the file with the user's token for the server; absent: the server is called without a token. */
  readonly tokens?: string | undefined;
}

export interface Compiled {
  readonly client: Client;
  readonly hooks: readonly LoweredHook[];
  readonly groups: readonly Placed[];
  /** The value of `{server}`, if a hook uses it. */
  readonly serverName?: string;
  /** The client's version for which this was compiled, if known. */
  readonly version?: string;
  /** The client's version, if it is below our minimum. */
  readonly tooOld?: string;
  readonly notes: readonly CompileMessage[];
  readonly program: Program;
}

/** The data that the steps of a compilation share. */
interface Compiling {
  readonly declared: ServerHooks;
  readonly client: Client;
  readonly options: CompileOptions;
  readonly rules: { readonly defaults: Rules; readonly rules: Rules };
  /** The value of `{server}`. */
  readonly name: string;
  /** Hooks without a grant are left out. Hooks that only the policy forbids stay in, and the runner skips them. */
  readonly granted: Granted & Pick<Rules, 'contextTool'>;
  /** How many hooks may count, by priority. A later policy may let fewer of these count, but no others. */
  readonly hooksPerServer: number;
}

/** A hook with one of its bindings to a native event. */
interface Bound {
  readonly declaration: HookDeclaration;
  readonly binding: Binding;
}

export function compile(declared: ServerHooks, onAny: Client, options: CompileOptions): Compiled {
  const { version, servers, defaults = RULES, rules = defaults } = options;
  const { windowsTools: _, ...elsewhere } = onAny;
  const client = options.windows ? onAny : elsewhere;
  const allowed = (rule: 'contextTool' | keyof Granted) => defaults[rule] || rules[rule];
  const name = options.serverName ?? servers?.own ?? declared.label;
  const compiling: Compiling = {
    ...{ declared, client, options, name, rules: { defaults, rules } },
    granted: {
      ...{ contextTool: allowed('contextTool'), projectCode: allowed('projectCode') },
      ...{ block: allowed('block'), modify: allowed('modify'), command: allowed('command') },
    },
    hooksPerServer: Math.max(defaults.hooksPerServer, rules.hooksPerServer),
  };
  const lowered = lowerHooks(compiling);
  const bound = lowered.flatMap(([declaration, lowering]) =>
    'code' in lowering ? [] : lowering.on.map((binding) => ({ declaration, binding })),
  );
  const { groups, events, notes } = bindEvents(bound, compiling);
  const isNamed = bound.some(({ declaration }) => namesOwnServer(declaration));
  const { othersOn } = options;
  const notCalled = whyNotCalled(declared);
  const about = { ...compiling.rules, client, servers, othersOn, name, notCalled };
  if ('documented' in client.evidence)
    notes.push({ code: 'never-run', client: client.name, page: client.evidence.documented });
  if (isNamed && servers && servers.own === undefined)
    notes.push({ code: 'own-server-missing', client: client.name, name });
  return {
    client,
    hooks: lowered.map(([declaration, lowering]) => report(declaration, lowering, about)),
    ...(isNamed && { serverName: name }),
    ...(version !== undefined && { version }),
    ...(isTooOld(client, version) && { tooOld: version }),
    groups,
    notes,
    program: programWith(events, compiling),
  };
}

/** Each hook with its lowering, or the reason why it has none. */
function lowerHooks({ declared, client, options, granted, hooksPerServer }: Compiling) {
  const left = beyondLimit(declared.hooks, hooksPerServer);
  return declared.hooks.map((hook): [HookDeclaration, Lowering | CompileMessage] => {
    if (left.includes(hook)) return [hook, { code: 'over-server-limit', limit: hooksPerServer }];
    return [hook, whyLeftOut(hook, declared, granted) ?? choose(hook, client, granted, options)];
  });
}

/** Milliseconds in which we finish if no tool is called. At the start of a session, there is more time. */
const DEADLINE = 1000;
const START_DEADLINE = 2000;

/** The native events that hooks are bound to, each with its entry in the settings and its program. */
function bindEvents(all: readonly Bound[], compiling: Compiling) {
  const { declared, client, options, name } = compiling;
  const order = ranks(declared.hooks);
  const keeping = all.flatMap(({ declaration, binding: { act } }) =>
    act === 'keep' ? [declaration] : [],
  );
  const groups: Placed[] = [];
  const notes = new Map<string, CompileMessage>();
  const events: Record<string, Program['events'][string]> = {};
  for (const [native, event] of Object.entries(client.nativeEvents)) {
    const here = all.filter(({ binding }) => binding.native === native);
    if (here.length === 0) continue;

    const { label } = declared;
    const { matcher: about, timeout, occasion, end } = event;
    const calls = here.map(({ declaration, binding }) => {
      const meant = withOwnServer(declaration, name);
      return isExtended(meant) ? callsOf(meant, binding, client) : meant.matcher;
    });
    const wanted = about === 'tool' ? matcherFor(client, calls) : {};
    if ('leftOut' in wanted) notes.set(wanted.leftOut.code, wanted.leftOut);
    const own = 'matcher' in wanted ? wanted.matcher : undefined;
    const matcher = typeof about === 'object' ? about.fixed : own;
    const { runner, windows, besidePowerShell } = options;
    const commands =
      typeof runner === 'string'
        ? entryCommands(runner, client.id, native, windows)
        : {
            command: shippedCommand(runner, label, firstStageName(client.id, native)),
            ...(besidePowerShell && { powerShell: shippedPowerShell(label) }),
          };
    const handler = { label, native, ...commands, timeout };
    const group = entryFor(client, { ...handler, ...(matcher !== undefined && { matcher }) });
    groups.push({ event: native, group });

    const hooks = here
      .map((one): ProgramHook => {
        const hook = programHook(one, compiling, order);
        return hook.marked && keeping.includes(one.declaration) ? { ...hook, kept: true } : hook;
      })
      .sort((a, b) => a.ranks.other - b.ranks.other);
    // Only a chain can keep an answer for a later event.
    const isChain =
      hooks.some(({ extended }) => extended) ||
      here.some(({ declaration }) => keeping.includes(declaration));
    const isStart = here.some(({ declaration }) => declaration.event === 'session_start');
    events[native] = {
      deadline: isStart ? START_DEADLINE : DEADLINE,
      most: timeWithin(timeout),
      end,
      occasion,
      ...wireFor(client, native, isChain),
      ...(isChain && { chain: true }),
      hooks,
    };
  }
  return { groups, events, notes: [...notes.values()] };
}

/** The runner's input for all events. */
function programWith(events: Program['events'], compiling: Compiling): Program {
  const { declared, client, options, rules, granted, hooksPerServer } = compiling;
  const { runner, state, restricting } = options;
  const { folder } = client.givenToServers;
  // Only at a place that users cannot write to.
  const policy =
    typeof runner === 'object' && 'path' in runner && within(runner.path, 'policy.json', false);
  const server = programServer(declared, client, options.tokens);
  const isCalled = granted.contextTool && declared.hooks.some((hook) => hook.context_tool);
  const isChain = Object.values(events).some(({ chain }) => chain);
  const folderOnly = onlyIn(declared.source);
  return {
    label: declared.label,
    client: client.id,
    state,
    ...(folderOnly !== undefined && { onlyIn: folderOnly }),
    ...(typeof runner === 'object' && { shipped: { folder, ...(policy && { policy }) } }),
    wire: plainWire(client.wire),
    names: {
      aliases: aliases(client),
      ...(client.toolInputs && { inputs: client.toolInputs }),
      allowed: canonicalNames(client).allowed,
      apart: namesApart(client),
      suffix: client.mcpNames.suffix,
    },
    events,
    ...(server && isCalled && { server }),
    policy: {
      rules: isChain ? rules.defaults : plainRules(rules.defaults),
      most: MOST,
      hooksPerServer,
      label: LABEL.source,
      ...(restricting && { restricting: STRICTER_ABOVE }),
    },
    ...(client.hosts && { hosts: client.hosts }),
  };
}

/** The payload's form, if it differs from the program's. Only events with a chain have the parts that a chain needs. */
function wireFor(client: Client, native: string, isChain: boolean): { readonly wire?: Wire } {
  const all = wireOf(client, native);
  if (isChain) return { wire: all };
  const own = plainWire(client.nativeEvents[native]?.wire ?? {});
  return Object.keys(own).length > 0 ? { wire: plainWire(all) } : {};
}

/** A program without decisions keeps its form from before decisions were added. */
function plainRules(all: Rules): ProgramRules {
  const { block: _, modify: _m, command: _c, ...others } = all;
  const { projectCode: _p, redact: _r, onFailure: _f, ...rules } = others;
  return rules;
}

/** Every client with hooks can wait for a prompt. */
const NEVER_ASKS = 'no hook runs when you are asked for a permission';

function choose(
  declaration: HookDeclaration,
  client: Client,
  { contextTool }: Pick<Rules, 'contextTool'>,
  {
    actNow = false,
    extraTurns = true,
    windows,
  }: Pick<CompileOptions, 'actNow' | 'extraTurns' | 'windows'>,
): Lowering | CompileMessage {
  const [file] = client.placement.files.user;
  if (windows && file.format === 'program') return { code: 'not-on-windows', client: client.name };
  const { event, context_tool, command, context = '' } = declaration;
  if (context_tool !== undefined && !contextTool) return { code: 'left-out-here' };
  const cell = client.lowering[event];
  if (!cell) return { code: 'no-such-moment', client: client.name, why: client.cannot?.[event] };
  // Only then are the call's values in a text known.
  const isFilled = TOOL_EVENTS.includes(event) && OF_CALL.test(context);
  const isCalled = context_tool !== undefined || command !== undefined;
  if (event === 'notification' && !isCalled) return { code: 'text-not-read' };
  const { waits_for } = event === 'notification' ? (declaration.matcher ?? {}) : {};
  const text = waits_for === undefined ? cell.text : cell.waitsFor?.[waits_for];
  if (!text) return { code: 'no-such-moment', client: client.name, why: NEVER_ASKS };
  const plain = isCalled || isFilled ? (cell.tool ?? text) : text;
  const lowering = adaptedLowering(
    declaration,
    cell,
    (actNow && extraTurns && !declaration.async && cell.actNow) || plain,
    client,
  );
  return 'on' in lowering && lowering.extraTurn && !extraTurns ? { code: 'extra-turn' } : lowering;
}

/** Why a client cannot do a hook, whatever the user allows; undefined: it can. */
export function whyNotPossible(
  hook: HookDeclaration,
  client: Client,
  options: Pick<CompileOptions, 'extraTurns'>,
): CompileMessage | undefined {
  const lowering = choose(hook, client, { contextTool: true }, options);
  return 'code' in lowering ? lowering : undefined;
}

/** The hooks that are not among the first `limit` of a server by priority, whether or not `required` is honoured. */
export function beyondLimit(hooks: readonly HookDeclaration[], limit: number): HookDeclaration[] {
  const { trusted, other } = ranks(hooks);
  const kept = new Set([...trusted.slice(0, limit), ...other.slice(0, limit)]);
  return hooks.filter((hook) => hook.enabled !== false && !kept.has(hook));
}

/** The hooks that are not switched off, by priority: with `required` honoured, and without. */
function ranks(hooks: readonly HookDeclaration[]) {
  const enabled = hooks.filter((hook) => hook.enabled !== false);
  return {
    trusted: ranked(enabled, PRIORITIES),
    other: ranked(enabled, ['important', 'suggestion']),
  };
}

/** By priority, otherwise in declared order. A priority that is not in the list ranks first. */
const ranked = (hooks: readonly HookDeclaration[], words: readonly Priority[]): HookDeclaration[] =>
  hooks.toSorted(
    (a, b) => Math.max(0, words.indexOf(a.priority)) - Math.max(0, words.indexOf(b.priority)),
  );

/** The calls that a hook matches, as far as SEP-2282 can describe them. */
const callsOf = (
  declaration: HookDeclaration,
  { tool, ofAnyCall }: Binding,
  { mcpNames }: Client,
): Matcher | undefined => {
  if (ofAnyCall) return undefined;
  const matcher = withServersCut(mcpNames, toolMatcher(declaration));
  if (tool !== undefined) return { ...matcher, tool_name: tool };
  if (matcher?.tool_server === undefined || !mcpNames.withoutServer) return matcher;
  const { tool_server: _, ...others } = matcher;
  return { tool_name: `${DECLARED.prefix}*`, ...others };
};

/** The runner's program for a hook on one event. @param order All of the server's hooks, by priority. */
function programHook(
  { declaration, binding }: Bound,
  { declared, client, name, granted }: Compiling,
  order: ReturnType<typeof ranks>,
): ProgramHook {
  const id = idOf(declaration);
  const isMark = isMarkOfTurn(binding);
  const meant = withOwnServer(declaration, name);
  const { event, priority, context, context_tool, context_tool_args, show_empty, command } = meant;
  const block = meant.block === undefined ? undefined : reasonFor(client, meant.block, name);
  // An event without a call only shows what was marked at a call, and the conditions applied to that call.
  const isLater = binding.marked && client.nativeEvents[binding.native]?.matcher !== 'tool';
  const calls = isMark || isLater ? undefined : callsOf(meant, binding, client);
  const { tool_name, input_contains, tool_server: server } = calls ?? {};
  // A text that was kept before the call is shown after it. By then, a hook may have changed the input.
  const isChanged = binding.marked && client.lowering[event]?.decide?.input !== undefined;
  const input = isChanged ? undefined : input_contains;
  const own = handsOwnServer(meant) ? { own: handedName(name) } : {};
  const hands = HANDS.test(context ?? meant.block ?? JSON.stringify(context_tool_args ?? {}));
  const isText = context_tool === undefined && block === undefined && command === undefined;
  const extended = extendedHook({ ...meant, block }, binding, client, declared, granted);
  return {
    id: isMark ? turnMarkOf(id) : id,
    event,
    priority,
    act: binding.act,
    once: binding.once,
    marked: binding.marked,
    ...(calls && {
      when: { ...(tool_name !== undefined && toolGlobs(client, tool_name)), input, server },
    }),
    ...(hands && { hands: true }),
    ...(context_tool !== undefined && {
      call: {
        ...{ tool: context_tool, args: context_tool_args ?? {}, ...own },
        ...(show_empty && { showEmpty: true }),
      },
    }),
    ...(isText && { text: textFor(client, context ?? '', name) }),
    ...(extended && { extended }),
    number: declared.hooks.indexOf(declaration) + 1,
    ranks: { trusted: order.trusted.indexOf(declaration), other: order.other.indexOf(declaration) },
  };
}

/** A text with a variable of a call, even if only a name. */
const OF_CALL = /\{(?:tool_(?:name|input|output)|input\.[\w-]+)\}/;

/** A text or an argument with a variable of a call's input or output. */
const HANDS = /\{(?:tool_(?:input|output)|input\.[\w-]+)\}/;

/** The declared names of each native tool whose name differs. Scripts read the first. */
function aliases({ tools, windowsTools = {} }: Client): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const [declared, native] of [...Object.entries(windowsTools), ...Object.entries(tools)])
    if (declared !== native) {
      const known = names[native] ?? (tools[native] === native ? [native] : []);
      names[native] = [...known, declared];
    }
  return names;
}
