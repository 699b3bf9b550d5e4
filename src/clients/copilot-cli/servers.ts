// https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
// Measured with 1.0.102: a folder's .mcp.json, or else its .github/mcp.json, in a trusted folder only. The folder's own file
// has precedence over the user's, and the user's over those of parent folders. .vscode/mcp.json is not read, and "enabled" has
// no effect. In .mcp.json it would also accept servers outside "mcpServers"; we do not.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersOfProject } from '../../system/git/folders.ts';
import { isTrusted } from '../health/folder-trust.ts';
import type { ServerClient, ServerFile } from '../servers/servers.ts';
import { includes, jsonFile, ofClient, optionEach, userFolderOf } from '../servers/servers.ts';
import { copilotCli as client } from './client.ts';
import { copilotCli as health } from './health.ts';

/** The one file of a folder that counts. .mcp.json is not Copilot's own, so we only use it if Copilot is used. */
function fileOf(folder: string, isUsed: boolean): ServerFile {
  const shared = join(folder, '.mcp.json');
  const path = isUsed && existsSync(shared) ? shared : join(folder, '.github/mcp.json');
  return { ...jsonFile('project', path), onlyApproved: true };
}

export const copilotCli: ServerClient = {
  ...ofClient(client),
  files: (at) => {
    const [own = at.cwd, ...above] = foldersOfProject(at.cwd);
    const isUsed = existsSync(userFolderOf(client, at));
    const user = jsonFile('user', join(userFolderOf(client, at), 'mcp-config.json'));
    return [fileOf(own, isUsed), user, ...above.map((folder) => fileOf(folder, isUsed))];
  },
  fields: { url: ['url'], headers: 'headers', cwd: 'cwd' },
  switchedOff: ({ disabled }, name, _file, look) => {
    if (disabled === true) return 'it has "disabled": true';
    const settings = look.document(join(userFolderOf(client, look), 'settings.json'), 'json');
    return includes(settings.disabledMcpServers, name)
      ? 'it was switched off with "copilot mcp disable"'
      : undefined;
  },
  approved: (_name, _file, look) => isTrusted(health, look, userFolderOf(client, look)),
  // It starts the user's own servers even in an untrusted folder.
  trusted: () => true,
  written: {
    scopes: ['user', 'project'],
    reference: ['${', '}'],
    entry: (server) => ({ type: 'url' in server ? 'http' : 'local', ...server, tools: ['*'] }),
  },
  add: (server) => [
    ...['copilot', 'mcp', 'add'],
    ...('url' in server
      ? [
          ...optionEach('--header', server.headers, ': '),
          ...['--transport', 'http', server.name, server.url],
        ]
      : [
          ...optionEach('--env', server.variables, '='),
          ...[server.name, '--', server.command, ...server.args],
        ]),
  ],
};
