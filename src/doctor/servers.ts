/** The servers themselves, which are started only when that is asked for. */

import { dirname } from 'node:path';
import type { ServerLaunch } from '../declaration/declaration.ts';
import { anchorAt } from '../declaration/launch.ts';
import type { Install } from '../ledger.ts';
import { askServer } from '../reading/ask.ts';
import type { At } from './at.ts';
import { type Found, ofInstalls, refused } from './check.ts';
import { again, isManifest } from './origin.ts';
import { isInstalled, readSource } from './sources.ts';

export const server = ofInstalls(
  'server',
  'server starts and declares the same',
  async (install, at): Promise<Found[]> => {
    if (isManifest(install) && !at.programs(install).some((one) => one.server))
      return [{ level: 'ok', what: 'no server needed' }];
    if (!at.servers)
      return [{ level: 'info', what: 'its server was not started; --servers does that' }];
    const launch = launchOf(install, at);
    if (typeof launch === 'string') return [{ level: 'info', what: launch }];
    const { label } = install;
    const { context, machine } = at;
    try {
      const declared = await askServer({
        label,
        command: launch.command,
        args: launch.args ?? [],
        cwd: machine.cwd,
        env: { ...context.env, ...launch.env },
        deadline: at.deadline,
        version: context.version,
      });
      if (declared.hooks.length === 0 && isManifest(install))
        return [{ level: 'ok', what: "its server starts; its hooks are the manifest's" }];
      return isInstalled(declared, install, at)
        ? []
        : [
            {
              level: 'warning',
              what: 'its server declares something else than what is installed',
              todo: isManifest(install)
                ? 'What is installed is what the manifest says: compare the two.'
                : `${again(install)} brings it up to date.`,
            },
          ];
    } catch (error) {
      return [refused(error)];
    }
  },
);

/** How its server is started, or why that is not known, in words. */
function launchOf(install: Install, at: At): Extract<ServerLaunch, { command: string }> | string {
  const { source } = install;
  const known = isManifest(install)
    ? anchored(install)
    : at.programs(install).find((one) => one.server)?.server;
  if (known && 'url' in known) return 'its server is reached at an address, which is not asked';
  // The values that a manifest has are given; those of a program stay in the manifest.
  if (known)
    return {
      command: known.command,
      args: known.args ?? [],
      ...(known.env && !('given' in known) && { env: known.env }),
    };
  if (isManifest(install)) return 'its manifest does not say how its server is started';
  // Only words are remembered: where one of them may have had a space in it, that would be another command.
  if (!/^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/.test(source) || / -\w*[ce]\b/.test(source))
    return 'how its server is started is remembered in words only, which are not enough to start it';
  const [command = '', ...args] = source.split(' ');
  return { command, args };
}

function anchored(install: Install): ServerLaunch | undefined {
  const server = readSource(install)?.server;
  return server && anchorAt(dirname(install.source), server);
}
