import type { JsonObject } from '../../system/json.ts';
import type { ModelRequest } from './model.ts';

/** A tool call by the name the client itself gave the tool. */
export interface NativeCall {
  /** Codex offers MCP tools in namespaces: `mcp__server.tool`. */
  name: string;
  /** Of which MCP server it is a tool, where clients have it under different names: the server's name and its own. */
  mcp?: { server: string; tool: string };
  /** A string for Codex' freeform tools, like `apply_patch`. */
  input: JsonObject | string;
}

export type Call =
  /** A command in the client's own shell tool. */
  { shell: string } | { call: NativeCall };

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
