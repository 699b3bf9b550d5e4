/**
 * The matcher of our entry in a client's settings, so that the client does not even start our runner for other tools. It may
 * let too much through, but never too little; the runner decides exactly.
 */

import type { Client } from '../clients/contract.ts';
import type { Matcher } from '../declaration/declaration.ts';
import {
  anchored,
  canBegin,
  escapeRegex,
  type Glob,
  isEverything,
  isLike,
  isLiteral,
  prefixOf,
  toRegex,
} from './glob.ts';
import type { CompileMessage } from './messages.ts';
import {
  DECLARED,
  globsFor,
  isMcp,
  keptOf,
  mcpToolName,
  sanitise,
  shortened,
  splitsOf,
  underscores,
  withServersCut,
} from './names.ts';

/**
 * The matcher for a client. Without one, the client starts the runner for every tool; `leftOut` is the reason if that was not
 * intended.
 */
type ClientMatcher = { readonly matcher?: string } | { readonly leftOut: CompileMessage };

/** The maximum length of a matcher. It costs a client time in proportion to its length, and lists of tools are shorter. */
const MATCHER_CHARACTERS = 4000;

/** In any engine, each alternative takes time in proportion to the length of a tool's name. */
export function matcherFor(
  client: Client,
  matchers: readonly (Matcher | undefined)[],
): ClientMatcher {
  const wanted = new Set<string>();
  const limitCharacters = MATCHER_CHARACTERS;
  let length = 0;
  for (const matcher of matchers) {
    const alternatives = nativePatterns(client, matcher);
    if (!alternatives) return {};
    for (const alternative of alternatives) {
      if (!wanted.has(alternative)) length += alternative.length + 1;
      wanted.add(alternative);
    }
    // There may be many, so we stop early.
    if (length > limitCharacters)
      return { leftOut: { code: 'matcher-too-long', client: client.name, limitCharacters } };
  }
  const sorted = [...wanted].sort();
  const exact =
    client.matching.lists !== undefined &&
    sorted.length > 0 &&
    sorted.every((name) => /^\w+$/.test(name));
  return { matcher: exact ? sorted.join('|') : anchored(sorted) };
}

/** Sources of regular expressions over the client's names; undefined: every call. */
function nativePatterns(client: Client, declared: Matcher | undefined): string[] | undefined {
  const matcher = withServersCut(client.mcpNames, declared);
  if (matcher?.tool_name !== undefined) {
    const patterns = globsFor(client, matcher.tool_name).map((glob) => globPatterns(client, glob));
    return patterns.some((some) => !some) ? undefined : patterns.flatMap((some) => some ?? []);
  }
  if (matcher?.tool_server === undefined) return undefined;
  return [serverPattern(client, matcher.tool_server)];
}

function globPatterns(client: Client, glob: Glob): string[] | undefined {
  if (isEverything(glob)) return undefined;
  const { suffix } = client.mcpNames;
  if (isMcp(glob))
    return mcpPatterns(client, glob).map((one) => (suffix ? `${one}(?:${suffix})?` : one));
  const { tools, windowsTools = {} } = client;
  const translated = [...Object.entries(tools), ...Object.entries(windowsTools)]
    .filter(([declared]) => isLike(declared, glob))
    .map(([, native]) => escapeRegex(native));
  // A translated literal is complete. A wildcard may also match tools that only this client has.
  if (isLiteral(glob) && translated.length > 0) return translated;
  const alsoMcp = canBegin(glob, DECLARED.prefix);
  return [
    ...translated,
    toRegex(linear(glob)),
    ...(alsoMcp ? [`${client.mcpNames.prefix}.*`] : []),
  ];
}

/**
 * A glob that matches the same names and perhaps more, with one `*`, or a second one at its very end. Each further `*` would
 * multiply the time of a backtracking engine by the length of the name.
 */
function linear(glob: Glob): Glob {
  const [first = '', ...rest] = glob;
  const last = rest.pop();
  if (last === undefined || rest.length === 0 || (rest.length === 1 && last.length === 0))
    return glob;
  if (last.length > 0) return [first, last];
  return [first, rest.reduce((best, part) => (part.length > best.length ? part : best)), last];
}

/** Patterns for a glob over `mcp__<server>__<tool>`, in the client's own form of such names. */
function mcpPatterns(client: Client, glob: Glob): string[] {
  const { mcpNames } = client;
  if (mcpNames.prefix === DECLARED.prefix) {
    const ok = new RegExp(`[${mcpNames.allowed}]`);
    const literal = (character: string) => (ok.test(character) ? escapeRegex(character) : '.');
    const pattern = (one: Glob) => toRegex(linear(one), literal);
    if (isLiteral(glob)) return [pattern([shortened(mcpNames, glob[0])])];
    // A longer name loses its end or its middle.
    const kept = keptOf(mcpNames);
    return [glob, ...(kept === undefined ? [] : [[prefixOf(glob).slice(0, kept), '']])].map(
      pattern,
    );
  }
  const name = sanitise(DECLARED, prefixOf(glob).slice(DECLARED.prefix.length));
  const splits = splitsOf(name);
  if (!splits) return [`${mcpNames.prefix}.*`];
  // A server whose name begins with the prefix (`mcp_...`) does not get a second one.
  const named = (server: string, rest: string) =>
    [mcpNames.prefix, ...(server.startsWith(mcpNames.prefix) ? [''] : [])].map(
      (prefix) => `${prefix}${server}${rest}`,
    );
  const own = splits.flatMap(({ server, tool }) => named(server, mcpNames.separator + tool));
  // For `_` or the client's replacement character in the declaration, the client may have any of these.
  const any = `[${underscores(mcpNames).join('')}]`;
  const { replacement = mcpNames.server?.replacement ?? '' } = mcpNames;
  const unsure = new RegExp(`[_${replacement}]`, 'g');
  const loose = (text: string) =>
    mcpNames.prefix + escapeRegex(text.slice(mcpNames.prefix.length)).replace(unsure, any);
  if (isLiteral(glob)) return own.map((native) => loose(shortened(mcpNames, native)));
  // The server's name may also extend into the text that the wildcard matches.
  return [...own, ...named(name, '')].map(
    (native) => `${loose(native.slice(0, keptOf(mcpNames)))}.*`,
  );
}

function serverPattern(client: Client, server: string): string {
  const { mcpNames } = client;
  const whole = { ...mcpNames, limit: undefined, suffixOf: undefined };
  const start = mcpToolName(whole, server, '');
  const kept = start.slice(0, keptOf(mcpNames));
  const { prefix, plugin } = mcpNames;
  return plugin === undefined
    ? `${escapeRegex(kept)}.*`
    : `${prefix}(?:${plugin})?${escapeRegex(kept.slice(prefix.length))}.*`;
}
