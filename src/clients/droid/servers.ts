// https://docs.factory.ai/cli/configuration/mcp, and its program (0.215.0).
import { join } from 'node:path';
import { quoted } from '../../system/strings.ts';
import {
  jsonFile,
  ofClient,
  optionEach,
  type ServerClient,
  userFolderOf,
} from '../servers/servers.ts';
import { droid as client } from './client.ts';

export const droid: ServerClient = {
  ...ofClient(client),
  files: (at) => [
    jsonFile('project', join(at.cwd, client.projectFolder, 'mcp.json')),
    jsonFile('user', join(userFolderOf(client, at), 'mcp.json')),
  ],
  fields: { url: ['url'], headers: 'headers' },
  switchedOff: ({ disabled }) => (disabled === true ? 'it is disabled' : undefined),
  written: {
    scopes: ['user', 'project'],
    reference: ['${', '}'],
    entry: (server) =>
      'url' in server ? { type: 'http', ...server } : { type: 'stdio', ...server },
  },
  // It takes a program with its arguments as one word, and splits it as a shell does.
  add: (server) => [
    ...['droid', 'mcp', 'add', server.name],
    ...('url' in server
      ? [server.url, '--type', 'http', ...optionEach('--header', server.headers, ': ')]
      : [
          ...optionEach('--env', server.variables, '='),
          ...[[server.command, ...server.args].map(quoted).join(' ')],
        ]),
  ],
};
