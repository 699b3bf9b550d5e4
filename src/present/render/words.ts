/** A declaration in plain words. Everything is escaped and nothing left out, because users agree to it. */

import { secondStage } from '../../compile/second-stage.ts';
import {
  type Event,
  type HookDeclaration,
  isExtended,
  TOOL_EVENTS,
} from '../../declaration/declaration.ts';
import { type ServerHooks, type ServerLaunch, typedHeaders } from '../../declaration/declared.ts';
import { usesSignIn } from '../../sources/oauth/address.ts';
import {
  name as nameOf,
  namesGiven,
  startAsRecorded,
  startInWords,
  steeringAsRecorded,
  steeringInWords,
} from '../../sources/shown-launch.ts';
import { stringsIn } from '../../system/strings.ts';
import { inLine, visible } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { answerOf, envelopeInWords } from './extended-words.ts';

const MOMENTS: Readonly<Record<Event, (calls: string) => string>> = {
  session_start: () => 'When a session starts',
  session_end: () => 'When a session ends',
  pre_tool_use: (calls) => `Before ${calls}`,
  post_tool_use: (calls) => `After ${calls}`,
  pre_request: () => 'With your prompts',
  post_request: () => 'After turns of the model',
  pre_compact: () => 'Before the conversation is compacted',
  post_compact: () => 'After the conversation was compacted',
  tool_error: (calls) => `After failed ${calls}`,
  subagent_start: () => 'When a subagent starts',
  subagent_end: () => 'When a subagent has finished',
  budget_exceeded: () => 'When the conversation comes near its budget of tokens',
};

/** When a hook fires: `After Bash calls containing "git commit" (post_tool_use, suggestion)`. */
export const moment = ({ event, priority, matcher }: HookDeclaration): string =>
  `${MOMENTS[event](calls(matcher))} (${event}, ${priority})`;

/** Which calls of which tools. */
function calls({ tool_name: name, tool_server: server, input_contains: input }: Matcher = {}) {
  const isPattern = name !== undefined && /[*?[\]{}\\]/.test(name);
  return [
    name === undefined ? 'tool calls' : `${isPattern ? `"${whole(name)}"` : named(name)} calls`,
    server === undefined ? '' : ` to the MCP server ${whole(JSON.stringify(server))}`,
    input === undefined ? '' : ` containing "${whole(input)}"`,
  ].join('');
}

type Matcher = NonNullable<HookDeclaration['matcher']>;

const whole = (text: string): string => inLine(text, Number.POSITIVE_INFINITY);

/** A name, in quotes if it could be read as part of our sentence. */
const named = (name: string): string => whole(/^\S*$/.test(name) ? name : JSON.stringify(name));

/** The text of a hook, or why it blocks. */
export const textOf = ({ block, context = block ?? '' }: HookDeclaration): string =>
  visible(context, Number.POSITIVE_INFINITY);

/** What a hook with a tool does, and what the server learns from it. */
export function callOf(hook: HookDeclaration): string[] {
  const { event, context_tool = '', context_tool_args: args } = hook;
  const also = isExtended(hook) ? [envelopeInWords(hook, 'The server'), ...answerOf(hook)] : [];
  const reply =
    event === 'session_end' ? '; no model reads its reply' : ' and shows the model its reply';
  return [
    `Calls ${named(context_tool)}${reply}.`,
    ...(args ? [`With ${whole(JSON.stringify(args))}`] : []),
    ...(also.length > 0 ? also : [learned(hook)]),
  ];
}

const LEARNED: Readonly<Record<string, string>> = {
  project_name: "the name of the session's project",
  tool_name: "the tool's name",
  tool_input: 'the whole input of the call',
  tool_output: 'the whole output of the call',
  session_id: "the session's id",
  server: 'the name under which the client has configured it',
};

/** Asks the runner itself what it would fill in, so the answer cannot differ from what happens. */
function learned({ event, context_tool_args: args = {} }: HookDeclaration): string {
  const template = JSON.stringify(stringsIn(args));
  const names = new Set<string>();
  // Some clients run hooks for "before a call" after it, when its output may be known.
  const call = TOOL_EVENTS.includes(event) ? { tool: 'a', input: 'b', output: 'c' } : {};
  if (template.includes('{'))
    secondStage().replaceVariables(
      template,
      { cwd: '/', session: 'd', own: 'e', ...call },
      (value, name) => {
        names.add(name);
        return value;
      },
    );
  if (names.size === 0) return 'The server sees only the call.';
  const facts = [...names].map((name) => {
    const late = event === 'pre_tool_use' && name === 'tool_output';
    return `${LEARNED[name] ?? name}${late ? ' where a client runs this after the call' : ''}`;
  });
  const last = facts.pop();
  const all = facts.length > 0 ? `${facts.join(', ')} and ${last}` : last;
  return `The server sees ${all}.`;
}

/** The command or address that answers tool calls; empty if no hook calls a tool. */
export const launchOf = (declared: Launched): string[] => launchText(declared).shown;

/**
 * The same text twice: as shown, and as our state folder keeps it, without possible secrets. Both have the same number of
 * lines.
 */
export function launchText(declared: Launched): { recorded: string[]; shown: string[] } {
  const { server, hooks } = declared;
  if (!server || hooks.every(({ context_tool }) => context_tool === undefined))
    return { recorded: [], shown: [] };
  const runs = 'url' in server ? [] : [messages.runsIn(server.cwd && whole(server.cwd))];
  const recorded = serverInWords(declared, server, startAsRecorded({ ...declared, server }));
  return {
    recorded: [recorded, ...runs, ...steeringAsRecorded(server)],
    shown: [serverInWords(declared, server), ...runs, ...steeringInWords(server)],
  };
}

type Launched = Pick<ServerHooks, 'hooks' | 'server' | 'source'>;

/** How the server that answers tool calls is started or reached. It runs on the user's machine, so everything is in it. */
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

/** The parts of a declaration that have no effect here, one per line. */
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
