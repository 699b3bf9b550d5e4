/** What we have written: the entries in the clients' files, the runner they start, the node that it needs. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import { configPath, fileNamed, runnerFolder } from '../../clients/places.ts';
import { findClient } from '../../clients/registry.ts';
import { shellUnquote } from '../../compile/command.ts';
import { clientOf } from '../../compile/runner-files.ts';
import { drifted, lookAt, runnerDrift } from '../../install/drift.ts';
import { filesHolding, type Install } from '../../install/ledger.ts';
import type { Drift } from '../../install/messages.ts';
import { disk } from '../../system/disk.ts';
import { said } from '../../system/errors.ts';
import { readInstalled } from '../fire/installed.ts';
import { fit } from '../fire/matching.ts';
import { payloadsMatching } from '../fire/sample-payloads.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type Blocked, type CheckResult, type Level, ofClients, ofInstalls } from './check.ts';
import { type DoctorContext, isUsed } from './context.ts';
import { again } from './origin.ts';

/** A client may have come after the labels. */
export const installed = ofClients('installed', 'hooks-installed', (client, at): CheckResult[] => {
  if (at.label !== undefined || isUsed(client, at)) return [];
  if (at.ledger.installs.length === 0)
    return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'nothing-installed' }) }];
  return [
    {
      level: 'info',
      what: said<DiagnoseMessage>({ code: 'not-used' }),
      todo: said<DiagnoseMessage>({ code: 'install-in-client', id: client.id }),
    },
  ];
});

export const entries = ofInstalls('entries', 'entries-intact', (install, at) => {
  const { project } = install;
  if (project !== null && !existsSync(project))
    return [
      {
        level: 'info',
        what: said<DiagnoseMessage>({ code: 'project-gone' }),
        where: project,
        todo: said<DiagnoseMessage>({ code: 'leave-runner' }),
      },
    ];
  return install.clients.flatMap((id): CheckResult[] => {
    const client = findClient(id);
    if (!client || isElsewhere(install, id, at)) return [];
    const places = at.placesOf(install);
    const { file, drift } = lookAt(id, install, places, at.ledger, {
      runner: [],
      read: at.read,
    });
    if (drift.some(({ code }) => code === 'file refused'))
      return [
        {
          level: 'info',
          what: said<DiagnoseMessage>({ code: 'entries-not-looked-at', client: client.name }),
          where: file,
        },
      ];
    const unmet = drift.some(({ code }) => code === 'entry edited')
      ? unmetIn(install, client, at)
      : [];
    return [
      ...unmet.map(
        (found): CheckResult => ({
          level: 'error',
          ...found,
          where: file,
          todo: said<DiagnoseMessage>({ code: 'puts-right', command: again(install) }),
        }),
      ),
      ...(['error', 'warning'] as const).flatMap((level): CheckResult[] => {
        const grave = drift.filter(({ code }) => LEVEL[code](client.positional) === level);
        if (grave.length === 0) return [];
        return [
          {
            level,
            what: said<DiagnoseMessage>({
              code: 'drift-in-client',
              client: client.name,
              drift: drifted(grave),
            }),
            where: file,
            ...(level === 'error' && { blocks: { client: id, ...nativesIn(grave) } }),
            todo: grave.some(({ code }) => code === 'entry altered')
              ? said<DiagnoseMessage>({ code: 'take-hook-out', command: again(install) })
              : said<DiagnoseMessage>({ code: 'puts-right', command: again(install) }),
          },
        ];
      }),
    ];
  });
});

/** Hooks whose entry does not start for what they are about, because its matcher was edited. */
function unmetIn(
  install: Install,
  client: Client,
  at: DoctorContext,
): Pick<CheckResult, 'what' | 'blocks'>[] {
  const events = readInstalled(at.placesOf(install), disk).of(install.label, client)?.events ?? [];
  const scene = { cwd: at.machine.cwd, home: at.user.home, session: 'doctor' };
  return events.flatMap(({ native, program, entries }) => {
    if (!program || entries.length === 0) return [];
    const hooks = program.hooks.filter((hook) =>
      payloadsMatching(client, native, hook, program, scene).some(
        (payload) => !entries.some((entry) => fit(entry, payload).fits),
      ),
    );
    if (hooks.length === 0) return [];
    const numbers = hooks.map(({ number }) => number);
    const what = said<DiagnoseMessage>({
      code: 'matcher-edited',
      client: client.name,
      native,
      hooks: numbers,
    });
    return [{ what, blocks: { client: client.id, natives: [native], hooks: numbers } }];
  });
}

