/**
 * What `validate` reports to the author of hooks, in addition to the doubts that all users see (compile/doubts.ts). Users
 * cannot change the hooks that they install, so `install` and `diff` show none of this.
 */

import type { Client } from '../../clients/contract.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { doubts } from '../../compile/doubts.ts';
import {
  canBegin,
  type Glob,
  globsOf,
  isEverything,
  isLike,
  isLiteral,
  parseGlob,
} from '../../compile/glob.ts';
import { canBeMcp, matchesNoTool } from '../../compile/known-tools.ts';
import type { CompileMessage } from '../../compile/messages.ts';
import { DECLARED, isMcp, sanitise, unknownTools } from '../../compile/names.ts';
import { OWN_SERVER } from '../../compile/own-server.ts';
import { limitOf, quoteLines } from '../../compile/report.ts';
import {
  DEFAULT_ORDER,
  HANDLERS,
  type HookDeclaration,
  isMeant,
  TOOL_EVENTS,
} from '../../declaration/declaration.ts';
import { error, type KeyPath, type Problem } from '../../declaration/declared.ts';
import type { Doubts } from '../../declaration/manifest.ts';
import { RULES } from '../../declaration/policy.ts';
import { checkArguments, type ToolList } from '../../sources/protocol/tools.ts';
import { canonical } from '../../system/fingerprint.ts';
import { nearest } from '../../system/nearest.ts';
import type { LintMessage, WhyNothing } from './messages.ts';
import { namedTools } from './named-tools.ts';

type Said = LintMessage | Extract<CompileMessage, { code: 'text-not-read' }>;

/**
 * Takes the hooks of one manifest in order, and remembers those that it has seen.
 *
 * @param tools The tools of the manifest's server; absent if it was not queried.
 * @param label The label under which the hooks would be installed.
 */
export function linter(tools?: Pick<ToolList, 'tools' | 'whole'>, label = ''): Doubts {
  const seen = new Map<string, Seen[]>();
  return (hook, path, isPart = false) => {
    const found: Problem[] = doubts(hook, path);
    const say = (level: Problem['level'], message: Said, ...at: string[]) =>
      found.push({ level, message, path: [...path, ...at] });
    const order = orderIn(hook.context ?? '');
    if (order !== undefined) say('warning', { code: 'gives-orders', words: order }, 'context');
    const intrusion = orderIn(hook.block ?? '', true);
    if (intrusion !== undefined)
      say('warning', { code: 'gives-orders', words: intrusion }, 'block');
    for (const message of cuts(hook)) say('warning', message, 'context');
    if (hook.event === 'notification' && hook.context !== undefined)
      say('warning', { code: 'text-not-read' }, 'context');
    if (isShownOften(hook)) say('note', { code: 'after-each-call' }, 'context');
    for (const [message, ...at] of turns(hook)) say('note', message, ...at);
    for (const message of absent(hook)) say('note', message, 'matcher', 'tool_name');
    for (const message of ofSomeClients(hook)) say('warning', message, 'matcher', 'tool_name');
    const nothing = whyNothing(hook);
    if (nothing) say('warning', { code: 'matches-nothing', ...nothing }, 'matcher');
    const together = isPart ? undefined : withEarlier(hook, path, seen);
    if (together) say(together.code === 'hook-repeated' ? 'warning' : 'note', together);
    return tools
      ? [...found, ...calls(hook, path, tools), ...names(hook, path, tools, label)]
      : found;
  };
}

/** Clients that cut a text that the policy lets through. */
function cuts({ event, context = '' }: HookDeclaration): LintMessage[] {
  if (context.length > RULES.charactersPerHook) return []; // reported by compile/doubts.ts
  const text = quoteLines(context);
  const found = new Map<string, Extract<LintMessage, { code: 'cut-by-client' }>>();
  for (const client of CLIENTS) {
    const natives = (client.lowering[event]?.text.on ?? []).map(({ native }) => native);
    const { characters = Infinity, bytes = Infinity } = limitOf(client, natives);
    const sizes = [
      { unit: 'characters', limit: characters, found: text.length },
      { unit: 'bytes', limit: bytes, found: Buffer.byteLength(text) },
    ] as const;
    for (const size of sizes.filter((one) => one.found > one.limit)) {
      const key = `${size.limit} ${size.unit}`;
      const clients = [...(found.get(key)?.clients ?? []), client.name];
      found.set(key, { code: 'cut-by-client', clients, ...size });
    }
  }
  return [...found.values()];
}

