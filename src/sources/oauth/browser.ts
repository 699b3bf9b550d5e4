/** Opens an address in the browser of the system: the program of the system is started, never a shell. */

import { spawn } from 'node:child_process';
import type { Env } from '../../system/env.ts';
import { keeper } from './tokens.ts';

/** Whether a program was started that opens it; false where there is none, or nothing to show it on. */
export function openBrowser(address: URL, env: Env): Promise<boolean> {
  const [command, ...args] = opener(address.href, env);
  // A server chooses the address: nothing but a web page is opened.
  if (command === undefined || !keeper().isSafe(address)) return Promise.resolve(false);
  return new Promise((resolve) => {
    // Not in the folder that we are in: what opens it is a script that looks for further programs.
    const at = env.HOME ? { cwd: env.HOME } : {};
    const child = spawn(command, args, { ...at, env: { ...env }, stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref(); // it may be the browser itself, and stay
      resolve(true);
    });
  });
}

function opener(address: string, env: Env): readonly string[] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', address] : [];
}
