/** The only place that touches the disk for writing: whole files, atomically, and only if they are as expected. */

import fs from 'node:fs';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { attempt, codeOf, reasonOf, Stale, UserError } from './errors.ts';
import type { SystemMessage } from './messages.ts';
import { processes } from './process-id.ts';

/** A file that is there and cannot be read. */
export class Unreadable extends UserError<SystemMessage> {
  constructor(
    problem: SystemMessage,
    /** The same, for a context that has already named the file. */
    readonly why: SystemMessage,
  ) {
    super(problem);
  }
}

/** Bytes. Nothing that we read is as large, and node can neither read nor decode a file that is much larger. */
const LARGEST = 256 * 1024 * 1024;

let written = false;

/** Whether this process has written a file. If so, an error must not say that nothing has changed. */
export const hasWritten = (): boolean => written;

/** The bytes of a file, or null when there is none. @throws Unreadable */
export function read(path: string): Buffer | null {
  try {
    // Most of what we look for is not there, and an error costs more than a look.
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    // Reading a pipe would wait, and a device never ends.
    if (!found.isFile() && !found.isDirectory())
      throw new Unreadable({ code: 'not-a-file', path }, { code: 'no-plain-file' });
    if (found.size > LARGEST) throw failure('EFBIG', path);
    // If a client writes in place while we read, we only get a part, so we read again.
    for (let left = 5; ; left -= 1) {
      const bytes = fs.readFileSync(path);
      if (left === 0 || fs.statSync(path).size === bytes.length) return bytes;
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (error instanceof UserError) throw error;
    const why = reasonOf(error);
    throw new Unreadable({ code: 'cannot-read', path, why }, why);
  }
}

/** @throws Unreadable if a path is a link to nothing: what should be there cannot be read. */
export function expectTarget(path: string): void {
  if (fs.existsSync(path) || !attempt(() => fs.lstatSync(path))) return;
  throw new Unreadable({ code: 'link-to-nothing', path }, { code: 'dangling-link' });
}

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

/** More links than this on one path are a circle, as for the kernel. */
const LINKS = 40;

/** A name that can be appended to a folder as it is. `join` looks at the whole path again, which takes long for each name. */
const PLAIN = /^(?!\.{1,2}$)[^/]+$/;

/** Paths that `resolve` leaves as they are. It looks at each character, so often that V8 would spend more on optimizing it. */
const RESOLVED = sep === '/' ? /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/ : /$^/;

/**
 * Where a path leads when every link on the way is followed, even links to nothing yet. We write there, and this is the one
 * name under which a file is known.
 *
 * @param known A folder whose links have just been followed: the part of the path in it has no links.
 */
export function followLinks(path: string, known?: string): string {
  const whole = RESOLVED.test(path) ? path : resolve(path);
  let at =
    known !== undefined && whole.startsWith(withEnd(known)) ? withEnd(known) : parse(whole).root;
  let left = LINKS;
  const ahead = whole.slice(at.length).split(sep);
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    const next = PLAIN.test(name) ? withEnd(at) + name : join(at, name);
    // No path leads out of a folder that does not exist, even if it can be written down.
    if (name === '..' && !fs.existsSync(at)) throw failure('ENOENT', path);
    if (!fs.lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (left-- === 0) throw failure('ELOOP', path);
    const target = fs.readlinkSync(next);
    const { root } = parse(target);
    if (root) at = root;
    ahead.unshift(...target.slice(root.length).split(sep));
  }
  return at;
}

/** One name for one file or folder, whichever links lead to it. In a circle of links, the path itself. */
export const realPath = (path: string, known?: string): string =>
  attempt(() => followLinks(path, known)) ?? path;

/** Whether a path without links is in a folder. */
export function isInside(path: string, folder: string): boolean {
  const start = cased(withEnd(folder));
  return path.length > start.length && cased(path).startsWith(start);
}

/** A path as seen from a folder, with slashes, as git and manifests write it. */
export const pathIn = (path: string, folder: string): string =>
  relative(folder, path).split(sep).join('/');

/** Windows does not distinguish upper and lower case. */
const cased = (path: string): string => (process.platform === 'win32' ? path.toLowerCase() : path);

/** Whether a path without links is outside the folder that must contain it. */
const leaves = (path: string, within: string | undefined): boolean =>
  within !== undefined && !isInside(path, within);

/** @throws Stale when a link leads out of a folder. */
export function confine(path: string, within: string | undefined): void {
  if (leaves(followLinks(path), within))
    throw new Stale<SystemMessage>({ code: 'changed-meanwhile', path });
}

/** Whether a link, or a circle of links, is on the way to something that should be ours: then it is elsewhere. */
export function leadsElsewhere(path: string): boolean {
  try {
    return followLinks(path) !== path;
  } catch (error) {
    // A path that cannot be examined for another reason cannot be written or removed either.
    return codeOf(error) === 'ELOOP';
  }
}

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(code), { code, path });

