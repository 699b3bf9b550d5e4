import type { Call } from './call.ts';
import type { ModelRequest } from './request.ts';

/**
 * What the model answers to one request of the conversation. The same script drives all clients;
 * only `call` names a tool in the client's own language.
 */
export type Step = ({ text: string } | Call | { parallel: Call[] }) & {
  /** How long the model says that the request was: with many, clients compact the history. */
  tokens?: number;
};

/** A step, or how to make it from the request, for what only the client can know, like ids. */
export type Script = readonly (Step | ((request: ModelRequest) => Step))[];

/** The script of a subagent, whose requests are those that have the task in a user's text. */
export interface Subagent {
  task: string;
  steps: Script;
}

/** What the model says once the script has run out, so that no client can loop for ever. */
export const END_OF_SCRIPT: Step = { text: 'The script has no more steps.' };

export function callsOf(step: Step): Call[] {
  if ('text' in step) {
    return [];
  }
  return 'parallel' in step ? step.parallel : [step];
}

/** A command that does nothing, with a word in it, whatever that word is. */
export function shell(word: string): Step {
  if (/^[\w ./:@=+,-]*$/.test(word)) return { shell: `: ${word}`.trim() };
  // Nothing in it is read but the line that ends it, which is not in it.
  let end = 'END';
  while (word.includes(end)) end += '_';
  return { shell: `: <<'${end}'\n${word}\n${end}` };
}
