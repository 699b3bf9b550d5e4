// https://github.com/QwenLM/qwen-code/blob/main/docs/users/features/mcp.md, and its program (0.24.4).
import { join } from 'node:path';
import { isObject } from '../../edit/edit.ts';
import { addedBy, written } from '../gemini-shaped.ts';
import type { SearchPlace, ServerClient } from '../servers/servers.ts';
import { includes, jsonFile, ofClient } from '../servers/servers.ts';
import { qwenCode as client } from './client.ts';

const folderOf = ({ env, home, platform }: SearchPlace): string =>
  client.userFolder(env, home, platform);

export const qwenCode: ServerClient = {
  ...ofClient(client),
  files: (at) => [
    jsonFile('project', join(at.cwd, '.qwen/settings.json')),
    jsonFile('user', join(folderOf(at), 'settings.json')),
  ],
  fields: { url: ['httpUrl', 'url'], headers: 'headers', cwd: 'cwd' },
  switchedOff: (_entry, name, _file, look) => {
    const settings = [join(look.cwd, '.qwen/settings.json'), join(folderOf(look), 'settings.json')];
    const lists = settings.flatMap((path) => {
      const { mcp } = look.document(path, 'json');
      return isObject(mcp) ? [mcp] : [];
    });
    if (lists.some(({ excluded }) => includes(excluded, name))) return 'it is in "mcp.excluded"';
    return lists.some(({ allowed }) => Array.isArray(allowed) && !includes(allowed, name))
      ? 'it is not in "mcp.allowed"'
      : undefined;
  },
  written,
  add: addedBy('qwen'),
};
