/** The clients themselves: there, new enough, and who else runs their hooks. No client is started for that. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, packagedVersion } from '../client-version.ts';
import type { Client } from '../clients/client.ts';
import { HEALTH } from '../clients/health/index.ts';
import { which } from '../detect.ts';
import { type At, isUsed } from './at.ts';
import { type Found, ofClients } from './check.ts';

export const there = ofClients('client-there', 'on the PATH', (client, at) =>
  which(client.executable, at.user)
    ? []
    : [
        {
          level: isUsed(client, at) ? 'warning' : 'info',
          what: `there is no ${client.executable} on the PATH`,
          todo: isUsed(client, at)
            ? `Install it: npm install --global ${client.npmPackage}; or take its hooks out with uninstall --client ${client.id}.`
            : `Install it: npm install --global ${client.npmPackage}`,
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
  if (compareVersions(found, client.hooksSince) < 0)
    return [
      {
        level: 'error',
        what: `it is ${found}, which has no hooks yet`,
        where: path,
        todo: `${client.hooksSince} or newer is needed: npm install --global ${client.npmPackage}`,
      },
    ];
  if (found === client.verified) return [{ level: 'ok', what: `${found} as verified` }];
  const than = compareVersions(found, client.verified) < 0 ? 'older' : 'newer';
  return [
    {
      level: 'info',
      what: `it is ${found}, ${than} than ${client.verified}, in which our hooks were seen to fire`,
      todo: `mcp-hooks verify --live --client ${client.id} shows whether they do in yours.`,
    },
  ];
});

/** Undefined: it is not on the PATH, or cannot be told without starting it. */
export function installedVersion(client: Client, at: At): string | undefined {
  const path = which(client.executable, at.user);
  return path === undefined ? undefined : packagedVersion(client, path, at.read);
}

/** Not what is wrong, but what may surprise: the same texts in another program. */
export const alsoRunBy = ofClients(
  'also-run-by',
  'run by no other program',
  (client, at): Found[] =>
    (isUsed(client, at) ? (HEALTH[client.id]?.alsoRunBy ?? []) : []).flatMap(
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
