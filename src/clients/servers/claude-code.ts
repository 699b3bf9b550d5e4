// https://code.claude.com/docs/en/mcp
// Measured with 2.1.329 (`claude mcp get`): .mcp.json is looked for in the folder and those above it, a local server under
// the top of the repository; a project's server that is not approved is passed over; a variable that is not set stays.
import { join } from 'node:path';
import type { JsonObject } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import { claudeCode as client } from '../claude-code.ts';
import { claudeCode as health } from '../health/claude-code.ts';
import { foldersUpFrom, includes, repositoryOf } from './folders.ts';
import type { ServerClient, ServerLook, Whereabouts } from './servers.ts';
import { isTrusted } from './trust.ts';

const configOf = ({ env, home }: Whereabouts): string =>
  join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');

/** What it remembers of the project. */
function projectIn(look: ServerLook): JsonObject {
  const { projects } = look.document(configOf(look), 'json');
  const known = isObject(projects) ? projects[repositoryOf(look.cwd) ?? look.cwd] : undefined;
  return isObject(known) ? known : {};
}

export const claudeCode: ServerClient = {
  id: client.id,
  aliases: client.aliases,
  name: client.name,
  docs: 'https://code.claude.com/docs/en/mcp',
  files: (at) => [
    {
      scope: 'local',
      path: configOf(at),
      format: 'json',
      keys: ['projects', repositoryOf(at.cwd) ?? at.cwd, 'mcpServers'],
    },
    ...foldersUpFrom(at.cwd).map(
      (folder) =>
        ({
          scope: 'project',
          path: join(folder, '.mcp.json'),
          format: 'json',
          keys: ['mcpServers'],
          onlyApproved: true,
        }) as const,
    ),
    { scope: 'user', path: configOf(at), format: 'json', keys: ['mcpServers'] },
  ],
  fields: { url: ['url'], headers: 'headers' },
  helper: 'headersHelper',
  switchedOff: (_entry, name, { scope }, look) => {
    const { disabledMcpServers, disabledMcpjsonServers } = projectIn(look);
    const off = scope === 'project' ? disabledMcpjsonServers : disabledMcpServers;
    return includes(off, name) ? 'it is switched off in this project' : undefined;
  },
  // What a folder brings along says nothing before the folder itself is trusted.
  approved: (name, look) => {
    const trusted = isTrusted(health, look, client.userFolder(look.env, look.home), {});
    const settings = join(repositoryOf(look.cwd) ?? look.cwd, '.claude/settings.local.json');
    return [projectIn(look), ...(trusted ? [look.document(settings, 'json')] : [])].some(
      ({ enabledMcpjsonServers, enableAllProjectMcpServers }) =>
        enableAllProjectMcpServers === true || includes(enabledMcpjsonServers, name),
    );
  },
  given: client.givenToServers,
};
