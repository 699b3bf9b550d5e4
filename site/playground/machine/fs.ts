/**
 * `node:fs` for a browser: files that are only in memory, and only as many functions as the command line and its runner call.
 * They stay as they are in a process: what is remembered of a session is a file, and the planner reads settings where clients do.
 */

import path from 'node:path';

type Data = string | Uint8Array;
type Encoding = string | { readonly encoding?: string } | null;
interface Quiet {
  readonly throwIfNoEntry?: boolean;
  readonly bigint?: boolean;
}

interface File {
  readonly kind: 'file';
  bytes: Uint8Array;
  mode: number;
  changed: number;
  names: number;
}

interface Folder {
  readonly kind: 'folder';
  readonly inside: Map<string, Entry>;
  mode: number;
  changed: number;
}

type Entry = File | Folder;

interface Open {
  readonly entry: Entry;
  readonly appends: boolean;
  at: number;
}

/** Standard input, output and errors of the program that runs. */
export const streams = { input: '', output: '', errors: '' };

const folder = (mode = 0o755): Folder => ({
  kind: 'folder',
  inside: new Map(),
  mode,
  changed: Date.now(),
});

let root = folder();
const handles = new Map<number, Open>();
let next = 3;

/** An empty machine. */
export function clear(): void {
  root = folder();
  handles.clear();
}

const MESSAGES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBADF: 'bad file descriptor',
  EEXIST: 'file already exists',
  EISDIR: 'illegal operation on a directory',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
};

const failure = (code: string, syscall: string, file?: string): Error =>
  Object.assign(
    new Error(`${code}: ${MESSAGES[code]}, ${syscall}${file === undefined ? '' : ` '${file}'`}`),
    { code, syscall, ...(file !== undefined && { path: file }) },
  );

/** The names on the way to a path. */
const namesOf = (file: string): string[] => path.resolve(file).split('/').filter(Boolean);

/** @throws ENOTDIR for a path that goes on beyond a file. */
function find(file: string, syscall: string): Entry | undefined {
  let at: Entry = root;
  for (const name of namesOf(file)) {
    if (at.kind === 'file') throw failure('ENOTDIR', syscall, file);
    const inner = at.inside.get(name);
    if (!inner) return undefined;
    at = inner;
  }
  return at;
}

function need(file: string, syscall: string): Entry {
  const found = find(file, syscall);
  if (!found) throw failure('ENOENT', syscall, file);
  return found;
}

function folderOf(
  file: string,
  syscall: string,
): { readonly parent: Folder; readonly name: string } {
  const name = namesOf(file).at(-1) ?? '';
  const parent = need(path.dirname(path.resolve(file)), syscall);
  if (parent.kind === 'file') throw failure('ENOTDIR', syscall, file);
  return { parent, name };
}

function open(handle: number, syscall: string): Open {
  const found = handles.get(handle);
  if (!found) throw failure('EBADF', syscall);
  return found;
}

function opened(handle: number, syscall: string): Open & { readonly entry: File } {
  const { entry, ...rest } = open(handle, syscall);
  if (entry.kind === 'folder') throw failure('EISDIR', syscall);
  return { ...rest, entry };
}

const bytesOf = (data: Data): Uint8Array =>
  typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);

const decoded = (bytes: Uint8Array, encoding: Encoding | undefined): Buffer | string => {
  const name = typeof encoding === 'object' ? encoding?.encoding : encoding;
  const copy = Buffer.from(bytes);
  return name ? copy.toString(name === 'latin1' ? 'latin1' : 'utf8') : copy;
};

const statOf = (entry: Entry, big = false) => {
  const size = entry.kind === 'file' ? entry.bytes.length : 0;
  const number = (value: number) => (big ? BigInt(Math.trunc(value)) : value);
  return {
    isFile: () => entry.kind === 'file',
    isDirectory: () => entry.kind === 'folder',
    isSymbolicLink: () => false,
    isCharacterDevice: () => false,
    size: number(size),
    mode: number((entry.kind === 'file' ? 0o100000 : 0o040000) | entry.mode),
    uid: number(USER),
    gid: number(USER),
    nlink: number(entry.kind === 'file' ? entry.names : 1),
    mtimeMs: number(entry.changed),
    mtime: new Date(entry.changed),
  };
};
const USER = 1000;

