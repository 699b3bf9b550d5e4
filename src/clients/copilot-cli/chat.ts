// The OpenAI Chat Completions API, as far as GitHub Copilot CLI 1.0.102 uses it with a provider of the user's own.
import { contentText, getPath, type Json, list, str, textOf } from '../../system/json.ts';
import {
  hasTools,
  json,
  type ModelApi,
  offeredIn,
  type Passage,
  sse,
} from '../driver/apis/model-api.ts';

/** The client's request for a summary begins so when it compacts. It offers tools in that request, too. */
const SUMMARY = 'Please create a detailed summary of the conversation so far.';

export const chat: ModelApi = {
  matches: (path) => path === '/v1/chat/completions',

  isConversation: (body) =>
    hasTools(body) &&
    !contentText(getPath(list(getPath(body, 'messages')).at(-1), 'content')).startsWith(SUMMARY),

  passages: (body) => list(getPath(body, 'messages')).flatMap(messagePassages),

  offered: (body) => offeredIn(list(getPath(body, 'tools')).map(toolIn)),

  shell(command, body) {
    const shell = chat.offered(body).some(({ name }) => name === 'powershell')
      ? 'powershell'
      : 'bash';
    return { name: shell, input: { command, description: 'scripted' } };
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
    const usage = {
      prompt_tokens: reply.tokens,
      completion_tokens: 5,
      total_tokens: reply.tokens + 5,
    };
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
};

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
