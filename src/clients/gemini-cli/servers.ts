// https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
// Measured with 0.61.0 (`gemini mcp list`): reads only the folder's own .gemini/settings.json, over the user's. Starts no
// server at all in a folder that is not trusted, and no server that `mcp.excluded` names, that an `mcp.allowed` does not
// name, or that `gemini mcp disable` has switched off.
import { join } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { addedBy, written } from '../gemini-shaped.ts';
import { isTrusted } from '../health/folder-trust.ts';
import type { SearchPlace, ServerClient, ServerLook } from '../servers/servers.ts';
import { jsonFile, ofClient } from '../servers/servers.ts';
import { geminiCli as client } from './client.ts';
import { geminiCli as health } from './health.ts';

const folderOf = ({ env, home, platform }: SearchPlace): string =>
  client.userFolder(env, home, platform);

function settingsOf(look: ServerLook): JsonObject[] {
  const own = join(look.cwd, '.gemini/settings.json');
  return [own, join(folderOf(look), 'settings.json')].flatMap((path) => {
    const { mcp } = look.document(path, 'json');
    return isObject(mcp) ? [mcp] : [];
  });
}

/** How it compares the names of servers. */
const idOf = (name: string): string => name.toLowerCase().trim();

const names = (list: JsonValue | undefined, name: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => idOf(String(one)) === idOf(name));

const trusts = (look: ServerLook): boolean => isTrusted(health, look, folderOf(look));

export const geminiCli: ServerClient = {
  ...ofClient(client),
  files: (at) => [
    jsonFile('project', join(at.cwd, '.gemini/settings.json')),
    jsonFile('user', join(folderOf(at), 'settings.json')),
  ],
  fields: { url: ['httpUrl', 'url'], headers: 'headers', cwd: 'cwd' },
  switchedOff: (_entry, name, _file, look) => {
    const settings = settingsOf(look);
    if (settings.some(({ excluded }) => names(excluded, name))) return 'it is in "mcp.excluded"';
    if (settings.some(({ allowed }) => Array.isArray(allowed) && !names(allowed, name)))
      return 'it is not in "mcp.allowed"';
    const disabled = look.document(join(folderOf(look), 'mcp-server-enablement.json'), 'json');
    const known = disabled[idOf(name)];
    return isObject(known) && known.enabled === false
      ? 'it was switched off with "gemini mcp disable"'
      : undefined;
  },
  approved: (_name, _file, look) => trusts(look),
  trusted: trusts,
  written,
  add: addedBy('gemini'),
};
