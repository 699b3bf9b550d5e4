/** Where a declaration came from: whether it is there, and still declares what is installed. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findClient } from '../clients/index.ts';
import { compile } from '../compile/compile.ts';
import type { Declared, ServerLaunch } from '../declaration/declaration.ts';
import { askServer } from '../declaration/handshake.ts';
import { anchorAt } from '../declaration/launch.ts';
import { loadManifest, parseManifest } from '../declaration/manifest.ts';
import { UserError } from '../errors.ts';
import type { Install } from '../ledger.ts';
import { runnerFolder } from '../places.ts';
import type { At } from './at.ts';
import { type Found, ofInstalls, refused } from './check.ts';
import { again, isManifest } from './origin.ts';

export const source = ofInstalls('source', 'declaration unchanged', (install, at) => {
  if (!isManifest(install)) return [{ level: 'ok', what: 'declared by its server' }];
  const where = install.source;
  const gone = (what: string, level: Found['level'] = 'warning'): Found[] => [
    { level, what, where, todo: 'Put it back or mend it: what is installed goes on as it is.' },
  ];
  const usesValues = at
    .programs(install)
    .some(({ server }) => server && manifestOf(server) !== undefined);
  if (!existsSync(where))
    return usesValues
      ? gone('its manifest is gone, and with it the values that its server is given', 'error')
      : gone('its manifest is gone');
  const declared = read(install);
  if (!declared) return gone('its manifest cannot be used any more (mcp-hooks validate says why)');
  return isInstalled(declared, install, at)
    ? []
    : [
        {
          level: 'warning',
          what: 'its manifest declares something else than what is installed',
          where,
          todo: `${again(install)} brings it up to date; mcp-hooks diff in its place shows what changes.`,
        },
      ];
});

export const server = ofInstalls(
  'server',
  'server starts and declares the same',
  async (install, at): Promise<Found[]> => {
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
        ...(launch.env && { env: launch.env }),
        deadline: DEADLINE,
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

/** Milliseconds that a server has to answer. */
const DEADLINE = 20_000;

function read(install: Install): Declared | undefined {
  try {
    const { source, label } = install;
    const declared = parseManifest(loadManifest(source, source), source, label);
    return declared.problems.some(({ level }) => level === 'error') ? undefined : declared;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Whether a declaration, installed now, would give the hooks that are there. */
function isInstalled(declared: Declared, install: Install, at: At): boolean {
  const places = at.placesOf(install);
  const marks = (one: { native: string; hooks: readonly { id: string; act: string }[] }) =>
    one.hooks.map(({ id, act }) => `${one.native} ${id} ${act}`);
  return install.clients.every((id) => {
    const client = findClient(id);
    if (!client) return true;
    const { events } = compile(declared, client, {
      runner: runnerFolder(places, install.label),
      state: places.state,
      actNow: install.actNow,
      extraTurns: install.extraTurns,
    }).program;
    const wanted = Object.entries(events).flatMap(([native, { hooks }]) =>
      marks({ native, hooks }),
    );
    const there = at
      .programs(install)
      .filter((one) => one.client === id)
      .flatMap(marks);
    return wanted.toSorted().join() === there.toSorted().join();
  });
}

const manifestOf = (server: object): unknown =>
  Reflect.get(Reflect.get(server, 'env') ?? Reflect.get(server, 'headers') ?? {}, 'manifest');

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
  const server = read(install)?.server;
  return server && anchorAt(dirname(install.source), server);
}
