/** Tool names: in a declaration, in each client, and as globs for the runner. */

import type { Client, McpNames } from '../clients/contract.ts';
import type { Matcher } from '../declaration/declaration.ts';
import { type Glob, isLiteral, mapLiterals, parseGlob, prefixOf } from './glob.ts';
import type { NamesApart, ToolGlobs } from './program.ts';

/** The form in SEP-2282 for the tool of an MCP server: `mcp__<server>__<tool>`. */
export const DECLARED: McpNames = { prefix: 'mcp__', separator: '__', allowed: 'A-Za-z0-9_-' };

/** The tool in SEP-2282 whose input is a command. */
export const SHELL = 'Bash';

export function mcpToolName(names: McpNames, configured: string, tool: string): string {
  if (names.withoutServer) return changed(names, `${names.prefix}${tool}`);
  const server = names.server
    ? sanitise({ ...names, ...names.server }, configured).slice(0, names.server.length)
    : configured;
  const prefix =
    DECLARED.prefix !== names.prefix && server.startsWith(names.prefix) ? '' : names.prefix;
  return changed(names, `${prefix}${server}${names.separator}${tool}`);
}

/** A matcher with server names cut to the client's maximum length. */
export function withServersCut({ server }: McpNames, matcher: Matcher | undefined) {
  if (!server || !matcher) return matcher;
  const { tool_name, tool_server } = matcher;
  const named = tool_name?.replace(
    /mcp__((?:(?!__)[^*?{}[\],]){1,200})__/g,
    (_, name: string) => `mcp__${name.slice(0, server.length)}__`,
  );
  return {
    ...matcher,
    ...(named !== undefined && { tool_name: named }),
    ...(tool_server !== undefined && { tool_server: tool_server.slice(0, server.length) }),
  };
}

function changed(names: McpNames, full: string): string {
  const clean = sanitise(names, full);
  const short = shortened(names, clean);
  return names.suffixOf && short !== full
    ? clean.slice(0, keptOf(names)) + names.suffixOf(full)
    : short;
}

/** How many characters at the beginning of a name are never cut; undefined: all of them. */
export const keptOf = ({ limit }: McpNames): number | undefined =>
  limit && (limit.first ?? limit.kept ?? limit.length);

export function shortened(names: McpNames, name: string): string {
  const { limit } = names;
  if (!limit || name.length <= limit.length) return name;
  const { first } = limit;
  return first === undefined
    ? name.slice(0, keptOf(names))
    : `${name.slice(0, first)}...${name.slice(-first)}`;
}

export const sanitise = ({ allowed, replacement = '_' }: McpNames, text: string): string =>
  text.replace(new RegExp(`[^${allowed}]`, 'g'), replacement);

/**
 * Replaces the names of MCP servers' tools in a text with the names that this client's model knows.
 *
 * @param own The name for `{server}`; absent: `{server}` stays.
 * @param whole The same with all its characters, as part of a tool's name.
 */
export function translateMentions(
  client: Client,
  text: string,
  own = '{server}',
  whole = own,
): string {
  return text.replace(
    /\bmcp__(\{server\}|[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9_-]+)|\{server\}/g,
    (_, server?: string, tool = '') =>
      server === undefined
        ? own
        : mcpToolName(client.mcpNames, server === '{server}' ? whole : server, tool),
  );
}

/** How the runner splits the names of servers' tools; undefined: the payload has the parts, or uses the declaration's form. */
export function namesApart(client: Client): NamesApart | undefined {
  const { mcpNames, wire } = client;
  const { prefix, separator } = mcpNames;
  if (wire.serverName !== undefined || prefix === DECLARED.prefix || mcpNames.withoutServer)
    return undefined;
  const isLike = (name: string) => name.startsWith(prefix) && name.includes(separator);
  return { prefix, separator, own: [...new Set(ownTools(client))].filter(isLike) };
}

export function isOfServer(client: Client, name: string): boolean {
  const { prefix, separator } = client.mcpNames;
  if (prefix !== '') return name.startsWith(prefix);
  return name.includes(separator) && !ownTools(client).includes(name);
}

