/**
 * Turns a hook that was written by hand into a declaration: the way back from a client's own event, matcher and command. The
 * command is parsed and never run. Parts that a declaration cannot express are left out, with the reason.
 */

import type { ByHand, Meaning } from '../../clients/by-hand.ts';
import { type Client, HANDLERS } from '../../clients/contract.ts';
import type { ExtendedMatcher, HookDeclaration, WaitsFor } from '../../declaration/declaration.ts';
import { BACKGROUND_MS, DEADLINE_MS } from '../../declaration/limits.ts';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { nearest } from '../../system/nearest.ts';
import { quoted } from '../../system/strings.ts';
import { VARIABLES } from '../doubts.ts';
import { adaptedLowering, decisionsOn } from '../extended.ts';
import { SHELL } from '../names.ts';
import { answerOf } from './answer.ts';
import { lineIn } from './commands.ts';
import { type Code, decidesIn, isSilent, isUncertain } from './decisions.ts';
import { raiseMatcher, valuesLike } from './matcher.ts';
import type { Difference, LeftOut } from './messages.ts';
import { printedBy, type ReadText } from './printed.ts';
import { knowsHooks } from './programs.ts';

/** An entry as written. */
export interface HandHook {
  readonly native: string;
  readonly handler: JsonValue;
  /** Absent: there is none. */
  readonly matcher?: JsonValue;
}

/** What is known about the place of the entry. */
export interface Around {
  readonly client: Client;
  readonly byHand: ByHand;
  /** A command's words, with variables of known folders filled in; the words of a shell if the command needs one. */
  readonly wordsOf: (command: string) => Started | LeftOut;
  /** The same for words that are already a list and need no shell. */
  readonly listed: (words: readonly string[]) => Started | LeftOut;
  readonly readText: ReadText;
  /** The text, with those variables in a form that `readText` understands. */
  readonly filled: (command: string) => string;
  /** Why a tool's server cannot be named; undefined if it can. */
  readonly serverOf: (name: string) => LeftOut | undefined;
}

/** The program that a hook starts. */
export interface Started {
  readonly words: readonly string[];
  readonly source: Code;
  /** Set if it left something running, which is now waited for. */
  readonly isAwaited: boolean;
  /** Values that the client passed in another way and that are now read from the event. */
  readonly taken: readonly string[];
}

type Raised =
  | { readonly hook: Draft; readonly differences: readonly Difference[] }
  | { readonly leftOut: LeftOut };

/** A hook as in a manifest of version 2, and the grants that it needs. */
export type Draft = Omit<HookDeclaration, 'priority'>;

export function raise(hook: HandHook, around: Around): Raised {
  const { client, byHand } = around;
  const { native, handler } = hook;
  const events = Object.keys(byHand.events);
  const meaning = Object.hasOwn(byHand.events, native) ? byHand.events[native] : undefined;
  if (meaning === undefined) {
    const [near] = nearest(native, events);
    const known = near === undefined ? {} : { near };
    return { leftOut: { code: 'hand-no-event', native, client: client.name, ...known } };
  }
  const isMatcher = hook.matcher === undefined || typeof hook.matcher === 'string';
  if (!isObject(handler) || !isMatcher) return { leftOut: { code: 'hand-no-hook' } };
  if (meaning === null) return { leftOut: { code: 'hand-no-moment', native, client: client.name } };
  const when = whenOf(hook, handler, meaning, client);
  if ('code' in when) return { leftOut: when };
  const does = doingOf(handler, { ...meaning, event: when.event }, hook, around);
  if ('code' in does) return { leftOut: does };
  const { matcher, event } = when;
  const once = handler.once === true ? ({ once: 'session' } as const) : {};
  const isMatched = Object.keys(matcher).length > 0;
  const draft: Draft = { event, ...(isMatched && { matcher }), ...does.draft, ...once };
  const keys = droppedKeys(handler, byHand);
  const differences: Difference[] = [
    ...when.differences,
    ...does.differences,
    ...movedTo(native, draft, around),
    ...(isAsync(handler) && !draft.async ? [{ code: 'hand-waits' } as const] : []),
    ...(keys.length > 0 ? [{ code: 'hand-keys', keys } as const] : []),
  ];
  return { hook: draft, differences };
}

