import type { Json } from '../../system/json.ts';
import type { Passage } from './apis/model-api.ts';

/** A request of the conversation, as a client has sent it. */
export interface ModelRequest {
  /** 1 is the first request of the conversation. */
  number: number;
  path: string;
  body: Json;
  /** What the model reads, in order: system text, prompts, tool calls, tool results. */
  passages: Passage[];
  /** The task of the subagent whose request this is. */
  task: string | undefined;
}
