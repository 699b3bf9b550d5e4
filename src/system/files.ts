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
    /** The same where the file has been named. */
    readonly why: SystemMessage,
  ) {
    super(problem);
  }
}

/** Bytes. Nothing that we read is as large, and node can neither read nor decode a file that is much larger. */
const LARGEST = 256 * 1024 * 1024;

let written = false;

/** Whether this process has written a file: what was begun cannot be said to have changed nothing then. */
export const hasWritten = (): boolean => written;

/** The bytes of a file, or null when there is none. @throws Unreadable */
export function read(path: string): Buffer | null {
  try {
    // Most of what we look for is not there, and an error costs more than a look.
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    // A pipe would be waited for, and a device never ends.
    if (!found.isFile() && !found.isDirectory())
      throw new Unreadable({ code: 'not-a-file', path }, { code: 'no-plain-file' });
    if (found.size > LARGEST) throw failure('EFBIG', path);
    // A client that writes in place while we read leaves us with a part: then it is read again.
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

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

/** More links than this on one way are a circle, as for the kernel. */
const LINKS = 40;

/** A name that can be put after a folder as it is. `join` looks at the whole way again, which for each name takes long. */
const PLAIN = /^(?!\.{1,2}$)[^/]+$/;

/** Paths that `resolve` leaves as they are. It looks at each character, so often that V8 would spend more on optimizing it. */
const RESOLVED = sep === '/' ? /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/ : /$^/;

/**
 * Where a path leads when every link on the way is followed, also those to nothing yet: that is where we write, and
 * the one name under which a file is known.
 *
 * @param known A folder that has just been followed: where the path begins with it, there is no link in that part.
 */
export function followLinks(path: string, known?: string): string {
  const whole = RESOLVED.test(path) ? path : resolve(path);
  let at =
    known !== undefined && whole.startsWith(withEnd(known)) ? withEnd(known) : parse(whole).root;
  let left = LINKS;
  const ahead = whole.slice(at.length).split(sep);
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    const next = PLAIN.test(name) ? withEnd(at) + name : join(at, name);
    // Out of a folder that is not there leads no way, though it could be written down.
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

/** One name for one file or folder, whichever links lead to it; where they lead in a circle, its own. */
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

/** Windows takes upper and lower case for one. */
const cased = (path: string): string => (process.platform === 'win32' ? path.toLowerCase() : path);

/** Whether a path without links is not in the folder that it has to be in. */
const leaves = (path: string, within: string | undefined): boolean =>
  within !== undefined && !isInside(path, within);

/** @throws Stale when a link leads out of a folder. */
export function confine(path: string, within: string | undefined): void {
  if (leaves(followLinks(path), within))
    throw new Stale<SystemMessage>({ code: 'changed-meanwhile', path });
}

/** Whether a link is on the way to what should be ours, or a circle of them: then it is elsewhere. */
export function leadsElsewhere(path: string): boolean {
  try {
    return followLinks(path) !== path;
  } catch (error) {
    // What cannot be looked at for another reason cannot be written or removed either.
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

/** What the system refuses, as an error of ours; what is one already stays. */
export const cannotWrite = (path: string, error: unknown): UserError =>
  error instanceof UserError
    ? error
    : new UserError<SystemMessage>({ code: 'cannot-write', path, why: reasonOf(error) });

/** Why a file, or the folder it would be in, is not to be written; undefined when it may be. */
export function obstacle(path: string): SystemMessage | undefined {
  try {
    const target = followLinks(path);
    const file = fs.statSync(target, { throwIfNoEntry: false });
    if (file && !file.isFile()) return { code: 'no-regular-file' };
    const user = process.geteuid?.() ?? file?.uid;
    if (file && file.uid !== user) return { code: 'owned-by-another', uid: file.uid };
    // A rename would replace it all the same, and root may do anything: what counts is what it says.
    if (file && (file.mode & 0o200) === 0) return { code: 'read-only' };
    if (file && file.nlink > 1) return { code: 'hard-link' };
    const [missing] = missingOnTheWay(target);
    return obstacleIn(dirname(missing ?? target), user);
  } catch (error) {
    return reasonOf(error);
  }
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

/** The temporary files in a folder that processes left which were killed. */
export function leftIn(folder: string): string[] {
  // There may be no such folder, or it is not ours to look into.
  const names = attempt(() => fs.readdirSync(folder)) ?? [];
  return names
    .filter((name) => {
      const [, mark] = /^.+\.mcp-hooks-([\w-]+)\.\w+\.tmp$/.exec(name) ?? [];
      return mark !== undefined && isGone(mark);
    })
    .map((name) => join(folder, name));
}

/** Whether a mark is that of another process, which is no more. */
export function isGone(mark: string): boolean {
  const { isAlive, isMark, ownMark } = processes();
  return isMark(mark) && mark !== ownMark() && !isAlive(mark);
}

/** Removes the temporary files for `path` that a process left which was killed. */
export function sweep(path: string): void {
  try {
    const target = followLinks(path);
    const ours = leftIn(dirname(target)).filter((left) => left.startsWith(`${target}.mcp-hooks-`));
    discard(ours);
  } catch {} // best effort: nothing depends on it
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
      fs.writeFileSync(file, bytes); // all of them, or an error: fs.writeSync may write a part and say nothing
      fs.fchmodSync(file, (old ? owned(file, old) : mode) & 0o7777);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    lookAgain(); // writing has taken its time
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Gives a new file the owner of the old one; the mode it may have then, which is never wider. */
function owned(file: number, old: { uid: number; gid: number; mode: number }): number {
  const own = fs.fstatSync(file);
  if (own.uid === old.uid && own.gid === old.gid) return old.mode;
  try {
    fs.fchownSync(file, old.uid, old.gid);
    return old.mode;
  } catch (error) {
    if (codeOf(error) !== 'EPERM' || own.uid !== old.uid) throw error;
    return old.mode & ~0o070; // it is of another group now, whose business it was not
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

/** The names in a folder; none where there is no folder. */
export function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw new UserError<SystemMessage>({ code: 'cannot-use', path: folder, why: reasonOf(error) });
  }
}

/** Removes folders, innermost first, that hold nothing. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed())
    if (!leadsElsewhere(folder)) attempt(() => fs.rmdirSync(folder)); // with something in it, it stays
}

export const same = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);
