/**
 * mcp-hooks: how the second stage of the hook runner calls a server's tools. A reply is always treated as text, whatever it
 * looks like. Most of the time of a call is spent on loading node's own modules, so modules that not every call needs are
 * required late.
 */

import fs = require('node:fs');

import { copiedProgram, fileHash, programOfCopy, START_FILE } from './call/copy.cjs';
import { launchOf, variablesFor } from './call/launch.cjs';
import type { Launch } from './configured.cjs';
import {
  type Asker,
  type Conversation,
  conversation,
  type EraMemory,
} from './mcp/conversation.cjs';
import { type Reply as Answer, MOST } from './mcp/messages.cjs';
import type {
  Answers,
  Asked,
  Firing,
  JsonObject,
  ProgramHook,
  ProgramServer,
  Reply,
  Rules,
  Running,
  Stage,
  Why,
} from './types.cjs';
import { fault, isObject, reasonOf, waitFor } from './values.cjs';

export { askModern, MODERN, shakeHands } from './mcp/conversation.cjs';
export { copiedProgram, fileHash, launchOf, programOfCopy, START_FILE, variablesFor };

/** Milliseconds that a server has to exit by itself, or to acknowledge the end of a session. */
const GRACE = 200;
/** How many characters of a server's message about a failed call we keep, and how many we search for secrets. */
const SAID = 300;
const SEARCHED = 4000;
/** The same for the end of its stderr, which may be mostly an error's stack. */
const STDERR = 16_000;
/** Shorter values would match ordinary words. */
const SHORTEST = 8;
/** Names of variables that probably hold a secret. A server may get these from the user's environment. */
const TELLING = /key|token|secret|passw|credential|authoriz/i;
/** An unbroken run of letters and digits, which may be a secret even if its name does not say so. */
const OPAQUE = /^(?=(?:.*\d){2})(?=.*[A-Za-z])[\w+=~-]{16,}$/;

/** The key of `_meta` under which a tool finds the event. An argument that is exactly `{event}` is replaced by it, too. */
const EVENT = 'io.github.mcp-hooks/event';

const ASKER: Asker = { clientInfo: { name: 'mcp-hooks', version: '1' }, capabilities: {} };

/** A hook whose tool is called. */
type Caller = ProgramHook & { readonly call: NonNullable<ProgramHook['call']> };

/** Hooks whose tools are to be called. */
interface Asking {
  readonly server: ProgramServer;
  readonly hooks: readonly ProgramHook[];
  readonly firing: Firing;
  readonly program: Running;
  readonly rules: Rules;
  /** The deadline, if it differs from the one in the rules. */
  readonly until?: number;
  /** The event, for a hook whose tool reads it. */
  readonly envelopeOf?: (hook: ProgramHook) => JsonObject | undefined;
}

/** The replies of these hooks' tools, and the reasons for tools that have nothing to show. */
export async function askHooks(
  { server, hooks, firing, program, rules, until, envelopeOf = () => undefined }: Asking,
  stage: Pick<Stage, 'checksum' | 'declaredName' | 'memoriesOf' | 'remember' | 'within'>,
): Promise<Answers> {
  const { checksum, memoriesOf, remember } = stage;
  const { started, most, end, state, label } = program;
  const memory = `${memoriesOf(state)}/${label}.${checksum(nameOf(server))}.modern`;
  const allowed = 1000 * (end ? rules.sessionEndSeconds : rules.toolSeconds);
  const callers = hooks.filter((hook): hook is Caller => hook.call !== undefined);
  const envelopes = callers.map(envelopeOf);
  const names = callers.map((hook) => stage.declaredName(hook, firing, program));
  const calls = callsOf(callers, envelopes, firing, names);
  const began = Date.now();
  const results = await callTools(server, calls, {
    cwd: firing.cwd,
    until: until ?? started + Math.min(most, allowed),
    last: started + most,
    memory: memoryAt(memory, remember),
    isTrial: process.env.MCP_HOOKS_TRIAL !== undefined,
    shell: program.shell,
    within: stage.within(callers, program),
  });
  const waited = Date.now() - began;
  const replies = new Map<ProgramHook, Reply>();
  const reasons: Why[] = [];
  const asked = new Map<ProgramHook, Asked>();
  for (const [index, hook] of callers.entries()) {
    const { structured, milliseconds = waited, ...result } = results[index] ?? {};
    const isBlank = hook.call.showEmpty !== true && saysNothing(result.text);
    const { text, reason }: Result = isBlank ? NOTHING : result;
    const isAnswer =
      envelopes[index] !== undefined && require('./envelope.cjs').isEnvelope(structured);
    if (text !== undefined) replies.set(hook, { text, ...(isAnswer && { structured }) });
    if (reason && !isAnswer) reasons.push({ ...(await loggable(reason)), hook: hook.number });
    asked.set(hook, { milliseconds, failed: text === undefined });
  }
  return { replies, reasons, asked };
}