const isAsync = ({ async, asyncRewake }: JsonObject): boolean =>
  async === true || asyncRewake === true;

/** Reports that the declared event happens differently in the client from the hook's original event. */
function movedTo(
  native: string,
  draft: Draft,
  { client, byHand: { events } }: Around,
): Difference[] {
  const cell = client.lowering[draft.event];
  if (!cell) return [];
  const plain = draft.context === undefined ? (cell.tool ?? cell.text) : cell.text;
  const lowering = adaptedLowering({ ...draft, priority: 'suggestion' }, cell, plain, client);
  if (!('on' in lowering)) return [];
  const now = [...new Set(lowering.on.map((one) => one.native))];
  // If the event has two names, ours may be the other one.
  if (now.some((one) => one === native || events[one] === events[native])) return [];
  return [{ code: 'hand-moved', native, now, client: client.name, when: lowering.when }];
}

interface When {
  readonly event: HookDeclaration['event'];
  readonly matcher: ExtendedMatcher;
  readonly differences: readonly Difference[];
}

function whenOf(
  { native, matcher: written }: HandHook,
  handler: JsonObject,
  { event, matcher: about }: Meaning,
  client: Client,
): When | LeftOut {
  const matcher = typeof written === 'string' ? written : undefined;
  const condition = handler.if;
  if (about === 'tool') return callsOf(matcher, condition, event, client);
  if (condition !== undefined)
    return { code: 'hand-condition', condition: typeof condition === 'string' ? condition : '' };
  const plain: When = { event, matcher: {}, differences: [] };
  const isEvery = isAll(matcher) && !(typeof about === 'object' && 'waitsFor' in about);
  if (about === 'ignored' || isEvery) return plain;
  if (about === 'kind')
    return {
      code: event === 'pre_request' ? 'hand-prompts' : 'hand-subagents',
      matcher: matcher ?? '',
    };
  if ('waitsFor' in about) return noticesOf(native, matcher, about.waitsFor, client);
  const values = Object.keys(about.sources);
  const meant = valuesLike(client, matcher, values, about.exact ?? false);
  if (!meant) return { code: 'hand-matcher', matcher: matcher ?? '', client: client.name };
  const events = meant.map((value) => about.sources[value] ?? null);
  const isUsual = events.includes(event);
  const [other] = events;
  const isOne = other && events.every((one) => one === other);
  if (!isUsual && !isOne)
    return { code: 'hand-sources', native, sources: meant.length > 0 ? meant : [matcher ?? ''] };
  const more = isUsual ? values.filter((value) => !meant.includes(value)) : [];
  const differences: Difference[] =
    more.length > 0 ? [{ code: 'hand-more-sources', sources: more }] : [];
  return { event: isUsual ? event : (other ?? event), matcher: {}, differences };
}

/**
 * The declared notification for the kinds that a matcher matches, with `waits_for` if all of them wait for the same. Kinds in
 * which the client does not wait are reported as a difference.
 */
function noticesOf(
  native: string,
  matcher: string | undefined,
  kinds: Readonly<Record<string, WaitsFor | null>>,
  client: Client,
): When | LeftOut {
  const meant = valuesLike(client, isAll(matcher) ? '' : matcher, Object.keys(kinds), false);
  if (!meant) return { code: 'hand-matcher', matcher: matcher ?? '', client: client.name };
  const others = meant.filter((kind) => kinds[kind] === null);
  const [one, other] = new Set(meant.flatMap((kind) => kinds[kind] ?? []));
  if (!one)
    return { code: 'hand-sources', native, sources: meant.length > 0 ? meant : [matcher ?? ''] };
  return {
    event: 'notification',
    matcher: other ? {} : { waits_for: one },
    differences: others.length > 0 ? [{ code: 'hand-fewer-kinds', kinds: others }] : [],
  };
}

const isAll = (matcher: string | undefined): boolean =>
  ['', '*', '.*'].includes((matcher ?? '').trim());

