/** mcp-hooks: reads files that any program may have put there, and hashes contents. */

import fs = require('node:fs');

import { jsonOf } from './json.cjs';
import type { Firing, Running } from './types.cjs';
import { attempt } from './values.cjs';

/**
 * The result of `use`, which gets an open file and its size; undefined: not a regular file. Opening a pipe would wait, and a
 * device never ends. Any process of the user may have put one in place of a file, and no deadline would help. Given a path,
 * node ends the whole process if it reads text from a file that cannot be closed (seen in 20.20.2).
 */
export function withFile<Result>(
  file: fs.PathLike,
  use: (handle: number, size: number) => Result,
): Result | undefined {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    const found = fs.fstatSync(handle);
    return found.isFile() ? use(handle, found.size) : undefined;
  } finally {
    fs.closeSync(handle);
  }
}

/** Undefined: not a regular file, or too large. System files, some of which never end, report a size of zero. */
export const textOf = (file: fs.PathLike, most = LARGEST): string | undefined =>
  withFile(file, (handle, size) => {
    if (size > most) return undefined;
    return size === 0 ? '' : fs.readFileSync(handle, 'utf8');
  });
/** The largest file that a person would write, in bytes. */
const LARGEST = 20 * 1024 * 1024;

/** A range of bytes of a file, as text. */
export function partOf(handle: number, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, bytes.length, from));
}

/** Logged instead of the content. */
export const hashOf = (value: unknown): string =>
  require('node:crypto')
    .createHash('sha256')
    .update(typeof value === 'string' ? value : (jsonOf(value) ?? ''))
    .digest('hex');

/** '': the payload does not have the path, and it is not known otherwise. */
export function transcriptOf(
  { transcript, session }: Pick<Firing, 'transcript' | 'session'>,
  { wire: { transcriptFile } }: Pick<Running, 'wire'>,
): string {
  if (typeof transcript === 'string' || !transcriptFile || !/^[\w-]+$/.test(session))
    return typeof transcript === 'string' ? transcript : '';
  const { variable, folder, name } = transcriptFile;
  const home =
    process.env[variable] || `${process.env.HOME || require('node:os').homedir()}/${folder}`;
  const path = `${home}/${name.replace('{session}', session)}`;
  const at = path.lastIndexOf('*');
  if (at === -1) return path;
  const [before, after] = [path.slice(0, at), path.slice(at + 1)];
  const all = attempt(() => fs.readdirSync(before)) ?? [];
  return all.map((one) => before + one + after).find((one) => fs.existsSync(one)) ?? '';
}
