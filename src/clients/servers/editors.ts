/** Editors, which run no hooks of ours but do have servers. From their pages, not measured. */

import { join } from 'node:path';
import type { ServerEnvironment } from '../../declaration/configured-server.ts';
import { jsonFile, type SearchPlace, type ServerClient } from './servers.ts';

/** All of the editor's environment. Cursor inherits this from VS Code. A variable that is not set is empty. */
const given: ServerEnvironment = {
  variables: [],
  expansion: {
    pattern: '\\$\\{env:([^}]+)()\\}',
    except: '^(?!)',
    places: {
      '${workspaceFolder}': '{cwd}',
      '${workspaceFolderBasename}': '{folder}',
      '${userHome}': '{home}',
      '${pathSeparator}': '{separator}',
      '${/}': '{separator}',
    },
    // The editor asks for these, or asks an extension.
    unknown: '\\$\\{(?:input|command|config):[^}]*\\}',
  },
};

const fields = { url: ['url'], headers: 'headers', envFile: 'envFile', cwd: 'cwd' };

/**
 * https://cursor.com/docs/mcp: the files, ${env:NAME} and the names of places in command, args, env, url and headers,
 * envFile for servers on stdio. An unset variable is empty in VS Code, which Cursor is based on.
 */
export const cursor: ServerClient = {
  id: 'cursor',
  aliases: [],
  name: 'Cursor',
  files: ({ home, cwd }) => [
    jsonFile('project', join(cwd, '.cursor/mcp.json')),
    jsonFile('user', join(home, '.cursor/mcp.json')),
  ],
  fields,
  switchedOff: ({ disabled }) => (disabled === true ? 'it has "disabled": true' : undefined),
  given,
};

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
