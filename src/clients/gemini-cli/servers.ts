// https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
// Measured with 0.61.0 (`gemini mcp list`): reads only the folder's own .gemini/settings.json, over the user's. Starts no
// server at all in a folder that is not trusted, and no server that `mcp.excluded` names, that an `mcp.allowed` does not
// name, or that `gemini mcp disable` has switched off.
import { join } from 'node:path';
import { isObject, type JsonValue } from '../../edit/edit.ts';
import { folderOf, serversOf, unlisted } from '../gemini-shaped.ts';
import { isTrusted } from '../health/folder-trust.ts';
import type { ServerClient, ServerLook } from '../servers/servers.ts';
import { geminiCli as client } from './client.ts';
import { geminiCli as health } from './health.ts';

/** How it compares the names of servers. */
const idOf = (name: string): string => name.toLowerCase().trim();

const names = (list: JsonValue | undefined, name: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => idOf(String(one)) === idOf(name));

const trusts = (look: ServerLook): boolean => isTrusted(health, look, folderOf(client, look));

export const geminiCli: ServerClient = {
  ...serversOf(client, 'gemini'),
  switchedOff: (_entry, name, _file, look) => {
    const why = unlisted(client, look, (list) => names(list, name));
    if (why !== undefined) return why;
    const file = join(folderOf(client, look), 'mcp-server-enablement.json');
    const known = look.document(file, 'json')[idOf(name)];
    return isObject(known) && known.enabled === false
      ? 'it was switched off with "gemini mcp disable"'
      : undefined;
  },
  approved: (_name, _file, look) => trusts(look),
  trusted: trusts,
};
