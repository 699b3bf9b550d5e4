// https://moonshotai.github.io/kimi-code/en/customization/mcp
// Measured with 2.1.0: for a server in several files, the one with the highest precedence counts; nothing is expanded; and a
// folder's servers are ignored until it is trusted.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryOf } from '../../system/git/folders.ts';
import {
  jsonFile,
  ofClient,
  type SearchPlace,
  type ServerClient,
  userFolderOf,
} from '../servers/servers.ts';
import { kimiCode as client } from './client.ts';

/** The file that it creates when the user trusts the folder of a session. From its program. */
function trustOf(at: SearchPlace): string {
  const slug = basename(at.cwd)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const name = ['', '.', '..'].includes(slug) ? 'workspace' : slug;
  // Only needed here, and commands should start without it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(at.cwd).digest('hex').slice(0, 12);
  return join(userFolderOf(client, at), 'workspace-trust', `wd_${name}_${hash}`);
}

export const kimiCode: ServerClient = {
  ...ofClient(client),
  files: (at) => {
    const own = join(at.cwd, client.projectFolder, 'mcp.json');
    // This file is not Kimi Code's own, so it counts only if Kimi Code is used.
    const shared = join(repositoryOf(at.cwd) ?? at.cwd, '.mcp.json');
    const ofProject = existsSync(userFolderOf(client, at)) ? [own, shared] : [own];
    return [
      ...ofProject.map((path) => ({ ...jsonFile('project', path), onlyApproved: true as const })),
      jsonFile('user', join(userFolderOf(client, at), 'mcp.json')),
    ];
  },
  fields: { url: ['url'], headers: 'headers', bearer: 'bearerTokenEnvVar', cwd: 'cwd' },
  switchedOff: ({ enabled }) => (enabled === false ? 'it has "enabled": false' : undefined),
  approved: (_name, _file, look) => 'root' in look.document(trustOf(look), 'json'),
  // It starts the user's own servers even in an untrusted folder.
  trusted: () => true,
  written: { scopes: ['user', 'project'], entry: (server) => ({ ...server }) },
};
