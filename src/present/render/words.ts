/** A declaration in plain words. Everything is escaped and nothing is left out, because users agree to it. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { secondStage } from '../../compile/second-stage.ts';
import { type Bound, filesOf, wordsOf } from '../../declaration/command.ts';
import {
  DEFAULT_BUDGET,
  DEFAULT_ORDER,
  type Decision,
  type Event,
  type ExtendedMatcher,
  type HookDeclaration,
  isDeciding,
  isExtended,
  isMeant,
  type Repeat,
  TOOL_EVENTS,
} from '../../declaration/declaration.ts';
import { type ServerHooks, type ServerLaunch, typedHeaders } from '../../declaration/declared.ts';
import { BACKGROUND_MS } from '../../declaration/limits.ts';
import { loadedBy } from '../../declaration/loaded.ts';
import { RULES } from '../../declaration/policy.ts';
import { usesSignIn } from '../../sources/oauth/address.ts';
import {
  quotedName as nameOf,
  namesGiven,
  startAsRecorded,
  startInWords,
  steeringAsRecorded,
  steeringInWords,
} from '../../sources/shown-launch.ts';
import { attempt } from '../../system/errors.ts';
import { isInside, realPath } from '../../system/files.ts';
import { sha256 } from '../../system/fingerprint.ts';
import { duration, listed } from '../../system/plurals.ts';
import { quoted, stringsIn } from '../../system/strings.ts';
import { fullLine, inLine, visible } from '../../system/visible.ts';
import { hookWords } from '../messages/hooks.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';

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
  notification: () => 'When the client waits for you',
};

/** When a hook fires: `After Bash calls containing "git commit" (post_tool_use, suggestion)`. */
export const moment = ({ event, priority, matcher }: HookDeclaration): string =>
  `${MOMENTS[event](calls(matcher))} (${event}, ${priority})`;

/** Which calls of which tools. */
function calls({ tool_name: name, tool_server: server, input_contains: input }: Matcher = {}) {
  const isPattern = name !== undefined && /[*?[\]{}\\]/.test(name);
  return [
    name === undefined ? 'tool calls' : `${isPattern ? `"${fullLine(name)}"` : named(name)} calls`,
    server === undefined ? '' : ` to the MCP server ${fullLine(JSON.stringify(server))}`,
    input === undefined ? '' : ` containing "${fullLine(input)}"`,
  ].join('');
}

type Matcher = NonNullable<HookDeclaration['matcher']>;

/** A name, quoted if it could be mistaken for part of our sentence. */
const named = (name: string): string => fullLine(/^\S*$/.test(name) ? name : JSON.stringify(name));

/** The text of a hook, or its reason for a block. */
export const hookText = ({ block, context = block ?? '' }: HookDeclaration): string =>
  visible(context, Number.POSITIVE_INFINITY);

/** Events on which the model reads no answer. */
const UNREAD: readonly Event[] = ['session_end', 'notification'];

/** The effects of a hook with a tool, and what the server learns from it. */
export function callOf(hook: HookDeclaration): string[] {
  const { event, context_tool = '', context_tool_args: args } = hook;
  const also = isExtended(hook)
    ? [envelopeInWords(hook, 'The server'), ...answerInWords(hook)]
    : [];
  const reply = UNREAD.includes(event)
    ? '; no model reads its reply'
    : ' and shows the model its reply';
  const calls = `Calls ${named(context_tool)}${reply}.`;
  const with_ = args ? [`With ${fullLine(JSON.stringify(args))}`] : [];
  if (also.length > 0) return [calls, ...with_, ...also];
  return args ? [calls, ...with_, learned(hook)] : [`${calls} ${learned(hook)}`];
}

const LEARNED: Readonly<Record<string, string>> = {
  project_name: "the name of the session's project",
  tool_name: "the tool's name",
  tool_input: 'the whole input of the call',
  tool_output: 'the whole output of the call',
  session_id: "the session's id",
  server: 'the name under which the client has configured it',
};

/** Queries the runner's own code for the variables, so that the text cannot differ from the actual behaviour. */
function learned({ event, context_tool_args: args = {} }: HookDeclaration): string {
  // Some clients run hooks for "before a call" after the call, when its output may be known.
  const isKnown = (name: string) => TOOL_EVENTS.includes(event) || !/^(?:tool_|input\.)/.test(name);
  const all = secondStage().variablesIn(JSON.stringify(stringsIn(args)));
  const names = new Set(all.filter(isKnown));
  if (names.size === 0) return 'It sends no data of yours.';
  const facts = [...names].map((name) => {
    const late = event === 'pre_tool_use' && name === 'tool_output';
    const [, key] = /^input\.(.+)$/.exec(name) ?? [];
    const what = key === undefined ? (LEARNED[name] ?? name) : `"${key}" of the call's input`;
    return `${what}${late ? ' where a client runs this after the call' : ''}`;
  });
  const last = facts.pop();
  const list = facts.length > 0 ? `${facts.join(', ')} and ${last}` : last;
  return `It sends ${list}.`;
}