/**
 * Clients that lack a tool that a command hook is about. They may do the same with another tool, which the command does not
 * see.
 */
function absent({ event, command, matcher = {} }: HookDeclaration): LintMessage[] {
  const { tool_name: tool } = matcher;
  if (command === undefined || tool === undefined || !TOOL_EVENTS.includes(event)) return [];
  const those = new Map<string, string[]>();
  for (const client of CLIENTS)
    for (const name of unknownTools(client, tool))
      those.set(name, [...(those.get(name) ?? []), client.name]);
  // A tool that no client has is a mistake, which compile/doubts.ts reports to all users.
  return [...those]
    .filter(([, clients]) => clients.length < CLIENTS.length)
    .map(([name, clients]) => ({ code: 'tool-not-there', tool: name, clients }));
}

/**
 * Tools under a name that only some clients have, such as `bash`. It differs only in case from the common name, which was
 * probably meant.
 */
function ofSomeClients({ event, matcher = {} }: HookDeclaration): LintMessage[] {
  if (matcher.tool_name === undefined || !TOOL_EVENTS.includes(event)) return [];
  const generic = new Set(CLIENTS.flatMap(({ tools }) => Object.keys(tools)));
  return parseGlob(matcher.tool_name)
    .filter(isLiteral)
    .flatMap(([tool]) => {
      const meant = [...generic].find((name) => name.toLowerCase() === tool.toLowerCase());
      const clients = CLIENTS.filter((client) => unknownTools(client, tool).length === 0);
      if (meant === undefined || generic.has(tool) || clients.length === 0) return [];
      return [
        { code: 'tool-of-some', tool, near: meant, clients: clients.map(({ name }) => name) },
      ];
    });
}

/** Whether a text is shown after every call of every tool. */
function isShownOften(hook: HookDeclaration): boolean {
  const { event, context, once, cooldown, enabled = true, matcher } = hook;
  if (!enabled || context === undefined || context.trim() === '') return false;
  if (event !== 'pre_tool_use' && event !== 'post_tool_use') return false;
  if (once !== undefined || cooldown !== undefined) return false;
  return Object.entries(matcher ?? {}).every(
    ([key, value]) =>
      !isMeant(key, event, matcher ?? {}) ||
      (key === 'tool_name' && parseGlob(String(value)).some(isEverything)),
  );
}

/** The parts of a hook that cost a turn of the model. */
function* turns(hook: HookDeclaration): Generator<[LintMessage, ...string[]]> {
  const { event, context, context_tool, command, block, may = [] } = hook;
  if (HANDLERS.every((key) => hook[key] === undefined)) return; // its effect is unknown, too
  const those = (costs: (client: Client) => boolean | undefined) =>
    CLIENTS.filter(costs).map(({ name }) => name);
  const isCall = context_tool !== undefined || command !== undefined;
  const late = those(({ lowering: { [event]: cell } }) =>
    block === undefined ? (isCall ? (cell?.tool ?? cell?.text) : cell?.text)?.extraTurn : false,
  );
  const blocks = block !== undefined || may.includes('block');
  const blocked = those(({ lowering }) => blocks && lowering[event]?.decide?.block?.extraTurn);
  if (late.length > 0)
    yield [
      { code: 'costs-a-turn', clients: late, blocks: false },
      context === undefined ? 'event' : 'context',
    ];
  if (blocked.length > 0)
    yield [
      { code: 'costs-a-turn', clients: blocked, blocks: true },
      block === undefined ? 'may' : 'block',
    ];
}

