// The Anthropic Messages API, as far as Claude Code 2.1.329 uses it.
import type { Json, JsonObject } from '../../../system/json.ts';
import { contentText, getPath, list, str, textOf } from '../../../system/json.ts';
import {
  hasTools,
  json,
  type ModelApi,
  offeredIn,
  type Passage,
  type Reply,
  sse,
} from './model-api.ts';

const usage = ({ tokens }: Reply): JsonObject => ({ input_tokens: tokens, output_tokens: 5 });

export const anthropic: ModelApi = {
  matches: (path) => path === '/v1/messages',

  isConversation: hasTools,

  passages(body) {
    const system: Passage = {
      role: 'system',
      kind: 'text',
      text: contentText(getPath(body, 'system')),
    };
    return [system, ...list(getPath(body, 'messages')).flatMap(messagePassages)];
  },

  offered: (body) => offeredIn(getPath(body, 'tools')),

  search: (words) => ({ name: 'ToolSearch', input: { query: words, max_results: 20 } }),

  shell: (command, body) => {
    const offered = offeredIn(getPath(body, 'tools')).map(({ name }) => name);
    // On Windows without Git Bash.
    const name =
      offered.includes('PowerShell') && !offered.includes('Bash') ? 'PowerShell' : 'Bash';
    return { name, input: { command, description: 'scripted command' } };
  },

  answer(reply, _path, body) {
    const model = getPath(body, 'model') ?? 'scripted';
    return getPath(body, 'stream') === true ? sse(events(reply, model)) : json(whole(reply, model));
  },
};

function messagePassages(message: Json): Passage[] {
  const said = str(getPath(message, 'role'));
  const role = said === 'assistant' || said === 'system' ? said : 'user';
  const content = getPath(message, 'content');
  if (typeof content === 'string') return [{ role, kind: 'text', text: content }];
  return list(content).map((block): Passage => {
    const type = getPath(block, 'type');
    if (type === 'tool_result')
      return { role, kind: 'result', text: contentText(getPath(block, 'content')) };
    if (type !== 'tool_use') return { role, kind: 'text', text: str(getPath(block, 'text')) };
    const call = [getPath(block, 'name') ?? '', getPath(block, 'input') ?? ''];
    return { role, kind: 'call', text: textOf(call) };
  });
}

function blocks(reply: Reply): JsonObject[] {
  const text = reply.text === undefined ? [] : [{ type: 'text', text: reply.text }];
  const calls = reply.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  return [...text, ...calls];
}

function whole(reply: Reply, model: Json): JsonObject {
  return {
    id: reply.id,
    type: 'message',
    role: 'assistant',
    model,
    content: blocks(reply),
    stop_reason: reply.calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: usage(reply),
  };
}

function events(reply: Reply, model: Json): JsonObject[] {
  const message = whole(reply, model);
  const inner = blocks(reply).flatMap((block, index): JsonObject[] => {
    const isText = block.type === 'text';
    const empty = isText ? { ...block, text: '' } : { ...block, input: {} };
    const delta: JsonObject = isText
      ? { type: 'text_delta', text: block.text ?? '' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    return [
      { type: 'content_block_start', index, content_block: empty },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ];
  });
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...inner,
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason ?? null, stop_sequence: null },
      usage: usage(reply),
    },
    { type: 'message_stop' },
  ];
}
