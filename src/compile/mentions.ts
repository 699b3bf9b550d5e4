/** Tools of MCP servers that a declaration names but a client does not have configured, so its model knows no such tool. */

import { CLIENTS } from '../clients/list.ts';
import { type HookDeclaration, toolMatcher } from '../declaration/declaration.ts';
import { nearest } from '../system/nearest.ts';
import { parseGlob, prefixOf } from './glob.ts';
import { namesOwnServer, OWN_SERVER } from './own-server.ts';

export interface KnownServers {
  readonly names: readonly string[];
  /** The server that declares the hooks, if known. */
  readonly own?: string;
}

export interface Mention {
  /** As written in the declaration: `mcp__acme__add_note`, or only the name of a server. */
  readonly text: string;
  readonly server: string;
  readonly near?: string;
}

/** Name prefixes of the clients' built-in servers, which are not in any configuration. */
const BUILT_IN = CLIENTS.flatMap(({ builtInServers = [] }) => builtInServers);

/**
 * The servers and tools that a hook names but the client has not configured, without duplicates. `{server}` is not reported.
 */
export function unknownServers(hook: HookDeclaration, { names, own }: KnownServers): Mention[] {
  const known = [...names, OWN_SERVER].map(sanitised);
  const isKnown = (rest: string) =>
    [...BUILT_IN, ...known.map((name) => `${name}__`)].some((start) => rest.startsWith(start));
  return mentionsIn(hook).flatMap(({ text, server, rest }) => {
    if (isKnown(sanitised(rest))) return [];
    const near = own !== undefined && names.includes(own) ? own : nearest(server, names)[0];
    return [{ text, server, ...(near !== undefined && { near }) }];
  });
}

/** Whether a hook depends on a client's servers and their names. */
export const namesServers = (hook: HookDeclaration): boolean =>
  namesOwnServer(hook) || mentionsIn(hook).length > 0;

/** `mcp__a__b__c` may be `b__c` of `a` or `c` of `a__b`. `rest` is everything after `mcp__`. */
interface Named {
  readonly text: string;
  readonly server: string;
  readonly rest: string;
}

function mentionsIn(hook: HookDeclaration): Named[] {
  const { context = '' } = hook;
  const about = toolMatcher(hook) ?? {};
  const named = [
    ...Array.from(context.matchAll(/\bmcp__[A-Za-z0-9][\w-]*?__[\w-]+/g), ([text]) => text),
    ...(about.tool_name === undefined ? [] : parseGlob(about.tool_name).map(prefixOf)),
  ].flatMap((text): Named[] => {
    const [, rest = '', server = ''] = /^mcp__((.+?)__.*)$/s.exec(text) ?? [];
    return server === '' ? [] : [{ text, server, rest }];
  });
  const { tool_server: server } = about;
  const all = server ? [...named, { text: server, server, rest: `${server}__` }] : named;
  return all.filter(({ text }, index) => all.findIndex((one) => one.text === text) === index);
}

/** At least one client replaces these characters, so names that differ only in them count as equal. */
const sanitised = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '_');
