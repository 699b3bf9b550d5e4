/**
 * mcp-hooks: the session memory of hooks that may decide. A client may start several indistinguishable calls at once and ask
 * about each. All of them need the same decision, but count once. So the file of a fact records which call made it.
 */

import fs = require('node:fs');

import { hashOf, textOf } from './files.cjs';
import type { Firing, Stage } from './types.cjs';
import { codeOf } from './values.cjs';

type Occasion = Pick<Firing, 'occasion'>;
/** Opens a file in a folder of the state folder. */
type Opening = Pick<Stage, 'open'>;

/** An id that indistinguishable calls share; empty: there is nothing to identify them by. */
export const callOf = ({ occasion }: Occasion): string =>
  occasion.length === 0 ? '' : hashOf(occasion).slice(0, 16);

/** Whether the file of a fact exists and was made by another call. */
export function isOthers(file: string, firing: Occasion): boolean {
  if (!fs.existsSync(file)) return false;
  const call = callOf(firing);
  return call === '' || textOf(file) !== call;
}

/**
 * Claims a fact for a call, and again only after `window` milliseconds.
 *
 * @returns `isOurs`: this call has the claim; `isNew`: this process made the file.
 */
export function claimFor(
  file: string,
  firing: Occasion,
  stage: Opening,
  window = Number.POSITIVE_INFINITY,
): { readonly isOurs: boolean; readonly isNew: boolean } {
  const call = callOf(firing);
  const own = `${file}.${process.pid}`;
  write(own, call, stage);
  try {
    if (link(own, file)) return { isOurs: true, isNew: true };
    if (!isOthers(file, firing)) return { isOurs: true, isNew: false };
    const { mtimeMs: last } = fs.statSync(file);
    const age = Date.now() - last;
    // A negative age means that the clock was set back. Another process of this call may have taken it over since we checked.
    if (age < window && age > -window) return { isOurs: !isOthers(file, firing), isNew: false };
    // All processes that find it expired try to make the same file.
    const next = `${file}.${Math.trunc(last)}`;
    if (!link(own, next)) return { isOurs: !isOthers(next, firing), isNew: false };
    fs.renameSync(own, file);
    return { isOurs: true, isNew: true };
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** From now on, the fact belongs to this call. */
export function takeOver(file: string, firing: Occasion, stage: Opening): void {
  const own = `${file}.${process.pid}`;
  write(own, callOf(firing), stage);
  fs.renameSync(own, file);
}

function write(file: string, text: string, { open }: Opening): void {
  const handle = open(file, 'w');
  fs.writeSync(handle, text);
  fs.closeSync(handle);
}

/** Makes a file with its contents in one step, so that it is never seen empty. False if it already exists. */
function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // This file system has no hard links.
    if (fs.existsSync(to)) return false;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  }
}
