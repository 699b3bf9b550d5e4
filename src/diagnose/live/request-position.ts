/** Where in a request something stands that the model was told, in words. */

import type { Conversation, Sighting } from '../../clients/driver/model.ts';

export interface RequestPosition {
  /** 1 is the first request of the conversation. */
  readonly request: number;
  readonly place: PlaceInRequest;
}

/** What came in the same breath: since the model's last answer. */
export type PlaceInRequest =
  | 'with the first prompt'
  | 'with the next prompt'
  | 'with the result of the call'
  | "with the subagent's task"
  | 'with the summary'
  | 'alone, as one more turn';

/** @param prompts The session's, in order. */
export function requestPosition(
  { requests }: Conversation,
  { request, index }: Pick<Sighting, 'request' | 'index'>,
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
