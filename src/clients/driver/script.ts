import { join } from 'node:path';
import type { JsonObject } from '../../system/json.ts';
import type { Call, ModelRequest } from './apis/model-api.ts';

/** The model's answer to one request. Only `call` names a tool in the client's own language. */
export type Step = ({ text: string } | Call | { parallel: Call[] }) & {
  /** The length that the model reports for the request. A large one makes clients compact the history. */
  tokens?: number;
  /** The model waits for this before it answers. */
  after?: () => Promise<void>;
};

/** A step, or a function that builds it from the request, for values that only the client knows, such as ids. */
export type Script = readonly (Step | ((request: ModelRequest) => Step))[];

/** A subagent's script. Its requests are those whose user text contains the task. */
interface Subagent {
  task: string;
  steps: Script;
}

export interface Answers {
  /** For all turns. */
  steps: Script;
  subagents?: readonly Subagent[];
  /** The answer to requests outside the conversation, for titles and summaries. */
  aside?: string;
  /** The client does not wait for hooks after a call, and stops them when it ends. So the model waits before each text. */
  unawaited?: boolean;
}

/** The model's answer after the last step, so that no client can loop forever. */
export const END_OF_SCRIPT: Step = { text: 'The script has no more steps.' };

export function callsOf(step: Step): Call[] {
  if ('text' in step) return [];
  return 'parallel' in step ? step.parallel : [step];
}

/** A command that does nothing but contains an arbitrary word. */
export function shell(word: string): Step {
  if (/^[\w ./:@=+,-]*$/.test(word)) return { shell: `: ${word}`.trim() };
  // The shell only looks for the line with the delimiter, which does not occur in the word.
  let end = 'END';
  while (word.includes(end)) end += '_';
  return { shell: `: <<'${end}'\n${word}\n${end}` };
}

/** A tool's name, and its input without the file's path. */
interface FileCall {
  readonly name: string;
  readonly input?: JsonObject;
}

/** Calls of a client's file tools, for `tools` of its driver. @param path The key of the file in their inputs. */
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
    // Claude Code does not edit a file that it has not read.
    edit: (word: string, project: string) => [
      step(project, write('before')),
      step(project, edit('before', `after ${word}`)),
    ],
  };
}
