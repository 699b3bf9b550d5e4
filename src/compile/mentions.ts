/** Tools of MCP servers that a declaration names, where a client has no such server: its model knows no tool of that name. */

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
  /** As the declaration has it: `mcp__acme__add_note`, or the name of a server alone. */
  readonly text: string;
  readonly server: string;
  readonly near?: string;
}

/** How the names of the clients' own servers begin, which are in no configuration. */
const BUILT_IN = CLIENTS.flatMap(({ builtInServers = [] }) => builtInServers);

/** What a hook names of servers that the client has not configured, once each. Does not report `{server}`. */
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

/** Whether it matters to a hook which servers a client has, and what it calls them. */
export const namesServers = (hook: HookDeclaration): boolean =>
  namesOwnServer(hook) || mentionsIn(hook).length > 0;

/** `mcp__a__b__c` may be `b__c` of `a` or `c` of `a__b`: `rest` is all of it after `mcp__`. */
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

/** At least one client replaces these characters, so names that differ only in them are the same. */
const sanitised = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '_');
