// https://moonshotai.github.io/kimi-code/en/customization/mcp
// Measured with 2.1.0: a server in several files is that of the strongest, nothing is expanded, and the servers of a folder
// are left out until it is trusted.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryOf } from '../../system/git/folders.ts';
import { jsonFile, ofClient, type SearchPlace, type ServerClient } from '../servers/servers.ts';
import { kimiCode as client } from './client.ts';

const folderOf = ({ env, home, platform }: SearchPlace): string =>
  client.userFolder(env, home, platform);

/** The file that it makes when its user trusts the folder in which it is started. From its program. */
function trustOf(at: SearchPlace): string {
  const slug = basename(at.cwd)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const name = ['', '.', '..'].includes(slug) ? 'workspace' : slug;
  // Only this needs it, and a command should start without it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(at.cwd).digest('hex').slice(0, 12);
  return join(folderOf(at), 'workspace-trust', `wd_${name}_${hash}`);
}

export const kimiCode: ServerClient = {
  ...ofClient(client),
  files: (at) => {
    const own = join(at.cwd, client.projectFolder, 'mcp.json');
    // This one is not its own, so it counts if somebody uses Kimi Code.
    const shared = join(repositoryOf(at.cwd) ?? at.cwd, '.mcp.json');
    const ofProject = existsSync(folderOf(at)) ? [own, shared] : [own];
    return [
      ...ofProject.map((path) => ({ ...jsonFile('project', path), onlyApproved: true as const })),
      jsonFile('user', join(folderOf(at), 'mcp.json')),
    ];
  },
  fields: { url: ['url'], headers: 'headers', bearer: 'bearerTokenEnvVar', cwd: 'cwd' },
  switchedOff: ({ enabled }) => (enabled === false ? 'it has "enabled": false' : undefined),
  approved: (_name, _file, look) => 'root' in look.document(trustOf(look), 'json'),
  // It starts the user's own servers even in a folder that nobody trusts.
  trusted: () => true,
  written: { scopes: ['user', 'project'], entry: (server) => ({ ...server }) },
};
