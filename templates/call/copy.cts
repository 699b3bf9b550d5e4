/**
 * mcp-hooks: a server that npx would start, from the copy of its package that an install has made, or from npx's own folder.
 * npx would look for the package in the project, in that folder and in the registry, at each call.
 */

import fs = require('node:fs');

import type { Launch } from '../configured.cjs';
import { textOf, withFile } from '../files.cjs';
import type { CopiedStart } from '../types.cjs';
import { attempt, isObject, parse } from '../values.cjs';

/** Says which file of the copy starts the server. Written last, so a copy without it is not whole. */
export const START_FILE = 'start.json';

/** Bytes of such a file. */
export const LARGEST_START = 16 * 1024 * 1024;

/** The file that starts the server. Undefined if the copy is gone, or the file is not the one that was copied. */
export const programOfCopy = (folder: string): string | undefined =>
  programIn(`${folder}/${MODULES}`, startOf(folder));

const MODULES = 'node_modules';

interface Start {
  /** In the folder of modules. */
  readonly bin: string;
  /** The SHA-256 of this file, and of the package.json, in which the version is. */
  readonly files: Readonly<Record<string, unknown>>;
}

function startOf(folder: string): Start | undefined {
  const start: unknown = attempt(() => parse(textOf(`${folder}/${START_FILE}`) ?? ''));
  if (!isObject(start)) return undefined;
  const { bin, files } = start;
  return typeof bin === 'string' && isObject(files) && Object.hasOwn(files, bin)
    ? { bin, files }
    : undefined;
}

function programIn(modules: string, start: Start | undefined): string | undefined {
  const isSame = ([file, hash]: [file: string, hash: unknown]) =>
    typeof hash === 'string' && attempt(() => fileHash(`${modules}/${file}`)) === hash;
  return start && Object.entries(start.files).every(isSame) ? `${modules}/${start.bin}` : undefined;
}

/** Undefined: it is no regular file, or too large. */
export function fileHash(file: string): string | undefined {
  const { createHash } = require('node:crypto');
  return withFile(file, (handle, size) =>
    size > LARGEST_START
      ? undefined
      : createHash('sha256').update(fs.readFileSync(handle)).digest('hex'),
  );
}

type StdioLaunch = Extract<Launch, { readonly command: string }>;

/**
 * The program, and the modules that it is in. Undefined if only npx can start it.
 *
 * A server may keep its data beside its code, and the client has its own started by npx. So npx's folder comes first, if the
 * program there is the same. If it is another one, only npx starts the right one.
 */
export function copiedProgram({ folder, npx }: Pick<CopiedStart, 'folder' | 'npx'>) {
  const start = startOf(folder);
  const modules = start && fs.existsSync(npx) ? npx : `${folder}/${MODULES}`;
  const file = programIn(modules, start);
  return file === undefined ? undefined : { file, modules };
}

/** The same server, started without npx if that is possible. */
export function fromCopy(launch: StdioLaunch, copy: CopiedStart): StdioLaunch {
  const { spec, after } = copy;
  const program = launch.args[after - 1] === spec ? copiedProgram(copy) : undefined;
  if (!program) return launch;
  const { delimiter } = require('node:path');
  const env = { ...launch.env };
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  // npx puts the commands of the package's dependencies there.
  env[path] = [`${program.modules}/.bin`, env[path]].filter(Boolean).join(delimiter);
  const args = [program.file, ...launch.args.slice(after)];
  return { ...launch, command: process.execPath, args, env };
}