/** The globs that the runner compares with all names that a declaration may use for the called tool. */
export function toolGlobs(client: Client, glob: string): ToolGlobs {
  const names = canonicalNames(client);
  const tool: Glob[] = [];
  const mcpTool: Glob[] = [];
  for (const one of globsFor(client, glob)) {
    const mcp = mapLiterals(one, (text) => sanitise(names, text));
    tool.push(isMcp(one) ? cutAs(client, mcp) : one);
    // A leading wildcard may match an MCP server's tool, too.
    const differs = JSON.stringify(mcp) !== JSON.stringify(one);
    if (differs && !isMcp(one) && !isLiteral(one)) mcpTool.push(mcp);
  }
  return { tool, ...(mcpTool.length > 0 && { mcpTool }) };
}

/** The globs for a tool's name, without the server if the client omits it. */
export function globsFor({ mcpNames }: Pick<Client, 'mcpNames'>, glob: string): Glob[] {
  const globs = parseGlob(glob);
  if (!mcpNames.withoutServer) return globs;
  return globs.flatMap((one) => (isMcp(one) ? withoutServer(mcpNames, one) : [one]));
}

function withoutServer({ prefix }: McpNames, [first, ...rest]: Glob): Glob[] {
  const [next, ...more] = rest;
  // A tool of any server.
  if (first === DECLARED.prefix && typeof next === 'string' && next.startsWith(DECLARED.separator))
    return [
      [prefix + next.slice(DECLARED.separator.length), ...more],
      [prefix, ...rest],
    ];
  const tools = splitsOf(typeof first === 'string' ? first.slice(DECLARED.prefix.length) : '');
  return tools ? tools.map(({ tool }) => [prefix + tool, ...rest]) : [[prefix, '']];
}

/** The maximum number of splits. Real names have fewer double underscores. */
const SPLITS = 20;

/** `a__b__c` is `b__c` of `a` or `c` of `a__b`; undefined: there is no double underscore to split at, or there are too many. */
export function splitsOf(name: string) {
  const splits = [...name.matchAll(/(?=__)/g)].map(({ index }) => ({
    server: name.slice(0, index),
    tool: name.slice(index + DECLARED.separator.length),
  }));
  return splits.length === 0 || splits.length > SPLITS ? undefined : splits;
}

/** Cuts a full name as a client does that cuts names at their end. */
function cutAs({ mcpNames, wire }: Client, glob: Glob): Glob {
  const { limit, prefix, separator } = mcpNames;
  if (!limit || limit.first !== undefined || wire.serverTool || !isLiteral(glob)) return glob;
  const { prefix: before, separator: between } = DECLARED;
  const more = before.length - prefix.length + between.length - separator.length;
  return glob[0].length <= limit.length + more
    ? glob
    : [glob[0].slice(0, (keptOf(mcpNames) ?? 0) + more)];
}

/**
 * The form of MCP servers' tools in which the runner compares them: the form of declarations, but in the client's characters if
 * the payload does not have the server's real name. If the client replaces characters, only letters and digits are certain, and
 * all others count as equal.
 */
export function canonicalNames({ wire, mcpNames }: Client): McpNames {
  if (wire.serverTool) return DECLARED;
  const { allowed, replacement = mcpNames.server?.replacement } = mcpNames;
  return { ...DECLARED, allowed: replacement === undefined ? allowed : 'A-Za-z0-9_' };
}

/** The characters that a client may have for a declaration's `_`: those that it keeps, and its replacement for others. */
export const underscores = (names: McpNames): string[] => [
  '_',
  ...['.', ':'].filter((one) => new RegExp(`[${names.allowed}]`).test(one)),
  ...[names.replacement, names.server?.replacement].filter((one) => one !== undefined),
];

export const isMcp = (glob: Glob): boolean => prefixOf(glob).startsWith(DECLARED.prefix);

/** All names of a client's own tools, including those of SEP-2282. */
export const toolNames = (client: Client): string[] => [
  ...Object.keys(client.tools),
  ...ownTools(client),
];

const ownTools = ({ tools, otherTools }: Client): string[] =>
  Object.values(tools).concat(otherTools);

/** The names in a glob that are not known tools of this client. */
export function unknownTools(client: Client, glob: string): string[] {
  const known = new Set(toolNames(client));
  return parseGlob(glob)
    .filter(isLiteral)
    .filter((one) => !isMcp(one) && !known.has(one[0]))
    .map(([name]) => name);
}