/** The command or address that answers tool calls. Empty if no hook calls a tool. */
export const launchOf = (declared: Launched): string[] => launchText(declared).shown;

/**
 * The same text twice: as shown, and as stored in our state folder, without possible secrets. Both have the same number of
 * lines.
 */
export function launchText(declared: Launched): { recorded: string[]; shown: string[] } {
  const { server, hooks } = declared;
  if (!server || hooks.every(({ context_tool }) => context_tool === undefined))
    return { recorded: [], shown: [] };
  const recorded = serverInWords(declared, server, startAsRecorded({ ...declared, server }));
  const copy = copyInWords(server);
  return {
    recorded: [recorded, ...copy, ...steeringAsRecorded(server)],
    shown: [serverInWords(declared, server), ...copy, ...steeringInWords(server)],
  };
}

const copyInWords = ({ copy }: ServerLaunch): string[] =>
  copy ? [fullLine(messages.copied(copy.exact, copy.others, copy.folder))] : [];

type Launched = Pick<ServerHooks, 'hooks' | 'server' | 'source'>;

/** How the server that answers tool calls is started or reached. Complete, because it runs on the user's machine. */
export function serverInWords(
  { source }: Pick<ServerHooks, 'source'>,
  server: ServerLaunch,
  start = startInWords({ source, server }),
): string {
  const typed = Object.keys(typedHeaders(source));
  const names = [...namesGiven(server), ...typed].map(nameOf);
  const how =
    'url' in server
      ? `Its tools are called at ${start}`
      : messages.runsIn(server.cwd && fullLine(server.cwd), start);
  const what = 'url' in server ? 'headers' : 'environment';
  const from = server.configured?.entry.file ?? 'the manifest';
  const where = typed.length > 0 ? what : `${what} from ${from}`;
  const also = names.length > 0 ? ` (${where}: ${names.join(', ')})` : '';
  const signsIn = usesSignIn({ server, source });
  const asUser = signsIn ? `. ${messages.calledAsUser}` : '';
  return fullLine(how + also + asUser);
}

/** The parts of a declaration that have no effect here, one per line. */
export const notUnderstood = (declared: ServerHooks): string[] => [
  ...declared.problems.map(({ message }) => sentence(message)),
  ...unsupportedInWords(declared),
];

/** The hooks for events that no client has, one per line. */
export const unsupportedInWords = ({ unsupported = [] }: ServerHooks): string[] =>
  unsupported.map(({ event, context, context_tool: tool }) => {
    const said = tool === undefined ? (context ?? '') : `what its tool ${tool} answers`;
    return `${inLine(event, 100)}: ${messages.unsupportedEvent}${said && ` (${inLine(said, 200)})`}`;
  });

const inQuotes = (text: string): string => fullLine(JSON.stringify(text));

/** The conditions under which a hook fires, and how often, one per line. */
export function conditionsOf(hook: HookDeclaration): string[] {
  const { event, matcher = {}, budget, order, once, cooldown, limit, enabled } = hook;
  const conditions = Object.entries(CONDITIONS).flatMap(([field, words]) =>
    isMeant(field, event, matcher) ? words(matcher, event) : [],
  );
  return [
    ...(enabled === false ? [hookWords.off] : []),
    ...conditions,
    ...(budget ? [hookWords.budget({ ...DEFAULT_BUDGET, ...budget })] : []),
    ...(order === undefined || order === DEFAULT_ORDER ? [] : [hookWords.order(order)]),
    ...(once ? [hookWords.once[once]] : []),
    ...(cooldown === undefined ? [] : [hookWords.cooldown(cooldown)]),
    ...(limit ? [hookWords.limit(limit, RULES.charactersPerHook)] : []),
    ...(hook.show_empty ? [hookWords.showsEmpty] : []),
  ];
}

const globs = (words: readonly string[]): string => listed(words.map(inQuotes), 'or');

const CONDITIONS: Readonly<Record<string, (matcher: ExtendedMatcher, event: string) => string[]>> =
  {
    exclude: ({ exclude: { tools = [], paths = [] } = {} }) => [
      ...(tools.length > 0 ? [hookWords.notTools(globs(tools))] : []),
      ...(paths.length > 0 ? [hookWords.notPaths(globs(paths))] : []),
    ],
    input_matches: ({ input_matches: pattern }, event) =>
      pattern === undefined ? [] : [hookWords.inputMatches(fullLine(pattern), event)],
    output_matches: ({ output_matches: pattern }) =>
      pattern === undefined ? [] : [hookWords.outputMatches(fullLine(pattern))],
    output_contains: ({ output_contains: text }) =>
      text === undefined ? [] : [hookWords.outputContains(inQuotes(text))],
    failed: ({ failed }) => (failed === undefined ? [] : [hookWords.failed(failed)]),
    repeat: ({ repeat }) => (repeat ? [repeatInWords(repeat)] : []),
    waits_for: ({ waits_for: one }) => (one === undefined ? [] : [hookWords.waitsFor[one]]),
    branch: ({ branch }) => (branch === undefined ? [] : [hookWords.branch(inQuotes(branch))]),
    project: ({ project }) => (project === undefined ? [] : [hookWords.project(inQuotes(project))]),
  };

