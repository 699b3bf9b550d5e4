/** What became of a hook in a session: read off what its runner has written down and what the model has read. */

import type { EventProgram, ProgramHook } from '../compile/program.ts';
import type { LogEntry } from '../log.ts';
import type { Conversation } from './model.ts';
import { type Whereabouts, whereabouts } from './whereabouts.ts';

export type Fate =
  | ({ readonly kind: 'arrived' } & Whereabouts)
  /** A tool whose reply is for nobody was called. */
  | { readonly kind: 'called' }
  /** No script can make happen what it is about. */
  | { readonly kind: 'not tried' }
  | { readonly kind: 'missing'; readonly why: Why; readonly what?: string };

export type Why =
  /** There is no entry for the event in the client's settings. */
  | 'entry'
  /** The user's policy says that nothing of this server is told. */
  | 'muted'
  /** The user's policy cannot be read; `what` says why. */
  | 'policy'
  /** The runner says why; `what` is its word. */
  | 'reason'
  /** The runner said it, and it is in no request. */
  | 'dropped'
  /** The runner had nothing to say, or was not run. */
  | 'silent'
  /** There was no session that came to its end. */
  | 'session';

/** A declared hook on one native event on which it speaks. */
export interface Bound {
  readonly program: EventProgram;
  readonly hook: ProgramHook;
}

export interface Session {
  readonly label: string;
  readonly prompts: readonly string[];
  readonly conversation: Conversation;
  readonly log: readonly LogEntry[];
}

/** By two witnesses: the runner has written down that it was said, and the model has read it. */
export function fateOf(on: readonly Bound[], session: Session): Fate {
  const { label, prompts, conversation, log } = session;
  const here = log.filter(({ event }) => on.some(({ program }) => program.native === event));
  const told = here.filter(({ hooks }) => on.some(({ hook }) => hooks.includes(hook.number)));
  if (told.length === 0) {
    const reason = here.find((entry) => entry.reason !== undefined)?.reason;
    return reason === undefined
      ? { kind: 'missing', why: 'silent' }
      : { kind: 'missing', why: 'reason', what: reason };
  }
  if (on.some(({ hook }) => hook.act === 'call')) return { kind: 'called' };
  const origin = `server "${label}"`;
  for (const entry of told) {
    const said = textIn(entry, on);
    const words = fragment(said);
    const seen = conversation
      .find(origin)
      .find(({ text }) => follows(words, origin, text, reachOf(said)));
    if (seen) return { kind: 'arrived', ...whereabouts(conversation, seen, prompts) };
  }
  return { kind: 'missing', why: 'dropped' };
}

/** Whether the words stand near who has said them: those of a short text may also be in what others say. */
function follows(words: string, origin: string, text: string, reach: number): boolean {
  for (let at = text.indexOf(origin); at !== -1; at = text.indexOf(origin, at + 1))
    if (text.slice(at, at + reach).includes(words)) return true;
  return false;
}

/** Characters from the name of the server to the end of what it says, in which each may have been written as an escape. */
const reachOf = (said: string): number =>
  VARIABLE.test(said) ? Number.POSITIVE_INFINITY : HEADING + 6 * said.length;

const HEADING = 300;
const VARIABLE = /\{[a-z_]+\}/;

/** What a hook said: out of all that was said with it where the second stage said it, else as the program has it. */
function textIn({ event, text, hooks }: LogEntry, on: readonly Bound[]): string {
  const bound = on.find(({ program }) => program.native === event);
  if (!bound) return '';
  if (text === undefined) return bound.hook.text ?? '';
  const parts = text.split(/(?:^|\n\n)(?=Message from the MCP server ")/).filter(Boolean);
  const part = parts.length === hooks.length ? parts[hooks.indexOf(bound.hook.number)] : text;
  return (part ?? text).replace(/^.*\n/, '');
}

/** The longest stretch of a text that every client leaves as it is, and that no variable is in. */
function fragment(text: string): string {
  const stretches = text.slice(0, 2000).split(/[<>\n]|\{[a-z_]+\}/);
  const longest = stretches.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest.trim().slice(0, 200);
}
