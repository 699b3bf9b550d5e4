/**
 * mcp-hooks: a server from the copy of its package that an install has made. npx would look for the package in the project, in
 * its cache and in the registry, at each call.
 */

import fs = require('node:fs');

import type { Launch } from '../configured.cjs';
import { textOf, withFile } from '../files.cjs';
import type { CopiedStart } from '../types.cjs';
import { attempt, isObject, parse } from '../values.cjs';

/** Says which file of the copy starts the server, and its SHA-256. Written last, so a copy without it is not whole. */
export const START_FILE = 'start.json';

/** Bytes of such a file. */
export const LARGEST_START = 16 * 1024 * 1024;

/** The file that starts the server. Undefined if the copy is gone, or the file is not the one that was copied. */
export function programOfCopy(folder: string): string | undefined {
  const start = attempt(() => parse(textOf(`${folder}/${START_FILE}`) ?? ''));
  if (!isObject(start) || typeof start.sha256 !== 'string') return undefined;
  const file = `${folder}/${start.bin}`;
  return attempt(() => fileHash(file)) === start.sha256 ? file : undefined;
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

/** The same server, started without npx. If that is not possible, npx starts it. */
export function fromCopy(launch: StdioLaunch, { folder, spec, after }: CopiedStart): StdioLaunch {
  const file = launch.args[after - 1] === spec ? programOfCopy(folder) : undefined;
  if (file === undefined) return launch;
  const { delimiter } = require('node:path');
  const env = { ...launch.env };
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  // npx puts the commands of the package's dependencies there.
  env[path] = [`${folder}/node_modules/.bin`, env[path]].filter(Boolean).join(delimiter);
  return { ...launch, command: process.execPath, args: [file, ...launch.args.slice(after)], env };
}
