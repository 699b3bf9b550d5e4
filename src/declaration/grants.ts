/** What only the user can permit, hook by hook. */

import type { HookDeclaration } from './declaration.ts';

/**
 * `required`: that priority is honoured. `context-tool`: tools of the server are called. `block` and `modify`: what is decided is
 * done. `command`: programs are run.
 */
export const GRANTS = ['required', 'context-tool', 'block', 'modify', 'command'] as const;
/** What only the user can permit, as in `GRANTS`. */
export type Grant = (typeof GRANTS)[number];

/** What `--allow` takes. `policy`: what policy.json allows the label is for this source, too. */
export const ALLOWABLE = [...GRANTS, 'policy'] as const;
export type Allowable = (typeof ALLOWABLE)[number];

/** The rule of `policy.json` that says the same. */
export const RULE = {
  required: 'trusted',
  'context-tool': 'contextTool',
  block: 'block',
  modify: 'modify',
  command: 'command',
} as const;

/** One whose priority is not known may be of a draft. */
type Hook = Omit<HookDeclaration, 'priority'> & Partial<Pick<HookDeclaration, 'priority'>>;

export const NEEDS: Readonly<Record<Grant, (hook: Hook) => boolean>> = {
  required: ({ priority }) => priority === 'required',
  'context-tool': ({ context_tool }) => context_tool !== undefined,
  block: ({ block, may }) => block !== undefined || may?.includes('block') === true,
  modify: ({ may }) => may?.includes('modify') === true,
  command: ({ command }) => command !== undefined,
};

/** What any of them needs, in the order of `GRANTS`. */
export const grantsOf = (hooks: readonly Hook[]): Grant[] =>
  GRANTS.filter((grant) => hooks.some(NEEDS[grant]));

/** The grants without which a hook is left out. */
export const neededBy = ({ context_tool, command, block }: HookDeclaration): Grant[] => [
  ...(context_tool === undefined ? [] : (['context-tool'] as const)),
  ...(command === undefined ? [] : (['command'] as const)),
  ...(block === undefined ? [] : (['block'] as const)),
];
