// https://developers.openai.com/codex/mcp
// Measured with 0.169.0 (`codex mcp list --json`): every folder from the top of the repository down may have a
// .codex/config.toml. Codex reads each of them if that folder, the project or the repository is trusted. The nearest wins; a
// server in several files is merged key by key; nothing is expanded.
import { dirname, join } from 'node:path';
import { foldersOfProject } from '../../system/git/folders.ts';
import { settingIn } from '../health/folder-trust.ts';
import type { SearchPlace, ServerClient, ServerLook } from '../servers/servers.ts';
import { ofClient, optionEach, userFolderOf } from '../servers/servers.ts';
import { codex as client } from './client.ts';
import { codexFolders, trustIn } from './health.ts';

const configOf = (at: SearchPlace): string => join(userFolderOf(client, at), 'config.toml');

const settingOf = (look: ServerLook) => settingIn(look.document(configOf(look), 'toml'));

const TOML = { format: 'toml', keys: ['mcp_servers'] } as const;

export const codex: ServerClient = {
  ...ofClient(client),
  files: (at) => [
    ...foldersOfProject(at.cwd).map((folder) => ({
      ...TOML,
      scope: 'project' as const,
      path: join(folder, '.codex/config.toml'),
      onlyApproved: true as const,
    })),
    { ...TOML, scope: 'user', path: configOf(at) },
  ],
  fields: {
    url: ['url'],
    headers: 'http_headers',
    headersFromVariables: 'env_http_headers',
    bearer: 'bearer_token_env_var',
    passedOn: 'env_vars',
    cwd: 'cwd',
  },
  merges: true,
  helper: 'http_headers_helper',
  switchedOff: ({ enabled }) => (enabled === false ? 'it has "enabled = false"' : undefined),
  approved: (_name, { path }, look) => {
    const setting = settingOf(look);
    const folder = dirname(dirname(path));
    return (
      codexFolders(look.cwd, setting).includes(folder) &&
      trustIn(folder, look.cwd, setting) === 'trusted'
    );
  },
  written: {
    scopes: ['user', 'project'],
    entry: (server) => {
      if (!('url' in server)) return { ...server };
      return { url: server.url, ...(server.headers && { http_headers: server.headers }) };
    },
  },
  trusted: (look) => trustIn(look.cwd, look.cwd, settingOf(look)) === 'trusted',
  add: (server) => [
    ...['codex', 'mcp', 'add', server.name],
    ...('url' in server
      ? ['--url', server.url]
      : [...optionEach('--env', server.variables, '='), ...['--', server.command, ...server.args]]),
  ],
};
