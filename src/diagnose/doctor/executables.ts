/** The clients themselves: there, new enough, and who else runs their hooks. No client is started for that. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Gap } from '../../clients/contract.ts';
import { installedVersion, which } from '../../clients/detect.ts';
import { acts, gapAt, gapMessage, isTooOld, misnames } from '../../clients/gaps.ts';
import { healthOf } from '../../clients/registry.ts';
import { compareVersions } from '../../clients/version.ts';
import { isMcp } from '../../compile/names.ts';
import type { ProgramHook } from '../../compile/program.ts';
import type { Install } from '../../install/ledger.ts';
import { said } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofClients } from './check.ts';
import { type DoctorContext, isUsed } from './context.ts';
import { again } from './origin.ts';

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
  const found = versionAt(client, at);
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
  const update = `npm install --global ${client.npmPackage}@latest`;
  if (isTooOld(client, found))
    return [
      {
        level: isUsed(client, at) ? 'error' : 'info',
        what: `it is ${found}, which does not run our hooks`,
        where: path,
        todo: `${client.hooksSince} or newer is needed: ${update}`,
      },
    ];
  const lost = at.installs.flatMap((install) =>
    lostIn(install, client, found, at).map(
      ({ gap, numbers, fires }): CheckResult => ({
        level: fires ? 'warning' : 'error',
        what: said<DiagnoseMessage>({
          code: 'lost',
          name: at.nameOf(install),
          numbers,
          fires,
          why: gapMessage(client, found, gap),
        }),
        where: path,
        todo:
          'native' in gap && !gap.instead
            ? update
            : said<DiagnoseMessage>({ code: 'or-another-way', again: again(install), update }),
        blocks: fires ? null : { install, hooks: numbers },
      }),
    ),
  );
  if (lost.length > 0) return lost;
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

/** Hooks of an install that a version of the client does not run as they were installed. */
interface Lost {
  readonly gap: Gap;
  /** Their places in the declaration, from 1. */
  readonly numbers: readonly number[];
  /** They still do something, on other events. */
  readonly fires: boolean;
}

function lostIn(install: Install, client: Client, version: string, at: DoctorContext): Lost[] {
  const programs = at.programs(install).filter((program) => program.client === client.id);
  const bound = programs.flatMap(({ native, wire, names, hooks }) =>
    hooks.map((hook) => ({
      ...hook,
      gap:
        gapAt(client, version, { native, act: hook.act }, wire) ??
        (names.bare || !isOfServer(hook) ? undefined : misnames(client, version)),
    })),
  );
  const gaps = [...new Set(bound.flatMap(({ gap }) => gap ?? []))];
  const isOf = (number: number) => bound.filter((one) => one.number === number);
  return gaps.flatMap((gap) => {
    const numbers = [...new Set(bound.flatMap((one) => (one.gap === gap ? one.number : [])))];
    return [true, false].flatMap((fires): Lost[] => {
      const some = numbers.filter((number) => acts(isOf(number), (one) => !one.gap) === fires);
      return some.length > 0 ? [{ gap, numbers: some.sort((a, b) => a - b), fires }] : [];
    });
  });
}

/** Whether it is about tools of MCP servers alone. */
const isOfServer = ({ when }: ProgramHook): boolean =>
  when?.server !== undefined || (when?.tool?.every(isMcp) ?? false);

export const versionAt = (client: Client, at: DoctorContext): string | undefined =>
  installedVersion(client, at.user, at.read);

/** Not what is wrong, but what may surprise: the same texts in another program. */
export const alsoRunBy = ofClients(
  'also-run-by',
  'run by no other program',
  (client, at): CheckResult[] =>
    (isUsed(client, at) ? (healthOf(client).alsoRunBy ?? []) : []).flatMap(
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
