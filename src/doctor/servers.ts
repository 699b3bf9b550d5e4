/** The servers themselves, which are started only when that is asked for. */

import type { ServerLaunch, Source } from '../declaration/declared.ts';
import { findAgain } from '../finding/find.ts';
import type { Install } from '../ledger.ts';
import { withKeptSignIn } from '../oauth/kept.ts';
import { askServer } from '../reading/ask.ts';
import { readTarget } from '../reading/read.ts';
import type { At } from './at.ts';
import { type Found, ofInstalls, refused } from './check.ts';
import { again, isManifest, where } from './origin.ts';
import { isInstalled, readSource } from './sources.ts';

export const server = ofInstalls(
  'server',
  'server starts and declares the same',
  async (install, at): Promise<Found[]> => {
    if (isManifest(install) && !at.programs(install).some((one) => one.server))
      return [{ level: 'ok', what: 'no server needed' }];
    if (!at.servers)
      return [{ level: 'info', what: 'its server was not started; --servers does that' }];
    const { origin } = install;
    if (origin && origin.kind !== 'manifest') return askedAgain(origin, install, at);
    const launch = await launchOf(install, at);
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

/** What it declares today, wherever it is. */
async function askedAgain(origin: Source, install: Install, at: At): Promise<Found[]> {
  const { context, machine, deadline } = at;
  const { label, project } = install;
  const around = { cwd: project ?? machine.cwd, env: machine.env };
  try {
    const target = await findAgain(origin, label, around);
    const { state } = at.placesOf(install);
    const declared = await withKeptSignIn(target, state, (provider) =>
      readTarget(target, { deadline, version: context.version, ...(provider && { provider }) }),
    );
    if (declared.hooks.length === 0)
      return [
        {
          level: 'warning',
          what: 'its server declares no hooks any more',
          todo: `What is installed goes on as it is; mcp-hooks uninstall ${where(install)} takes it out.`,
        },
      ];
    return isInstalled(declared, install, at)
      ? []
      : [
          {
            level: 'warning',
            what: 'its server declares something else than what is installed',
            todo: `${again(install)} shows what changed, and brings it up to date.`,
          },
        ];
  } catch (error) {
    return [refused(error)];
  }
}

/** How its server is started, or why that is not known, in words. */
async function launchOf(
  install: Install,
  at: At,
): Promise<Extract<ServerLaunch, { command: string }> | string> {
  const { source } = install;
  const known = isManifest(install)
    ? (await readSource(install, at))?.server
    : at.programs(install).find((one) => one.server)?.server;
  if (known && 'entry' in known)
    return `its server stands in ${known.entry.file}; ${again(install)} asks it`;
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
