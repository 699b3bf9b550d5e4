/** Where everything is on this machine: decided by the environment alone, so that a scratch HOME is a whole world. */

import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Env } from '../system/env.ts';
import { UserError } from '../system/errors.ts';
import { realPath } from '../system/files.ts';
import type { ClientMessage } from './messages.ts';
import type { Places, Scope } from './places.ts';

/**
 * The variables that may hold the home folder, the strongest first. The clients do not look at HOME on Windows, where some
 * shells set it to a place of their own.
 */
const homeVariables = (platform: NodeJS.Platform): readonly [string, ...string[]] =>
  platform === 'win32' ? ['USERPROFILE', 'HOME'] : ['HOME'];

/** The home folder as the environment has it, and as the clients find it; undefined where it has none. */
export const homeIn = (env: Env, platform = process.platform): string | undefined =>
  homeVariables(platform)
    .map((name) => env[name])
    .find(Boolean);

/** Throws a UserError when there is no home folder, or the home itself would be the project. */
export function findPlaces(
  env: Env,
  cwd: string,
  scope: Scope,
  platform: NodeJS.Platform = process.platform,
): Places {
  const named = homeIn(env, platform);
  const [usual, ...others] = homeVariables(platform);
  if (named === undefined) throw new UserError<ClientMessage>({ code: 'no-home', variable: usual });
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory()) {
    const variable = [usual, ...others].find((name) => env[name] === named) ?? usual;
    throw new UserError<ClientMessage>({ code: 'home-missing', variable, home: named });
  }
  const home = realPath(resolve(cwd, named));
  const state = env.MCP_HOOKS_HOME
    ? realPath(resolve(cwd, env.MCP_HOOKS_HOME))
    : realPath(join(home, '.mcp-hooks'));
  if (scope === 'user') return { env, home, state, scope };
  if (realpathSync.native(cwd) === home)
    throw new UserError<ClientMessage>({ code: 'home-is-no-project' });
  return { env, home, state, scope, project: realpathSync.native(cwd) };
}
