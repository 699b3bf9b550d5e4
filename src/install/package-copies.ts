/**
 * Copies of the packages that npx would start, each in its own folder for as long as a label uses it. A copy is built under a
 * temporary name, so it is either complete or absent.
 */

import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { copiesFolder, type Places } from '../clients/places.ts';
import type { CopiedStart } from '../compile/program.ts';
import type { PackageCopy } from '../declaration/declared.ts';
import { isForNode } from '../sources/manifests/package-json.ts';
import { SourceError, type SourceMessage } from '../sources/messages.ts';
import { downloadPackage, hashOfLock, LOCK, MODULES } from '../sources/npm/copy.ts';
import { readSpec, type Wanted } from '../sources/npm/fetch.ts';
import type { Asked } from '../sources/npm/run.ts';
import { withCleanup } from '../system/cleanup.ts';
import { attempt, UserError } from '../system/errors.ts';
import {
  isInside,
  leadsElsewhere,
  leftIn,
  list,
  makeBeside,
  read,
  removeEmptyFolders,
  removeFolder,
  replaceFolder,
} from '../system/files.ts';
import { locked } from '../system/lock.ts';
import { runnerCode } from '../system/runner-code.ts';
import { readLedger } from './ledger.ts';
import type { InstallMessage } from './messages.ts';

/** The state of a copy. `changed`: npm's record, or the file that starts the package, differs from the one that was copied. */
export function stateOfCopy(folder: string): 'whole' | 'gone' | 'changed' {
  const { START_FILE, programOfCopy } = runnerCode('./call.cjs');
  const lock = attempt(() => read(join(folder, LOCK)));
  if (!lock || !attempt(() => read(join(folder, START_FILE)))) return 'gone';
  const isSame = folder.endsWith(`-${hashOfLock(lock)}`) && programOfCopy(folder) !== undefined;
  return isSame ? 'whole' : 'changed';
}

/** Whether hooks can start the server without npx. */
export const startsWithoutNpx = (copy: Pick<CopiedStart, 'folder' | 'npx'>): boolean =>
  runnerCode('./call.cjs').copiedProgram(copy) !== undefined;

/**
 * Makes a copy if a label uses it and it does not exist yet.
 *
 * @throws UserError if the copy cannot be made, or would not start. Nothing is left of it then.
 */
export async function makeCopy({ state }: Places, copy: PackageCopy, asked: Asked): Promise<void> {
  const { folder, spec, exact, made } = copy;
  const wanted = readSpec(spec);
  const isUsed = () => usedIn(state).has(folder) && stateOfCopy(folder) !== 'whole';
  if (!made || !wanted || !isUsed()) return;
  if (leadsElsewhere(folder))
    throw new UserError<InstallMessage>({ code: 'own-link', path: folder });
  const temporary = makeBeside(folder);
  const remove = () => {
    removeFolder(temporary);
    removeEmptyFolders([copiesFolder(state)]);
  };
  await withCleanup(remove, async () => {
    await downloadPackage({ wanted, exact, made }, temporary, asked);
    writeStart(temporary, wanted, made.bin, exact);
    await locked(state, () => {
      // Meanwhile, the label may have been removed, or another run may have been faster.
      if (isUsed()) replaceFolder(temporary, folder);
    });
  });
}

/** Records how a copy starts. A package may contain anything at the path of its command. */
function writeStart(folder: string, { name }: Wanted, bin: string, exact: string): void {
  const { START_FILE, fileHash } = runnerCode('./call.cjs');
  const modules = realpathSync(folder) + sep + MODULES;
  const hashOf = (path: string): string => {
    const file = join(modules, path);
    const isOwn = attempt(() => isInside(realpathSync(file), join(modules, name)));
    const hash = isOwn ? attempt(() => fileHash(file)) : undefined;
    if (hash !== undefined && (path !== bin || isScript(file))) return hash;
    const why: SourceMessage = { code: 'copy-has-no-file', file: path };
    throw new SourceError({ code: 'copy-no-start', spec: exact, why });
  };
  const files = Object.fromEntries(
    [bin, `${name}/package.json`].map((path) => [path, hashOf(path)]),
  );
  const text = `${JSON.stringify({ bin, files }, null, 1)}\n`;
  writeFileSync(join(folder, START_FILE), text, { mode: 0o600 });
}

/** Whether npx would run the file with node: judged by its first line, except on Windows. */
const isScript = (file: string): boolean =>
  process.platform === 'win32'
    ? attempt(() => isForNode(file)) === true
    : /^#![ \t]*(?:\/\S*\/)?(?:env[ \t]+)?node[ \t]*\r?$/.test(
        attempt(() => readFileSync(file, 'latin1').split('\n', 1)[0]) ?? '',
      );

/** The folders of copies that are used by a label. */
const usedIn = (state: string): ReadonlySet<string> =>
  new Set(
    readLedger(state, read).ledger.installs.flatMap(({ copy }) =>
      copy ? join(copiesFolder(state), copy.folder) : [],
    ),
  );

/** Removes unused copies, and what killed runs left behind. The caller must hold the lock. */
export function removeUnusedCopies({ state }: Places): void {
  const folder = copiesFolder(state);
  const names = attempt(() => list(folder)) ?? [];
  if (names.length === 0 || leadsElsewhere(folder)) return;
  const used = usedIn(state);
  for (const name of names)
    if (COPY.test(name) && !used.has(join(folder, name))) removeFolder(join(folder, name));
  for (const left of leftIn(folder)) removeFolder(left);
  removeEmptyFolders([folder]);
}

/** The name of a copy's folder (`findPackage`). */
const COPY = /^[\w.-]+-[0-9a-f]{12}$/;
