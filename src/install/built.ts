/** Plans a build, to the byte, and carries it out. Nothing outside of the output folder is written or removed. */

import { join } from 'node:path';
import type { BuiltFile } from '../compile/bundles/bundle.ts';
import { isRecord } from '../declaration/schema.ts';
import type { Disk } from '../system/disk.ts';
import { attempt, UserError } from '../system/errors.ts';
import {
  confine,
  leadsElsewhere,
  makeFolders,
  missingFolders,
  obstacle,
  removeEmptyFolders,
  replace,
  same,
  sweep,
} from '../system/files.ts';
import { inKeyOrder, sha256 } from '../system/fingerprint.ts';
import type { InstallMessage } from './messages.ts';
import { differs, type FileChange } from './planned-file.ts';

/** Lists our files in the folder and their sources, so that the next build recognises them. */
const RECORD = 'mcp-hooks-build.json';

export interface BuildPlan {
  /** Absolute, without links. */
  readonly out: string;
  readonly changes: readonly FileChange[];
  /** Files that differ from what would be built now, by their paths in the folder. */
  readonly stale: readonly Stale[];
}

export interface Stale {
  readonly path: string;
  readonly is: 'missing' | 'different' | 'left-over';
}

/** Shipped files are readable by everyone. */
const MODE = 0o644;
const FOLDER_MODE = 0o755;

/**
 * @param targets What is built, each in the folder of its name. Other folders stay as they are.
 * @param about Further entries for the record.
 * @throws UserError for a link and, without `force`, for existing files that are not ours.
 */
export function planBuild(
  out: string,
  targets: readonly string[],
  files: readonly BuiltFile[],
  about: Readonly<Record<string, string>>,
  disk: Disk,
  force: boolean,
): BuildPlan {
  const former = recorded(disk.read(join(out, RECORD)));
  const isOther = (path: string) => !targets.includes(path.replace(/\/.*/, ''));
  const hashes = [
    ...[...former].filter(([path]) => isOther(path)),
    ...files.map(({ path, bytes }) => [path, sha256(bytes)] as const),
  ];
  const record = { ...about, files: inKeyOrder(hashes) };
  const made = new Set(hashes.map(([path]) => path));
  const changes = [
    ...files.map(({ path, bytes }) => ({ path, after: bytes })),
    ...[...former.keys()].filter((path) => !made.has(path)).map((path) => ({ path, after: null })),
    // Last, because the files of an interrupted build are recognised even without it: they have the expected content.
    { path: RECORD, after: Buffer.from(`${JSON.stringify(record, null, 2)}\n`) },
  ].map(({ path, after }) => {
    const whole = join(out, path);
    if (leadsElsewhere(whole))
      throw new UserError<InstallMessage>({ code: 'build-link', path: whole });
    return { name: path, path: whole, before: disk.read(whole), after, mode: MODE, within: out };
  });
  // A file that we did not write stays.
  const wanted = changes.filter(
    ({ name, before, after }) =>
      after !== null || (before !== null && former.get(name) === sha256(before)),
  );
  const foreign = wanted.filter(
    ({ name, before, after }) =>
      before !== null &&
      !same(before, after) &&
      (name !== RECORD || former.size === 0) &&
      former.get(name) !== sha256(before),
  );
  if (foreign.length > 0 && !force)
    throw new UserError<InstallMessage>({
      code: 'build-foreign',
      out,
      paths: foreign.map(({ name }) => name),
    });
  const differing = wanted.filter(differs);
  return {
    out,
    changes: differing,
    stale: differing.map(({ name: path, before, after }) => ({
      path,
      is: before === null ? 'missing' : after === null ? 'left-over' : 'different',
    })),
  };
}

/** The files of the last build, with their hashes. A path outside of the folder is ignored, because we never write one. */
function recorded(bytes: Buffer | null): ReadonlyMap<string, string> {
  const value: unknown = attempt(() => JSON.parse(bytes?.toString() ?? ''));
  const files = isRecord(value) && isRecord(value.files) ? value.files : {};
  return new Map(
    Object.entries(files).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && isBelow(entry[0]),
    ),
  );
}

const isBelow = (path: string): boolean =>
  !/[\\:\0]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

export function writeBuild({ out, changes }: BuildPlan): void {
  for (const { path } of changes) {
    const why = obstacle(path);
    if (why !== undefined) throw new UserError<InstallMessage>({ code: 'not-writable', path, why });
  }
  const emptied: string[] = [];
  for (const { path, before, after, mode, within } of changes) {
    const missing = missingFolders(path);
    if (after !== null) makeFolders(missing, FOLDER_MODE);
    confine(path, within);
    sweep(path);
    replace(path, before, after, mode, within);
    if (after === null) emptied.push(...foldersBetween(out, path));
  }
  removeEmptyFolders([...new Set(emptied)].sort());
}

/** The folders between another folder and a file in it. */
function foldersBetween(out: string, path: string): string[] {
  const parts = path
    .slice(out.length + 1)
    .split(/[\\/]/)
    .slice(0, -1);
  return parts.map((_, index) => join(out, ...parts.slice(0, index + 1)));
}
