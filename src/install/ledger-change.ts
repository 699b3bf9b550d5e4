/** What a plan writes down for later: the ledger, and each file as it was before us. */

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

/** The ledger before a run, during it, and after it. */
export interface LedgerChange {
  readonly path: string;
  readonly before: Buffer | null;
  /** What may be on the disk if the run is killed. Like `after`, it is made on demand: diff never needs it. */
  readonly during: Buffer | null;
  /** Null: nothing is left to remember. */
  readonly after: Buffer | null;
  readonly isBare: boolean;
  /** Where to put bytes that are not a ledger, so that nothing is lost. */
  readonly aside?: FileChange;
}

/**
 * @param next What the ledger will have for the label, or has while the run is under way; undefined: nothing.
 * @param formerly What it will have for sources that are gone.
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

/** Folders that we made are removed with the last file in them that holds something of ours, no matter for which file we made them. */
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

/** In the state folder: each file as it was before we first changed it. */
export const BACKUPS = 'backups';

/** Copies of the files that are changed while nothing of ours is in them. */
export const backups = (plans: readonly FilePlan[], disk: Disk): FileChange[] =>
  plans.flatMap(({ entry, change, copy }) =>
    copy && entry?.backup && change
      ? [{ path: entry.backup, before: disk.read(entry.backup), after: change.before, mode: 0o600 }]
      : [],
  );

/** The ledger's entries for files in which nothing of ours will be left. */
const leaving = (plans: readonly FilePlan[]) =>
  plans.flatMap(({ entry }) => (entry?.next === null ? [entry] : []));

export const staleBackups = (plans: readonly FilePlan[], disk: Disk): FileChange[] =>
  leaving(plans).flatMap(({ backup: path }) =>
    path ? [{ path, before: disk.read(path), after: null, mode: 0o600 }] : [],
  );

export const madeFor = (plans: readonly FilePlan[]): string[] =>
  leaving(plans).flatMap(({ madeFolders }) => madeFolders);

/** Matches the names of files that the runner remembers with: for a session, for a server, and for itself. */
const MEMORY =
  /^[a-z-]+\.[\w ~-]+\.[\w.-]+\.[a-f0-9-]+(?:\.turn)?\.(?:mark|told|kept|calls|denied|[\w-]+-[\w ~-]*)(?:\.\d+)?$|\.modern$|^background\.[\w.-]+\.\d+$|^clock$|^swept(?:\.\d+)?$/;

/**
 * The hooks' memories, recognised by our names: somebody may have named a wrong folder as ours by mistake. None if the folder
 * cannot be read: nobody needs them any more, and all else is done.
 */
export const memories = (sessions: string, disk: Disk | undefined): string[] =>
  (attempt(() => disk?.list(sessions)) ?? [])
    .filter((name) => MEMORY.test(name))
    .map((name) => join(sessions, name));

/** The path for a file's copy. The name tells which file it is, or was when we copied it, and nothing of its contents. */
export function backupOf(path: string, { state }: Places, known?: LedgerFile): string {
  const folder = join(state, BACKUPS);
  return known?.backup && dirname(known.backup) === folder
    ? known.backup
    : join(folder, `${fingerprint(path).slice(-12)}-${basename(path)}`);
}
