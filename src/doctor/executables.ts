/** The clients themselves: there, new enough, and who else runs their hooks. No client is started for that. */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '../clients/client.ts';
import { HEALTH } from '../clients/health/index.ts';
import { which } from '../detect.ts';
import type { At } from './at.ts';
import { type Found, ofClients } from './check.ts';

export const there = ofClients('client-there', 'on the PATH', (client, at) =>
  which(client.executable, at.user)
    ? []
    : [
        {
          level: has(client, at) ? 'warning' : 'info',
          what: `there is no ${client.executable} on the PATH`,
          todo: `Install it: npm install --global ${client.npmPackage}; or take its hooks out with uninstall --client ${client.id}.`,
        },
      ],
);

export const version = ofClients('client-version', 'version verified', (client, at) => {
  const path = which(client.executable, at.user);
  if (!path) return [{ level: 'ok', what: 'there is no version to look at' }];
  const found = installedVersion(client, at);
  const verified = `${client.verified} is what our hooks were seen to fire in`;
  if (!found)
    return [
      {
        level: 'info',
        what: `its version cannot be told without starting it; ${verified}`,
        where: path,
        todo: `${client.executable} --version says it; ${client.hooksSince} or newer is needed.`,
      },
    ];
  if (compare(found, client.hooksSince) < 0)
    return [
      {
        level: 'error',
        what: `it is ${found}, which has no hooks yet`,
        where: path,
        todo: `${client.hooksSince} or newer is needed: npm install --global ${client.npmPackage}`,
      },
    ];
  if (found === client.verified) return [{ level: 'ok', what: `${found} as verified` }];
  const than = compare(found, client.verified) < 0 ? 'older' : 'newer';
  return [
    {
      level: 'info',
      what: `it is ${found}, ${than} than ${client.verified}, in which our hooks were seen to fire`,
      todo: `mcp-hooks verify --live --client ${client.id} shows whether they do in yours.`,
    },
  ];
});

/** Whether something of ours is in it. */
const has = ({ id }: Client, { installs }: At): boolean =>
  installs.some(({ clients }) => clients.includes(id));

/** Undefined: it is not on the PATH, or cannot be told without starting it. */
export function installedVersion(client: Client, at: At): string | undefined {
  const path = which(client.executable, at.user);
  return path === undefined ? undefined : versionOf(realpathSync(path), client, at);
}

/** From the package that the executable is in, or from the folder that it is in, which some installers name so. */
function versionOf(executable: string, { npmPackage }: Client, { read }: At): string | undefined {
  for (let folder = dirname(executable), left = 4; left > 0; left--) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, version } = packageIn(read(file));
      if (name === npmPackage && version !== undefined) return version;
    }
    folder = dirname(folder);
  }
  return /\/(?:Cellar\/[^/]+|versions)\/(\d+\.\d+\.\d+)(?=$|[/_-])/.exec(executable)?.[1];
}

function packageIn(bytes: Buffer | null): { name?: string; version?: string } {
  try {
    const value: unknown = JSON.parse(bytes?.toString() ?? '');
    if (typeof value !== 'object' || value === null) return {};
    const [name, version] = ['name', 'version'].map((key) => Reflect.get(value, key));
    return typeof name === 'string' && /^\d+\.\d+\.\d+/.test(version) ? { name, version } : {};
  } catch {
    return {};
  }
}

/** Below 0: the first is older. What follows a third number is not looked at. */
function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const at = [0, 1, 2].find((i) => left?.[i] !== right?.[i]) ?? 0;
  return (left?.[at] ?? 0) - (right?.[at] ?? 0);
}

/** Not what is wrong, but what may surprise: the same texts in another program. */
export const alsoRunBy = ofClients(
  'also-run-by',
  'run by no other program',
  (client, at): Found[] =>
    (has(client, at) ? (HEALTH[client.id]?.alsoRunBy ?? []) : []).flatMap(
      ({ name, executables, folders, which: hooks }) => {
        const where =
          executables.map((one) => which(one, at.user)).find((path) => path !== undefined) ??
          folders.map((one) => join(at.machine.home, one)).find((path) => existsSync(path));
        return where === undefined
          ? []
          : [
              {
                level: 'info',
                what: `${name} is here and runs its hooks, too: ${hooks}`,
                where,
                todo: 'What they say reaches the model there as well; nothing to do if that is welcome.',
              },
            ];
      },
    ),
);
