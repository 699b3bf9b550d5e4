/** Our own folder: whether it can be written, what killed runs have left, what has piled up, what has failed. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { logFiles, logFolder, sessionsFolder } from '../../clients/places.ts';
import { ledgerPath } from '../../install/ledger.ts';
import { leftovers } from '../../install/leftovers.ts';
import { disk } from '../../system/disk.ts';
import { reasonOf, said } from '../../system/errors.ts';
import { lockPath } from '../../system/lock.ts';
import type { SystemMessage } from '../../system/messages.ts';
import { count } from '../../system/plurals.ts';
import { isAlive, isMark } from '../../system/process-id.ts';
import { parseLog, withoutTrials } from '../log.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofInstalls, ofUs } from './check.ts';

export const writable = ofUs('state-writable', 'folder writable', ({ user }) => {
  const folders = [user.state, sessionsFolder(user.state), logFolder(user.state)];
  return folders.flatMap((folder): CheckResult[] => {
    const why = notWritable(folder);
    if (why === undefined) return [];
    return [
      {
        level: 'error',
        what: said<DiagnoseMessage>({
          code: folder === user.state ? 'record-not-writable' : 'memory-not-writable',
          why,
        }),
        where: folder,
        todo: 'It has to be a folder of yours that you may write in.',
        blocks: null,
      },
    ];
  });
});

/** Root may do anything: what counts is what the folder says. One that is not there yet is made when it is needed. */
function notWritable(folder: string): SystemMessage | undefined {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isDirectory()) return { code: 'no-folder' };
    const user = process.geteuid?.() ?? found.uid;
    if (found.uid !== user) return { code: 'owned-by-another', uid: found.uid };
    if ((found.mode & 0o300) !== 0o300) return { code: 'read-only' };
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

export const ledger = ofUs('ledger', 'record readable', ({ user, broken }) =>
  broken
    ? [
        {
          level: 'error',
          what: 'our record of what is installed cannot be read',
          where: ledgerPath(user.state),
          todo: 'Install again what you had: entries of ours are known by their commands, and the broken file is put aside.',
          blocks: null,
        },
      ]
    : [],
);

export const interrupted = ofUs('interrupted', 'no run interrupted', (at): CheckResult[] => {
  const lock = lockPath(at.user.state);
  const holder = at.read(lock)?.toString();
  const works = holder !== undefined && isMark(holder) && isAlive(holder);
  const half = Object.entries(at.ledger.files).filter(([, { next }]) => next !== undefined);
  if (works)
    return [{ level: 'info', what: 'another mcp-hooks is at work right now', where: lock }];
  return [
    ...half.map(
      ([where]): CheckResult => ({
        level: 'error',
        what: 'a run was interrupted: some of it is written and some is not',
        where,
        todo: 'Do the same again: it finishes what was begun.',
        blocks: { file: where },
      }),
    ),
    ...leftovers(at.here ?? at.user).map(
      (where): CheckResult => ({
        level: 'warning',
        what: 'a run that was killed has left a file',
        where,
        todo: 'The next install or uninstall takes it away.',
      }),
    ),
    ...(holder === undefined
      ? []
      : isMark(holder) || holder === ''
        ? [
            {
              level: 'warning' as const,
              what: 'a run that was killed has left its lock',
              where: lock,
              todo: 'The next install or uninstall takes it away.',
            },
          ]
        : [
            {
              level: 'error' as const,
              what: 'there is a file where our lock would be, so nothing can be installed',
              where: lock,
              todo: 'Move it away.',
              blocks: null,
            },
          ]),
  ];
});

/** More files than this are not one session's. */
const MANY = 5000;
const DAY = 24 * 60 * 60 * 1000;
/** Days after which hooks sweep out what sessions have left, and some more. */
const OLD = 45;
/** How many are looked at: what is old is old in any part of them. */
const SAMPLE = 200;

export const sessions = ofUs('sessions', 'no old sessions', ({ user }): CheckResult[] => {
  const where = sessionsFolder(user.state);
  if (!existsSync(where) || !statSync(where).isDirectory()) return []; // said of the folder
  const names = disk.list(where);
  const old = names.slice(0, SAMPLE).filter((name) => {
    const found = statSync(join(where, name), { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > OLD * DAY;
  });
  if (old.length === 0 && names.length <= MANY) return [];
  const what =
    old.length > 0
      ? `${count(names.length, 'file')} of sessions, some older than ${OLD} days: hooks sweep them out, and have not lately`
      : `${count(names.length, 'file')} of sessions`;
  return [
    {
      level: 'warning',
      what,
      where,
      todo: 'While no session runs the files in it can be deleted; a session that is resumed is told its start again then.',
    },
  ];
});

/** Bytes; the runner begins another file at the first. */
const FULL = 1024 * 1024;
const FAR_OVER = 4 * FULL;
/** Bytes at its end that are read. */
const TAIL = 128 * 1024;
const LATELY = 7;

export const failures = ofInstalls('log', 'no failure lately', ({ label }, { user }) => {
  const [, where] = logFiles(user.state, label);
  const size = statSync(where, { throwIfNoEntry: false })?.size ?? 0;
  const entries = withoutTrials(parseLog(label, tail(where)).entries);
  const since = Date.now() - LATELY * DAY;
  const failed = entries.filter(({ at, reason }) => reason !== undefined && Date.parse(at) > since);
  const last = failed.at(-1)?.reason ?? '';
  return [
    ...(failed.length > 0
      ? [
          {
            level: 'warning' as const,
            what: `${count(failed.length, 'firing')} of the last ${LATELY} days failed; the last: ${last}`,
            where,
            todo: `mcp-hooks log ${label} --failed shows them.`,
          },
        ]
      : []),
    ...(size > FAR_OVER
      ? [
          {
            level: 'warning' as const,
            what: `its log has grown to ${Math.round(size / FULL)} MiB, and no hook begins another`,
            where,
            todo: 'Delete it: hooks begin a new one.',
          },
        ]
      : []),
  ];
});

/** The last lines of a file. */
export function tail(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return '';
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(size, TAIL));
    const length = readSync(file, bytes, 0, bytes.length, Math.max(0, size - TAIL));
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
