/** What several clients have in common in where they look. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonValue } from '../../edit/edit.ts';

/** A folder and all above it, nearest first. */
export function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

/** The top of the repository that a folder is in. */
export const repositoryOf = (folder: string): string | undefined =>
  foldersUpFrom(folder).find((one) => existsSync(join(one, '.git')));

/** A folder and those above it up to the top of its repository; outside of one, itself. */
export function foldersOfProject(folder: string): string[] {
  const top = repositoryOf(folder) ?? folder;
  const all = foldersUpFrom(folder);
  return all.slice(0, all.indexOf(top) + 1);
}

/** Whether a setting is a list with a name in it. */
export const includes = (list: JsonValue | undefined, name: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => one === name);
