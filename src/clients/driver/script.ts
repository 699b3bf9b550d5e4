import { join } from 'node:path';
import type { JsonObject } from '../../system/json.ts';
import type { Call, ModelRequest } from './apis/model-api.ts';

/** What the model answers to one request. Only `call` names a tool in the client's own language. */
export type Step = ({ text: string } | Call | { parallel: Call[] }) & {
  /** How long the model says that the request was: with many, clients compact the history. */
  tokens?: number;
};

/** A step, or how to make it from the request, for what only the client can know, like ids. */
export type Script = readonly (Step | ((request: ModelRequest) => Step))[];

/** The script of a subagent, whose requests are those that have the task in a user's text. */
interface Subagent {
  task: string;
  steps: Script;
}

export interface Answers {
  /** Across all turns. */
  steps: Script;
  subagents?: readonly Subagent[];
  /** Beside the conversation: to who asks for titles and summaries. */
  aside?: string;
}

/** What the model says once the script has run out, so that no client can loop for ever. */
export const END_OF_SCRIPT: Step = { text: 'The script has no more steps.' };

export function callsOf(step: Step): Call[] {
  if ('text' in step) return [];
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

/** A tool's name, and its input but for the path of the file. */
interface FileCall {
  readonly name: string;
  readonly input?: JsonObject;
}

/** Calls of a client's tools for files, for `tools` of its driver. @param path The key of the file in their inputs. */
export function fileTools(
  path: string,
  read: FileCall,
  write: (content: string) => FileCall,
  edit: (before: string, after: string) => FileCall,
) {
  const step = (project: string, { name, input }: FileCall): Step => ({
    call: { name, input: { [path]: join(project, 'scripted.txt'), ...input } },
  });
  return {
    read: (word: string, project: string) =>
      word === '' ? [step(project, write('x')), step(project, read)] : undefined,
    write: (word: string, project: string) => [step(project, write(word))],
    // Claude Code edits no file that it has not seen.
    edit: (word: string, project: string) => [
      step(project, write('before')),
      step(project, edit('before', `after ${word}`)),
    ],
  };
}