/** A string that identifies a server. */
const nameOf = (server: ProgramServer): string =>
  'entry' in server
    ? server.entry.seen
    : 'url' in server
      ? server.url
      : JSON.stringify([server.command, server.args]);

/** The call of a tool. */
interface Call extends JsonObject {
  readonly name: string;
}

/** The tool gets its data in full. Only the text for the model is marked and cut. */
function callsOf(
  hooks: readonly Caller[],
  envelopes: readonly (JsonObject | undefined)[],
  firing: Firing,
  names: readonly (string | undefined)[],
): Call[] {
  let filled = 0;
  return hooks.map(({ call: { tool, args, own } }, index) => {
    const envelope = envelopes[index];
    const fill = (text: string) => {
      if (!text.includes('{')) return text;
      if (envelope && text === '{event}') return envelope;
      const known = { ...firing, tool: names[index], own };
      return require('./words.cjs').replaceVariables(text, known, (value) => {
        filled += value.length;
        if (filled > MOST) throw fault('out-of-time');
        return value;
      });
    };
    return {
      name: tool,
      arguments: mapStrings(args, fill),
      ...(envelope && { _meta: { [EVENT]: envelope } }),
    };
  });
}

function mapStrings(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, change)]),
  );
}

/**
 * Remembers in an empty file that a server uses the second era of the protocol. If the file cannot be made, we find out each
 * time.
 */
const memoryAt = (file: string, remember: (file: string) => void): EraMemory => ({
  isModern: () => fs.existsSync(file),
  remember: () => remember(file),
  forget: () => {
    try {
      fs.unlinkSync(file);
    } catch {}
  },
});

const NO_MEMORY: EraMemory = { isModern: () => false, remember: () => {}, forget: () => {} };

/** The result of a call: `text`, or the `reason` why there is none; both when the tool has nothing to show. */
interface Result {
  readonly text?: string;
  readonly structured?: JsonObject;
  readonly reason?: Why;
  /** Until it answered; absent: it did not. */
  readonly milliseconds?: number;
}

interface Calling extends Partial<Pick<Running, 'shell'>> {
  /** The session's folder. */
  readonly cwd: string;
  /** As in Date.now(). By then, the call has returned and the server is gone with all its child processes. */
  readonly until: number;
  /** The deadline for work that must not be interrupted. */
  readonly last?: number;
  /** What is known of the server's era. */
  readonly memory?: EraMemory;
  /** Environment variables for a server that we start, besides its own. */
  readonly within?: Readonly<Record<string, string>>;
  /** The user wants to know why a call fails, and can wait. */
  readonly isTrial?: boolean;
}

/** Calls tools of one server. */
export async function callTools(
  server: ProgramServer,
  calls: readonly Call[],
  { cwd, until, last = until, memory = NO_MEMORY, isTrial = false, ...how }: Calling,
): Promise<Result[]> {
  const results: Result[] = calls.map(() => ({ reason: { code: 'no-answer-in-time' } }));
  if (Date.now() >= until) return results;
  const began = Date.now();
  let link: Link | undefined;
  let isOver = false;
  try {
    const launch = launchOf(server, variablesFor(server.given, process.env, cwd));
    link = connectTo(server, launch, last, how);
    const { hide, connection } = link;
    const talk = conversation(connection, ASKER, memory);
    const note = (index: number, { reason, ...result }: Result) => {
      const milliseconds = Date.now() - began;
      if (!isOver)
        results[index] = { ...result, milliseconds, ...(reason && { reason: hide(reason) }) };
    };
    const all = calls.map((call, index) =>
      callTool(talk, call, isTrial, (one) => note(index, one)),
    );
    await waitFor(until - Date.now(), Promise.all(all));
    // No answer may mean that the server was replaced by another. A network that is down means nothing.
    if (!('url' in launch) && talk.isUnanswered()) memory.forget();
  } catch (error) {
    results.fill({ reason: reasonOf(error) });
  }
  isOver = true;
  await link?.connection.close(Math.min(until, Date.now() + GRACE));
  return results;
}

