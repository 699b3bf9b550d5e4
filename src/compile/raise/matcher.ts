/** Turns an entry's matcher into a declaration's, from a client's tool names back to the common ones. */

import type { Client } from '../../clients/contract.ts';
import { isLike, literally, parseGlob } from '../glob.ts';
import { DECLARED } from '../names.ts';
import { type Atom, alternativesIn, isTooLong } from './expression.ts';

/** Absent `tool_name`: every call matches. */
type RaisedMatcher =
  | { readonly tool_name?: string; readonly dropped: readonly string[] }
  | { readonly why: 'unreadable' | 'no-tool' };

export function raiseMatcher(client: Client, matcher: string | undefined): RaisedMatcher {
  const wanted = (matcher ?? '').trim();
  if (wanted === '' || wanted === '*') return { dropped: [] };
  const patterns = patternsIn(client, wanted);
  if (!patterns) return { why: 'unreadable' };
  const names: string[] = [];
  const dropped: string[] = [];
  for (const pattern of patterns) {
    if (isEverything(pattern)) return { dropped: [] };
    const raised = declaredFor(client, pattern);
    if (!raised) return { why: 'unreadable' };
    names.push(...raised);
    if (raised.length === 0) dropped.push(globOf(pattern.atoms));
  }
  const [first, ...others] = new Set(names);
  if (first === undefined) return { why: 'no-tool' };
  return { tool_name: others.length === 0 ? first : `{${[first, ...others].join(',')}}`, dropped };
}

/**
 * The values of an event that a matcher matches; undefined: unknown. `exact`: the matcher is one of the values, not an
 * expression.
 */
export function valuesLike(
  client: Client,
  matcher: string | undefined,
  values: readonly string[],
  exact: boolean,
): string[] | undefined {
  const wanted = (matcher ?? '').trim();
  if (wanted === '' || wanted === '*') return [...values];
  if (exact) return values.filter((value) => value === wanted);
  const patterns = patternsIn(client, wanted);
  return (
    patterns && values.filter((value) => patterns.some((pattern) => isLikeAtoms(value, pattern)))
  );
}

/** The parts of a name, from the first character to the last. */
interface Pattern {
  readonly atoms: readonly Atom[];
  /** Whether more may come before or after it, even if the matcher does not say so. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
  /** Whether it is anchored at its start, so that its end was left open on purpose. */
  readonly isStart: boolean;
}

function patternsIn({ matching }: Client, wanted: string): Pattern[] | undefined {
  if (isTooLong(wanted)) return undefined;
  const { lists, anchored = false } = matching;
  if (lists !== undefined && new RegExp(`^(?:${lists})$`).test(wanted))
    return wanted
      .split(/[|,]/)
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((text) => ({ atoms: [{ is: 'text', text }], ...CLOSED, isStart: true }));
  return alternativesIn(wanted)?.map((all) => {
    const atoms = all.filter(({ is }) => is !== 'start' && is !== 'end');
    const isStart = all.some(({ is }) => is === 'start');
    const isEnd = all.some(({ is }) => is === 'end');
    return { atoms, openStart: !anchored && !isStart, openEnd: !anchored && !isEnd, isStart };
  });
}

const CLOSED = { openStart: false, openEnd: false } as const;

const isWild = (atom: Atom | undefined): boolean => atom?.is === 'any' || atom?.is === 'one';

function isEverything({ atoms, openStart, openEnd }: Pattern): boolean {
  if (atoms.length === 0) return openStart || openEnd;
  return atoms.every(isWild) && (openStart || openEnd || atoms.some(({ is }) => is === 'any'));
}

/** A glob that matches the same names. */
const globOf = (atoms: readonly Atom[]): string =>
  atoms
    .map((atom) => {
      if (atom.is === 'text') return literally(atom.text);
      if (atom.is === 'class') return `[${atom.text}]`;
      return atom.is === 'any' ? '*' : '?';
    })
    .join('')
    .replace(/\*+/g, '*');

const open = ({ atoms, openStart, openEnd }: Pattern): Atom[] => [
  ...(openStart ? [{ is: 'any' } as const] : []),
  ...atoms,
  ...(openEnd ? [{ is: 'any' } as const] : []),
];

