/** mcp-hooks: prevents endless recursion when a hook starts a client, whose hooks would start that client again. */

import type { ProgramHook, Running } from '../types.cjs';
import { host } from './event.cjs';

/** The hooks for which this process and its ancestors were started, separated by spaces. */
const WITHIN = 'MCP_HOOKS_WITHIN';

type Named = Pick<Running, 'label'>;

/** Whether an ancestor of ours was started for the same hook, in any client. */
export const isWithin = (hook: ProgramHook, program: Named): boolean =>
  Boolean(hook.call || hook.extended?.command) && known().includes(nameOf(hook, program));

/** The environment variables for a process that is started for these hooks. */
export const within = (
  hooks: readonly ProgramHook[],
  program: Named,
): Readonly<Record<string, string>> => {
  const names = hooks.map((hook) => nameOf(hook, program));
  return { [WITHIN]: [...new Set([...known(), ...names])].join(' ') };
};

const known = (): string[] => (host?.env[WITHIN] ?? '').split(' ').filter(Boolean);

/** The same in every client. */
const nameOf = ({ id }: ProgramHook, { label }: Named): string => `${label}/${id}`;
