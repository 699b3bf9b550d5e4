/** Editors, which run no hooks of ours but do have servers. From their pages, not measured. */

import { join } from 'node:path';
import { fields, given } from '../editor-shaped.ts';
import { jsonFile, type SearchPlace, type ServerClient } from './servers.ts';

/**
 * https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: .vscode/mcp.json and the mcp.json of the user's
 * default profile, "servers" in it, envFile. The user's data folder is as in
 * https://code.visualstudio.com/docs/configure/settings and VSCODE_PORTABLE.
 */
export const vsCode: ServerClient = {
  id: 'vs-code',
  aliases: ['vscode', 'code'],
  name: 'VS Code',
  files: (at) => [
    jsonFile('project', join(at.cwd, '.vscode/mcp.json'), ['servers']),
    jsonFile('user', join(profile(at), 'mcp.json'), ['servers']),
  ],
  fields,
  switchedOff: () => undefined, // it keeps that elsewhere
  given,
};

/** The folder of the default profile. */
function profile({ env, home, platform }: SearchPlace): string {
  if (env.VSCODE_PORTABLE) return join(env.VSCODE_PORTABLE, 'user-data/User');
  if (platform === 'darwin') return join(home, 'Library/Application Support/Code/User');
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), 'Code/User');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code/User');
}