function stat(file: string, { throwIfNoEntry = true, bigint }: Quiet = {}) {
  const found = throwIfNoEntry ? need(file, 'stat') : findQuietly(file);
  return found && statOf(found, bigint);
}

function findQuietly(file: string): Entry | undefined {
  try {
    return find(file, 'stat');
  } catch {
    return undefined;
  }
}

const constants = {
  ...{ O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100, O_EXCL: 0o200, O_TRUNC: 0o1000 },
  ...{ O_APPEND: 0o2000, O_NONBLOCK: 0o4000, R_OK: 4, W_OK: 2, X_OK: 1, F_OK: 0 },
};

const FLAGS: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  'r+': constants.O_RDWR,
};

function openSync(file: string, flags: number | string = 'r', mode = 0o666): number {
  const how = typeof flags === 'number' ? flags : (FLAGS[flags] ?? 0);
  let entry = find(file, 'open');
  if (!entry) {
    if ((how & constants.O_CREAT) === 0) throw failure('ENOENT', 'open', file);
    const { parent, name } = folderOf(file, 'open');
    entry = { kind: 'file', bytes: new Uint8Array(), mode, changed: Date.now(), names: 1 };
    parent.inside.set(name, entry);
  } else if ((how & constants.O_EXCL) !== 0) throw failure('EEXIST', 'open', file);
  else if (entry.kind === 'folder' && (how & 3) !== 0) throw failure('EISDIR', 'open', file);
  if (entry.kind === 'file' && (how & constants.O_TRUNC) !== 0) entry.bytes = new Uint8Array();
  const handle = next++;
  handles.set(handle, { entry, appends: (how & constants.O_APPEND) !== 0, at: 0 });
  return handle;
}

function readFileSync(file: string | number, encoding?: Encoding): Buffer | string {
  if (file === 0) return decoded(bytesOf(streams.input), encoding);
  const entry = typeof file === 'number' ? open(file, 'read').entry : need(file, 'open');
  if (entry.kind === 'folder') throw failure('EISDIR', 'read');
  return decoded(entry.bytes, encoding);
}

function writeFileSync(
  file: string | number,
  data: Data,
  options: string | { readonly flag?: string; readonly mode?: number } = {},
): void {
  if (typeof file === 'number') {
    writeSync(file, data);
    return;
  }
  const { flag = 'w', mode = 0o666 } = typeof options === 'string' ? {} : options;
  const handle = openSync(file, flag, mode);
  writeSync(handle, data);
  closeSync(handle);
}

function writeSync(handle: number, data: Data): number {
  const bytes = bytesOf(data);
  if (handle === 1) streams.output += new TextDecoder().decode(bytes);
  else if (handle === 2) streams.errors += new TextDecoder().decode(bytes);
  else {
    const { entry, appends, at } = opened(handle, 'write');
    const from = appends ? entry.bytes.length : at;
    const whole = new Uint8Array(Math.max(entry.bytes.length, from + bytes.length));
    whole.set(entry.bytes);
    whole.set(bytes, from);
    entry.bytes = whole;
    entry.changed = Date.now();
    open(handle, 'write').at = from + bytes.length;
  }
  return bytes.length;
}

function readSync(
  handle: number,
  into: Uint8Array,
  offset = 0,
  length = into.length - offset,
  position: number | null = null,
): number {
  if (handle === 0) {
    const waiting = bytesOf(streams.input).subarray(0, length);
    into.set(waiting, offset);
    streams.input = new TextDecoder().decode(bytesOf(streams.input).subarray(waiting.length));
    return waiting.length;
  }
  const { entry, at } = opened(handle, 'read');
  const from = position ?? at;
  const part = entry.bytes.subarray(from, from + length);
  into.set(part, offset);
  if (position === null) open(handle, 'read').at = from + part.length;
  return part.length;
}

function closeSync(handle: number): void {
  handles.delete(handle);
}