/** A server whose tools are called. `hide` masks the values that only the link knows in the server's messages. */
interface Link {
  readonly connection: ReturnType<
    typeof import('./stdio.cjs').connect | typeof import('./http.cjs').connect
  >;
  hide(reason: Why): Why;
}

function connectTo(
  server: ProgramServer,
  launch: Launch,
  last: number,
  { shell, within }: Pick<Calling, 'shell' | 'within'>,
): Link {
  if ('url' in launch) {
    // A variable that holds a token may have been set since the install.
    const isAuthorized = Object.keys(launch.headers).some((name) => /^authorization$/i.test(name));
    const tokens = isAuthorized || 'command' in server ? undefined : server.tokens;
    const connection = require('./http.cjs').connect({ ...launch, tokens, last });
    const values = () => [...Object.values(launch.headers), connection.token() ?? ''];
    return { connection, hide: (reason) => hiding(reason, [...values(), ...inQuery(launch.url)]) };
  }
  // Renewing a token must not be interrupted, so only a process ends with the shell.
  require('./lifetime.cjs').endWithShell({ shell });
  const connection = require('./stdio.cjs').connect({
    ...launch,
    env: { ...launch.env, ...within },
  });
  const values = [...Object.values(launch.own), ...inWords(launch.args)];
  return {
    connection,
    hide: (reason) =>
      hiding(
        reason.code === 'ended' ? { ...reason, said: lastOf(connection.noise.stderr) } : reason,
        values,
      ),
  };
}

/** Some servers report a missing tool as a failure of the tool. Others refuse the call. */
const FAILED = ['call-refused', 'tool-failed'];

/** @param onResult May be called twice: the second call has more details of a failure. */
async function callTool(
  talk: Conversation,
  call: Call,
  isTrial: boolean,
  onResult: (result: Result) => void,
): Promise<void> {
  try {
    const result = resultOf(await talk.ask('tools/call', call));
    onResult(result);
    if (!isTrial || !FAILED.includes(result.reason?.code ?? '')) return;
    const why = await missing(talk, call.name).catch(() => undefined); // the failure itself is already known
    if (why) onResult({ reason: why });
  } catch (error) {
    onResult({ reason: reasonOf(error) });
  }
}

/** The reason if the server has no such tool, which each server words differently; undefined if it has it or we cannot tell. */
async function missing(talk: Conversation, tool: string): Promise<Why | undefined> {
  const { tools, nextCursor }: JsonObject = Object((await talk.ask('tools/list', {})).result);
  if (!Array.isArray(tools) || nextCursor !== undefined) return undefined;
  const names = tools.map((one) => String(one?.name));
  const known = names.filter((name) => /^[\w./-]{1,128}$/.test(name)).slice(0, 100);
  return names.includes(tool) ? undefined : { code: 'tool-missing', tool, known };
}

function resultOf({ result, error }: Answer): Result {
  if (error !== undefined || !result)
    return { reason: { code: 'call-refused', ...saying(Object(error).message) } };
  const { content, isError, resultType, structuredContent }: JsonObject = Object(result);
  const text = (Array.isArray(content) ? content : [])
    .filter((part) => part?.type === 'text' && typeof part.text === 'string')
    .map((part) => part.text)
    .join('\n');
  if (isError) return { reason: { code: 'tool-failed', ...saying(text) } };
  if (resultType !== undefined && resultType !== 'complete')
    return { reason: { code: 'wants-more' } }; // there is no user to ask
  const structured = isObject(structuredContent) && { structured: structuredContent };
  return text.trim() === '' ? { ...NOTHING, ...structured } : { text, ...structured };
}

const NOTHING: Result = { text: '', reason: { code: 'no-text' } };

/** How servers word an empty result, in lower case. */
const NONE =
  /^(?:there (?:are|is|was|were) )?(?:no|0) (?:[a-z-]+ ){0,2}(?:data|documents|entities|entries|hits|items|matches|memories|notes|observations|records|results?|rows)(?: (?:was |were )?(?:available|found|stored|yet))?[.!]?$|^(?:none|nothing found)[.!]?$/;

