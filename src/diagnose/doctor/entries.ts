/** Our own files: the entries in the clients' files, the runner that they start, and the node that it needs. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import { configPath, fileNamed, runnerFolder, tilde } from '../../clients/places.ts';
import { findClient } from '../../clients/registry.ts';
import { shellUnquote } from '../../compile/command.ts';
import { clientOf } from '../../compile/runner-files.ts';
import { drifted, lookAt, runnerDrift } from '../../install/drift.ts';
import { filesHolding, type Install } from '../../install/ledger.ts';
import type { Drift } from '../../install/messages.ts';
import { startsWithoutNpx, stateOfCopy } from '../../install/package-copies.ts';
import { disk } from '../../system/disk.ts';
import { attempt } from '../../system/errors.ts';
import { readInstalled } from '../fire/installed.ts';
import { fit } from '../fire/matching.ts';
import { payloadsMatching } from '../fire/payload.ts';
import { type Blocked, type CheckResult, type Level, ofClients, ofInstalls } from './check.ts';
import { type DoctorContext, isUsed } from './context.ts';
import { updateCommand } from './origin.ts';

/** Also finds a client that was added after the labels were installed. */
export const installed = ofClients('installed', 'hooks-installed', (client, at) => {
  if (at.label !== undefined || isUsed(client, at)) return undefined;
  if (at.ledger.installs.length === 0) return { level: 'ok', what: 'nothing-installed' };
  const { env, home } = at.user;
  const folderOf = client.foundBy ?? client.userFolder;
  const folder = folderOf(env, home, process.platform);
  return {
    level: 'info',
    what: { code: 'not-used', found: existsSync(folder) ? tilde(folder, home) : client.executable },
    todo: { code: 'install-in-client', id: client.id },
  };
});

export const entries = ofInstalls('entries', 'entries-intact', (install, at) => {
  const { project } = install;
  if (project !== null && !existsSync(project))
    return { level: 'info', what: 'project-gone', where: project, todo: 'leave-runner' };
  return install.clients.flatMap((id): readonly CheckResult[] => {
    const client = findClient(id);
    return client && !isElsewhere(install, id, at) ? entriesIn(client, install, at) : [];
  });
});

function entriesIn(client: Client, install: Install, at: DoctorContext): CheckResult[] {
  const { id, name } = client;
  const entries = { runner: [], read: at.read };
  const { file: where, drift } = lookAt(id, install, at.placesOf(install), at.ledger, entries);
  const has = (code: Drift['code']) => drift.some((one) => one.code === code);
  if (has('file-refused'))
    return [{ level: 'info', what: { code: 'entries-not-looked-at', client: name }, where }];
  const command = updateCommand(install);
  const isEdited = has('entry-edited') || has('entry-holds-more');
  const unmet = isEdited ? unmetIn(install, client, at) : [];
  return [
    ...unmet.map((found) => ({ ...found, where, todo: { code: 'puts-right', command } as const })),
    ...(['error', 'warning'] as const).flatMap((level): CheckResult | [] => {
      const grave = drift.filter(({ code }) => LEVEL[code](client.positional) === level);
      if (grave.length === 0) return [];
      const todo = grave.map(({ code }) => TODO[code]).find((one) => one !== undefined);
      return {
        level,
        what: { code: 'drift-in-client', client: name, drift: drifted(grave) },
        where,
        todo: { code: todo ?? 'puts-right', command },
        ...(level === 'error' && { blocks: { client: id, ...nativesIn(grave) } }),
      };
    }),
  ];
}

/** Hooks whose entry does not start for the calls that they match, because its matcher was edited. */
function unmetIn(install: Install, client: Client, at: DoctorContext): CheckResult[] {
  const events = readInstalled(at.placesOf(install), disk).of(install.label, client)?.events ?? [];
  const scene = { cwd: at.machine.cwd, home: at.user.home, session: 'doctor' };
  return events.flatMap(({ native, program, entries }): CheckResult | [] => {
    if (!program || entries.length === 0) return [];
    const hooks = program.hooks
      .filter((hook) =>
        payloadsMatching(client, native, hook, program, scene).some(
          (payload) => !entries.some((entry) => fit(entry, payload).fits),
        ),
      )
      .map(({ number }) => number);
    if (hooks.length === 0) return [];
    return {
      level: 'error',
      what: { code: 'matcher-edited', client: client.name, native, hooks },
      blocks: { client: client.id, natives: [native], hooks },
    };
  });
}

/** The events of changed entries; all events if a file is gone. */
const nativesIn = (drift: readonly Drift[]): Pick<Blocked, 'natives'> =>
  drift.every(({ what }) => what !== undefined)
    ? { natives: drift.flatMap(({ what }) => what ?? []) }
    : {};

/** @param positional Whether the client's trust depends on an entry's position. */
const LEVEL: Readonly<Record<Drift['code'], (positional: boolean) => Level>> = {
  'program-edited': () => 'warning',
  'entry-missing': () => 'error',
  'file-missing': () => 'error',
  'entry-edited': () => 'warning',
  // An entry with another command is not ours.
  'entry-altered': () => 'error',
  'entry-holds-more': () => 'warning',
  'entry-shared': () => 'error',
  'entry-extended': () => 'warning',
  'entry-copied': () => 'warning',
  'entry-moved': (positional) => (positional ? 'warning' : 'ok'),
  // These are reported by other checks: of settings, of the runner, of interrupted runs.
  'file-refused': () => 'ok',
  'runner-missing': () => 'ok',
  'runner-altered': () => 'ok',
  'run-interrupted': () => 'ok',
  'not-recorded': () => 'ok',
};

