// https://cursor.com/docs/mcp: the files; ${env:NAME} and names of places in command, args, env, url and headers; envFile for
// stdio servers; the form of a server. An unset variable is empty in VS Code, which Cursor is based on.
import { join } from 'node:path';
import { fields } from '../editor-shaped.ts';
import { jsonFile, ofClient, type ServerClient } from '../servers/servers.ts';
import { cursor as client } from './client.ts';

export const cursor: ServerClient = {
  ...ofClient(client),
  files: ({ home, cwd }) => [
    jsonFile('project', join(cwd, '.cursor/mcp.json')),
    jsonFile('user', join(home, '.cursor/mcp.json')),
  ],
  fields,
  switchedOff: ({ disabled }) => (disabled === true ? 'it has "disabled": true' : undefined),
  written: {
    scopes: ['user', 'project'],
    reference: ['${env:', '}'],
    entry: (server) => ({ ...server }),
  },
};
