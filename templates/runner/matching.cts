/** mcp-hooks: which hooks an event matches. */

import type { Firing, Glob, ProgramHook, Rules, Running, ToolGlobs } from '../types.cjs';
import { serialise } from './event.cjs';

type Part = Glob[number];
type Piece = Exclude<Part, string>[number];
/** The parts of a program that are needed to match its hooks. */
type Matcher = Pick<Running, 'names'>;

export function fits(hook: ProgramHook, firing: Firing, program: Matcher): boolean {
  try {
    if (hook.act === 'ask' && firing.continued) return false;
    return !hook.when || matches(hook.when, firing, program);
  } catch (error) {
    if (Object(error).why || hook.extended) throw error; // time is up, or a guard cannot tell (chain.cjs)
    return false; // a hook that is not understood does not stop the others
  }
}

/** All conditions must hold. */
export function matches(
  { tool, mcpTool = [], server, input }: NonNullable<ProgramHook['when']>,
  firing: Firing,
  program: Matcher,
): boolean {
  if (tool !== undefined && !firing.names.some((name) => isOf(name, { tool, mcpTool })))
    return false;
  if (server !== undefined && !isServer(server, firing, program)) return false;
  return input === undefined || contains(firing, input);
}

/**
 * Whether the tool's input contains a text, either in its JSON or in a decoded string (with a quote, a newline). The client's
 * own form of the input counts, too. Long or deeply nested inputs may take long, so another file searches them.
 */
function contains(firing: Firing, needle: string): boolean {
  const { input, native } = firing;
  if (native && require('../texts.cjs').contains(firing, native.input, needle)) return true;
  if (input === undefined) return false;
  if (firing.json?.of !== input) firing.json = { of: input, text: serialise(input) }; // once for all hooks
  const { text } = firing.json;
  const isInside = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' && value.includes(needle);
    const isKey = !Array.isArray(value) && Object.keys(value).some((key) => key.includes(needle));
    return isKey || Object.values(value).some(isInside);
  };
  if (text.length <= SHORT && needle.length <= 250)
    try {
      return text.includes(needle) || isInside(input);
    } catch {} // nested too deeply
  return require('../texts.cjs').contains(firing, input, needle);
}

const SHORT = 16 * 1024;

/** Whether the name matches one of the globs. */
export const isOf = (name: string, { tool, mcpTool = [] }: ToolGlobs): boolean =>
  tool.some((glob) => isLike(name, glob)) ||
  (name.startsWith('mcp__') && mcpTool.some((glob) => isLike(name, glob)));

/**
 * Whether a glob matches a name (src/compile/glob.ts). Uses no regular expression, because a hostile one can run forever: each
 * part is searched once, from left to right.
 */
export function isLike(name: string, glob: Glob): boolean {
  const [first = '', last = ''] = [glob[0], glob.at(-1)];
  let at = endOf(name, first, 0);
  if (at === -1) return false;
  if (glob.length === 1) return at === name.length;
  for (const part of glob.slice(1, -1)) {
    at = find(name, part, at);
    if (at === -1) return false;
  }
  const length = typeof last === 'string' ? last.length : last.reduce<number>(lengthWith, 0);
  return name.length - length >= at && endOf(name, last, name.length - length) !== -1;
}

/** The end of the first match of a part that starts at `from` or later; -1: there is none. */
function find(name: string, part: Part, from: number): number {
  if (typeof part === 'string') {
    const at = indexIn(name, part, from);
    return at === -1 ? -1 : at + part.length;
  }
  for (let at = from; at < name.length; at++) {
    const end = endOf(name, part, at);
    if (end !== -1) return end;
  }
  return -1;
}

/** Searching for a long part could take long. */
const indexIn = (name: string, part: string, from: number): number =>
  part.length > 250 ? require('../texts.cjs').indexIn(name, part, from) : name.indexOf(part, from);

/** The end of a part that matches at this position; -1: it does not match. */
function endOf(name: string, part: Part, from: number): number {
  if (typeof part === 'string') return name.startsWith(part, from) ? from + part.length : -1;
  let at = from;
  for (const piece of part) {
    const end = lengthWith(at, piece);
    if (end > name.length) return -1;
    if (typeof piece === 'string' ? !name.startsWith(piece, at) : !isOne(name.charAt(at), piece))
      return -1;
    at = end;
  }
  return at;
}

const lengthWith = (length: number, piece: Piece): number =>
  length + (typeof piece === 'string' ? piece.length : typeof piece === 'number' ? piece : 1);

/** A number matches that many arbitrary characters. A range has a first and a last character. */
const isOne = (character: string, piece: Exclude<Piece, string>): boolean =>
  typeof piece === 'number' ||
  ('in' in piece ? isAny(character, piece.in) : !isAny(character, piece.out));

const isAny = (character: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => character >= range.charAt(0) && character <= (range.at(-1) ?? ''));

function isServer(
  wanted: string,
  { server, names }: Firing,
  { names: { allowed } }: Matcher,
): boolean {
  // The server of a plugin is called plugin:<plugin>:<server>.
  if (typeof server === 'string')
    return server === wanted || (server.startsWith('plugin:') && server.endsWith(`:${wanted}`));
  return names.some((name) => name.startsWith(startFor(wanted, allowed)));
}

/** The prefix of the names of a server's tools. */
const startFor = (server: string, allowed: string): string =>
  `mcp__${server.replace(new RegExp(`[^${allowed}]`, 'g'), '_')}__`;

/** The called tool as declarations name it. If it has several names, the one that the hook uses. */
export function declaredName(
  { when = {} }: ProgramHook,
  { tool, names: [own = '', ...others], native }: Firing,
  { names: { aliases, allowed } }: Matcher,
): string | undefined {
  const known = native?.tool ?? (Object.hasOwn(aliases, own) ? aliases[own]?.[0] : undefined);
  if (tool === undefined || known !== undefined) return known;
  const start = when.server === undefined ? 'mcp__' : startFor(when.server, allowed);
  const all = new Set(others.filter((name) => name.startsWith('mcp__')));
  const meant = [...all].filter(
    (name) => name.startsWith(start) && (!when.tool || isOf(name, { ...when, tool: when.tool })),
  );
  const [only = tool, another] = all.size === 1 ? [...all] : meant;
  return another === undefined ? only : tool;
}

/** The hooks with the highest priority, as many as the rules allow, and those that are left out. */
export function choose(
  rules: Rules,
  hooks: readonly ProgramHook[],
  waits: (hook: ProgramHook) => boolean,
): { readonly chosen: readonly ProgramHook[]; readonly leftOut: readonly ProgramHook[] } {
  const rank = ({ ranks }: ProgramHook) => (rules.trusted ? ranks.trusted : ranks.other);
  const chosen: ProgramHook[] = [];
  const leftOut: ProgramHook[] = [];
  for (const hook of hooks.toSorted((a, b) => rank(a) - rank(b))) {
    if ((hook.call && !rules.contextTool) || !waits(hook)) continue;
    const has = chosen.length < rules.hooksPerEvent && rank(hook) < rules.hooksPerServer;
    (has ? chosen : leftOut).push(hook);
  }
  return { chosen, leftOut };
}
