/** mcp-hooks: a hook that starts a client, whose hooks would start it again, and again. */

import type { ProgramHook, Running } from '../types.cjs';
import { host } from './event.cjs';

/** Names the hooks for which a process was started, and those for which its ancestors were, between spaces. */
const WITHIN = 'MCP_HOOKS_WITHIN';

type Named = Pick<Running, 'label'>;

/** Whether we are below a program or a server that was started for the same hook, in whatever client. */
export const isWithin = (hook: ProgramHook, program: Named): boolean =>
  Boolean(hook.call || hook.extended?.command) && known().includes(nameOf(hook, program));

/** What a process that is started for these hooks gets in its environment. */
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
