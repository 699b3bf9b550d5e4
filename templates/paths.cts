/** mcp-hooks: the files that a call is about, under all the names that a glob may mean. */

import fs = require('node:fs');
import path = require('node:path');

import { clockOf } from './clock.cjs';
import type { Clock, Firing, NamedFile } from './types.cjs';
import { isObject } from './values.cjs';

/** The names of each file that the call is about: as it is written, and of the file that is opened. Made once for all hooks. */
export function pathsOf(firing: Firing): readonly NamedFile[] {
  const { input, cwd } = firing;
  if (firing.paths && firing.paths.input === input) return firing.paths.all;
  const clock = clockOf(firing);
  const all = filesOf(firing, clock).map((file) => {
    clock.step(file.length);
    let opened: readonly string[] | undefined;
    const whole = path.resolve(cwd, file);
    return {
      whole,
      written: namesOf(whole, cwd),
      opened: () => (opened ??= openedNames(file, cwd)),
    };
  });
  firing.paths = { input, all };
  return all;
}

/** The names of the file that a system opens or makes, wherever links lead. None if that cannot be known. */
function openedNames(file: string, cwd: string): string[] {
  // `..` behind a link is not the folder that the link is in, so nothing is resolved before.
  const real = behindLinks(path.isAbsolute(file) ? file : `${cwd}${path.sep}${file}`);
  if (real === undefined) return [];
  const base = behindLinks(cwd) ?? cwd;
  return [...namesOf(real, base), ...namesOf(path.resolve(cwd, path.relative(base, real)), cwd)];
}

/** A path without links; what does not exist yet has none. */
function behindLinks(place: string): string | undefined {
  if (place.length > LONGEST) return undefined;
  try {
    return fs.realpathSync.native(place);
  } catch {
    // A link that leads to nothing may lead anywhere once something is there.
    const isThere = fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
    const folder = path.dirname(place);
    const above = isThere || folder === place ? undefined : behindLinks(folder);
    return above === undefined ? undefined : path.join(above, path.basename(place));
  }
}
/** Characters of a path. No system opens a longer one. */
const LONGEST = 4096;

/** Tools of clients that are given a file, by their names in declarations. Anything may stand in the inputs of others. */
const FILE_TOOLS = ['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'LS'];

/**
 * The files that a call is about: those under keys at the top of the input, and in the headings of a patch. None, if there may
 * be more than we can tell.
 */
function filesOf({ names, server, input }: Firing, clock: Clock): string[] {
  const isOther = server !== undefined || names.some((name) => name.startsWith('mcp__'));
  if (isOther || !names.some((name) => FILE_TOOLS.includes(name))) return [];
  if (!isObject(input)) return headingsIn(input, clock) ?? [];
  const under = (isPath: boolean) =>
    Object.entries(input)
      .filter(([key]) => PATH.test(key) === isPath)
      .flatMap(([, value]) => value);
  const keyed = under(true);
  if (keyed.length > 0) return keyed.every((one) => typeof one === 'string') ? keyed : [];
  const patches = under(false).map((one) => headingsIn(one, clock));
  return patches.includes(undefined) ? [] : patches.flatMap((files = []) => files);
}

/** The files that a patch names, which may not only be changed; undefined: it is no patch, or not one that we understand. */
export function headingsIn(text: unknown, clock: Clock): string[] | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('*** Begin Patch')) return undefined;
  const files: string[] = [];
  for (const line of text.split('\n')) {
    clock.step(line.length);
    const mark = line.trim(); // as clients read it
    const file = HEADING.exec(mark)?.[1];
    if (file !== undefined) files.push(file);
    // With a space before it, it is a line of the file.
    else if (line.startsWith('***') && !BOUNDARY.includes(mark)) return undefined;
  }
  return files;
}
const BOUNDARY = ['*** Begin Patch', '*** End Patch', '*** End of File'];
const HEADING = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/s;
const PATH = /(?:^|_)(?:path|file|filename)s?$|(?:Path|File|FileName)s?$/;

/** The forms of a path that a glob may mean: relative to the session's folder, the last part, and the whole. */
function namesOf(whole: string, cwd: string): string[] {
  return [path.relative(cwd, whole), path.basename(whole), whole].map((name) =>
    path.sep === '/' ? name : name.replaceAll(path.sep, '/'),
  );
}