/** A condition on the beginning of a shell command: `Bash(git commit:*)`. */
const BEGINS = /^(\w+)\(([^()*]+?)(?::\*|\s{0,9}\*)?\)$/;

function callsOf(
  matcher: string | undefined,
  condition: JsonValue | undefined,
  event: When['event'],
  client: Client,
): When | LeftOut {
  const raised = raiseMatcher(client, matcher);
  if ('why' in raised)
    return {
      code: raised.why === 'unreadable' ? 'hand-matcher' : 'hand-no-tool',
      matcher: matcher ?? '',
      client: client.name,
    };
  const { tool_name, dropped } = raised;
  const differences: Difference[] =
    dropped.length > 0 ? [{ code: 'hand-names-dropped', names: dropped, client: client.name }] : [];
  const tools = tool_name === undefined ? {} : { tool_name };
  if (condition === undefined) return { event, matcher: tools, differences };
  const text = typeof condition === 'string' ? condition : '';
  const [, tool, start = ''] = BEGINS.exec(text) ?? [];
  // For other tools it is about paths, whose patterns differ.
  if (tool === undefined || tool !== SHELL || start.trim() === '')
    return { code: 'hand-condition', condition: text };
  return {
    event,
    matcher: { tool_name: SHELL, input_contains: start.trim() },
    differences: [...differences, { code: 'hand-looser', text: start.trim() }],
  };
}

interface Doing {
  readonly draft: Omit<Draft, 'event' | 'matcher'>;
  readonly differences: readonly Difference[];
}

function doingOf(
  handler: JsonObject,
  meaning: Meaning,
  hook: HandHook,
  around: Around,
): Doing | LeftOut {
  const { type = 'command' } = handler;
  const kind = typeof type === 'string' ? type : JSON.stringify(type);
  if (kind === 'prompt' || kind === 'agent') return { code: 'hand-asks-model', kind };
  if (kind === 'http') return { code: 'hand-sends' };
  if (kind === 'mcp_tool') return calling(handler, around);
  if (kind !== 'command') return { code: 'hand-unknown-kind', kind };
  return running(handler, meaning, hook, around);
}

function running(
  handler: JsonObject,
  meaning: Meaning,
  { native, matcher }: HandHook,
  around: Around,
): Doing | LeftOut {
  const { client, byHand } = around;
  const has = (key: string) => typeof handler[key] === 'string';
  const isProgram = byHand.program !== undefined && has(byHand.program);
  const { args = isProgram ? [] : undefined } = handler;
  const lines = [...byHand.commands, ...byHand.otherShells];
  if (isProgram && (lines.some(has) || !Array.isArray(args))) return { code: 'hand-no-hook' };
  const key = isProgram ? byHand.program : byHand.commands.find(has);
  if (key === undefined || handler.shell === 'powershell')
    return {
      code: byHand.otherShells.some(has) || has('command') ? 'hand-other-shell' : 'hand-no-command',
    };
  const command = String(handler[key]);
  if (command.trim() === '') return { code: 'hand-no-command' };
  if (command.includes('\0')) return { code: 'hand-null' };
  if (args === undefined) {
    const printed = printedBy(around.filled(command), around.readText);
    if (printed && !('code' in printed)) {
      const said = saying(printed, meaning, native, client);
      if (said) return said;
    }
    if (printed && 'code' in printed && !isThereLater(printed, command)) return printed;
  }
  const differs = elsewhere(handler);
  if (differs) return differs;
  const started = Array.isArray(args)
    ? around.listed([
        command,
        ...args.map((one: JsonValue) => (typeof one === 'string' ? one : JSON.stringify(one))),
      ])
    : around.wordsOf(command);
  if (!('words' in started)) return started;
  if (started.words.length === 0) return { code: 'hand-no-command' };
  if (handler.async === true && handler.asyncRewake !== true)
    return inBackground(handler, started, matcher, around);
  const limit = deadlineOf(handler, around);
  const possible = decisionsOn(meaning.event, client);
  const may = decidesIn(started.source).filter((decision) => possible.includes(decision));
  const words = quietly(started, meaning);
  return {
    draft: {
      command: words,
      ...(may.length > 0 && { may }),
      ...(meaning.event !== 'session_end' && { deadline: DEADLINE_MS }),
      ...limit.draft,
    },
    differences: [
      ...limit.differences,
      ...(started.taken.length > 0 ? [{ code: 'hand-taken', names: started.taken } as const] : []),
      ...(started.isAwaited && !isAsync(handler) ? [{ code: 'hand-waits' } as const] : []),
      ...otherNames(started.source, client),
      ...otherKeys(started.source, matcher, client),
      ...(isUncertain(started.source) && possible.length > may.length
        ? [{ code: 'hand-may', may: possible } as const]
        : []),
      ...(meaning.reads !== 'text' && words === started.words && mayTell(started)
        ? [{ code: 'hand-output-read', native, client: client.name } as const]
        : []),
    ],
  };
}

