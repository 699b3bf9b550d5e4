/** The clients and their settings files: installed, new enough, readable, and hooks not switched off. */

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { installedVersion, which } from '../../clients/detect.ts';
import type { Fault } from '../../clients/health/health.ts';
import { stopsAt, unread } from '../../clients/health/reading.ts';
import { disabledIn, nameInList, switchedOffIn } from '../../clients/health/switched-off.ts';
import { configFolder, configPath, hooksFolder, tilde } from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import { compareVersions, isTooOld, measuredIn } from '../../clients/version.ts';
import type { JsonObject, Layout, Refusal } from '../../edit/edit.ts';
import { eventsOf, groupAt } from '../../edit/value.ts';
import { LeadsOut } from '../../install/config-file.ts';
import { scopeFlag } from '../../install/site.ts';
import { codeOf, type Message, reasonOf } from '../../system/errors.ts';
import type { SystemMessage } from '../../system/messages.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofClients, ofClientsInAnyWords } from './check.ts';
import { type DoctorContext, isUsed, type Settings } from './context.ts';

export const executableOnPath = ofClients('client-there', 'on-path', (client, at) => {
  const { id, executable, npmPackage } = client;
  if (which(executable, at.user)) return undefined;
  const used = isUsed(client, at);
  const own = at.ledger.installs.filter(({ clients }) => clients.includes(id));
  const inUser = own.find(({ project }) => project === null);
  const site = inUser ?? own.find(({ project }) => project === at.machine.cwd) ?? own[0];
  return {
    level: used ? 'warning' : 'info',
    what: { code: 'not-on-path', executable },
    todo: used
      ? { code: 'install-or-take-out', npmPackage, id, scope: site ? scopeFlag(site) : '' }
      : { code: 'install-client', npmPackage },
  };
});

export const version = ofClients('client-version', 'version-verified', (client, at) => {
  const { executable, npmPackage, minimum } = client;
  const verified = measuredIn(client);
  const where = which(executable, at.user);
  if (!where) return { level: 'ok', what: 'no-version' };
  const version = versionAt(client, at);
  if (verified === undefined || minimum === null)
    return { level: 'info', what: 'client-never-run', where };
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

/** Not an error, but possibly unexpected: another program shows the same texts. */
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
      todo: 'also-run-is-fine',
    };
  });
});

export const readable = ofClientsInAnyWords(
  'settings-readable',
  'settings-readable',
  (client, at) => {
    const mend: DiagnoseMessage = { code: 'mend-for-hooks', client: client.name };
    return [
      ...at
        .settings(client)
        .flatMap((file) => (file.refusal ? refusedIn(client, file, file.refusal, at, mend) : [])),
      ...unreadFolders(client, at),
    ];
  },
);

/** Hooks folders that exist but that the client cannot read. */
function unreadFolders(client: Client, { scopes, ledger }: DoctorContext): CheckResult[] {
  const folders = scopes.flatMap((places) => {
    const folder = hooksFolder(client, places);
    return folder ? [join(configFolder(client, places), folder.name)] : [];
  });
  return [...new Set(folders)].flatMap((where): CheckResult | [] => {
    const why = notListed(where);
    if (!why) return [];
    const holdsOurs = Object.keys(ledger.files).some((path) => dirname(path) === where);
    return {
      level: holdsOurs ? 'error' : 'warning',
      what: { code: 'hooks-folder-unread', why },
      where,
      todo: { code: 'mend-hooks-folder', client: client.name },
      ...(holdsOurs && { blocks: { client: client.id } }),
    };
  });
}

/** Why a folder cannot be listed. Undefined if it can be, or does not exist. */
function notListed(folder: string): SystemMessage | undefined {
  try {
    readdirSync(folder);
    return undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    return codeOf(error) === 'ENOTDIR' ? { code: 'no-folder' } : reasonOf(error);
  }
}

/** Violations of a client's own schema, if they invalidate more than the wrong entry. */
export const valid = ofClientsInAnyWords(
  'settings-valid',
  'settings-valid',
  async (client, at): Promise<CheckResult<Message> | readonly CheckResult<Message>[]> => {
    const settings = at.settings(client);
    const found = settings.flatMap((file) => {
      const { path, text, layout, document } = file;
      if (!document) return [];
      // A fault that loses one entry matters only if the entry is ours.
      const counts = (fault: Fault) =>
        fault.lost !== 'entry' || isOurs(fault, document, layout, at);
      return unread(client, { path, text, document }, counts).map((why) =>
        refusedIn(client, file, why, at, { code: 'mend-settings' }),
      );
    });
    if (found.length > 0) return found;
    // The client may find a fault that we do not know of.
    const isRefused = settings.some(({ refusal }) => refusal);
    const fine: CheckResult[] = [{ level: 'ok', what: 'no-other-void' }];
    return (await notStarting(client, at)) ?? (isRefused ? fine : []);
  },
);

