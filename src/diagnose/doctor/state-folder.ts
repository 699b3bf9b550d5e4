/** Our state folder: whether it is writable, what interrupted runs left, what has accumulated, and what has failed. */

import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { logFiles, logFolder, sessionsFolder } from '../../clients/places.ts';
import { ledgerPath } from '../../install/ledger.ts';
import { leftovers } from '../../install/leftovers.ts';
import { disk } from '../../system/disk.ts';
import { reasonOf } from '../../system/errors.ts';
import { missingFolders, otherOwner } from '../../system/files.ts';
import { lockPath } from '../../system/lock.ts';
import type { SystemMessage } from '../../system/messages.ts';
import { processes } from '../../system/process-id.ts';
import { isFailure, lastLines, parseLog, withoutTrials } from '../log.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofInstalls, ofUs } from './check.ts';
import type { DoctorContext } from './context.ts';

export const writable = ofUs('state-writable', 'state-writable', ({ user }) => {
  const { state } = user;
  if (!statSync(state, { throwIfNoEntry: false })) return unmakeable(state);
  const folders = [state, sessionsFolder(state), logFolder(state)];
  return folders.flatMap((where): CheckResult | [] => {
    const why = notWritable(where);
    if (why === undefined)
      return isOpen(where)
        ? { level: 'warning', what: 'open-to-others', where, todo: 'close-it' }
        : [];
    return {
      level: 'error',
      what: { code: where === state ? 'state-not-writable' : 'memory-not-writable', why },
      where,
      todo: { code: 'own-folder-needed' },
      blocks: null,
    };
  });
});

/** The state folder does not exist yet. Shipped hooks create it, unless they cannot. */
function unmakeable(where: string): CheckResult[] {
  const [missing = where] = missingFolders(where);
  const folder = dirname(missing);
  const why = obstacleIn(folder);
  const what = why && ({ code: 'state-not-makeable', why } as const);
  return what ? [{ level: 'warning', what, where, todo: { code: 'own-folder-needed' } }] : [];
}

/** Whether another user may put files there, which this user's hooks would then start or obey. */
const isOpen = (folder: string): boolean =>
  process.platform !== 'win32' &&
  ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o022) !== 0;

/** Checks the folder's mode, because root may write anywhere. A missing folder is created when needed. */
function notWritable(folder: string): SystemMessage | undefined {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isDirectory()) return { code: 'no-folder' };
    const other = otherOwner(folder);
    if (other) return other;
    return obstacleIn(folder);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Why nothing can be created in an existing folder. */
function obstacleIn(folder: string): SystemMessage | undefined {
  try {
    const { mode, uid } = statSync(folder);
    const isOwn = uid === process.geteuid?.();
    if (isOwn && (mode & 0o300) !== 0o300) return { code: 'read-only' };
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

export const ledger = ofUs('ledger', 'record-readable', ({ user, broken }) =>
  broken
    ? {
        level: 'error',
        what: 'record-unread',
        where: ledgerPath(user.state),
        todo: 'install-again',
        blocks: null,
      }
    : undefined,
);

export const interrupted = ofUs('interrupted', 'no-run-interrupted', (at): CheckResult[] => {
  const lock = lockPath(at.user.state);
  const holder = at.read(lock)?.toString();
  const { isAlive, isMark } = processes();
  if (holder !== undefined && isMark(holder) && isAlive(holder))
    return [{ level: 'info', what: 'another-at-work', where: lock }];
  const left = (what: 'file-left' | 'lock-left', where: string): CheckResult => ({
    ...{ level: 'warning', what, where, todo: 'next-run-takes-away' },
  });
  const found = Object.entries(at.ledger.files)
    .filter(([, { next }]) => next !== undefined)
    .map(([where]): CheckResult => {
      const blocks = { file: where };
      return { level: 'error', what: 'run-interrupted', where, todo: 'do-again', blocks };
    });
  found.push(...leftovers(at.here ?? at.user).map((where) => left('file-left', where)));
  if (holder === undefined) return found;
  if (isMark(holder) || holder === '') return [...found, left('lock-left', lock)];
  const [what, todo] = ['lock-occupied', 'move-away'] as const;
  return [...found, { level: 'error', what, where: lock, todo, blocks: null }];
});

/** A single session does not leave more files than this. */
const MANY = 5000;
const DAY = 24 * 60 * 60 * 1000;
/** Days. Somewhat longer than hooks keep the files of sessions. */
const OLD = 45;
/** How many files to check. Any sample shows whether there are old ones. */
const SAMPLE = 200;

export const sessions = ofUs('sessions', 'no-old-sessions', ({ user }) => {
  const where = sessionsFolder(user.state);
  if (!statSync(where, { throwIfNoEntry: false })?.isDirectory()) return undefined; // another check reports that
  const names = disk.list(where);
  const isOld = names.slice(0, SAMPLE).some((name) => {
    const found = statSync(join(where, name), { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > OLD * DAY;
  });
  const files = names.length;
  if (!isOld && files <= MANY) return undefined;
  return {
    level: 'warning',
    what: isOld ? { code: 'sessions-old', files, days: OLD } : { code: 'sessions-many', files },
    where,
    todo: 'delete-sessions',
  };
});

/** Bytes. The runner starts a new file beyond the first limit. */
const FULL = 1024 * 1024;
const FAR_OVER = 4 * FULL;
/** How many bytes to read from its end. */
const TAIL = 128 * 1024;
/** In days. */
const LATELY = 7;

export const failures = ofInstalls('log', 'no-failure-lately', ({ label }, at) => {
  const { where, entries } = lastOf(label, at);
  const size = statSync(where, { throwIfNoEntry: false })?.size ?? 0;
  const since = Date.now() - LATELY * DAY;
  const recent = withoutTrials(entries).filter(({ at }) => Date.parse(at) > since);
  const failed = recent.filter(({ why }) => why?.some(isFailure));
  const last = failed.at(-1)?.why;
  const guards = recent.flatMap(({ onFailure = [] }) => onFailure);
  const denied = guards.filter(({ action }) => action === 'deny').length;
  const found: CheckResult[] = [];
  const warn = (what: DiagnoseMessage, todo: CheckResult['todo']) =>
    found.push({ level: 'warning', what, where, todo });
  const show = { code: 'show-failed', label } as const;
  if (guards.length > 0)
    warn({ code: 'guards-failed', passed: guards.length - denied, denied, days: LATELY }, show);
  if (last !== undefined)
    warn({ code: 'firings-failed', firings: failed.length, days: LATELY, last }, show);
  if (size > FAR_OVER)
    warn({ code: 'log-grown', mebibytes: Math.round(size / FULL) }, 'delete-log');
  return found;
});

/** The last actions of a label's hooks, and the path of their log. */
export function lastOf(label: string, { user }: DoctorContext) {
  const [, where] = logFiles(user.state, label);
  return { where, entries: parseLog(label, lastLines(where, { bytes: TAIL })).entries };
}
