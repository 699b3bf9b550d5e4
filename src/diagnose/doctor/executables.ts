/** The clients themselves: present, new enough, and which other programs run their hooks. Starts no client. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { installedVersion, which } from '../../clients/detect.ts';
import { healthOf } from '../../clients/registry.ts';
import { compareVersions, isTooOld, measuredIn } from '../../clients/version.ts';
import { type CheckResult, ofClients } from './check.ts';
import { type DoctorContext, isUsed } from './context.ts';

export const executableOnPath = ofClients('client-there', 'on-path', (client, at) => {
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
  const { executable, npmPackage, minimum } = client;
  const verified = measuredIn(client);
  const where = which(executable, at.user);
  if (!where) return { level: 'ok', what: { code: 'no-version' } };
  const version = versionAt(client, at);
  if (verified === undefined || minimum === null)
    return { level: 'info', what: { code: 'client-never-run' }, where };
  if (!version) {
    const todo = { code: 'ask-version', executable, minimum } as const;
    return { level: 'info', what: { code: 'version-unknown', verified }, where, todo };
  }
  if (isTooOld(client, version))
    return {
      level: isUsed(client, at) ? 'error' : 'info',
      what: { code: 'version-too-old', version },
      where,
      todo: { code: 'newer-needed', minimum, npmPackage },
    };
  if (version === verified) return { level: 'ok', what: { code: 'as-verified', version } };
  const than = compareVersions(version, verified) < 0 ? 'older' : 'newer';
  return {
    level: 'info',
    what: { code: 'version-not-verified', version, than, verified },
    todo: { code: 'verify-live', id: client.id },
  };
});

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
