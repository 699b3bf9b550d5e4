/** Reads files, and writes those of the user: whole, atomically, and only if they have the expected contents. */

import fs from 'node:fs';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { attempt, codeOf, reasonOf, Stale, UserError } from './errors.ts';
import { once } from './memoize.ts';
import type { SystemMessage } from './messages.ts';
import { processes } from './process-id.ts';

/** A file that exists but cannot be read. */
export class Unreadable extends UserError<SystemMessage> {
  constructor(
    problem: SystemMessage,
    /** The same problem for a context that has already named the file. */
    readonly why: SystemMessage,
  ) {
    super(problem);
  }
}

/** In bytes. No file that we read is this large, and node can neither read nor decode a much larger one. */
const LARGEST = 256 * 1024 * 1024;

let written = false;

/** Whether this process has written a file. If so, an error must not claim that nothing has changed. */
export const hasWritten = (): boolean => written;

/** The bytes of a file, or null when there is none. @throws Unreadable */
export function read(path: string): Buffer | null {
  try {
    // Most of the files that we look for do not exist, and an exception is more expensive than a stat.
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    // Reading a pipe would block, and reading a device may never end.
    if (!found.isFile() && !found.isDirectory())
      throw new Unreadable({ code: 'not-a-file', path }, { code: 'no-plain-file' });
    if (found.size > LARGEST) throw failure('EFBIG', path);
    // If a client writes in place during the read, we only get a part, so we read again.
    for (let left = 5; ; left -= 1) {
      const bytes = whenReleased(path, () => fs.readFileSync(path));
      if (left === 0 || fs.statSync(path).size === bytes.length) return bytes;
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (error instanceof UserError) throw error;
    const why = reasonOf(error);
    throw new Unreadable({ code: 'cannot-read', path, why }, why);
  }
}

/** @throws Unreadable if a path is a dangling link: the intended file cannot be read. */
export function expectTarget(path: string): void {
  if (fs.existsSync(path) || !attempt(() => fs.lstatSync(path))) return;
  throw new Unreadable({ code: 'link-to-nothing', path }, { code: 'dangling-link' });
}

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

/** More links than this on one path count as a loop, as in the kernel. */
const LINKS = 40;

/** A name that can be appended to a folder as it is. `join` normalises the whole path, which is slow for many names. */
const PLAIN = /^(?!\.{1,2}$)[^/]+$/;

/**
 * Paths that `resolve` would not change. Its loop over all characters runs so often that V8 would spend even more on optimizing
 * it.
 */
const RESOLVED = sep === '/' ? /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/ : /$^/;

/**
 * The target of a path when every link is followed, even links to missing files. We write to the target, and it is the
 * canonical name of a file.
 *
 * @param known A folder whose links have just been followed, so that this part of the path has no links.
 */
export function followLinks(path: string, known?: string): string {
  const whole = RESOLVED.test(path) ? path : resolve(path);
  let at =
    known !== undefined && whole.startsWith(withEnd(known)) ? withEnd(known) : parse(whole).root;
  let left = LINKS;
  const ahead = whole.slice(at.length).split(sep);
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    const next = PLAIN.test(name) ? withEnd(at) + name : join(at, name);
    // A path cannot leave a folder that does not exist, even though it can be written with `..`.
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

/** The same for many paths at the same moment: the links of each folder are followed only once. */
export function followMany(): (path: string) => string {
  const folders = once((folder: string) => followLinks(folder));
  return (path) => {
    const folder = folders(dirname(path));
    return followLinks(join(folder, basename(path)), folder);
  };
}

/** The canonical name of a file or folder, whichever links point to it. For a loop of links, the path itself. */
export const realPath = (path: string, known?: string): string =>
  attempt(() => followLinks(path, known)) ?? path;

/** Whether a path without links is in a folder. */
export function isInside(path: string, folder: string): boolean {
  const start = cased(withEnd(folder));
  return path.length > start.length && cased(path).startsWith(start);
}

/** A path relative to a folder, with slashes, as in git and manifests. */
export const pathIn = (path: string, folder: string): string =>
  relative(folder, path).split(sep).join('/');

/** File names are case-insensitive on Windows. */
const cased = (path: string): string => (process.platform === 'win32' ? path.toLowerCase() : path);

/** Whether a path without links is outside the folder that must contain it. */
const leaves = (path: string, within: string | undefined): boolean =>
  within !== undefined && !isInside(path, within);

/** @returns The path without links. @throws Stale when a link points out of a folder. */
export function confine(path: string, within: string | undefined): string {
  const target = followLinks(path);
  if (leaves(target, within)) throw new Stale<SystemMessage>({ code: 'changed-meanwhile', path });
  return target;
}

/** Whether a link, or a loop of links, is on the path to something that should be ours. If so, it is elsewhere. */
export function leadsElsewhere(path: string, follow = followLinks): boolean {
  try {
    return follow(path) !== path;
  } catch (error) {
    // A path that cannot be examined for another reason cannot be written or removed, either.
    return codeOf(error) === 'ELOOP';
  }
}

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(code), { code, path });

/**
 * Replaces a file, or removes it when `next` is null. Other programs see either the old or the new bytes, and on any failure
 * the old bytes stay.
 *
 * @param expected The bytes that the file must still contain. Null if it must not exist.
 * @param mode For a new file. An existing one keeps its own mode.
 * @param within The folder that no link may lead out of. Absent if links may point anywhere.
 * @throws Stale when the file has other contents, or a link points elsewhere than before.
 * @throws UserError with the reason when the file cannot be written.
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
    const look = (now: string) => {
      if (now !== target || leaves(target, within) || !same(read(target), expected))
        throw new Stale<SystemMessage>({ code: 'changed-meanwhile', path });
    };
    look(target);
    written = true;
    if (next === null) whenReleased(target, () => fs.rmSync(target, { force: true }));
    else {
      const old = expected === null ? undefined : fs.statSync(target);
      writeBeside(target, next, old, mode, () => look(followLinks(path)));
    }
    syncFolder(dirname(target));
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Turns a system error into one of our errors. An error that is already ours is unchanged. */
export const cannotWrite = (path: string, error: unknown): UserError =>
  error instanceof UserError
    ? error
    : new UserError<SystemMessage>({ code: 'cannot-write', path, why: reasonOf(error) });

/** Turns a system error into one that the user can act on, because it is not a bug of ours. Any other error is unchanged. */
export function asUserError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError || !('syscall' in error))
    return error;
  const path = 'path' in error ? String(error.path) : 'A file';
  return new UserError<SystemMessage>({ code: 'cannot-use', path, why: reasonOf(error) });
}