const isLikeAtoms = (name: string, pattern: Pattern): boolean =>
  parseGlob(globOf(open(pattern))).some((glob) => isLike(name, glob));

/**
 * Declared names and globs for a pattern over a client's names; empty: no tool has such a name; undefined: too many meanings.
 */
function declaredFor(client: Client, pattern: Pattern): string[] | undefined {
  const own = knownNames(client)
    .filter(([name]) => isLikeAtoms(name, pattern))
    .flatMap(([, declared]) => declared);
  const mcp = raisedMcp(client, pattern, own.length > 0);
  return mcp && [...new Set([...own, ...mcp])];
}

/** All names that a client has for its own tools, each with the names in declarations. */
function knownNames({ tools, otherTools, matching }: Client): [string, string[]][] {
  const declaredAs = (native: string): string[] => {
    const all = Object.entries(tools).flatMap(([name, own]) => (own === native ? [name] : []));
    return all.includes(native) || all.length === 0 ? [native] : all;
  };
  const natives = [...new Set([...Object.values(tools), ...otherTools])];
  return natives.flatMap((native): [string, string[]][] => [
    [native, declaredAs(native)],
    ...(matching.aliases?.[native] ?? []).map((alias): [string, string[]] => [
      alias,
      alias in tools ? [alias] : declaredAs(native),
    ]),
  ]);
}

/** The maximum number of places where a name may be split. */
const SPLITS = 4;

/** @param isOwn Whether it is the name of one of the client's own tools. */
function raisedMcp({ mcpNames }: Client, pattern: Pattern, isOwn: boolean): string[] | undefined {
  const { prefix, separator } = mcpNames;
  const { atoms } = pattern;
  const [first] = atoms;
  const start = first?.is === 'text' ? first.text : '';
  const isNamed = prefix === '' ? !isOwn && start.includes(separator) : start.startsWith(prefix);
  if (!isNamed) {
    // A pattern that begins with a wildcard, or ends within the prefix, may match such tools, too.
    const isPart = prefix !== '' && first?.is === 'text' && prefix.startsWith(start);
    if (isWild(first)) return [`${DECLARED.prefix}*${globOf(atoms).replace(/^[*?]+/, '')}`];
    return isPart && atoms.length > 1 ? [`${DECLARED.prefix}*`] : [];
  }
  const name = start.slice(prefix.length);
  const rest: Atom[] = [{ is: 'text', text: name }, ...atoms.slice(1)];
  const hasMore = atoms.length > 1;
  const isOpen = pattern.openEnd && !isWild(atoms.at(-1));
  const ending = (glob: string, isWhole: boolean) =>
    isOpen && (pattern.isStart || hasMore || !isWhole) ? `${glob}*` : glob;
  const splits = [...name.matchAll(new RegExp(separator, 'g'))].map(({ index }) => index);
  if (prefix === DECLARED.prefix) {
    const isWhole = splits.some((at) => at > 0 && at + separator.length < name.length);
    if (!isWhole && !hasMore && !isOpen) return [];
    return [ending(DECLARED.prefix + globOf(rest), isWhole || hasMore)];
  }
  const between = splits.filter(
    (at) => at > 0 && (hasMore || isOpen || at + separator.length < name.length),
  );
  if (mcpNames.withoutServer) {
    const tool = globOf(rest);
    if (tool === '*' || tool === '') return hasMore || isOpen ? [`${DECLARED.prefix}*`] : [];
    return [ending(`${DECLARED.prefix}*${DECLARED.separator}${tool}`, true)];
  }
  if (name.startsWith(separator)) return [];
  if (between.length > SPLITS) return undefined;
  if (between.length === 0)
    return hasMore || isOpen ? [ending(DECLARED.prefix + globOf(rest), hasMore)] : [];
  return between.map((at) => {
    const tool: Atom[] = [
      { is: 'text', text: name.slice(at + separator.length) },
      ...atoms.slice(1),
    ];
    const server = globOf([{ is: 'text', text: name.slice(0, at) }]);
    const isWhole = at + separator.length < name.length;
    return ending(`${DECLARED.prefix}${server}${DECLARED.separator}${globOf(tool)}`, isWhole);
  });
}
