// The Gemini API, as far as Gemini CLI 0.61.0 uses it.
import { contentText, getPath, type Json, list, str, textOf } from '../../../system/json.ts';
import { hasTools, json, type ModelApi, offeredIn, type Passage, sse } from './model-api.ts';

export const google: ModelApi = {
  matches: (path) => /^\/v1beta\/models\/[^/]+:(stream)?generateContent$/i.test(path),

  isConversation: hasTools,

  passages(body) {
    const system = contentText(getPath(body, 'systemInstruction', 'parts'));
    return [
      { role: 'system', kind: 'text', text: system },
      ...list(getPath(body, 'contents')).flatMap(contentPassages),
    ];
  },

  offered: (body) =>
    list(getPath(body, 'tools')).flatMap((one) => offeredIn(getPath(one, 'functionDeclarations'))),

  shell: (command) => ({ name: 'run_shell_command', input: { command } }),

  answer(reply, path) {
    const text = reply.text === undefined ? [] : [{ text: reply.text }];
    const calls = reply.calls.map(({ id, name, input }) => ({
      functionCall: { id, name, args: input },
    }));
    const response = {
      candidates: [
        { content: { role: 'model', parts: [...text, ...calls] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: reply.tokens,
        candidatesTokenCount: 5,
        totalTokenCount: reply.tokens + 5,
      },
      modelVersion: 'scripted',
      responseId: reply.id,
    };
    return path.includes(':stream') ? sse([response]) : json(response);
  },
};

function contentPassages(content: Json): Passage[] {
  const role = getPath(content, 'role') === 'model' ? 'assistant' : 'user';
  return list(getPath(content, 'parts')).map((part): Passage => {
    const call = getPath(part, 'functionCall');
    if (call !== undefined) return { role, kind: 'call', text: textOf(call) };
    const result = getPath(part, 'functionResponse');
    if (result !== undefined)
      return { role, kind: 'result', text: textOf(getPath(result, 'response')) };
    return { role, kind: 'text', text: str(getPath(part, 'text')) };
  });
}
