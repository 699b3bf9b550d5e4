/** The actions that only the user can permit, for each hook. */

import type { HookDeclaration } from './declaration.ts';
import { loadedBy } from './loaded.ts';

/**
 * `required`: that priority is honoured. `context-tool`: the server's tools are called. `block` and `modify`: its decisions are
 * carried out. `command`: its programs are run. `project-code`: they may run code of the session's folder.
 */
export const GRANTS = [
  'required',
  'context-tool',
  'block',
  'modify',
  'command',
  'project-code',
] as const;
/** An action that only the user can permit, as in `GRANTS`. */
export type Grant = (typeof GRANTS)[number];

/** The values of `--allow`. `policy`: what policy.json allows the label also applies to this source. */
export const ALLOWABLE = [...GRANTS, 'policy'] as const;
export type Allowable = (typeof ALLOWABLE)[number];

/** The rule of `policy.json` with the same meaning. */
export const RULE = {
  required: 'trusted',
  'context-tool': 'contextTool',
  block: 'block',
  modify: 'modify',
  command: 'command',
  'project-code': 'projectCode',
} as const;

/** A draft may not have a priority yet. */
type Hook = Omit<HookDeclaration, 'priority'> & Partial<Pick<HookDeclaration, 'priority'>>;

const WANTS: Readonly<Record<Grant, (hook: Hook) => boolean>> = {
  required: ({ priority }) => priority === 'required',
  'context-tool': ({ context_tool }) => context_tool !== undefined,
  block: ({ block, may }) => block !== undefined || may?.includes('block') === true,
  modify: ({ may }) => may?.includes('modify') === true,
  command: ({ command }) => command !== undefined,
  'project-code': ({ command }) => command !== undefined && loadedBy(command).ofProject,
};

/** Whether a hook needs the user's permission for this. A hook that is off needs none. */
export const needs = (hook: Hook, grant: Grant): boolean =>
  hook.enabled !== false && WANTS[grant](hook);

/** All grants that these hooks need, in the order of `GRANTS`. */
export const grantsOf = (hooks: readonly Hook[]): Grant[] =>
  GRANTS.filter((grant) => hooks.some((hook) => needs(hook, grant)));

/** The grants without which a hook is left out. Without any other, it is still shown. */
export const neededBy = (hook: HookDeclaration): Grant[] =>
  grantsOf([hook]).filter((grant) =>
    grant === 'block' ? hook.block !== undefined : grant !== 'required' && grant !== 'modify',
  );
