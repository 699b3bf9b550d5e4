// https://cursor.com/docs/mcp
// From that page, not measured: the files, ${env:NAME} and the names of places in command, args, env, url and headers,
// envFile for servers on stdio. That an unset variable is empty is what VS Code does, which Cursor is made of.
import { join } from 'node:path';
import { givenByEditors } from '../servers/editor.ts';
import type { ServerClient } from '../servers/servers.ts';

export const cursor: ServerClient = {
  id: 'cursor',
  aliases: [],
  name: 'Cursor',
  docs: 'https://cursor.com/docs/mcp',
  files: ({ home, cwd }) => [
    {
      scope: 'project',
      path: join(cwd, '.cursor/mcp.json'),
      format: 'json',
      keys: ['mcpServers'],
    },
    { scope: 'user', path: join(home, '.cursor/mcp.json'), format: 'json', keys: ['mcpServers'] },
  ],
  fields: { url: ['url'], headers: 'headers', envFile: 'envFile', cwd: 'cwd' },
  switchedOff: ({ disabled }) => (disabled === true ? 'it has "disabled": true' : undefined),
  given: givenByEditors,
};