/** The events of entries that are not as they were; of a file that is gone, all. */
const nativesIn = (drift: readonly Drift[]): Pick<Blocked, 'natives'> =>
  drift.every(({ what }) => what !== undefined)
    ? { natives: drift.flatMap(({ what }) => what ?? []) }
    : {};

/** @param positional The client's trust hangs on where an entry stands. */
const LEVEL: Readonly<Record<Drift['code'], (positional: boolean) => Level>> = {
  'entry missing': () => 'error',
  'file missing': () => 'error',
  'entry edited': () => 'warning',
  // Another command is not ours.
  'entry altered': () => 'error',
  'entry copied': () => 'warning',
  'entry moved': (positional) => (positional ? 'warning' : 'ok'),
  // Said above, of the runner, and of the run itself.
  'file refused': () => 'ok',
  'runner missing': () => 'ok',
  'runner altered': () => 'ok',
  'run interrupted': () => 'ok',
  'not recorded': () => 'ok',
};

export const runner = ofInstalls('runner', 'runner-unchanged', (install, at) => {
  const folder = runnerFolder(at.placesOf(install), install.label);
  return runnerDrift(install, (name) => at.read(join(folder, name))).map(
    ({ code, what = '' }): CheckResult => ({
      level: 'error',
      what:
        code === 'runner missing'
          ? said<DiagnoseMessage>({ code: 'runner-part-missing', file: what })
          : said<DiagnoseMessage>({ code: 'runner-altered', file: what }),
      where: join(folder, what),
      todo: said<DiagnoseMessage>({ code: 'writes-anew', command: again(install) }),
      ...blockedBy(what),
    }),
  );
});

/** The hooks that need a file of the runner: those of one client's event, or all. */
function blockedBy(name: string): Pick<CheckResult, 'blocks'> {
  const [, client, native] = /^([a-z-]+)\.(\w+)\.(?:json|sh)$/.exec(name) ?? [];
  return client !== undefined && native !== undefined
    ? { blocks: { client, natives: [native] } }
    : {};
}

export const node = ofInstalls('node', 'node-there', (one, at) => {
  const paths = firstStages(one, at).map(({ text }) => assigned(text, 'node'));
  return [...new Set(paths)].flatMap((path): CheckResult[] => {
    if (path === undefined || isExecutable(path)) return [];
    const other = which('node', at.user);
    return [
      {
        level: other ? 'warning' : 'error',
        what: other
          ? said<DiagnoseMessage>({ code: 'other-node', node: other })
          : said<DiagnoseMessage>({ code: 'no-node' }),
        where: path,
        todo: said<DiagnoseMessage>({ code: 'with-new-node', command: again(one) }),
      },
    ];
  });
});

export const paths = ofInstalls('paths', 'paths-of-today', (install, at) => {
  const places = at.placesOf(install);
  const folder = runnerFolder(places, install.label);
  const copied = firstStages(install, at).find(({ text }) => assigned(text, 'here') !== folder);
  return [
    ...install.clients.flatMap((id): CheckResult[] => {
      const place = isElsewhere(install, id, at);
      if (!place) return [];
      return [
        {
          level: 'error',
          what: said<DiagnoseMessage>({
            code: 'looks-elsewhere',
            client: place.name,
            path: place.today,
          }),
          where: place.path,
          blocks: { client: id },
          todo: said<DiagnoseMessage>({
            code: 'start-as-then',
            client: place.name,
            command: again(install),
          }),
        },
      ];
    }),
    ...(copied
      ? [
          {
            level: 'error' as const,
            what: said<DiagnoseMessage>({
              code: 'runner-of-another-folder',
              folder: assigned(copied.text, 'here') ?? 'none',
            }),
            where: copied.path,
            todo: said<DiagnoseMessage>({ code: 'makes-anew', command: again(install) }),
          },
        ]
      : []),
  ];
});

/** Where the entries for a client are, when that is not where it looks today. */
function isElsewhere(install: Install, id: string, at: DoctorContext) {
  const client = findClient(id);
  const [path, known] = filesHolding(at.ledger, id, install, install.label)[0] ?? ([] as const);
  const places = at.placesOf(install);
  const file = client && fileNamed(client, known?.file, install.label, places);
  if (!client || !file || path === undefined) return undefined;
  const today = configPath(client, file, places);
  return today === path ? undefined : { name: client.name, path, today };
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

/** What a first stage was given by install under a name. */
function assigned(text: string, name: string): string | undefined {
  const [, word] = new RegExp(`^${name}=(.*)$`, 'm').exec(text) ?? [];
  return word === undefined ? undefined : shellUnquote(word);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path) && statSync(path).isFile();
  } catch {
    return false;
  }
}
