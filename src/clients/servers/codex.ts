// https://developers.openai.com/codex/mcp
// Measured with 0.169.0 (`codex mcp list --json`): every folder from the top of a trusted repository down may have a
// .codex/config.toml, the nearest wins; a server that stands in several is put together key by key; nothing is expanded.
import { join } from 'node:path';
import { codex as client } from '../codex.ts';
import { codex as health } from '../health/codex.ts';
import { foldersOfProject } from './folders.ts';
import type { ServerClient, Whereabouts } from './servers.ts';
import { isTrusted } from './trust.ts';

const configOf = ({ env, home }: Whereabouts): string =>
  join(client.userFolder(env, home), 'config.toml');

export const codex: ServerClient = {
  id: client.id,
  aliases: client.aliases,
  name: client.name,
  docs: 'https://developers.openai.com/codex/mcp',
  files: (at) => [
    ...foldersOfProject(at.cwd).map(
      (folder) =>
        ({
          scope: 'project',
          path: join(folder, '.codex/config.toml'),
          format: 'toml',
          keys: ['mcp_servers'],
          onlyApproved: true,
        }) as const,
    ),
    { scope: 'user', path: configOf(at), format: 'toml', keys: ['mcp_servers'] },
  ],
  fields: {
    url: ['url'],
    headers: 'http_headers',
    headersFromVariables: 'env_http_headers',
    bearer: 'bearer_token_env_var',
    passedOn: 'env_vars',
    cwd: 'cwd',
  },
  helper: 'http_headers_helper',
  switchedOff: ({ enabled }) => (enabled === false ? 'it has "enabled = false"' : undefined),
  approved: (_name, look) =>
    isTrusted(
      health,
      look,
      client.userFolder(look.env, look.home),
      look.document(configOf(look), 'toml'),
    ),
  given: client.givenToServers,
};
