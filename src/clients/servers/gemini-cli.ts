// https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
// Measured with 0.61.0: the folder's own .gemini/settings.json alone, over the user's; no server at all in a folder that
// is not trusted. `mcp.allowed` and `mcp.excluded` are from its source.
import { join } from 'node:path';
import type { JsonObject } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import { geminiCli as client } from '../gemini-cli.ts';
import { geminiCli as health } from '../health/gemini-cli.ts';
import { includes } from './folders.ts';
import type { ServerClient, ServerLook, Whereabouts } from './servers.ts';
import { isTrusted } from './trust.ts';

const folderOf = ({ env, home }: Whereabouts): string => client.userFolder(env, home);

/** What all its settings say of servers. */
function settingsOf(look: ServerLook): JsonObject[] {
  const own = join(look.cwd, '.gemini/settings.json');
  return [own, join(folderOf(look), 'settings.json')].flatMap((path) => {
    const { mcp } = look.document(path, 'json');
    return isObject(mcp) ? [mcp] : [];
  });
}

export const geminiCli: ServerClient = {
  id: client.id,
  aliases: client.aliases,
  name: client.name,
  docs: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  files: (at) => [
    {
      scope: 'project',
      path: join(at.cwd, '.gemini/settings.json'),
      format: 'json',
      keys: ['mcpServers'],
    },
    {
      scope: 'user',
      path: join(folderOf(at), 'settings.json'),
      format: 'json',
      keys: ['mcpServers'],
    },
  ],
  fields: { url: ['httpUrl', 'url'], headers: 'headers', cwd: 'cwd' },
  switchedOff: (_entry, name, _file, look) => {
    const settings = settingsOf(look);
    if (settings.some(({ excluded }) => includes(excluded, name))) return 'it is in "mcp.excluded"';
    const allowed = settings.map((one) => one.allowed).find((one) => Array.isArray(one));
    return allowed !== undefined && !includes(allowed, name)
      ? 'it is not in "mcp.allowed"'
      : undefined;
  },
  approved: (_name, look) =>
    isTrusted(
      health,
      look,
      folderOf(look),
      look.document(join(folderOf(look), 'settings.json'), 'json'),
    ),
  given: client.givenToServers,
};
