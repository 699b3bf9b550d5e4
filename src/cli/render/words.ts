/** What is declared, in plain words: made harmless and nothing left out, because it is what a user agrees to. */

import { secondStage } from '../../compile/second-stage.ts';
import { type Event, type HookDeclaration, TOOL_EVENTS } from '../../declaration/declaration.ts';
import type { ServerHooks, ServerLaunch } from '../../declaration/declared.ts';
import { typedHeaders } from '../../declaration/typed-headers.ts';
import { usesSignIn } from '../../sources/oauth/address.ts';
import {
  name as nameOf,
  namesGiven,
  startAsKept,
  startInWords,
  steeringAsKept,
  steeringInWords,
} from '../../sources/shown-launch.ts';
import { inLine, visible } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';

const MOMENTS: Readonly<Record<Event, string>> = {
  session_start: 'When a session starts',
  session_end: 'When a session ends',
  pre_tool_use: 'Before each call',
  post_tool_use: 'After each call',
  pre_request: 'With each prompt of yours',
  post_request: 'After each turn of the model',
};

/** When a hook fires: `After each call of Bash when its input contains "git commit" (post_tool_use, suggestion)`. */
export const moment = (hook: HookDeclaration): string =>
  `${MOMENTS[hook.event]}${condition(hook)} (${hook.event}, ${hook.priority})`;

/** On which calls of which tools; SEP-2282 has the matcher ignored on the other events. */
function condition({ event, matcher = {} }: HookDeclaration): string {
  if (!TOOL_EVENTS.includes(event)) return '';
  const { tool_name: name, tool_server: server, input_contains: input } = matcher;
  return [
    name === undefined
      ? ' of any tool'
      : /[*?[\]{}\\]/.test(name)
        ? ` of a tool named like ${named(name)}`
        : ` of ${named(name)}`,
    server === undefined ? '' : ` of the MCP server ${whole(JSON.stringify(server))}`,
    input === undefined ? '' : ` when its input contains "${whole(input)}"`,
  ].join('');
}

const whole = (text: string): string => inLine(text, Number.POSITIVE_INFINITY);

/** A name; in quotes where it could be read as more of our sentence. */
const named = (name: string): string => whole(/^\S*$/.test(name) ? name : JSON.stringify(name));

export const textOf = ({ context = '' }: HookDeclaration): string =>
  visible(context, Number.POSITIVE_INFINITY);

/** What a hook with a tool does, and what the server is told of the agent's doings by it. */
export function callOf(hook: HookDeclaration): string[] {
  const { event, context_tool = '', context_tool_args: args } = hook;
  const told =
    event === 'session_end' ? 'what it answers is told to nobody' : 'the model is told its answer';
  return [
    `Its tool ${named(context_tool)} is called, and ${told}.`,
    ...(args ? [`It is given ${whole(JSON.stringify(args))}`] : []),
    learned(hook),
  ];
}

const LEARNED: Readonly<Record<string, string>> = {
  project_name: "the name of the session's project",
  tool_name: "the tool's name",
  tool_input: 'the whole input of the call',
  tool_output: 'the whole output of the call',
  session_id: "the session's id",
};

/** The runner itself is asked what it would fill in, so that this is what happens. */
function learned({ event, context_tool_args: args = {} }: HookDeclaration): string {
  const template = JSON.stringify(stringsIn(args));
  const names = new Set<string>();
  // Some clients run what comes before a call after it: its output may be known then.
  const call = TOOL_EVENTS.includes(event) ? { tool: 'a', input: 'b', output: 'c' } : {};
  if (template.includes('{'))
    secondStage().replaceVariables(template, { cwd: '/', session: 'd', ...call }, (value, name) => {
      names.add(name);
      return value;
    });
  if (names.size === 0) return 'Its server is told nothing but that it was called.';
  const facts = [...names].map((name) => {
    const late = event === 'pre_tool_use' && name === 'tool_output';
    return `${LEARNED[name] ?? name}${late ? ' where a client tells it after the call' : ''}`;
  });
  const last = facts.pop();
  const all = facts.length > 0 ? `${facts.join(', ')} and ${last}` : last;
  return `Its server is told ${all}.`;
}

/** Every string but those that are keys, which is where variables are filled in. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** What is started or asked for the answers of tools; nothing when no tool is called. */
export const launchOf = (declared: Launched): string[] => launchText(declared).shown;

/** The same once more as our state folder keeps it: without what may be a secret, and line by line the same number. */
export function launchText(declared: Launched): { kept: string[]; shown: string[] } {
  const { server, hooks } = declared;
  if (!server || hooks.every(({ context_tool }) => context_tool === undefined))
    return { kept: [], shown: [] };
  const runs = 'url' in server ? [] : [messages.runsIn(server.cwd && whole(server.cwd))];
  const kept = serverInWords(declared, server, startAsKept({ ...declared, server }));
  return {
    kept: [kept, ...runs, ...steeringAsKept(server)],
    shown: [serverInWords(declared, server), ...runs, ...steeringInWords(server)],
  };
}

type Launched = Pick<ServerHooks, 'hooks' | 'server' | 'source'>;

/** What is started or asked for a tool's answer, in the words for its start: this is what runs on the user's machine. */
export function serverInWords(
  { source }: Pick<ServerHooks, 'source'>,
  server: ServerLaunch,
  start = startInWords({ source, server }),
): string {
  const typed = Object.keys(typedHeaders(source));
  const names = [...namesGiven(server), ...typed].map(nameOf);
  const how =
    'url' in server ? `Its tools are called at ${start}` : `For its tools this is run: ${start}`;
  const what = 'url' in server ? 'headers' : 'environment';
  const from = server.configured?.entry.file ?? 'the manifest';
  const where = typed.length > 0 ? what : `${what} from ${from}`;
  const also = names.length > 0 ? ` (${where}: ${names.join(', ')})` : '';
  const signsIn = usesSignIn({ server, source });
  const asUser = signsIn ? `. ${messages.calledAsUser}` : '';
  return whole(how + also + asUser);
}

/** What of a declaration says nothing here, a line each. */
export const notUnderstood = (declared: ServerHooks): string[] => [
  ...declared.problems.map(({ message }) => sentence(message)),
  ...unsupportedInWords(declared),
];

/** The hooks that are declared for events which no client has, one in each line. */
export const unsupportedInWords = ({ unsupported = [] }: ServerHooks): string[] =>
  unsupported.map(({ event, context, context_tool: tool }) => {
    const said = tool === undefined ? (context ?? '') : `what its tool ${tool} answers`;
    return `${inLine(event, 100)}: ${messages.unsupportedEvent}${said && ` (${inLine(said, 200)})`}`;
  });
