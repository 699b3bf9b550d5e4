/** What a plan records for later: the ledger, and the original of each changed file. */

import { basename, dirname, join } from 'node:path';
import type { Places } from '../clients/places.ts';
import type { Disk } from '../system/disk.ts';
import { attempt } from '../system/errors.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { memoize } from '../system/memoize.ts';
import {
  type Formerly,
  type Install,
  isEmptyLedger,
  type LedgerFile,
  type LedgerOnDisk,
  ledgerPath,
  madeOnTheWay,
  writeLedger,
} from './ledger.ts';
import type { FileChange, FilePlan, PlanOptions } from './planned-file.ts';

/** The ledger before, during and after a run. */
export interface LedgerChange {
  readonly path: string;
  readonly before: Buffer | null;
  /** What is on disk if the run is killed. Computed on demand, like `after`, because diff never needs it. */
  readonly during: Buffer | null;
  /** Null if there is nothing left to record. */
  readonly after: Buffer | null;
  readonly isBare: boolean;
  /** Where to move bytes that are not a valid ledger, so that they are not lost. */
  readonly aside?: FileChange;
}

/**
 * @param next The label's record after the run, or while it is in progress; undefined if there is none.
 * @param formerly The record of sources that are gone.
 */
export function ledgerChange(
  { ledger, bytes, broken }: LedgerOnDisk,
  plans: readonly FilePlan[],
  { places, madeFolders, disk }: PlanOptions,
  known: Install | undefined,
  next: (isUnderWay: boolean) => Install | undefined,
  formerly: Formerly,
): LedgerChange {
  const path = ledgerPath(places.state);
  const { formerly: _, ...rest } = ledger;
  const base = {
    ...rest,
    ...(Object.keys(formerly).length > 0 && { formerly }),
    madeFolders: bytes === null ? madeFolders : ledger.madeFolders,
  };
  const both = memoize(() => {
    const during: Record<string, LedgerFile> = { ...ledger.files };
    const after: Record<string, LedgerFile> = { ...ledger.files };
    for (const { path: file, entry, source = null } of plans)
      if (entry) {
        const { next, ...rest } = entry;
        during[file] = { ...entry, found: source === null ? null : fingerprint(source) };
        if (next) after[file] = { ...rest, record: next };
        else {
          delete after[file];
          passOn(rest.madeFolders, after);
        }
      }
    const without = ledger.installs.filter((one) => one !== known);
    const at = known ? ledger.installs.indexOf(known) : without.length;
    const [install, begun] = [next(false), next(true)];
    const installs = install ? without.toSpliced(at, 0, install) : without;
    const underWay = install && begun ? without.toSpliced(at, 0, begun) : ledger.installs;
    return {
      during: writeLedger({ ...base, installs: underWay, files: during }),
      after: writeLedger({ ...base, installs, files: after }),
      isBare: isEmptyLedger({ ...base, installs, files: after }),
    };
  });
  return {
    path,
    before: bytes,
    get during() {
      return both().during;
    },
    get after() {
      return both().after;
    },
    get isBare() {
      return both().isBare;
    },
    ...(broken && { aside: putAside(path, bytes, disk) }),
  };
}

/**
 * Folders that we created are removed with the last file in them that holds something of ours, even if they were created for
 * another file.
 */
function passOn(folders: readonly string[], files: Record<string, LedgerFile>): void {
  for (const [path, file] of Object.entries(files)) {
    const more = madeOnTheWay(path, folders, []).filter((one) => !file.madeFolders.includes(one));
    // Outermost first.
    if (more.length > 0)
      files[path] = { ...file, madeFolders: [...more, ...file.madeFolders].sort() };
  }
}

function putAside(path: string, after: Buffer | null, disk: Disk): FileChange {
  const aside = `${path}.broken-${fingerprint(String(after))}`;
  return { path: aside, before: disk.read(aside), after, mode: 0o600 };
}

/** In the state folder: a copy of each file from before our first change. */
export const BACKUPS = 'backups';

/** Copies of files that are about to be changed and do not contain anything of ours yet. */
export const backups = (plans: readonly FilePlan[], disk: Disk): FileChange[] =>
  plans.flatMap(({ entry, change, copy }) =>
    copy && entry?.backup && change
      ? [{ path: entry.backup, before: disk.read(entry.backup), after: change.before, mode: 0o600 }]
      : [],
  );

/** The ledger's entries for files that will contain nothing of ours. */
const leaving = (plans: readonly FilePlan[]) =>
  plans.flatMap(({ entry }) => (entry?.next === null ? [entry] : []));

export const staleBackups = (plans: readonly FilePlan[], disk: Disk): FileChange[] =>
  leaving(plans).flatMap(({ backup: path }) =>
    path ? [{ path, before: disk.read(path), after: null, mode: 0o600 }] : [],
  );

export const madeFor = (plans: readonly FilePlan[]): string[] =>
  leaving(plans).flatMap(({ madeFolders }) => madeFolders);

/** Matches the names of files in which the runner stores state: per session, per server, and globally. */
const MEMORY =
  /^[a-z-]+\.[\w ~-]+\.[\w.-]+\.[a-f0-9-]+(?:\.turn)?\.(?:mark|shown|kept|calls|denied|[\w-]+-[\w ~-]*)(?:\.\d+)?$|\.modern$|^background\.[\w.-]+\.\d+$|^clock$|^swept(?:\.\d+)?$/;

/**
 * The files with the hooks' state. Only our file names match, because the user may have configured a wrong folder as ours.
 * Empty if the folder cannot be read: the files are no longer needed, and everything else is done.
 */
export const memories = (sessions: string, disk: Disk | undefined): string[] =>
  (attempt(() => disk?.list(sessions)) ?? [])
    .filter((name) => MEMORY.test(name))
    .map((name) => join(sessions, name));

/** The path for a file's copy. Its name identifies the original path and reveals nothing of the contents. */
export function backupOf(path: string, { state }: Places, known?: LedgerFile): string {
  const folder = join(state, BACKUPS);
  return known?.backup && dirname(known.backup) === folder
    ? known.backup
    : join(folder, `${fingerprint(path).slice(-12)}-${basename(path)}`);
}