const repeatInWords = ({ times, within, same }: Repeat): string =>
  hookWords.repeated[same](times, duration(within));

/**
 * What a tool or command of the extended vocabulary learns about the event. A call may also exceed a budget, or need a
 * permission.
 */
const envelopeInWords = ({ event }: HookDeclaration, who: string): string =>
  hookWords.given(who, [...TOOL_EVENTS, 'budget_exceeded', 'notification'].includes(event));

/** The outcome of the event if a deciding hook fails. Empty for a hook that decides nothing. */
export function failureOf(hook: HookDeclaration): string[] {
  const { event, on_failure = 'allow' } = hook;
  return isDeciding(hook) ? [hookWords.onFailure[on_failure](event)] : [];
}

/** What still continues although some hooks deny. */
export const notDenied = (hooks: readonly HookDeclaration[]): string[] =>
  hooks.some((hook) => isDeciding(hook) && hook.on_failure === 'deny') ? [hookWords.notDenied] : [];

/**
 * What the answer of the hook's tool or command may decide, and its deadline. For a hook without an answer, how long it runs.
 */
export function answerInWords(hook: HookDeclaration): string[] {
  const { may = [], command, deadline } = hook;
  if (hook.async) return [hookWords.inBackground(deadline ?? BACKGROUND_MS.usual)];
  const allowed = [...new Set<Decision>(may)].map((one) => hookWords.may[one]);
  const read = command ? hookWords.readsAll : hookWords.readsMasks;
  return [
    ...(allowed.length > 0
      ? [hookWords.answerMay(listed(allowed)), read]
      : [hookWords.answerIsText]),
    ...failureOf(hook),
    ...(deadline === undefined ? [] : [hookWords.deadline(deadline)]),
  ];
}

/** The command of a hook as it runs, with the paths of its files resolved. */
export const commandInPlainWords = ({ command = [] }: HookDeclaration, bound: Bound): string =>
  hookWords.runs(fullLine(wordsOf(command, bound).map(quoted).join(' ')));

/** Further facts about a command: where it comes from and what it receives. Many commands share the same facts. */
export function factsOf(hook: HookDeclaration): string[] {
  const { command = [], event } = hook;
  const [program = ''] = command;
  return [
    ...(loadedBy(command).ofProject ? [hookWords.ofProject] : []),
    ...(program.includes('/') ? [] : [hookWords.foundByPath(inQuotes(program))]),
    envelopeInWords(hook, 'It'),
    ...(UNREAD.includes(event) && !hook.async ? [hookWords.noReader] : []),
  ];
}

/** A file that a command names: a heading, and its text if the text is to be shown. */
interface ShownFile {
  readonly head: string;
  readonly text?: string;
  readonly rest?: string;
}

/** Longer files are truncated, with the command that shows the rest. */
const LINES = 400;
const CHARACTERS = 40_000;

/**
 * The files of a command. `known`: hashes of files that do not have to be shown, because the user agreed to them or they are
 * gone.
 */
export const filesInWords = (
  { command = [] }: HookDeclaration,
  bound: Bound,
  known: readonly string[],
): ShownFile[] =>
  Object.entries(filesOf(command, bound)).map(([file, hash]) => {
    const isKnown = known.includes(hash);
    const real = isKnown ? undefined : leadingOut(file, bound.commandsFrom);
    const head = hookWords.file(fullLine(file), hash.slice(0, 16), real && fullLine(real));
    return isKnown ? { head } : { head: `${head}:`, ...contentsOf(file, hash) };
  });

/** The target of a link that points out of the folder. */
function leadingOut(file: string, folder = '/'): string | undefined {
  const real = realPath(file);
  return real !== resolve(file) && !isInside(real, realPath(folder)) ? real : undefined;
}

function contentsOf(file: string, hash: string): Pick<ShownFile, 'text' | 'rest'> {
  const bytes = attempt(() => readFileSync(file));
  // Shows only what was hashed, because the user agrees to exactly that.
  if (!bytes || sha256(bytes) !== hash) return { rest: hookWords.fileChanged };
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes) || text.includes('\0'))
    return { rest: hookWords.fileBinary(bytes.length) };
  if (text.trim() === '') return { rest: hookWords.fileEmpty };
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, LINES).join('\n').slice(0, CHARACTERS);
  const left = text.trimEnd().length - shown.trimEnd().length;
  return {
    text: visible(shown, Number.POSITIVE_INFINITY),
    ...(left > 0 && { rest: hookWords.fileRest(left, fullLine(quoted(file))) }),
  };
}