async function notStarting(client: Client, at: DoctorContext): Promise<CheckResult | undefined> {
  const stopped = await at.whyStopped(client);
  return (
    stopped && {
      level: 'error',
      what: { code: 'client-stops', client: client.name, why: stopped.why },
      where: configPath(client, client.placement.files.user[0], at.user),
      todo: { code: 'mend-startup', program: stopped.program },
    }
  );
}

/** @param mend What to do if hooks of ours are lost. */
function refusedIn(
  client: Client,
  file: Settings,
  why: Refusal,
  at: DoctorContext,
  mend: DiagnoseMessage,
): CheckResult<Message> {
  const cost = costOf(client, file, at);
  const elsewhere: DiagnoseMessage = { code: 'ours-elsewhere', client: client.name };
  const link: DiagnoseMessage = { code: 'link-unknown', client: client.name };
  const commas: DiagnoseMessage | undefined = file.commas && {
    code: 'remove-commas',
    client: client.name,
    places: file.commas.map(({ line, column }) => `${line}:${column}`),
  };
  const { line, column } = why;
  const otherwise = cost.level === 'error' ? mend : elsewhere;
  return {
    ...cost,
    what: why.problem,
    where: line === undefined ? file.path : `${file.path}:${line}:${column}`,
    todo: why instanceof LeadsOut ? link : (commas ?? otherwise),
  };
}

function isOurs(
  { path }: Fault,
  document: JsonObject,
  layout: Layout,
  { user }: DoctorContext,
): boolean {
  const { event = '', index } = groupAt(document, path, layout) ?? {};
  const groups = eventsOf(document, layout).get(event) ?? [];
  const found = index === undefined ? groups : groups[index];
  return JSON.stringify(found ?? null).includes(user.state);
}

/** An error if hooks of ours are lost: those in the file, or all of them if the client does not start. */
function costOf(
  client: Client,
  { path, text, whose }: Settings,
  at: DoctorContext,
): Pick<CheckResult, 'level' | 'blocks'> {
  const holdsOurs =
    text.includes(at.user.state) ||
    at.ledger.files[path]?.record?.owned.some(({ label }) => label !== null) === true;
  // If the machine's own file is wrong, the effect on other files is unknown.
  const stops = stopsAt(client, path) || whose === 'managed';
  if (!(stops ? isUsed(client, at) : holdsOurs)) return { level: 'warning' };
  return { level: 'error', ...(!stops && { blocks: { file: path } }) };
}

export const on = ofClients('hooks-on', 'not-switched-off', (client, at) => [
  ...switchedOff(client, at),
  ...disabledByName(client, at),
  ...switchedOffOtherwise(client, at),
]);

function switchedOff(client: Client, at: DoctorContext): CheckResult[] {
  return switchedOffIn(client, at.applying(client)).map(({ file, key, value, isLast }) => {
    const { whose, path: where } = file;
    const facts = { whose, key, value };
    const isMachines = whose === 'managed' || whose === 'defaults';
    const named = { key, file: tilde(where, at.user.home) };
    const todo = { code: 'take-out-or-set', ...named, value: !value } as const;
    return {
      level: isLast ? 'error' : 'warning',
      what: { code: isLast ? 'switched-off' : 'switched-off-elsewhere', ...facts },
      where,
      todo: isMachines ? 'ask-administrator' : todo,
    };
  });
}

const switchedOffOtherwise = (client: Client, at: DoctorContext): CheckResult[] =>
  (healthOf(client).off?.(at.trustLook(client)) ?? [])
    .filter(({ file }) => file === undefined || file in at.ledger.files)
    .map(({ why, where, file, todo }) => ({
      level: 'error',
      what: { code: 'switched-off-otherwise', why },
      todo: { code: 'switch-on-by-hand', byHand: todo },
      ...(where !== undefined && { where }),
      ...(file !== undefined && { blocks: { file } }),
    }));

/** Hooks of ours that a list in the settings disables. */
function disabledByName(client: Client, at: DoctorContext): CheckResult[] {
  const asked = at
    .hooks(client)
    .filter(({ label }) => label !== undefined && (at.label === undefined || at.label === label));
  return asked.flatMap(({ label = '', native, handler, command }) => {
    const hook = nameInList(handler, command);
    const { key, files } = disabledIn(client, at.settings(client), hook);
    const install = at.installs.find(
      (one) => one.label === label && one.clients.includes(client.id),
    );
    return files.map(
      ({ path: where }): CheckResult => ({
        level: 'error',
        what: { code: 'switched-off-by-name', label, native },
        where,
        todo: { code: 'enable-hook', hook, client: client.name, key },
        blocks: { client: client.id, natives: [native], ...(install && { install }) },
      }),
    );
  });
}