function mkdirSync(
  file: string,
  options: number | { readonly recursive?: boolean; readonly mode?: number } = {},
): void {
  const { recursive = false, mode = 0o777 } = typeof options === 'number' ? {} : options;
  if (find(file, 'mkdir')) {
    if (recursive) return;
    throw failure('EEXIST', 'mkdir', file);
  }
  const above = path.dirname(path.resolve(file));
  if (recursive && !find(above, 'mkdir')) mkdirSync(above, options);
  const { parent, name } = folderOf(file, 'mkdir');
  parent.inside.set(name, folder(mode));
}

function mkdtempSync(prefix: string): string {
  const made = `${prefix}${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`;
  mkdirSync(made, { mode: 0o700 });
  return made;
}

function readdirSync(file: string): string[] {
  const entry = need(file, 'scandir');
  if (entry.kind === 'file') throw failure('ENOTDIR', 'scandir', file);
  return [...entry.inside.keys()].sort();
}

function unlinkSync(file: string): void {
  const entry = need(file, 'unlink');
  if (entry.kind === 'folder') throw failure('EISDIR', 'unlink', file);
  const { parent, name } = folderOf(file, 'unlink');
  parent.inside.delete(name);
  entry.names -= 1;
}

function rmdirSync(file: string): void {
  const entry = need(file, 'rmdir');
  if (entry.kind === 'file') throw failure('ENOTDIR', 'rmdir', file);
  if (entry.inside.size > 0) throw failure('ENOTEMPTY', 'rmdir', file);
  const { parent, name } = folderOf(file, 'rmdir');
  parent.inside.delete(name);
}

function rmSync(
  file: string,
  { force = false, recursive = false }: { force?: boolean; recursive?: boolean } = {},
): void {
  const entry = force ? findQuietly(file) : need(file, 'rm');
  if (!entry) return;
  if (entry.kind === 'folder' && !recursive) throw failure('EISDIR', 'rm', file);
  const { parent, name } = folderOf(file, 'rm');
  parent.inside.delete(name);
}

function renameSync(from: string, to: string): void {
  const entry = need(from, 'rename');
  const source = folderOf(from, 'rename');
  const target = folderOf(to, 'rename');
  source.parent.inside.delete(source.name);
  target.parent.inside.set(target.name, entry);
}

function linkSync(from: string, to: string): void {
  const entry = need(from, 'link');
  if (entry.kind === 'folder') throw failure('EACCES', 'link', from);
  if (find(to, 'link')) throw failure('EEXIST', 'link', to);
  const { parent, name } = folderOf(to, 'link');
  parent.inside.set(name, entry);
  entry.names += 1;
}

function copyFileSync(from: string, to: string): void {
  writeFileSync(to, readFileSync(from));
}

/** Only a single file, with its time. */
function cpSync(from: string, to: string): void {
  copyFileSync(from, to);
  need(to, 'cp').changed = need(from, 'cp').changed;
}

function utimesSync(file: string, _read: Date, changed: Date | number): void {
  need(file, 'utime').changed = typeof changed === 'number' ? changed * 1000 : changed.getTime();
}

function accessSync(file: string): void {
  need(file, 'access');
}

const real = (file: string): string => {
  need(file, 'realpath');
  return path.resolve(file);
};
const realpathSync = Object.assign(real, { native: real });

const existsSync = (file: string): boolean => findQuietly(file) !== undefined;
const lstatSync = stat;
const statSync = stat;

function fstatSync(handle: number) {
  return handle < 3
    ? { ...statOf(folder()), isCharacterDevice: () => false, isDirectory: () => false }
    : statOf(open(handle, 'fstat').entry);
}

function fchmodSync(handle: number, mode: number): void {
  open(handle, 'fchmod').entry.mode = mode & 0o7777;
}

const fchownSync = (): void => {};
const fsyncSync = (): void => {};

/** Nothing here is a link. */
function readlinkSync(file: string): never {
  need(file, 'readlink');
  throw failure('EACCES', 'readlink', file);
}

const fs = {
  ...{ accessSync, closeSync, constants, copyFileSync, cpSync, existsSync, fchmodSync },
  ...{ fchownSync, fstatSync, fsyncSync, linkSync, lstatSync, mkdirSync, mkdtempSync, openSync },
  ...{ readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync },
  ...{ rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync, writeSync },
};

export default fs;
export {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
};