/**
 * Replaces a file, or removes it when `next` is null. Others see the old bytes or the new, nothing between;
 * on any failure the old bytes stay.
 *
 * @param expected The bytes it must still hold; null: it must not exist.
 * @param mode For a new file; an existing one keeps its own.
 * @param within The folder that no link may lead out of; absent: links lead where they like.
 * @throws Stale when it holds something else, or a link leads elsewhere than it did.
 * @throws UserError when it cannot be written, and why.
 */
export function replace(
  path: string,
  expected: Buffer | null,
  next: Buffer | null,
  mode = 0o600,
  within?: string,
): void {
  try {
    const target = followLinks(path);
    const look = () => {
      const moved = followLinks(path) !== target || leaves(target, within);
      if (moved || !same(read(target), expected))
        throw new Stale<SystemMessage>({ code: 'changed-meanwhile', path });
    };
    look();
    written = true;
    if (next === null) fs.rmSync(target, { force: true });
    else writeBeside(target, next, expected === null ? undefined : fs.statSync(target), mode, look);
    syncFolder(dirname(target));
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** A refusal of the system as one of our errors; an error that is already ours stays. */
export const cannotWrite = (path: string, error: unknown): UserError =>
  error instanceof UserError
    ? error
    : new UserError<SystemMessage>({ code: 'cannot-write', path, why: reasonOf(error) });

/** A system error as one that a person can act on: a refusal of the machine is not our bug. Any other stays as it is. */
export function asUserError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError || !('syscall' in error))
    return error;
  const path = 'path' in error ? String(error.path) : 'A file';
  return new UserError<SystemMessage>({ code: 'cannot-use', path, why: reasonOf(error) });
}

/** Why a file, or the folder that it would be in, must not be written; undefined: it may be. */
export function obstacle(path: string): SystemMessage | undefined {
  try {
    const target = followLinks(path);
    const file = fs.statSync(target, { throwIfNoEntry: false });
    if (file && !file.isFile()) return { code: 'no-regular-file' };
    const user = process.geteuid?.() ?? file?.uid;
    const other = otherOwner(target);
    if (other) return other;
    // A rename would replace it anyway, and root may do anything: we go by the mode.
    if (file && (file.mode & 0o200) === 0) return { code: 'read-only' };
    if (file && file.nlink > 1) return { code: 'hard-link' };
    const [missing] = missingOnTheWay(target);
    return obstacleIn(dirname(missing ?? target), user);
  } catch (error) {
    return reasonOf(error);
  }
}

/** The other user to whom a file or folder belongs, and who may put anything in its place; undefined: nobody else. */
export function otherOwner(
  path: string,
): Extract<SystemMessage, { code: 'owned-by-another' }> | undefined {
  const { uid } = fs.statSync(path, { throwIfNoEntry: false }) ?? {};
  const isOwn = uid === undefined || uid === (process.geteuid?.() ?? uid);
  return isOwn ? undefined : { code: 'owned-by-another', uid };
}

/** Why nothing can be made or replaced in a folder. */
function obstacleIn(folder: string, user: number | undefined): SystemMessage | undefined {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return undefined;
  } catch (error) {
    if (codeOf(error) !== 'EACCES') return reasonOf(error);
    const { uid, mode } = fs.statSync(folder);
    const isOwn = uid === (user ?? uid) && (mode & 0o200) === 0;
    return { code: isOwn ? 'folder-read-only' : 'folder-not-writable', folder };
  }
}

