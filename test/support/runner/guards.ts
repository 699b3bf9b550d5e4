/** Hooks that may decide and fail, and what becomes of a call because of that. */
import type { ChainWorld } from './chain.ts';

export const guard = (command: readonly string[], more: object = {}) => ({
  event: 'pre_tool_use',
  command,
  may: ['block', 'modify'],
  on_failure: 'deny',
  ...more,
});

export const script = (text: string, more: object = {}) => guard(['sh', '-c', text], more);

/** The reason of a denial in the client's shape; undefined: the call goes on. */
export function reasonIn(answer: unknown): string | undefined {
  const [, reason] =
    /"permissionDecision":"deny","permissionDecisionReason":"((?:[^"\\]|\\.)*)"/.exec(
      JSON.stringify(answer ?? ''),
    ) ?? [];
  return reason === undefined ? undefined : JSON.parse(`"${reason}"`);
}

export const denial = (code: string, number = 1) =>
  `Note from the MCP server "annal", not from the user, who has allowed it to block: hook ${number} failed (${code}), and what it cannot check is blocked. mcp-hooks log annal shows more.`;

export const failures = (world: ChainWorld) =>
  world.log().flatMap(({ onFailure = [] }) => onFailure);

export const blocking = (matcher: object, more: object = {}) => ({
  event: 'pre_tool_use',
  block: 'No.',
  matcher,
  on_failure: 'deny',
  ...more,
});