/** Why a file, or its future folder, must not be written. Undefined if it may be. */
export function obstacle(path: string, follow = followLinks): SystemMessage | undefined {
  try {
    const target = follow(path);
    const file = fs.statSync(target, { throwIfNoEntry: false });
    if (file && !file.isFile()) return { code: 'no-regular-file' };
    const user = process.geteuid?.() ?? file?.uid;
    const other = otherOwner(target);
    if (other) return other;
    // A rename would replace it anyway, and root may do anything, so the mode decides.
    if (file && (file.mode & 0o200) === 0) return { code: 'read-only' };
    if (file && file.nlink > 1) return { code: 'hard-link' };
    const [missing] = missingOnTheWay(target);
    return obstacleIn(dirname(missing ?? target), user);
  } catch (error) {
    return reasonOf(error);
  }
}

/** The other user who owns a file or folder, and who may replace it. Undefined if there is none. */
export function otherOwner(
  path: string,
): Extract<SystemMessage, { code: 'owned-by-another' }> | undefined {
  const { uid } = fs.statSync(path, { throwIfNoEntry: false }) ?? {};
  const isOwn = uid === undefined || uid === (process.geteuid?.() ?? uid);
  return isOwn ? undefined : { code: 'owned-by-another', uid };
}

/** Why files cannot be created or replaced in a folder. */
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

/** Temporary files of killed processes in a folder. */
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

/** Removes temporary files for `path` that killed processes left behind. Failures are ignored: nothing depends on it. */
export function sweep(path: string): void {
  const target = attempt(() => followLinks(path));
  if (target !== undefined)
    discard(leftIn(dirname(target)).filter((one) => one.startsWith(`${target}.mcp-hooks-`)));
}

/** Creates a folder with a unique name next to `path`, for the future contents of `path`. Only its owner can read it. */
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

/** Puts a folder in place of another one, which may be missing. */
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

/** Removes a folder with its contents, as far as possible: nothing depends on it. Links are not followed. */
export function removeFolder(path: string): void {
  attempt(() => fs.rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
}

/** Removes files, as far as possible: nothing depends on it. */
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
      fs.writeFileSync(file, bytes); // all of them, or an error: fs.writeSync may write only a part without reporting it
      fs.fchmodSync(file, (old ? owned(file, old) : mode) & 0o7777);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    whenReleased(target, () => {
      lookAgain(); // writing took some time
      fs.renameSync(temporary, target);
    });
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** The errors on Windows for a file that another program holds open exclusively, and for missing permissions. */
const HELD = ['EACCES', 'EBUSY', 'EPERM'];
/** Number of retries, and milliseconds between two of them. Programs that scan new files hold each one briefly. */
const TRIES = 20;
const PAUSE = 50;

/** The result of `act`. On Windows, waits briefly until no other program holds the file open. */
function whenReleased<Result>(path: string, act: () => Result): Result {
  if (process.platform !== 'win32') return act();
  for (let left = TRIES; ; left -= 1)
    try {
      return act();
    } catch (error) {
      if (!HELD.includes(codeOf(error) ?? '')) throw error;
      if (left === 0) throw failure('EBUSY', path);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
}

/** Gives a new file the owner of the old one. Returns the mode that it may then have, which is never wider. */
function owned(file: number, old: { uid: number; gid: number; mode: number }): number {
  const own = fs.fstatSync(file);
  if (own.uid === old.uid && own.gid === old.gid) return old.mode;
  try {
    fs.fchownSync(file, old.uid, old.gid);
    return old.mode;
  } catch (error) {
    if (codeOf(error) !== 'EPERM' || own.uid !== old.uid) throw error;
    return old.mode & ~0o070; // it now has a different group, which had no access before
  }
}

/** Best effort: the file already has its contents and name, and not every folder can be opened or synced. */
function syncFolder(folder: string): void {
  attempt(() => {
    const handle = fs.openSync(folder, 'r');
    attempt(() => fs.fsyncSync(handle));
    fs.closeSync(handle);
  });
}

export const missingFolders = (path: string): string[] => missingOnTheWay(followLinks(path));

/** @param target A path without links. */
export function missingOnTheWay(target: string): string[] {
  const missing: string[] = [];
  const isThere = (folder: string) => fs.statSync(folder, { throwIfNoEntry: false }) !== undefined;
  // On Windows, the drive itself may be missing, and nothing is above it.
  for (let at = dirname(target); at !== missing[0] && !isThere(at); at = dirname(at))
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

/** The names in a folder. Empty if there is no folder. */
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
