/** Tool names: what a declaration calls a tool, what each client calls it, and the matcher made of that. */

import type { Client, McpNames } from '../clients/client.ts';
import type { Matcher } from '../declaration/declaration.ts';
import { anchored, escapeRegex, type Glob, parseGlob, toRegex } from './glob.ts';

/** How SEP-2282, like Claude Code, names the tool of an MCP server: `mcp__<server>__<tool>`. */
const DECLARED: McpNames = { prefix: 'mcp__', separator: '__', allowed: 'A-Za-z0-9_-' };

/** The client's own name for a tool of an MCP server. */
export function mcpToolName(names: McpNames, server: string, tool: string): string {
  const prefix =
    DECLARED.prefix !== names.prefix && server.startsWith(names.prefix) ? '' : names.prefix;
  return shortened(names, sanitise(names, `${prefix}${server}${names.separator}${tool}`));
}

const shortened = ({ limit }: McpNames, name: string): string =>
  limit && name.length > limit.length
    ? `${name.slice(0, limit.first)}...${name.slice(-limit.first)}`
    : name;

const sanitise = (names: McpNames, text: string): string =>
  text.replace(new RegExp(`[^${names.allowed}]`, 'g'), '_');

/** Names of tools of MCP servers in a text, as the model of this client knows them. */
export function translateMentions(client: Client, text: string): string {
  return text.replace(
    /\bmcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9_-]+)/g,
    (_, server, tool) => mcpToolName(client.mcpNames, server, tool),
  );
}

/** Regular expression for the runner: over the names under which the declaration may know the called tool. */
export function toolPattern(client: Client, glob: string): string {
  const names = canonicalNames(client);
  const alternatives = parseGlob(glob).flatMap((one) => {
    const mcp = toRegex(one, (character) => escapeRegex(sanitise(names, character)));
    if (isMcp(one)) return [mcp];
    // A wildcard at the front may mean a tool of an MCP server, too.
    return one.literal || mcp === toRegex(one) ? [toRegex(one)] : [toRegex(one), `(?=mcp__)${mcp}`];
  });
  return anchored(alternatives);
}

/**
 * Under which names the runner compares tools of MCP servers: the declaration's form, in the client's own
 * characters when it does not tell the server's real name.
 */
export const canonicalNames = (client: Client): McpNames =>
  client.wire.serverTool ? DECLARED : { ...DECLARED, allowed: client.mcpNames.allowed };

const isMcp = (glob: Glob): boolean => glob.prefix.startsWith(DECLARED.prefix);

/** The declared names that are not known to be tools of this client. */
export function unknownTools(client: Client, glob: string): string[] {
  const { tools, otherTools } = client;
  const known = new Set([...Object.keys(tools), ...Object.values(tools), ...otherTools]);
  return parseGlob(glob)
    .filter((one) => one.literal && !isMcp(one) && !known.has(one.prefix))
    .map((one) => one.prefix);
}

/**
 * The matcher of our native entry: whatever any of `matchers` wants, in the client's own names. It may let
 * through too much, never too little; the runner decides exactly.
 *
 * @returns undefined when every call is wanted.
 */
export function nativeMatcher(
  client: Client,
  matchers: readonly (Matcher | undefined)[],
): string | undefined {
  const wanted = new Set<string>();
  for (const matcher of matchers) {
    const alternatives = nativePatterns(client, matcher);
    if (!alternatives) return undefined;
    for (const alternative of alternatives) wanted.add(alternative);
  }
  const sorted = [...wanted].sort();
  const exact =
    client.matcherStyle === 'exact-or-regex' && sorted.every((name) => /^\w+$/.test(name));
  return exact ? sorted.join('|') : anchored(sorted);
}

/** Sources of regular expressions over the client's names; undefined: every call. */
function nativePatterns(client: Client, matcher: Matcher | undefined): string[] | undefined {
  if (matcher?.tool_name !== undefined) {
    const patterns = parseGlob(matcher.tool_name).map((glob) => globPatterns(client, glob));
    return patterns.some((some) => !some) ? undefined : patterns.flatMap((some) => some ?? []);
  }
  if (matcher?.tool_server !== undefined) return [serverPattern(client, matcher.tool_server)];
  return undefined;
}

function globPatterns(client: Client, glob: Glob): string[] | undefined {
  const regex = toRegex(glob);
  if (/^(\.\*)+$/.test(regex)) return undefined;
  if (isMcp(glob)) return mcpPatterns(client, glob);
  const pattern = new RegExp(anchored([regex]));
  const translated = Object.entries(client.tools)
    .filter(([declared]) => pattern.test(declared))
    .map(([, native]) => escapeRegex(native));
  // A literal that was translated is done; a wildcard may also mean tools that only this client has.
  if (glob.literal && translated.length > 0) return translated;
  const alsoMcp = !glob.literal && DECLARED.prefix.startsWith(glob.prefix);
  return [...translated, regex, ...(alsoMcp ? [`${client.mcpNames.prefix}.*`] : [])];
}

/** A glob over `mcp__<server>__<tool>`, where the client spells such names its own way. */
function mcpPatterns(client: Client, glob: Glob): string[] {
  const { mcpNames } = client;
  if (mcpNames.prefix === DECLARED.prefix) {
    const ok = new RegExp(`[${mcpNames.allowed}]`);
    return [toRegex(glob, (character) => (ok.test(character) ? escapeRegex(character) : '.'))];
  }
  const name = sanitise(DECLARED, glob.prefix.slice(DECLARED.prefix.length));
  const splits = [...name.matchAll(/(?=__)/g)].map(({ index }) => ({
    server: name.slice(0, index),
    tool: name.slice(index + DECLARED.separator.length),
  }));
  // `mcp__a__b__c` is `b__c` of `a` or `c` of `a__b`; a server that is called `mcp_...` gets no second prefix.
  const named = (server: string, rest: string) =>
    [mcpNames.prefix, ...(server.startsWith(mcpNames.prefix) ? [''] : [])].map(
      (prefix) => `${prefix}${server}${rest}`,
    );
  const own = splits.flatMap(({ server, tool }) => named(server, mcpNames.separator + tool));
  if (own.length === 0) return [`${mcpNames.prefix}.*`];
  // Where the declaration has `_`, the client may have a character that it lets stand.
  const loose = (text: string) =>
    mcpNames.prefix + escapeRegex(text.slice(mcpNames.prefix.length)).replaceAll('_', '[_.:]');
  if (glob.literal) return own.map((native) => loose(shortened(mcpNames, native)));
  // Or the server's name goes on in what the wildcard stands for.
  return [...own, ...named(name, '')].map(
    (native) => `${loose(native.slice(0, mcpNames.limit?.first))}.*`,
  );
}

/** Any tool of one MCP server. */
function serverPattern(client: Client, server: string): string {
  const { mcpNames } = client;
  const start = mcpToolName({ ...mcpNames, limit: undefined }, server, '');
  const kept = mcpNames.limit ? start.slice(0, mcpNames.limit.first) : start;
  // Claude Code puts the name of the plugin before that of a plugin's server.
  const plugin = client.wire.serverName && mcpNames.prefix === DECLARED.prefix;
  return plugin
    ? `${mcpNames.prefix}(?:plugin_.*_)?${escapeRegex(kept.slice(mcpNames.prefix.length))}.*`
    : `${escapeRegex(kept)}.*`;
}
