// The OpenAI Responses API, as far as Codex CLI 0.169.0 uses it.
import type { Json, JsonObject } from '../../../system/json.ts';
import { contentText, getPath, list, str, textOf } from '../../../system/json.ts';
import { type ModelApi, offeredIn, type Passage, sse } from './model-api.ts';

/** Not a function, but a separate type of call. */
const SEARCH = 'tool_search';

export const openai: ModelApi = {
  matches: (path) => path === '/v1/responses',

  isConversation: (body) => toolsOf(body).length > 0,

  passages(body) {
    const system: Passage = {
      role: 'system',
      kind: 'text',
      text: str(getPath(body, 'instructions')),
    };
    return [system, ...list(getPath(body, 'input')).flatMap(itemPassages)];
  },

  offered: (body) =>
    groupsOf(body).flatMap(([namespace, tools]) => offeredIn(tools, namespace && `${namespace}.`)),

  search: (query) => ({ name: SEARCH, input: { query } }),

  // Which shell tool is offered depends on the model's entry in Codex' catalogue: gpt-5.5 has a function; the gpt-6 models
  // write JavaScript that calls it ("code mode").
  shell(cmd, body) {
    const offered = toolsOf(body);
    if (offered.includes('exec_command')) return { name: 'exec_command', input: { cmd } };
    if (offered.includes('exec'))
      return { name: 'exec', input: `text(await tools.exec_command(${JSON.stringify({ cmd })}));` };
    throw new Error(`Codex offers no shell tool that the script knows: ${offered.join(', ')}`);
  },

  answer(reply) {
    const content = [{ type: 'output_text', text: reply.text ?? '' }];
    const said = { type: 'message', role: 'assistant', id: `msg_${reply.id}`, content };
    const text: JsonObject[] = reply.text === undefined ? [] : [said];
    const calls = reply.calls.map(({ id, name, input }) => toolCall(id, name, input));
    const usage = {
      input_tokens: reply.tokens,
      input_tokens_details: null,
      output_tokens: 5,
      output_tokens_details: null,
      total_tokens: reply.tokens + 5,
    };
    return sse([
      { type: 'response.created', response: { id: reply.id } },
      ...[...text, ...calls].map((item) => ({ type: 'response.output_item.done', item })),
      { type: 'response.completed', response: { id: reply.id, usage } },
    ]);
  },
};

/**
 * Tools by namespace; '' for those without one. The gpt-6 models get their tools in the input, which also contains the tools
 * found by a search.
 */
function groupsOf(body: Json): [namespace: string, tools: Json[]][] {
  const added = list(getPath(body, 'input')).flatMap((item) => list(getPath(item, 'tools')));
  return [...list(getPath(body, 'tools')), ...added].map((tool) => {
    const inner = list(getPath(tool, 'tools'));
    return inner.length > 0 ? [str(getPath(tool, 'name')), inner] : ['', [tool]];
  });
}

const toolsOf = (body: Json): string[] =>
  groupsOf(body).flatMap(([, tools]) => tools.map((one) => str(getPath(one, 'name'))));

function toolCall(id: string, name: string, input: JsonObject | string): JsonObject {
  if (name === SEARCH)
    return { type: 'tool_search_call', call_id: id, execution: 'client', arguments: input };
  if (typeof input === 'string') return { type: 'custom_tool_call', call_id: id, name, input };
  const call = { type: 'function_call', call_id: id, arguments: JSON.stringify(input) };
  const dot = name.lastIndexOf('.');
  return dot < 0
    ? { ...call, name }
    : { ...call, namespace: name.slice(0, dot), name: name.slice(dot + 1) };
}

function itemPassages(item: Json): Passage[] {
  const type = str(getPath(item, 'type'));
  if (type.endsWith('_call_output'))
    return [{ role: 'user', kind: 'result', text: contentText(getPath(item, 'output')) }];
  if (type.endsWith('_call')) return [{ role: 'assistant', kind: 'call', text: textOf(item) }];
  const said = str(getPath(item, 'role'));
  const role = said === 'user' || said === 'assistant' ? said : 'system';
  const content = getPath(item, 'content');
  const texts =
    typeof content === 'string'
      ? [content]
      : list(content).map((part) => str(getPath(part, 'text')));
  return texts.map((text) => ({ role, kind: 'text', text }));
}
