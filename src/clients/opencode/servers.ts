// https://opencode.ai/docs/mcp-servers, and its program (1.18.33).
import { join } from 'node:path';
import { jsonFile, ofClient, type ServerClient, userFolderOf } from '../servers/servers.ts';
import { opencode as client } from './client.ts';

/** If both have a server of the same name, the first counts. */
export const NAMES = ['opencode.jsonc', 'opencode.json'];

export const opencode: ServerClient = {
  ...ofClient(client),
  files: (at) =>
    (
      [
        ['project', join(at.cwd, client.projectFolder)],
        ['project', at.cwd],
        ['user', userFolderOf(client, at)],
      ] as const
    ).flatMap(([scope, folder]) =>
      NAMES.map((name) => jsonFile(scope, join(folder, name), ['mcp'])),
    ),
  fields: { env: 'environment', url: ['url'], headers: 'headers', cwd: 'cwd' },
  merges: true,
  switchedOff: ({ enabled }) => (enabled === false ? 'it has "enabled": false' : undefined),
  // It starts all of them in any folder, without asking the user.
  trusted: () => true,
  written: {
    scopes: ['user', 'project'],
    reference: ['{env:', '}'],
    entry: (server) =>
      'url' in server
        ? { type: 'remote', ...server }
        : {
            type: 'local',
            command: [server.command, ...server.args],
            ...(server.env && { environment: server.env }),
          },
  },
};
