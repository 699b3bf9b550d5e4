/** The clients themselves: present, new enough, and which other programs run their hooks. Starts no client. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { installedVersion, which } from '../../clients/detect.ts';
import { acts, gapAt, gapMessage, isTooOld, lacks } from '../../clients/gaps.ts';
import { healthOf } from '../../clients/registry.ts';
import { compareVersions } from '../../clients/version.ts';
import { isMcp } from '../../compile/names.ts';
import type { ProgramHook } from '../../compile/program.ts';
import type { Install } from '../../install/ledger.ts';
import { type CheckResult, ofClients } from './check.ts';
import { type DoctorContext, isUsed } from './context.ts';
import { again } from './origin.ts';

export const there = ofClients('client-there', 'on-path', (client, at) => {
  const { id, executable, npmPackage } = client;
  if (which(executable, at.user)) return undefined;
  const used = isUsed(client, at);
  return {
    level: used ? 'warning' : 'info',
    what: { code: 'not-on-path', executable },
    todo: used
      ? { code: 'install-or-take-out', npmPackage, id }
      : { code: 'install-client', npmPackage },
  };
});

export const version = ofClients('client-version', 'version-verified', (client, at) => {
  const { executable, npmPackage, verified, hooksSince: since } = client;
  const where = which(executable, at.user);
  if (!where) return { level: 'ok', what: { code: 'no-version' } };
  const version = versionAt(client, at);
  if (!version) {
    const todo = { code: 'ask-version', executable, since } as const;
    return { level: 'info', what: { code: 'version-unknown', verified }, where, todo };
  }
  const update = `npm install --global ${npmPackage}@latest`;
  if (isTooOld(client, version))
    return {
      level: isUsed(client, at) ? 'error' : 'info',
      what: { code: 'version-runs-no-hooks', version },
      where,
      todo: { code: 'newer-needed', since, command: update },
    };
  const lost = at.installs.flatMap((install) =>
    lostIn(install, client, version, at).map(
      ({ gap, numbers, fires }): CheckResult => ({
        level: fires ? 'warning' : 'error',
        what: {
          code: 'lost',
          ...{ name: at.nameOf(install), numbers, fires },
          why: gapMessage(client, version, gap),
        },
        where,
        todo:
          'native' in gap && !gap.instead
            ? { code: 'update-client', npmPackage }
            : { code: 'or-another-way', again: again(install), update },
        blocks: fires ? null : { install, hooks: numbers },
      }),
    ),
  );
  if (lost.length > 0) return lost;
  if (version === verified) return { level: 'ok', what: { code: 'as-verified', version } };
  const than = compareVersions(version, verified) < 0 ? 'older' : 'newer';
  return {
    level: 'info',
    what: { code: 'version-not-verified', version, than, verified },
    todo: { code: 'verify-live', id: client.id },
  };
});

/**
 * Hooks of an install, by their numbers, that this version of the client does not run as installed. Those that fire still do
 * something, on other events.
 */
function lostIn(install: Install, client: Client, version: string, at: DoctorContext) {
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
    return [true, false].flatMap((fires) => {
      const some = numbers.filter((number) => acts(isOf(number), (one) => !one.gap) === fires);
      return some.length > 0 ? [{ gap, numbers: some.sort((a, b) => a - b), fires }] : [];
    });
  });
}

/** Whether the hook is only about tools of MCP servers. */
const isOfServer = ({ when }: ProgramHook): boolean =>
  when?.server !== undefined || (when?.tool?.every(isMcp) ?? false);

export const versionAt = (client: Client, at: DoctorContext): string | undefined =>
  installedVersion(client, at.user, at.read);

/** Not a fault, but possibly a surprise: the same texts in another program. */
export const alsoRunBy = ofClients('also-run-by', 'run-by-no-other', (client, at) => {
  const others = isUsed(client, at) ? (healthOf(client).alsoRunBy ?? []) : [];
  return others.flatMap(({ id, name, executables, folders, which: hooks }): CheckResult | [] => {
    if (id !== undefined && isUsed({ id }, at)) return [];
    const where =
      executables.map((one) => which(one, at.user)).find((path) => path !== undefined) ??
      folders.map((one) => join(at.machine.home, one)).find((path) => existsSync(path));
    if (where === undefined) return [];
    return {
      level: 'info',
      what: { code: 'also-run-by', name, hooks },
      where,
      todo: { code: 'also-run-is-fine' },
    };
  });
});
