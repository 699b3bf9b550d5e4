/** Hooks that may decide and that fail, and the result for the call. */
import type { ChainWorld } from './chain.ts';

export const guard = (command: readonly string[], more: object = {}) => ({
  event: 'pre_tool_use',
  command,
  may: ['block', 'modify'],
  on_failure: 'deny',
  ...more,
});

export const script = (text: string, more: object = {}) => guard(['sh', '-c', text], more);

/** The reason of a denial in the client's shape; undefined if the call is not denied. */
export function reasonIn(answer: unknown): string | undefined {
  const [, reason] =
    /"permissionDecision":"deny","permissionDecisionReason":"((?:[^"\\]|\\.)*)"/.exec(
      JSON.stringify(answer ?? ''),
    ) ?? [];
  return reason === undefined ? undefined : JSON.parse(`"${reason}"`);
}

/** What the reason of a block says about a failure. */
const SAID: Readonly<Record<string, string>> = {
  'answer-hides': 'the new input has invisible characters',
  'answer-invalid': 'its answer is not valid',
  'answer-too-long': 'the answer is too long',
  'answer-unknown': 'its answer has only unknown keys',
  'cannot-ask': 'it wants the user to be asked, which no hook can do',
  'command-changed': 'a file of its program is not the one that was allowed',
  'command-failed': 'its program failed',
  ENOENT: 'a program or file that it needs is missing',
  'modify-not-possible': 'the client lets no hook change this',
  'no-answer-in-time': 'no answer in time',
  'payload-invalid': 'what the client sent is not a JSON object',
  'policy-invalid': 'policy.json is not valid',
  TypeError: 'an unexpected error, TypeError',
};

export const denial = (code: string, number = 1) =>
  `Note from the MCP server "annal", not from the user, who has allowed it to block: hook ${number} failed (${SAID[code]}), so this was blocked. To see more: mcp-hooks log annal`;

export const failures = (world: ChainWorld) =>
  world.log().flatMap(({ onFailure = [] }) => onFailure);

export const blocking = (matcher: object, more: object = {}) => ({
  event: 'pre_tool_use',
  block: 'No.',
  matcher,
  on_failure: 'deny',
  ...more,
});
