/** Moments that a hook is about, made from its matcher: so that each hook can be seen to fire. */

import type { Client } from './clients/client.ts';
import type { ProgramHook } from './compile/program.ts';
import { namesFor } from './compile/unglob.ts';
import type { Facts, McpTool } from './payload.ts';

type When = NonNullable<ProgramHook['when']>;

/** Calls that a matcher may be about. Whether it is, the runner knows: there are matchers that no call fits. */
export function factsFor({ tools }: Client, when: When): Facts[] {
  const input = when.input === undefined ? {} : { input: { command: when.input } };
  return toolsFor(tools, when).map((tool) => ({ ...input, ...(tool !== undefined && { tool }) }));
}

function toolsFor(
  tools: Client['tools'],
  { tool, server }: When,
): (string | McpTool | undefined)[] {
  // `mcp__notes__` begins the name of a tool, and is none.
  const names = (tool === undefined ? [] : namesFor(tool)).filter(
    (name) => !/^mcp__/.test(name) || /^mcp__.+?__./s.test(name),
  );
  if (server === undefined) return [undefined, ...Object.keys(tools), ...names];
  const prefix = `mcp__${server.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
  const own = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  return ['x', ...own].map((name) => ({ server, tool: name }));
}