/** Why no call can match a matcher, although calls match each of its fields. */
function whyNothing({ event, matcher = {} }: HookDeclaration): WhyNothing | undefined {
  if (!TOOL_EVENTS.includes(event)) return undefined;
  const { tool_name: tool, tool_server: server, exclude, failed, repeat } = matcher;
  if (failed === false && repeat?.same === 'error') return { why: 'no-failure' };
  if (tool === undefined || matchesNoTool(tool)) return undefined;
  const globs = parseGlob(tool);
  const excluded = (exclude?.tools ?? []).flatMap(parseGlob);
  const isExcluded = (glob: Glob) =>
    excluded.some((one) =>
      isLiteral(glob) ? isLike(glob[0], one) : `${globsOf([one])}` === `${globsOf([glob])}`,
    );
  if (globs.length * excluded.length < COMPARED && globs.every(isExcluded))
    return { why: 'excluded', tool };
  if (!server) return undefined;
  if (!canBeMcp(tool) && !globs.some(isMcp)) return { why: 'built-in', tool, server };
  // Only one of them names the hooks' own server, whose real name is known only after the install.
  if (server.includes(OWN_SERVER) !== tool.includes(OWN_SERVER)) return undefined;
  const start = `${DECLARED.prefix}${sanitise(DECLARED, server)}${DECLARED.separator}`;
  const isPossible = globs.some((glob) => canBegin(glob, start));
  return isPossible ? undefined : { why: 'other-server', tool, server };
}

/** The maximum number of name comparisons for one hook. Lists written by hand need fewer. */
const COMPARED = 10_000;

interface Seen {
  readonly number: number;
  readonly does: string;
}

/** An earlier hook that fires whenever this one does, so that they could be merged, or that is the same. */
function withEarlier(
  hook: HookDeclaration,
  path: KeyPath,
  seen: Map<string, Seen[]>,
): Extract<LintMessage, { code: 'hook-repeated' | 'fires-together' }> | undefined {
  if (hook.enabled === false || hook.context?.trim() === '') return undefined;
  const { context, matcher, ...rest } = hook;
  const isText = context !== undefined;
  const key = canonical({ order: DEFAULT_ORDER, ...rest, isText, matcher: condition(hook) });
  const own = { number: Number(path.at(-1)) + 1, does: context ?? '' };
  const before = seen.get(key) ?? [];
  seen.set(key, [...before, own]);
  const same = before.find(({ does }) => does === own.does);
  if (same) return { code: 'hook-repeated', other: same.number };
  const [first] = before;
  return first && { code: 'fires-together', other: first.number };
}

/** The condition under which a hook fires, in a normal form. */
function condition({ event, matcher = {} }: HookDeclaration): object {
  const fields = Object.entries(matcher).filter(([key]) => isMeant(key, event, matcher));
  return Object.fromEntries(
    fields.map(([key, value]) => [
      key,
      key === 'tool_name' ? globsOf(parseGlob(String(value))).sort() : value,
    ]),
  );
}

/** Checks the hook's call against the server's tools. */
function calls(
  { context_tool: name, context_tool_args: args = {} }: HookDeclaration,
  path: KeyPath,
  { tools, whole }: Pick<ToolList, 'tools' | 'whole'>,
): Problem[] {
  if (name === undefined) return [];
  const tool = tools.find((one) => one.name === name);
  if (tool)
    return checkArguments(tool, args).map((one) => ({
      ...one,
      path: [...path, 'context_tool_args', ...one.path],
    }));
  if (!whole) return [];
  return [error(noSuchTool(name, tools), [...path, 'context_tool'])];
}

/** Checks the names of the server's tools in the hook's texts and matcher. */
const names = (
  hook: HookDeclaration,
  path: KeyPath,
  { tools, whole }: Pick<ToolList, 'tools' | 'whole'>,
  label: string,
): Problem[] =>
  (whole ? namedTools(hook, label) : [])
    .filter(({ fits }) => !tools.some(({ name }) => fits(name)))
    .map(({ name, at }) => ({
      level: 'warning',
      message: noSuchTool(name, tools),
      path: [...path, ...at],
    }));

/** Names the tool that was probably meant, or otherwise all tools. */
function noSuchTool(tool: string, tools: ToolList['tools']): LintMessage {
  const known = tools.map(({ name }) => name);
  const [near] = nearest(tool, known);
  return { code: 'no-such-server-tool', tool, ...(near === undefined ? { known } : { near }) };
}

