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
import { processes } from '../../system/process-id.ts';
import { parseLog, withoutTrials } from '../log.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofInstalls, ofUs } from './check.ts';

export const writable = ofUs('state-writable', 'state-writable', ({ user }) => {
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
        todo: said<DiagnoseMessage>({ code: 'own-folder-needed' }),
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

export const ledger = ofUs('ledger', 'record-readable', ({ user, broken }) =>
  broken
    ? [
        {
          level: 'error',
          what: said<DiagnoseMessage>({ code: 'record-unread' }),
          where: ledgerPath(user.state),
          todo: said<DiagnoseMessage>({ code: 'install-again' }),
          blocks: null,
        },
      ]
    : [],
);

export const interrupted = ofUs('interrupted', 'no-run-interrupted', (at): CheckResult[] => {
  const lock = lockPath(at.user.state);
  const holder = at.read(lock)?.toString();
  const { isAlive, isMark } = processes();
  const works = holder !== undefined && isMark(holder) && isAlive(holder);
  const half = Object.entries(at.ledger.files).filter(([, { next }]) => next !== undefined);
  if (works)
    return [
      { level: 'info', what: said<DiagnoseMessage>({ code: 'another-at-work' }), where: lock },
    ];
  return [
    ...half.map(
      ([where]): CheckResult => ({
        level: 'error',
        what: said<DiagnoseMessage>({ code: 'run-interrupted' }),
        where,
        todo: said<DiagnoseMessage>({ code: 'do-again' }),
        blocks: { file: where },
      }),
    ),
    ...leftovers(at.here ?? at.user).map(
      (where): CheckResult => ({
        level: 'warning',
        what: said<DiagnoseMessage>({ code: 'file-left' }),
        where,
        todo: said<DiagnoseMessage>({ code: 'next-run-takes-away' }),
      }),
    ),
    ...(holder === undefined
      ? []
      : isMark(holder) || holder === ''
        ? [
            {
              level: 'warning' as const,
              what: said<DiagnoseMessage>({ code: 'lock-left' }),
              where: lock,
              todo: said<DiagnoseMessage>({ code: 'next-run-takes-away' }),
            },
          ]
        : [
            {
              level: 'error' as const,
              what: said<DiagnoseMessage>({ code: 'lock-occupied' }),
              where: lock,
              todo: said<DiagnoseMessage>({ code: 'move-away' }),
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

export const sessions = ofUs('sessions', 'no-old-sessions', ({ user }): CheckResult[] => {
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
      ? said<DiagnoseMessage>({ code: 'sessions-old', files: names.length, days: OLD })
      : said<DiagnoseMessage>({ code: 'sessions-many', files: names.length });
  return [
    {
      level: 'warning',
      what,
      where,
      todo: said<DiagnoseMessage>({ code: 'delete-sessions' }),
    },
  ];
});

/** Bytes; the runner begins another file at the first. */
const FULL = 1024 * 1024;
const FAR_OVER = 4 * FULL;
/** Bytes at its end that are read. */
const TAIL = 128 * 1024;
const LATELY = 7;

export const failures = ofInstalls('log', 'no-failure-lately', ({ label }, { user }) => {
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
            what: said<DiagnoseMessage>({
              code: 'firings-failed',
              firings: failed.length,
              days: LATELY,
              last,
            }),
            where,
            todo: said<DiagnoseMessage>({ code: 'show-failed', label }),
          },
        ]
      : []),
    ...(size > FAR_OVER
      ? [
          {
            level: 'warning' as const,
            what: said<DiagnoseMessage>({
              code: 'log-grown',
              mebibytes: Math.round(size / FULL),
            }),
            where,
            todo: said<DiagnoseMessage>({ code: 'delete-log' }),
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