/** A command that the client does not wait for, either. */
function inBackground(
  handler: JsonObject,
  started: Started,
  matcher: HandHook['matcher'],
  around: Around,
): Doing {
  const { words, taken, source } = started;
  const limit = deadlineOf(handler, around, BACKGROUND_MS.most);
  return {
    draft: { command: words, async: true, deadline: BACKGROUND_MS.most, ...limit.draft },
    differences: [
      ...limit.differences,
      ...(taken.length > 0 ? [{ code: 'hand-taken', names: taken } as const] : []),
      ...otherNames(source, around.client),
      ...otherKeys(source, matcher, around.client),
      ...(mayTell(started) ? [{ code: 'hand-not-read' } as const] : []),
    ],
  };
}

/** Whether a command prints a file that may exist when it runs, and continues without it. */
const isThereLater = ({ code }: LeftOut, command: string): boolean =>
  code === 'hand-moving' || (code === 'hand-no-file' && /\|\||2>/.test(command));

/**
 * Discards the output of a program or shell line if the client does so, too. A script may print an answer, which its client
 * reads.
 */
function quietly({ words, source }: Started, { reads }: Meaning): readonly string[] {
  const isLine = source.texts.length === 1;
  if (reads === 'text' || !source.prints || !isSilent(source)) return words;
  const line = lineIn(words);
  if (line !== undefined) return [...words.slice(0, 2), `${TO_NOBODY}${line}`, ...words.slice(3)];
  return !isLine || knowsHooks(words)
    ? words
    : ['sh', '-c', TO_NOBODY + words.map(quoted).join(' ')];
}

/** The client's own tool names in the code of a program that reads a tool's name, because it now gets the declared name. */
function otherNames({ texts }: Code, { tools }: Client): Difference[] {
  const reading = texts.filter((text) => /tool_?name/i.test(text));
  const isNamed = (native: string) => {
    // Many are ordinary words.
    const name = native.includes('_') ? `\\b${native}\\b` : `["']${native}["']`;
    return reading.some((text) => new RegExp(name).test(text));
  };
  const found = new Map(
    Object.entries(tools).flatMap(([declared, native]) =>
      native !== declared && !Object.hasOwn(tools, native) && isNamed(native)
        ? [[native, declared] as const]
        : [],
    ),
  );
  return [...found].map(([native, declared]) => ({ code: 'hand-tool-name', native, declared }));
}

/** The client's own keys of a tool's input in code that reads the input, because it now gets the declared keys. */
function otherKeys(
  { texts }: Code,
  matcher: HandHook['matcher'],
  { toolInputs = {} }: Client,
): Difference[] {
  const written = typeof matcher === 'string' ? matcher : undefined;
  const meant = Object.entries(toolInputs).filter(
    ([tool]) => isAll(written) || written?.includes(tool),
  );
  const keys = new Map(meant.flatMap(([, { keys = {} }]) => Object.entries(keys)));
  return [...keys]
    .filter(([native]) => {
      const reads = new RegExp(`tool_input\\W{0,9}(?:get\\W{1,3})?${native}\\b`);
      return texts.some((text) => reads.test(text));
    })
    .map(([native, declared]) => ({ code: 'hand-input-key', native, declared }));
}

/** Whether it may print more than an answer, because it has code outside the command itself. */
const mayTell = ({ source }: Started): boolean =>
  source.prints && (source.isUnread || source.texts.length > 1);

