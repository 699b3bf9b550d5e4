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
  const name = sanitise(names, `${prefix}${server}${names.separator}${tool}`);
  const { limit } = names;
  return limit && name.length > limit.length
    ? `${name.slice(0, limit.first)}...${name.slice(-limit.first)}`
    : name;
}

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
  const alternatives = parseGlob(glob).map((one) =>
    isMcp(one)
      ? toRegex(one, (character) => escapeRegex(sanitise(names, character)))
      : toRegex(one),
  );
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
  const known = new Set([...Object.keys(client.tools), ...Object.values(client.tools)]);
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
  if (isMcp(glob)) return [mcpPattern(client, glob)];
  const translated = Object.entries(client.tools)
    .filter(([declared]) => new RegExp(anchored([regex])).test(declared))
    .map(([, native]) => escapeRegex(native));
  // A literal that was translated is done; a wildcard may also mean tools that only this client has.
  if (glob.literal && translated.length > 0) return translated;
  const alsoMcp = !glob.literal && DECLARED.prefix.startsWith(glob.prefix);
  return [...translated, regex, ...(alsoMcp ? [`${client.mcpNames.prefix}.*`] : [])];
}

/** A glob over `mcp__<server>__<tool>`, where the client spells such names its own way. */
function mcpPattern(client: Client, glob: Glob): string {
  const { mcpNames } = client;
  if (mcpNames.prefix === DECLARED.prefix) {
    const ok = new RegExp(`[${mcpNames.allowed}]`);
    return toRegex(glob, (character) => (ok.test(character) ? escapeRegex(character) : '.'));
  }
  const [, server, tool] = /^mcp__(.*?)__(.*)$/.exec(glob.prefix) ?? [];
  if (server === undefined || tool === undefined) return `${mcpNames.prefix}.*`;
  return glob.literal
    ? escapeRegex(mcpToolName(mcpNames, server, tool))
    : serverPattern(client, server);
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