/** The common beginning of these patterns. Node compiles a pattern at its first use, and few replies need the long one. */
const BEGINS = /^(?:there [a-z]+ )?(?:no|0)/;

function isNone(text: string): boolean {
  const words = text.toLowerCase();
  return BEGINS.test(words) && NONE.test(words);
}

/** The longest reply that may be an empty result. */
const LONGEST = 2000;

/** Whether a reply is an empty result, which is not worth showing. */
function saysNothing(text: string | undefined): boolean {
  if (text === undefined || text.length > LONGEST) return false;
  const words = text.trim();
  if (!/^(?:[[{"]|null$)/.test(words)) return isNone(words);
  try {
    return isBlank(JSON.parse(words));
  } catch {
    return false; // not JSON
  }
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || isNone(value.trim());
  if (Array.isArray(value)) return value.every(isBlank);
  if (!isObject(value)) return value === null || value === 0;
  return Object.entries(value).every(
    ([key, inner]) => isBlank(inner) || (inner === true && /^(?:ok|success)$/.test(key)),
  );
}

// A server's message about a failed call. It is never shown to the model.

const saying = (text: unknown) =>
  typeof text === 'string' && text.trim() !== '' ? { said: text } : {};

/** The end of a server's stderr. */
function lastOf(stderr: string): string | undefined {
  const end = stderr.slice(-STDERR);
  const { said } = saying(end.length < stderr.length ? end.replace(/^.*\n?/, '') : end); // may start within a secret
  return said;
}

/**
 * Masks values that a server was given, which no rule may recognise. Lines are joined only afterwards, because a value may span
 * several lines.
 */
function hiding({ said, ...reason }: Why, given: readonly string[]): Why {
  if (typeof said !== 'string') return reason;
  const named = Object.entries(process.env).flatMap(([name, one = '']) =>
    TELLING.test(name) ? one : [],
  );
  const hidden = [...given, ...named]
    .flatMap((one) => [one, one.trim(), one.replace(/^\w+ /, '')]) // after "Bearer"
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, one) => rest.replaceAll(one, '***'), said);
  // The lines of stderr are picked after the rules have masked them, too.
  return { ...reason, said: reason.code === 'ended' ? hidden : beginningOf(oneLine(hidden)) };
}

const inQuery = (url: string): string[] =>
  Array.from(url.matchAll(/[?&][^=&?]*=([^&#]+)/g), ([, one = '']) => one);

const inWords = (args: readonly string[]): string[] =>
  args.flatMap((one, index) => {
    const [flag = ''] = /^-.*/s.exec(args[index - 1] ?? '') ?? [];
    const [, name = flag, value = one] = /^([^=:]+)[=:]\s*(.+)/s.exec(one) ?? [];
    return TELLING.test(name) || OPAQUE.test(value) ? value : [];
  });

/** The beginning, up to the end of a word, because no rule recognises half a secret. */
function beginningOf(line: string): string {
  const rest = line.slice(SEARCHED, 10 * SEARCHED);
  return line.slice(0, SEARCHED) + rest.slice(0, rest.search(/\s|$/));
}

/** Prepares the server's own message for the log. It is masked before it is cut, because no rule recognises half a secret. */
async function loggable({ said, ...reason }: Why): Promise<Why> {
  if (typeof said !== 'string') return reason;
  const { values, reason: unmasked } = await require('./redact.cjs').masked([said]);
  if (unmasked !== undefined) return reason;
  const [masked = ''] = values;
  const line = reason.code === 'ended' ? lastWords(masked) : masked;
  if (line === '') return reason;
  const kept = line.slice(0, SAID).replace(/[\uD800-\uDBFF]$/, ''); // not half a surrogate pair
  return { ...reason, said: line.length > SAID ? `${kept} ...` : line };
}

/** How an error begins on stderr in Node, Python, Go and Rust, and how npm and docker print one. */
const CRASH =
  /^(?:\w+: )?(?:[\w$.]*(?:error|exception)\b|panic:|thread .* panicked |npm (?:error|ERR!) code )/i;

/** The last error on a server's stderr, without its stack; if there is none, the last line. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter((line) => /^[^\s}]/.test(line) && !line.startsWith('Node.js v'))
    .slice(-20);
  return oneLine(lines.slice(lines.findLastIndex((line) => CRASH.test(line))).join(' '));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