const TO_NOBODY = 'exec >/dev/null; ';

/** Undefined: it blocks without a reason, which only a program can. */
function saying(
  printed: Parameters<typeof answerOf>[0],
  { event, reads }: Meaning,
  native: string,
  client: Client,
): Doing | LeftOut | undefined {
  const answer = answerOf(printed, event, client, native);
  if ('code' in answer) return answer;
  const copied = printed.files.map((file): Difference => ({ code: 'hand-copied', file }));
  if ('block' in answer)
    return answer.block === ''
      ? undefined
      : { draft: { block: answer.block }, differences: copied };
  // It would newly cost a turn of the model for a text that was never read, or show nothing.
  if (event === 'session_end' || event === 'notification')
    return { code: 'hand-unread', native, client: client.name };
  const isRead = reads === 'text' || (reads === 'json' && answer.isAnswer);
  const filled = VARIABLES.filter((name) => answer.context.includes(`{${name}}`));
  return {
    draft: { context: answer.context },
    differences: [
      ...copied,
      ...(isRead ? [] : [{ code: 'hand-newly-read', native, client: client.name } as const]),
      ...filled.map((name): Difference => ({ code: 'hand-filled-in', name })),
    ],
  };
}

/** Reports a program that does not simply start in the session's folder and environment. */
function elsewhere({ env, cwd }: JsonObject): LeftOut | undefined {
  if (isObject(env) && Object.keys(env).length > 0)
    return { code: 'hand-variables', names: Object.keys(env) };
  const isHere = cwd === undefined || cwd === '.' || cwd === './' || cwd === '';
  return isHere ? undefined : { code: 'hand-elsewhere', folder: String(cwd) };
}

function deadlineOf(
  handler: JsonObject,
  { client, byHand }: Around,
  most: number = DEADLINE_MS,
): Doing {
  const value = byHand.timeouts.map((key) => handler[key]).find((one) => typeof one === 'number');
  if (typeof value !== 'number' || !(value > 0)) return { draft: {}, differences: [] };
  const wanted = Math.max(1, Math.round(value * client.hookTimeUnit));
  if (wanted <= most) return { draft: { deadline: wanted }, differences: [] };
  return {
    draft: { deadline: most },
    differences: [{ code: 'hand-shorter', seconds: most / 1000 }],
  };
}

/** The call of a server's tool, if its input is the same each time or can be filled in. */
function calling(handler: JsonObject, around: Around): Doing | LeftOut {
  const { server, tool, input = {} } = handler;
  if (typeof server !== 'string' || typeof tool !== 'string' || !isObject(input))
    return { code: 'hand-no-hook' };
  const written = JSON.stringify(input);
  const references = written.match(/\$\{[^}]*\}/g) ?? [];
  const unknown = references.find((one) => !VARIABLES.includes(one.slice(2, -1)));
  if (unknown !== undefined) return { code: 'hand-tool-input', reference: unknown };
  const unsaid = around.serverOf(server);
  if (unsaid) return unsaid;
  const args: JsonObject = JSON.parse(written.replace(/\$(\{[^}]*\})/g, '$1'));
  const limit = deadlineOf(handler, around);
  const given = Object.keys(args).length > 0 ? { context_tool_args: args } : {};
  return {
    draft: { context_tool: tool, ...given, ...limit.draft },
    differences: limit.differences,
  };
}

/** Keys of an entry that do not affect when it runs or what it does: for readers, or for the client's screen. */
const FOR_PEOPLE = ['name', 'description', 'statusMessage', 'id', 'comment', '$comment'];
const UNDERSTOOD = [
  ...['type', 'matcher', 'args', 'shell', 'cwd', 'env', 'if', 'once', 'async', 'asyncRewake'],
  ...['server', 'tool', 'input', HANDLERS],
  ...FOR_PEOPLE,
];

const droppedKeys = (handler: JsonObject, byHand: ByHand): string[] => {
  const { commands, otherShells, timeouts, program } = byHand;
  const known = [...UNDERSTOOD, ...commands, ...otherShells, ...timeouts, program];
  return Object.keys(handler).filter((key) => !known.includes(key));
};
