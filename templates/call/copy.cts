/**
 * mcp-hooks: starts a server without npx, from the copy of its package that the install made, or from npx's own folder. npx
 * would look up the package in the project, in its folder and in the registry at every call.
 */

import fs = require('node:fs');

import type { Launch } from '../configured.cjs';
import { textOf, withFile } from '../files.cjs';
import type { CopiedStart } from '../types.cjs';
import { attempt, isObject, parse } from '../values.cjs';

/** Names the file of the copy that starts the server. It is written last, so a copy without it is incomplete. */
export const START_FILE = 'start.json';

/** The maximum size of such a file in bytes. */
const LARGEST_START = 16 * 1024 * 1024;

/** The file that starts the server. Undefined if the copy is gone or the file has changed since it was copied. */
export const programOfCopy = (folder: string): string | undefined =>
  programIn(`${folder}/${MODULES}`, startOf(folder));

const MODULES = 'node_modules';

interface Start {
  /** In the folder of modules. */
  readonly bin: string;
  /** The SHA-256 of this file and of package.json, which has the version. */
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

/** Undefined: not a regular file, or too large. */
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
 * The program and the modules folder that it is in. Undefined if only npx can start it.
 *
 * A server may keep data next to its code, and the client starts its own instance with npx. So npx's folder comes first if the
 * program there is the same. If it differs, only npx starts the right one.
 */
export function copiedProgram({ folder, npx }: Pick<CopiedStart, 'folder' | 'npx'>) {
  const start = startOf(folder);
  const modules = start && fs.existsSync(npx) ? npx : `${folder}/${MODULES}`;
  const file = programIn(modules, start);
  return file === undefined ? undefined : { file, modules };
}

/** The same server, without npx if possible. */
export function fromCopy(launch: StdioLaunch, copy: CopiedStart): StdioLaunch {
  const { spec, after } = copy;
  const program = launch.args[after - 1] === spec ? copiedProgram(copy) : undefined;
  if (!program) return launch;
  const { delimiter } = require('node:path');
  const env = { ...launch.env };
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  // As npx does, for the commands of the package's dependencies.
  env[path] = [`${program.modules}/.bin`, env[path]].filter(Boolean).join(delimiter);
  const args = [program.file, ...launch.args.slice(after)];
  return { ...launch, command: process.execPath, args, env };
}
