// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: .vscode/mcp.json and the mcp.json of the user's
// default profile, with "servers" in it; envFile.
import { join } from 'node:path';
import { fields } from '../editor-shaped.ts';
import { jsonFile, ofClient, type ServerClient } from '../servers/servers.ts';
import { vsCode as client } from './client.ts';
import { profile } from './profile.ts';

export const vsCode: ServerClient = {
  ...ofClient(client),
  files: (at) => [
    jsonFile('project', join(at.cwd, '.vscode/mcp.json'), ['servers']),
    jsonFile('user', join(profile(at), 'mcp.json'), ['servers']),
  ],
  fields,
  switchedOff: () => undefined, // it stores that elsewhere
  written: {
    scopes: ['user', 'project'],
    reference: ['${env:', '}'],
    entry: (server) => ({ type: 'url' in server ? 'http' : 'stdio', ...server }),
  },
};
