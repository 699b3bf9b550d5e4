/**
 * mcp-hooks: what a hook that may decide remembers of a session. A client may start several calls at once that nothing tells
 * apart, and asks about each: all of them need the same decision, though they count once. So the file of a fact says which
 * call it is from.
 */

import fs = require('node:fs');

import { hashOf, textOf } from './files.cjs';
import type { Firing, Stage } from './types.cjs';
import { codeOf } from './values.cjs';

type Occasion = Pick<Firing, 'occasion'>;
/** Opens a file in a folder of the state folder. */
type Opening = Pick<Stage, 'open'>;

/** What a call has in common with those that nothing tells from it; empty: there is nothing to go by. */
export const callOf = ({ occasion }: Occasion): string =>
  occasion.length === 0 ? '' : hashOf(occasion).slice(0, 16);

/** Whether the file of a fact is there and is from another call. */
export function isOthers(file: string, firing: Occasion): boolean {
  if (!fs.existsSync(file)) return false;
  const call = callOf(firing);
  return call === '' || textOf(file) !== call;
}

/**
 * Claims a fact for a call, and again only after `window` milliseconds.
 *
 * @returns `isOurs`: this call has it; `isNew`: this process has made the file.
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
    // Or the clock was set back. Another process of this call may have taken it over since we looked.
    if (age < window && age > -window) return { isOurs: !isOthers(file, firing), isNew: false };
    // All who find it old try to make the same.
    const next = `${file}.${Math.trunc(last)}`;
    if (!link(own, next)) return { isOurs: !isOthers(next, firing), isNew: false };
    fs.renameSync(own, file);
    return { isOurs: true, isNew: true };
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** The fact is this call's from now on. */
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

/** Makes a file with its contents at once, so that nobody finds it empty. False when it is there already. */
function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // This disk has no links.
    if (fs.existsSync(to)) return false;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  }
}
