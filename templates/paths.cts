/** mcp-hooks: the files of a call, under all names that a glob may mean. */

import fs = require('node:fs');
import path = require('node:path');

import { clockOf } from './clock.cjs';
import type { Clock, Firing, NamedFile } from './types.cjs';
import { isObject } from './values.cjs';

/** The names of each file of the call: as written, and of the file that is opened. Computed once for all hooks. */
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

/** The names of the file that the system opens or creates, after links are resolved. Empty if that cannot be determined. */
function openedNames(file: string, cwd: string): string[] {
  // `..` after a link is not the folder that contains the link, so the path must not be normalised first.
  const real = behindLinks(path.isAbsolute(file) ? file : `${cwd}${path.sep}${file}`);
  if (real === undefined) return [];
  const base = behindLinks(cwd) ?? cwd;
  return [...namesOf(real, base), ...namesOf(path.resolve(cwd, path.relative(base, real)), cwd)];
}

/** A path without links, even if it does not exist yet. */
function behindLinks(place: string): string | undefined {
  if (place.length > LONGEST) return undefined;
  try {
    return fs.realpathSync.native(place);
  } catch {
    // A broken link may point anywhere once its target exists.
    const isThere = fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
    const folder = path.dirname(place);
    const above = isThere || folder === place ? undefined : behindLinks(folder);
    return above === undefined ? undefined : path.join(above, path.basename(place));
  }
}
/** The maximum number of characters of a path. No system opens a longer one. */
const LONGEST = 4096;

/** Client tools that take a file, by their names in declarations. The inputs of other tools may contain anything. */
const FILE_TOOLS = ['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'LS'];

/**
 * The files of a call: those under top-level keys of the input, and those in the headings of a patch. Empty if there may be
 * more files than we can tell.
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

/** The files that a patch names, whether changed or not; undefined: not a patch, or not one that we understand. */
export function headingsIn(text: unknown, clock: Clock): string[] | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('*** Begin Patch')) return undefined;
  const files: string[] = [];
  for (const line of text.split('\n')) {
    clock.step(line.length);
    const mark = line.trim(); // trimmed, as clients read it
    const file = HEADING.exec(mark)?.[1];
    if (file !== undefined) files.push(file);
    // With a leading space, it would be a line of the file.
    else if (line.startsWith('***') && !BOUNDARY.includes(mark)) return undefined;
  }
  return files;
}
const BOUNDARY = ['*** Begin Patch', '*** End Patch', '*** End of File'];
const HEADING = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/s;
const PATH = /(?:^|_)(?:path|file|filename)s?$|(?:Path|File|FileName)s?$/;

/** The forms of a path that a glob may mean: relative to the session's folder, the base name, and the full path. */
function namesOf(whole: string, cwd: string): string[] {
  return [path.relative(cwd, whole), path.basename(whole), whole].map((name) =>
    path.sep === '/' ? name : name.replaceAll(path.sep, '/'),
  );
}
