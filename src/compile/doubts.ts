/** Doubtful parts of a declaration: hooks that can never fire, and variables that are never filled in. */

import {
  DECIDABLE,
  type Decision,
  type HookDeclaration,
  ownLimit,
  toolMatcher,
} from '../declaration/declaration.ts';
import type { KeyPath, Problem } from '../declaration/declared.ts';
import type { DeclarationMessage } from '../declaration/messages.ts';
import { RULES } from '../declaration/policy.ts';
import { nearest } from '../system/nearest.ts';
import { stringsIn } from '../system/strings.ts';
import { type MissingTool, missingTools } from './known-tools.ts';
import type { CompileMessage } from './messages.ts';
import { withOwnServer } from './own-server.ts';

type Doubt = CompileMessage | DeclarationMessage;

export function doubts(hook: HookDeclaration, path: KeyPath): Problem<Doubt>[] {
  const { event, matcher, context, context_tool, context_tool_args, block } = hook;
  const { tool_name, tool_server } = toolMatcher(hook) ?? {};
  const found: Problem<Doubt>[] = [];
  const doubt = (message: Doubt, ...at: PropertyKey[]) =>
    found.push({ level: 'warning', message, path: [...path, ...at], doubtful: true });
  const named = withOwnServer(hook, 'server').matcher?.tool_name;
  for (const missing of tool_name === undefined || named === undefined ? [] : missingTools(named))
    doubt(ofServer(missing, tool_server), 'matcher', 'tool_name');
  if (tool_server === '') doubt(empty('tool_server', 'never-fires'), 'matcher', 'tool_server');
  if (context?.trim() === '') doubt(empty('context', 'nothing-to-show'), 'context');
  if (context_tool?.trim() === '') doubt(empty('context_tool', 'never-fires'), 'context_tool');
  if (block?.trim() === '') doubt(empty('block', 'nothing-to-show'), 'block');
  for (const { message, at } of undecidable(hook)) doubt(message, ...at);
  const late = event === 'pre_tool_use' ? matcher : undefined;
  for (const key of ['output_matches', 'output_contains', 'failed'] as const)
    if (late?.[key] !== undefined) doubt({ code: 'no-output-yet', key, event }, 'matcher', key);
  if (event === 'tool_error' && matcher?.failed === false)
    doubt({ code: 'only-failed', event }, 'matcher', 'failed');
  const characters = context?.length ?? 0;
  const read = RULES.charactersPerHook;
  // Surely intended, but the end of the text is never read.
  if (Math.min(characters, ownLimit(hook)) > read)
    found.push({
      level: 'warning',
      message: { code: 'text-too-long', characters, read },
      path: [...path, 'context'],
    });
  for (const message of unfilled([context ?? block ?? '']))
    doubt(message, block === undefined ? 'context' : 'block');
  for (const message of unfilled(stringsIn(context_tool_args))) doubt(message, 'context_tool_args');
  return found;
}

/** Decisions that no client can make on the hook's event. */
function undecidable({ event, block, may = [] }: HookDeclaration) {
  const wanted: readonly Decision[] = block === undefined ? may : ['block'];
  return wanted.flatMap((decision, index) => {
    const events = DECIDABLE[decision];
    const message: DeclarationMessage = { code: 'cannot-decide', decision, event, events };
    const at = block === undefined ? ['may', index] : ['block'];
    return events.includes(event) ? [] : [{ message, at }];
  });
}

const empty = (field: string, so: 'never-fires' | 'nothing-to-show'): CompileMessage => ({
  code: 'empty-field',
  field,
  so: { code: so },
});

/** The hook names its own server. */
const ofServer = (missing: MissingTool, server: string | undefined): MissingTool =>
  server && missing.why === 'unknown' && /^[\w.-]+$/.test(missing.glob)
    ? { ...missing, near: `mcp__${server}__${missing.glob}` }
    : missing;

/** Variables that are filled in when a text has them in braces. */
export const VARIABLES = [
  'project_name',
  'tool_name',
  'tool_input',
  'tool_output',
  'session_id',
  'server',
];

/** Names in braces that look like mistyped variables. Other text in braces is ignored, and so are double braces. */
function unfilled(texts: readonly string[]): CompileMessage[] {
  const names = texts.flatMap((text) =>
    Array.from(text.matchAll(/\{\{[^{}]*\}\}|\{([\w \t-]{1,40})\}/g), ([, name]) => name),
  );
  return [...new Set(names)].flatMap((name) => {
    if (name === undefined || VARIABLES.includes(name)) return [];
    const [meant] = nearest(bare(name), VARIABLES.map(bare), 2);
    const variable = VARIABLES.find((one) => bare(one) === meant);
    return variable === undefined ? [] : [{ code: 'unknown-variable', name, near: variable }];
  });
}

const bare = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
