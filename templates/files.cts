/** mcp-hooks: how files are read that anybody may have put there, and hashes of what is in them. */

import fs = require('node:fs');

import { createHash } from 'node:crypto';
import { jsonOf } from './json.cjs';
import type { Firing, Running } from './types.cjs';
import { attempt } from './values.cjs';

/**
 * The result of `use`, which is given an open file and its size; undefined: it is no regular file. Opening a pipe would wait,
 * and a device never ends. Any process of the user may have put one in the place of a file, and no deadline could help.
 * Given a path, node ends the whole process if it reads text from a file that cannot be closed (seen in 20.20.2).
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

/** Undefined: it is no regular file, or too large. Files of the system, some of which never end, say that they are empty. */
export const textOf = (file: fs.PathLike, most = LARGEST): string | undefined =>
  withFile(file, (handle, size) => {
    if (size > most) return undefined;
    return size === 0 ? '' : fs.readFileSync(handle, 'utf8');
  });
/** The largest file that people write, in bytes. */
const LARGEST = 20 * 1024 * 1024;

/** The bytes from one place of a file to another, as text. */
export function partOf(handle: number, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, bytes.length, from));
}

/** Stands in the log in place of the content itself. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(typeof value === 'string' ? value : (jsonOf(value) ?? ''))
    .digest('hex');

/** '': the payload does not say where it is, and it is not known either. */
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
