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
  for (const entry of told) {
    const { heading, words } = saidIn(entry, on, label);
    const seen = conversation.find(heading).find(({ text }) => isUnder(heading, words, text));
    if (seen) return { kind: 'arrived', ...whereabouts(conversation, seen, prompts) };
  }
  return { kind: 'missing', why: 'dropped' };
}

const ORIGIN = 'Message from the MCP server "';

/** What a hook said: out of all that was said with it where the second stage said it, else as the program has it. */
function saidIn(
  { event, text, hooks }: LogEntry,
  on: readonly Bound[],
  label: string,
): { readonly heading: string; readonly words: string } {
  const hook = on.find(({ program }) => program.native === event)?.hook;
  // The first stage only answers at a start.
  const start = `${ORIGIN}${label}" at the start of the session`;
  if (text === undefined || !hook) return { heading: start, words: fragment(hook?.text ?? '') };
  const parts = text.split(/(?:^|\n\n)(?=Message from the MCP server ")/).filter(Boolean);
  const part = (parts.length === hooks.length && parts[hooks.indexOf(hook.number)]) || text;
  const [heading = '', ...lines] = part.split('\n');
  return { heading: fragment(heading), words: fragment(lines.join('\n')) };
}

/** Whether the words stand below the heading, and not below a later one. */
function isUnder(heading: string, words: string, text: string): boolean {
  const [, ...below] = text.split(heading);
  return below.some((rest) => rest.split(ORIGIN, 1)[0]?.includes(words));
}

/** The longest stretch of a text that every client leaves as it is, and that no variable is in. */
function fragment(text: string): string {
  const stretches = text.slice(0, 2000).split(/[<>\n]|\{[a-z_]+\}/);
  const longest = stretches.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest.trim().slice(0, 200);
}
