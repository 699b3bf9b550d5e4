// https://github.com/QwenLM/qwen-code/blob/main/docs/users/features/mcp.md, and its program (0.24.4).
import { serversOf, unlisted } from '../gemini-shaped.ts';
import { includes, type ServerClient } from '../servers/servers.ts';
import { qwenCode as client } from './client.ts';

export const qwenCode: ServerClient = {
  ...serversOf(client, 'qwen'),
  switchedOff: (_entry, name, _file, look) =>
    unlisted(client, look, (list) => includes(list, name)),
};