/** Verbs that come after "always" and "never" in an order, but rarely in a description. */
const VERBS =
  'add|answer|ask|begin|call|check|commit|consult|create|delete|do|edit|execute|follow|forget|include|invoke|load|log|make|mention|note|obey|open|prefer|push|query|read|record|remember|reply|report|respond|run|save|say|search|show|skip|start|stop|store|tell|update|use|verify|wait|write';

/** Words for earlier instructions that are common in orders to a model. */
const TOLD = 'instructions?|prompts?|rules?|messages?|guidelines?|directions?|context|guidance';

/** Statements that something must be done, or must always or never be done. */
const ORDERS: readonly RegExp[] = [
  // Addressed to "you" or to the model. "What you must know" is not an order: it says where to find it.
  /(?:(?<!\b(?:what|whatever|everything|anything|all)\s)|(?!you\s+(?:must|have to)\s+(?:know|understand)\b))\b(?:you|the (?:model|assistant|agent|ai))\s+(?:(?:absolutely|always)\s+)?(?:must|shall|have to|are (?:required|obliged|instructed|ordered|forbidden) to|are not allowed to|need to always)\b/i,
  new RegExp(
    `(?:^|[.!?:;\\n]\\s{0,9}|\\b(?:and|but|please|then|so),?\\s{1,9})(?:always|never)\\s+(?:${VERBS})\\b`,
    'i',
  ),
  // In capitals.
  /\b(?:IMPORTANT|CRITICAL|MANDATORY|URGENT|REQUIRED|OBLIGATORY)\b\s*[:!]/,
  /\b(?:MUST|SHALL|ALWAYS|NEVER|DO NOT|DON'T)\b/,
];

/** Statements that only the user or the client may make. */
const INTRUSIONS: readonly RegExp[] = [
  // Against earlier instructions, or against the user.
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|overrule)\\b[^.!?\\n]{0,40}?\\b(?:previous|prior|above|earlier|preceding|all|any|other|system|your)\\b[^.!?\\n]{0,30}?\\b(?:${TOLD})\\b`,
    'i',
  ),
  /\bignore (?:all |everything )?(?:the )?(?:previous|above)(?=\s*(?:[.,;:!?]|$|\band\b))/i,
  /\b(?:do not|don't|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|ask(?:ing)?|mention(?:ing)?(?: (?:this|it|that))? to|show(?:ing)? (?:this|it|that) to|reveal(?:ing)?(?: (?:this|it|that))? to)\s+(?:the |your )?users?\b/i,
  /\b(?:from now on|you are now|act as (?:if|an?|the)|pretend (?:to be|that)|your new (?:task|instructions?|role|goal))\b/i,
  /\b(?:new|system|real|actual|hidden)\s+(?:instructions?|prompt)\s*:/i,
  // A tag that pretends another speaker. A tag in the middle of a sentence is only mentioned.
  /<\/?(?:system|system-reminder)\b[^>\n]{0,40}>|(?:^[ \t]{0,9}<|<\/)(?:instructions?|important|assistant|user|developer)\b[^>\n]{0,40}>/im,
  /\[\/?(?:INST|SYSTEM)\]|^[ \t]{0,9}(?:system|developer|assistant|user)\s*:/im,
];

/** The maximum number of characters of the order to show. */
const SHOWN = 60;

/**
 * The first words of a text that give an order.
 *
 * @param isReason The text is the reason of a block. A rule is appropriate there, and is already enforced.
 */
export function orderIn(text: string, isReason = false): string | undefined {
  const [first] = (isReason ? INTRUSIONS : [...ORDERS, ...INTRUSIONS])
    .flatMap((pattern) => {
      const match = pattern.exec(text);
      return match ? [{ words: match[0], index: match.index }] : [];
    })
    .sort((one, other) => one.index - other.index);
  if (!first) return undefined;
  return first.words
    .replace(/^[\s.!?:;]+/, '')
    .slice(0, SHOWN)
    .trim();
}
