/** What is allowed in a declaration and was hardly meant: hooks that can never fire, and variables that nobody fills in. */

import { messages } from '../cli/messages.ts';
import { type Declaration, type Problem, TOOL_EVENTS } from '../declaration/declaration.ts';
import { nearest } from '../system/nearest.ts';
import { type MissingTool, missingTools } from './known-tools.ts';

/** A warning for each of them. */
export function doubts(hook: Declaration, path: readonly PropertyKey[]): Problem[] {
  const { event, matcher = {}, context, context_tool, context_tool_args } = hook;
  const doubt = (message: string, ...at: PropertyKey[]): Problem => ({
    level: 'warning',
    message,
    path: [...path, ...at],
    doubtful: true,
  });
  const { tool_name, tool_server } = matcher;
  const about = TOOL_EVENTS.includes(event);
  return [
    ...(about && tool_name !== undefined
      ? missingTools(tool_name).map((missing) =>
          doubt(
            messages.missingTool[missing.why](ofServer(missing, tool_server)),
            'matcher',
            'tool_name',
          ),
        )
      : []),
    ...(about && tool_server === ''
      ? [doubt(messages.emptyField('tool_server', messages.neverFires), 'matcher', 'tool_server')]
      : []),
    ...(context?.trim() === ''
      ? [doubt(messages.emptyField('context', messages.nothingToTell), 'context')]
      : []),
    ...(context_tool?.trim() === ''
      ? [doubt(messages.emptyField('context_tool', messages.neverFires), 'context_tool')]
      : []),
    ...unfilled(context ?? '').map((message) => doubt(message, 'context')),
    ...[...new Set(stringsIn(context_tool_args).flatMap(unfilled))].map((message) =>
      doubt(message, 'context_tool_args'),
    ),
  ];
}

/** The hook says itself which server it is about. */
const ofServer = (missing: MissingTool, server: string | undefined): MissingTool =>
  server && missing.why === 'unknown' && /^[\w.-]+$/.test(missing.glob)
    ? { ...missing, near: `mcp__${server}__${missing.glob}` }
    : missing;

const VARIABLES = ['project_name', 'tool_name', 'tool_input', 'tool_output', 'session_id'];

/** What is in braces and looks like a mistyped variable; any other text in braces is left alone, and so are double braces. */
function unfilled(text: string): string[] {
  const names = Array.from(
    text.matchAll(/\{\{[^{}]*\}\}|\{([\w \t-]{1,40})\}/g),
    ([, name]) => name,
  );
  return [...new Set(names)].flatMap((name) => {
    if (name === undefined || VARIABLES.includes(name)) return [];
    const [meant] = nearest(bare(name), VARIABLES.map(bare), 2);
    const variable = VARIABLES.find((one) => bare(one) === meant);
    return variable === undefined ? [] : [messages.unknownVariable(name, variable)];
  });
}

const bare = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
