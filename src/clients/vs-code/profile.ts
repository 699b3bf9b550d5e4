/** The folder of VS Code's default profile: https://code.visualstudio.com/docs/configure/settings, and VSCODE_PORTABLE. */

import type { Env } from '../../system/env.ts';

export function profile({
  env,
  home,
  platform,
}: {
  readonly env: Env;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}): string {
  if (env.VSCODE_PORTABLE) return `${env.VSCODE_PORTABLE}/user-data/User`;
  if (platform === 'darwin') return `${home}/Library/Application Support/Code/User`;
  if (platform === 'win32') return `${env.APPDATA || `${home}/AppData/Roaming`}/Code/User`;
  return `${env.XDG_CONFIG_HOME || `${home}/.config`}/Code/User`;
}