/** Temporary files in a folder that killed processes have left. */
export function leftIn(folder: string): string[] {
  // The folder may not exist, or we may not be allowed to read it.
  const names = attempt(() => fs.readdirSync(folder)) ?? [];
  return names
    .filter((name) => {
      const [, mark] = /^.+\.mcp-hooks-([\w-]+)\.\w+\.tmp$/.exec(name) ?? [];
      return mark !== undefined && isGone(mark);
    })
    .map((name) => join(folder, name));
}

/** Whether a mark belongs to another process that is gone. */
export function isGone(mark: string): boolean {
  const { isAlive, isMark, ownMark } = processes();
  return isMark(mark) && mark !== ownMark() && !isAlive(mark);
}

/** Removes temporary files for `path` that a killed process has left. */
export function sweep(path: string): void {
  try {
    const target = followLinks(path);
    const ours = leftIn(dirname(target)).filter((left) => left.startsWith(`${target}.mcp-hooks-`));
    discard(ours);
  } catch {} // best effort: nothing depends on it
}

/** Makes a folder for what will be at `path`: next to it, under a name that nobody else has. Its owner alone can read it. */
export function makeBeside(path: string): string {
  const temporary = processes().temporaryFor(path);
  try {
    makeFolders(missingFolders(path));
    written = true;
    fs.mkdirSync(temporary, { mode: 0o700 });
    return temporary;
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Puts a folder in the place of another one, or of nothing. */
export function replaceFolder(from: string, to: string): void {
  const aside = processes().temporaryFor(to);
  try {
    if (fs.lstatSync(to, { throwIfNoEntry: false })) fs.renameSync(to, aside);
    fs.renameSync(from, to);
  } catch (error) {
    throw cannotWrite(to, error);
  } finally {
    removeFolder(aside);
  }
}

/** Removes a folder with all that is in it, as far as that can be done: nothing depends on it. Links are not followed. */
export function removeFolder(path: string): void {
  attempt(() => fs.rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
}

/** Removes files, as far as that can be done: nothing depends on it. */
export function discard(files: readonly string[]): void {
  for (const file of files) attempt(() => fs.rmSync(file, { force: true }));
}

function writeBeside(
  target: string,
  bytes: Buffer,
  old: { uid: number; gid: number; mode: number } | undefined,
  mode: number,
  lookAgain: () => void,
): void {
  const temporary = processes().temporaryFor(target);
  try {
    const file = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(file, bytes); // all of them, or an error: fs.writeSync may write only a part without saying so
      fs.fchmodSync(file, (old ? owned(file, old) : mode) & 0o7777);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    lookAgain(); // writing took some time
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Gives a new file the old one's owner. Returns the mode that it may then have, which is never wider. */
function owned(file: number, old: { uid: number; gid: number; mode: number }): number {
  const own = fs.fstatSync(file);
  if (own.uid === old.uid && own.gid === old.gid) return old.mode;
  try {
    fs.fchownSync(file, old.uid, old.gid);
    return old.mode;
  } catch (error) {
    if (codeOf(error) !== 'EPERM' || own.uid !== old.uid) throw error;
    return old.mode & ~0o070; // its group is a different one now, which had no access before
  }
}

/** Best effort: the file has its bytes and its name by now, and not every folder can be opened or synced. */
function syncFolder(folder: string): void {
  attempt(() => {
    const handle = fs.openSync(folder, 'r');
    attempt(() => fs.fsyncSync(handle));
    fs.closeSync(handle);
  });
}

export const missingFolders = (path: string): string[] => missingOnTheWay(followLinks(path));

/** @param target A path without links. */
function missingOnTheWay(target: string): string[] {
  const missing: string[] = [];
  for (let at = dirname(target); !fs.statSync(at, { throwIfNoEntry: false }); at = dirname(at))
    missing.unshift(at);
  return missing;
}

export function makeFolders(folders: readonly string[], mode = 0o700): void {
  for (const folder of folders)
    try {
      fs.mkdirSync(folder, { mode });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw cannotWrite(folder, error);
    }
}

/** The names in a folder; none if there is no folder. */
export function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw new UserError<SystemMessage>({ code: 'cannot-use', path: folder, why: reasonOf(error) });
  }
}

/** Removes empty folders, innermost first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed())
    if (!leadsElsewhere(folder)) attempt(() => fs.rmdirSync(folder)); // a folder that is not empty stays
}

export const same = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);
