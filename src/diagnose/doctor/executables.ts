/** The clients themselves: there, new enough, and who else runs their hooks. No client is started for that. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Gap } from '../../clients/contract.ts';
import { installedVersion, which } from '../../clients/detect.ts';
import { acts, gapAt, gapMessage, isTooOld, lacks } from '../../clients/gaps.ts';
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

export const there = ofClients('client-there', 'on-path', (client, at) =>
  which(client.executable, at.user)
    ? []
    : [
        {
          level: isUsed(client, at) ? 'warning' : 'info',
          what: said<DiagnoseMessage>({ code: 'not-on-path', executable: client.executable }),
          todo: isUsed(client, at)
            ? said<DiagnoseMessage>({
                code: 'install-or-take-out',
                npmPackage: client.npmPackage,
                id: client.id,
              })
            : said<DiagnoseMessage>({ code: 'install-client', npmPackage: client.npmPackage }),
        },
      ],
);

export const version = ofClients('client-version', 'version-verified', (client, at) => {
  const path = which(client.executable, at.user);
  if (!path) return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'no-version' }) }];
  const found = versionAt(client, at);
  if (!found)
    return [
      {
        level: 'info',
        what: said<DiagnoseMessage>({ code: 'version-unknown', verified: client.verified }),
        where: path,
        todo: said<DiagnoseMessage>({
          code: 'ask-version',
          executable: client.executable,
          since: client.hooksSince,
        }),
      },
    ];
  const update = `npm install --global ${client.npmPackage}@latest`;
  if (isTooOld(client, found))
    return [
      {
        level: isUsed(client, at) ? 'error' : 'info',
        what: said<DiagnoseMessage>({ code: 'version-runs-no-hooks', version: found }),
        where: path,
        todo: said<DiagnoseMessage>({
          code: 'newer-needed',
          since: client.hooksSince,
          command: update,
        }),
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
            ? said<DiagnoseMessage>({ code: 'update-client', npmPackage: client.npmPackage })
            : said<DiagnoseMessage>({ code: 'or-another-way', again: again(install), update }),
        blocks: fires ? null : { install, hooks: numbers },
      }),
    ),
  );
  if (lost.length > 0) return lost;
  if (found === client.verified)
    return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'as-verified', version: found }) }];
  const than = compareVersions(found, client.verified) < 0 ? 'older' : 'newer';
  return [
    {
      level: 'info',
      what: said<DiagnoseMessage>({
        code: 'version-not-verified',
        version: found,
        than,
        verified: client.verified,
      }),
      todo: said<DiagnoseMessage>({ code: 'verify-live', id: client.id }),
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
        (names.bare || !isOfServer(hook) ? undefined : lacks(client, 'mcp-names', version)),
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
export const alsoRunBy = ofClients('also-run-by', 'run-by-no-other', (client, at): CheckResult[] =>
  (isUsed(client, at) ? (healthOf(client).alsoRunBy ?? []) : []).flatMap(
    ({ id, name, executables, folders, which: hooks }) => {
      if (id !== undefined && isUsed({ id }, at)) return [];
      const where =
        executables.map((one) => which(one, at.user)).find((path) => path !== undefined) ??
        folders.map((one) => join(at.machine.home, one)).find((path) => existsSync(path));
      return where === undefined
        ? []
        : [
            {
              level: 'info',
              what: said<DiagnoseMessage>({ code: 'also-run-by', name, hooks }),
              where,
              todo: said<DiagnoseMessage>({ code: 'also-run-is-fine' }),
            },
          ];
    },
  ),
);
