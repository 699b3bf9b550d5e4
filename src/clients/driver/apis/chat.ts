// The OpenAI Chat Completions API, as far as clients use it with a custom provider.
import { contentText, getPath, type Json, list, str, textOf } from '../../../system/json.ts';
import { hasTools, json, type ModelApi, offeredIn, type Passage, sse } from './model-api.ts';

interface Chat {
  /** The client's names of its shell, the usual one last. */
  readonly shells: readonly string[];
  /** The beginning of its request for a summary when it compacts. It offers tools in that request, too. */
  readonly summary: string;
  /** The minimum number of tokens of a request, for a client that does not compact a history shorter than its own prompt. */
  readonly least?: number;
}

export const chat = ({ shells, summary, least = 0 }: Chat): ModelApi => ({
  matches: (path) => path === '/v1/chat/completions',

  isConversation: (body) =>
    hasTools(body) &&
    !contentText(getPath(list(getPath(body, 'messages')).at(-1), 'content')).startsWith(summary),

  passages: (body) => list(getPath(body, 'messages')).flatMap(messagePassages),

  offered,

  shell(command, body) {
    const names = offered(body).map(({ name }) => name);
    const name = shells.find((shell) => names.includes(shell)) ?? shells.at(-1) ?? '';
    return { name, input: { command, description: 'scripted' } };
  },

  answer(reply, _path, body) {
    const head = { id: reply.id, created: 1, model: 'scripted' };
    const calls = reply.calls.map(({ id, name, input }, index) => ({
      index,
      id,
      ...(typeof input === 'string'
        ? { type: 'custom', custom: { name, input } }
        : { type: 'function', function: { name, arguments: JSON.stringify(input) } }),
    }));
    const message = {
      role: 'assistant',
      ...(reply.text !== undefined && { content: reply.text }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const finish = calls.length > 0 ? 'tool_calls' : 'stop';
    const tokens = Math.max(least, reply.tokens);
    const usage = { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 };
    if (getPath(body, 'stream') !== true) {
      const choices = [{ index: 0, message, finish_reason: finish }];
      return json({ ...head, object: 'chat.completion', choices, usage });
    }
    const chunk = { ...head, object: 'chat.completion.chunk' };
    const choice = { index: 0, finish_reason: null };
    return sse(
      [
        { ...chunk, choices: [{ ...choice, delta: message }] },
        { ...chunk, choices: [{ ...choice, delta: {}, finish_reason: finish }] },
        { ...chunk, choices: [], usage },
      ],
      'data: [DONE]\n\n',
    );
  },
});

const offered = (body: Json) => offeredIn(list(getPath(body, 'tools')).map(toolIn));

/** A freeform tool has its name in another place. */
const toolIn = (tool: Json): Json => getPath(tool, 'function') ?? getPath(tool, 'custom') ?? {};

function messagePassages(message: Json): Passage[] {
  const said = str(getPath(message, 'role'));
  const text = contentText(getPath(message, 'content'));
  if (said === 'tool') return [{ role: 'user', kind: 'result', text }];
  const role = said === 'user' || said === 'assistant' ? said : 'system';
  const calls = list(getPath(message, 'tool_calls')).map(
    (call): Passage => ({ role, kind: 'call', text: textOf(call) }),
  );
  return text === '' ? calls : [{ role, kind: 'text', text }, ...calls];
}
