import { getPath, type Json, type JsonObject, list, str } from '../../../system/json.ts';

export interface Passage {
  role: 'system' | 'user' | 'assistant';
  kind: 'text' | 'call' | 'result';
  text: string;
}

export interface ModelRequest {
  /** 1 is the first request of the conversation. */
  number: number;
  path: string;
  body: Json;
  passages: Passage[];
  task: string | undefined;
}

/** A tool call under the client's own name of the tool. */
export interface NativeCall {
  /** Codex offers MCP tools in namespaces: `mcp__server.tool`. */
  name: string;
  /** A string for Codex' freeform tools, such as `apply_patch`. */
  input: JsonObject | string;
}

export type Call =
  /** A command in the client's own shell tool. */
  | { shell: string }
  | { call: NativeCall }
  /** A call of the tool whose description contains this. Only the client knows its own name of a server's tool. */
  | { described: string; input: JsonObject };

/** The model's answer, with the script's steps translated into the client's own tools. */
export interface Reply {
  id: string;
  text: string | undefined;
  calls: (NativeCall & { id: string })[];
  tokens: number;
}

interface HttpAnswer {
  contentType: 'application/json' | 'text/event-stream';
  body: string;
}

/** A tool as the client describes it to its model. */
interface OfferedTool {
  name: string;
  description: string;
}

export interface ModelApi {
  /** Whether a POST to this path (without query) is a request for model output. */
  matches(path: string): boolean;
  /** Requests of the conversation offer tools; those for titles, routing and summaries do not. */
  isConversation(body: Json): boolean;
  passages(body: Json): Passage[];
  /** The call of the client's own shell tool with a command. */
  shell(command: string, body: Json): NativeCall;
  /** The tools that a request offers. */
  offered(body: Json): OfferedTool[];
  /** The call with which a model searches for tools that are not offered initially. Absent: all tools are offered. */
  search?(words: string): NativeCall;
  answer(reply: Reply, path: string, body: Json): HttpAnswer;
}

/** Server-sent events, with an `event:` line for those that have a type. */
export function sse(events: JsonObject[], end = ''): HttpAnswer {
  const lines = events.map((event) => {
    const name = event.type === undefined ? '' : `event: ${String(event.type)}\n`;
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return { contentType: 'text/event-stream', body: lines.join('') + end };
}

export const json = (value: Json): HttpAnswer => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});

export const offeredIn = (tools: Json | undefined, namespace = ''): OfferedTool[] =>
  list(tools).map((tool) => ({
    name: `${namespace}${str(getPath(tool, 'name'))}`,
    description: str(getPath(tool, 'description')),
  }));

export const hasTools = (body: Json): boolean => list(getPath(body, 'tools')).length > 0;
