/** The delivery of a hook in a session, according to the runner's log and the requests to the model. */

import type { Conversation, TextOccurrence } from '../../clients/driver/model.ts';
import type { EventProgram, ProgramHook } from '../../compile/program.ts';
import type { RunnerReason } from '../../compile/runner-messages.ts';
import { secondStage } from '../../compile/second-stage.ts';
import { EVENTS } from '../../declaration/declaration.ts';
import type { Grant } from '../../declaration/grants.ts';
import type { Launcher } from '../../sources/launchers/launcher.ts';
import type { Message } from '../../system/errors.ts';
import { hadNoText, isAboutHook, type LogEntry } from '../log.ts';

export type Delivery =
  | ({ readonly kind: 'arrived' } & RequestPosition)
  /** A tool was called. `blank`: its reply has no text; otherwise, the reply is not for the model. */
  | { readonly kind: 'called'; readonly blank?: boolean }
  /** The user's policy no longer allows its tool to be called. It shows nothing, which is not a failure. */
  | { readonly kind: 'off' }
  /** It showed nothing, which is fine: that depends on its conditions or its program. */
  | { readonly kind: 'ready' }
  /** No script can cause its event. */
  | { readonly kind: 'not-tried'; readonly why: 'script' }
  /** It is not installed: it lacks a grant, or the server has too many hooks. */
  | ({ readonly kind: 'not-tried' } & Pick<Untried, 'why' | 'grants'>)
  /** Its server would have to be downloaded first. */
  | { readonly kind: 'not-tried'; readonly why: 'network'; readonly launcher: Launcher }
  | {
      readonly kind: 'missing';
      readonly why: Why;
      readonly what?: Message | string;
      readonly reasons?: readonly RunnerReason[];
    };

/** A declared hook that is in no client. */
export interface Untried extends Pick<ProgramHook, 'number' | 'event'> {
  readonly why: 'grant' | 'policy';
  /** The grants that it needs. */
  readonly grants?: readonly Grant[];
}

export type Why =
  | 'entry' // the client's settings have none for the event
  | 'policy' // it cannot be read; `what` has the reason
  | 'reason' // the runner's reasons are in `reasons`
  | 'dropped' // the runner showed it, but no request contains it
  | 'no-text' // the runner had nothing to show, or did not run
  | 'session'; // none finished

/** A declared hook on one native event on which it is shown. */
export interface BoundHook {
  readonly program: EventProgram;
  readonly hook: ProgramHook;
}

interface TrialSession {
  readonly label: string;
  readonly prompts: readonly string[];
  /** The history after a compaction. */
  readonly summary?: string;
  readonly conversation: Conversation;
  readonly log: readonly LogEntry[];
}

/** Requires two sources: the runner's log has it, and the model has read it. */
export function deliveryOf(on: readonly BoundHook[], session: TrialSession): Delivery {
  const { prompts, summary, conversation, log } = session;
  const here = log.filter(({ event }) => on.some(({ program }) => program.native === event));
  const shown = here.filter(({ hooks }) => on.some(({ hook }) => hooks.includes(hook.number)));
  if (shown.length === 0) {
    const isOwn = (why: RunnerReason) => on.some(({ hook }) => isAboutHook(hook.number)(why));
    const reasons = here.map(({ why = [] }) => why.filter(isOwn)).find((own) => own.length > 0);
    if (!reasons) return { kind: 'missing', why: 'no-text' };
    return hadNoText(reasons)
      ? { kind: 'called', blank: true }
      : { kind: 'missing', why: 'reason', reasons };
  }
  if (on.some(({ hook }) => hook.act === 'call')) return { kind: 'called' };
  for (const entry of shown) {
    const [reason = ''] = decisionsIn(entry, on).map((one) => fragment(one.reason ?? ''));
    // The reason of a block has no heading.
    const seen = reason === '' ? readIn(entry, on, session) : conversation.first(reason);
    if (seen) return { kind: 'arrived', ...requestPosition(conversation, seen, prompts, summary) };
  }
  // Many decisions are never shown to the model.
  const hasDecided = shown.some((entry) => decisionsIn(entry, on).length > 0);
  return hasDecided ? { kind: 'ready' } : { kind: 'missing', why: 'dropped' };
}

/** The decisions of these hooks. */
const decisionsIn = ({ decisions = [] }: LogEntry, on: readonly BoundHook[]) =>
  decisions.filter((one) => on.some(({ hook }) => hook.number === one.hook));

