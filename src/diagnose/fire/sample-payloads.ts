/** Moments that a hook is about, made from its matcher: so that each hook can be seen to fire. */

import type { Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { namesFor } from '../../compile/glob.ts';
import type { EventProgram, ProgramHook } from '../../compile/program.ts';
import type { JsonObject } from '../../edit/edit.ts';
import { type Facts, type McpTool, payloadOf } from './payload.ts';
import { isMet } from './predict.ts';
import { recordings, replayed, type Scene } from './recordings.ts';

/** Payloads that a hook is about, those that the fewest others are about first: there it has the most room. */
export function payloadsMatching(
  client: Client,
  native: string,
  hook: ProgramHook,
  program: EventProgram,
  scene: Scene,
): JsonObject[] {
  const moments = hook.when
    ? factsFor(client, hook.when).map((facts) => payloadOf(client, native, facts, scene))
    : recordings(client, native).map(({ payload }) =>
        replayed(wireOf(client, native), payload, scene),
      );
  return moments
    .map((payload) => ({ payload, stdin: JSON.stringify(payload) }))
    .filter(({ stdin }) => isMet(program, hook, stdin))
    .map(({ payload, stdin }) => ({
      payload,
      heard: program.hooks.filter((one) => isMet(program, one, stdin)).length,
    }))
    .sort((a, b) => a.heard - b.heard)
    .map(({ payload }) => payload);
}

type When = NonNullable<ProgramHook['when']>;

/** Calls that a matcher may be about. Whether it is, the runner knows: there are matchers that no call fits. */
function factsFor({ tools }: Client, when: When): Facts[] {
  const input = when.input === undefined ? {} : { input: { command: when.input } };
  return toolsFor(tools, when).map((tool) => ({ ...input, ...(tool !== undefined && { tool }) }));
}

function toolsFor(
  tools: Client['tools'],
  { tool, server }: When,
): (string | McpTool | undefined)[] {
  // `mcp__notes__` begins the name of a tool, and is none.
  const names = namesFor(tool ?? []).filter(
    (name) => !/^mcp__/.test(name) || /^mcp__.+?__./s.test(name),
  );
  if (server === undefined) return [undefined, ...Object.keys(tools), ...names];
  const prefix = `mcp__${server.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
  const own = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  return ['x', ...own].map((name) => ({ server, tool: name }));
}
