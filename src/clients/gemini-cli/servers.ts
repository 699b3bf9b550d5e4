// https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
// Measured with 0.61.0 (`gemini mcp list`): only the folder's own .gemini/settings.json is read, and it overrides the user's.
// In an untrusted folder, no server is started at all. Elsewhere, a server is not started if it is in `mcp.excluded`, is
// missing in an `mcp.allowed`, or was switched off with `gemini mcp disable`.
import { join } from 'node:path';
import { isObject, type JsonValue } from '../../edit/edit.ts';
import { serversOf, unlisted } from '../gemini-shaped.ts';
import { isTrusted } from '../health/folder-trust.ts';
import { type ServerClient, type ServerLook, userFolderOf } from '../servers/servers.ts';
import { geminiCli as client } from './client.ts';
import { geminiCli as health } from './health.ts';

/** The form in which it compares names of servers. */
const idOf = (name: string): string => name.toLowerCase().trim();

const names = (list: JsonValue | undefined, name: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => idOf(String(one)) === idOf(name));

const trusts = (look: ServerLook): boolean => isTrusted(health, look, userFolderOf(client, look));

export const geminiCli: ServerClient = {
  ...serversOf(client, 'gemini'),
  switchedOff: (_entry, name, _file, look) => {
    const why = unlisted(client, look, (list) => names(list, name));
    if (why !== undefined) return why;
    const file = join(userFolderOf(client, look), 'mcp-server-enablement.json');
    const known = look.document(file, 'json')[idOf(name)];
    return isObject(known) && known.enabled === false
      ? 'it was switched off with "gemini mcp disable"'
      : undefined;
  },
  approved: (_name, _file, look) => trusts(look),
  trusted: trusts,
};