/** Where the model has read the text of an entry; undefined: nowhere, or there is no text. */
function readIn(entry: LogEntry, on: readonly BoundHook[], { label, conversation }: TrialSession) {
  const said = saidIn(entry, on, label);
  if (said.heading === '') return undefined;
  return conversation.find(said.heading).find(({ text }) => isUnder(said, text));
}

/** The verdict on a hook that showed nothing without a reason from its runner. Undefined if it should have been shown. */
export function mayShowNothing(on: readonly BoundHook[]): Delivery | undefined {
  const hooks = on.map(({ hook }) => hook);
  // Our scripts cannot cause every event beyond the SEP, or not in every client.
  if (hooks.every(({ event }) => !EVENTS.some((one) => one === event)))
    return { kind: 'not-tried', why: 'script' };
  const isConditional = ({ extended }: ProgramHook) =>
    extended?.command !== undefined || Object.keys(extended?.when ?? {}).length > 0;
  return hooks.every(isConditional) ? { kind: 'ready' } : undefined;
}

const ORIGIN = 'Note from the MCP server "';

interface Said {
  readonly heading: string;
  /** A part of the text. */
  readonly words: string;
  /** The maximum number of characters from the start of the heading to the end of the text, if each may be escaped. */
  readonly reach: number;
}

/**
 * The text that a hook showed: its part of the second stage's text or, if the first stage answered, its text in the program.
 */
function saidIn({ event, text, hooks }: LogEntry, on: readonly BoundHook[], label: string): Said {
  const hook = on.find(({ program }) => program.native === event)?.hook;
  // The first stage only answers at the start of a session.
  const { origin, plain } = secondStage();
  const start = `${origin(label)} at the start of the session`;
  if (text === undefined || !hook) return under(start, plain(hook?.text ?? ''));
  const parts = text.split(/(?:^|\n\n)(?=Note from the MCP server ")/).filter(Boolean);
  const part = (parts.length === hooks.length && parts[hooks.indexOf(hook.number)]) || text;
  const [heading = '', ...lines] = part.split('\n');
  return under(heading, lines.join('\n'));
}

const under = (heading: string, text: string): Said => ({
  heading: fragment(heading),
  words: fragment(text),
  reach: Math.max(HEADING, 2 * heading.length) + 6 * text.length,
});

/** The maximum length of a heading. */
const HEADING = 300;

/** Whether the words come after this heading, and not after a later one or in text from the client. */
function isUnder({ heading, words, reach }: Said, text: string): boolean {
  const [, ...below] = text.split(heading);
  return below.some((rest) => rest.split(ORIGIN, 1)[0]?.slice(0, reach).includes(words));
}

/** The longest part of a text without variables, and without characters that some client changes. */
function fragment(text: string): string {
  const stretches = text.slice(0, 2000).split(/[<>\n]|\{[a-z_]+\}/);
  const longest = stretches.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest.trim().slice(0, 200);
}

/** Where in a request the model was shown something, in words. */
interface RequestPosition {
  /** 1 is the first request of the conversation. */
  readonly request: number;
  readonly place: PlaceInRequest;
}

/** What else was new in the request, since the model's last answer. */
type PlaceInRequest =
  | 'with the first prompt'
  | 'with the next prompt'
  | 'with the result of the call'
  | "with the subagent's task"
  | 'with the summary'
  | 'alone, as one more turn';

/** @param prompts The session's prompts, in order. */
export function requestPosition(
  { requests }: Conversation,
  { request, index }: Pick<TextOccurrence, 'request' | 'index'>,
  prompts: readonly string[],
  summary?: string,
): RequestPosition {
  const asked = requests[request - 1];
  const passages = asked?.passages ?? [];
  const before = passages.findLastIndex(({ role }, at) => role === 'assistant' && at < index);
  const after = passages.findIndex(({ role }, at) => role === 'assistant' && at > index);
  const breath = passages.slice(before + 1, after === -1 ? undefined : after);
  const holds = (text: string) => breath.some((passage) => passage.text.includes(text));
  const place = (): PlaceInRequest => {
    if (breath.some(({ kind }) => kind === 'result')) return 'with the result of the call';
    if (asked?.task !== undefined && holds(asked.task)) return "with the subagent's task";
    if (summary !== undefined && holds(summary)) return 'with the summary';
    const [first = '', ...later] = prompts;
    if (later.some(holds)) return 'with the next prompt';
    return first !== '' && holds(first) ? 'with the first prompt' : 'alone, as one more turn';
  };
  return { request, place: place() };
}