/** What to do by hand before a command can fix the rest. */
const TODO: Readonly<
  Partial<Record<Drift['code'], 'move-out' | 'remove-program' | 'take-hook-out'>>
> = {
  'program-edited': 'remove-program',
  'entry-holds-more': 'move-out',
  'entry-altered': 'take-hook-out',
  'entry-extended': 'take-hook-out',
};

export const runner = ofInstalls('runner', 'runner-unchanged', (install, at) => {
  const folder = runnerFolder(at.placesOf(install), install.label);
  const drift = runnerDrift(install, at.placesOf(install), at.read);
  return [
    ...drift.map(
      ({ code, what: file = '' }): CheckResult => ({
        level: 'error',
        what: { code: code === 'runner-missing' ? 'runner-part-missing' : 'runner-altered', file },
        where: join(folder, file),
        todo: { code: 'writes-anew', command: updateCommand(install) },
        ...blockedBy(file),
      }),
    ),
    ...copyOf(install, at),
  ];
});

/** Why hooks start npx again instead of the copy of its package. They work anyway. */
function copyOf(install: Install, at: DoctorContext): CheckResult[] {
  const { copy } = at.serverOf(install) ?? {};
  if (!install.copy || !copy || startsWithoutNpx(copy)) return [];
  const { exact } = install.copy;
  const state = stateOfCopy(copy.folder);
  const code = { whole: 'npx-has-other', gone: 'copy-gone', changed: 'copy-changed' } as const;
  return [
    {
      level: state === 'changed' ? 'warning' : 'info',
      what: { code: code[state], exact },
      where: state === 'whole' ? copy.npx : copy.folder,
      todo: { code: 'writes-anew', command: updateCommand(install) },
      blocks: null,
    },
  ];
}

/** The hooks that need a file of the runner: those of one client's event, or all hooks. */
function blockedBy(name: string): Pick<CheckResult, 'blocks'> {
  const [, client, native] = /^([a-z-]+)\.(\w+)\.(?:json|sh)$/.exec(name) ?? [];
  return native === undefined ? {} : { blocks: { client, natives: [native] } };
}

export const node = ofInstalls('node', 'node-there', (install, at) => {
  const paths = firstStages(install, at).map(({ text }) => assigned(text, 'node'));
  return [...new Set(paths)].flatMap((where): CheckResult | [] => {
    const isThere = (path: string) => {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    };
    if (where === undefined || attempt(() => isThere(where))) return [];
    const other = which('node', at.user);
    return {
      level: other ? 'warning' : 'error',
      what: other ? { code: 'other-node', node: other } : 'no-node',
      where,
      todo: { code: 'with-new-node', command: updateCommand(install) },
    };
  });
});

export const paths = ofInstalls('paths', 'paths-of-today', (install, at): CheckResult[] => {
  const folder = runnerFolder(at.placesOf(install), install.label);
  const command = updateCommand(install);
  const short = (path: string) => tilde(path, at.user.home);
  const elsewhere = install.clients.flatMap((id): CheckResult | [] => {
    const place = isElsewhere(install, id, at);
    if (!place) return [];
    const { path: where, today: path } = place;
    const { name: client } = place.client;
    return {
      level: 'error',
      what: { code: 'looks-elsewhere', client, path: short(path), file: short(where) },
      where,
      blocks: { client: id },
      todo: { code: 'start-as-then', client, variables: variablesOf(place.client), command },
    };
  });
  const copied = firstStages(install, at).find(({ text }) => assigned(text, 'here') !== folder);
  if (!copied) return elsewhere;
  const made = assigned(copied.text, 'here') ?? 'none';
  const what = { code: 'runner-of-another-folder', folder: made } as const;
  const todo = { code: 'makes-anew', command } as const;
  return [...elsewhere, { level: 'error', what, where: copied.path, todo }];
});

/** The variables on which the folder of the client's configuration depends. */
function variablesOf({ userFolder }: Client): string[] {
  const names: string[] = [];
  const env = new Proxy({}, { get: (_, name) => void names.push(String(name)) });
  userFolder(env, '', process.platform);
  return names;
}

/** The file with the client's entries, if the client no longer reads it. */
function isElsewhere(install: Install, id: string, at: DoctorContext) {
  const client = findClient(id);
  const [path, known] = filesHolding(at.ledger, id, install, install.label)[0] ?? ([] as const);
  const places = at.placesOf(install);
  const file = client && fileNamed(client, known?.file, install.label, places);
  if (!client || !file || path === undefined) return undefined;
  const today = configPath(client, file, places);
  return today === path ? undefined : { client, path, today };
}

function firstStages(install: Install, at: DoctorContext): { path: string; text: string }[] {
  const folder = runnerFolder(at.placesOf(install), install.label);
  return Object.keys(install.runner)
    .filter((name) => name.endsWith('.sh') && install.clients.includes(clientOf(name) ?? ''))
    .flatMap((name) => {
      const path = join(folder, name);
      const text = at.read(path)?.toString();
      return text === undefined ? [] : [{ path, text }];
    });
}

/** The value that the install assigned to a name in a first stage. */
function assigned(text: string, name: string): string | undefined {
  const [, word] = new RegExp(`^${name}=(.*)$`, 'm').exec(text) ?? [];
  return word === undefined ? undefined : shellUnquote(word);
}
