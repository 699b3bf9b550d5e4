// https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
// From that page, not measured: .vscode/mcp.json and the mcp.json of the user's default profile, "servers" in it, envFile.
// The folder of the user's data is that of https://code.visualstudio.com/docs/configure/settings and of VSCODE_PORTABLE.
import { join } from 'node:path';
import { givenByEditors } from '../servers/editor.ts';
import type { SearchPlace, ServerClient } from '../servers/servers.ts';

/** The folder of the default profile. */
function profile({ env, home, platform }: SearchPlace): string {
  if (env.VSCODE_PORTABLE) return join(env.VSCODE_PORTABLE, 'user-data/User');
  if (platform === 'darwin') return join(home, 'Library/Application Support/Code/User');
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), 'Code/User');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code/User');
}

export const vsCode: ServerClient = {
  id: 'vs-code',
  aliases: ['vscode', 'code'],
  name: 'VS Code',
  docs: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
  files: (at) => [
    {
      scope: 'project',
      path: join(at.cwd, '.vscode/mcp.json'),
      format: 'json',
      keys: ['servers'],
    },
    { scope: 'user', path: join(profile(at), 'mcp.json'), format: 'json', keys: ['servers'] },
  ],
  fields: { url: ['url'], headers: 'headers', envFile: 'envFile', cwd: 'cwd' },
  switchedOff: () => undefined, // it keeps that elsewhere
  given: givenByEditors,
};
