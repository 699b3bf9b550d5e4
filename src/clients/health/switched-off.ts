/** Which settings switch hooks off. Doctor and import use the same answer. */

import { join, relative } from 'node:path';
import { isObject, type JsonObject, type JsonValue, memberAt } from '../../edit/edit.ts';
import { disk } from '../../system/disk.ts';
import { attempt } from '../../system/errors.ts';
import { repositoryOf } from '../../system/git/folders.ts';
import type { Client, ConfigFile } from '../contract.ts';
import { configPath, fileLike, filesIn, type Places } from '../places.ts';
import { healthOf } from '../registry.ts';
import type { Layer, Machine, Whose } from './health.ts';

/** A settings file of a layer. */
export interface LayerFile {
  readonly whose: Whose;
  readonly path: string;
  readonly file: ConfigFile;
  /** The project that links must not point out of; absent: the file is not in a project. */
  readonly places?: Places;
}

/** The user's places, and those of the current folder if it can be a project. */
export interface LayerPlaces {
  readonly user: Places;
  readonly here: Places | undefined;
  readonly local: Places | undefined;
  readonly machine: Machine;
}

/** The files of a layer, each with its format. */
export function filesOfLayer(
  layer: Layer,
  client: Client,
  { user, here, local, machine }: LayerPlaces,
): LayerFile[] {
  const { whose } = layer;
  if ('folder' in layer) {
    const folder = layer.folder(machine);
    const names = attempt(() => disk.list(folder)) ?? [];
    return names
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
      .map((name) => ({ whose, path: join(folder, name), file: fileLike(client, name) }));
  }
  if ('path' in layer) {
    const path = layer.path(machine);
    const file = fileLike(client, path);
    if (whose !== 'project' && whose !== 'local') return [{ whose, path, file }];
    if (!here) return [];
    const project = repositoryOf(machine.cwd) ?? machine.cwd;
    const name = relative(join(project, client.projectFolder), path);
    const places = project === here.project ? here : { ...here, project };
    return [{ whose, path, file: { ...file, name }, places }];
  }
  const places = whose === 'user' ? user : whose === 'local' ? local : here;
  if (!places) return [];
  return filesIn(client, places).map((file) => {
    const path = configPath(client, file, places);
    return { whose, path, file, places };
  });
}

interface Layered {
  readonly whose: Whose;
  readonly document?: JsonObject;
}

interface SetOff<F> {
  readonly file: F;
  readonly key: string;
  readonly value: boolean;
  /** No stronger file sets the switch to another value. */
  readonly isLast: boolean;
}

/** The files that switch all hooks off. @param files From weakest to strongest: the last one that sets a switch wins. */
export const switchedOffIn = <F extends Layered>(
  client: Client,
  files: readonly F[],
): SetOff<F>[] =>
  healthOf(client).switches.flatMap(({ key, off, only }) => {
    const saying = files
      .filter(({ whose }) => only === undefined || whose === only)
      .filter(({ document }) => memberAt(document, key) !== undefined);
    return saying
      .filter(({ document }) => memberAt(document, key) === off)
      .map((file) => ({ file, key: key.join('.'), value: off, isLast: file === saying.at(-1) }));
  });

/** The key of the list with disabled hooks, and the files whose list has this name. */
export function disabledIn<F extends Layered>(
  client: Client,
  files: readonly F[],
  name: string,
): { readonly key: string; readonly files: readonly F[] } {
  const { disabled } = healthOf(client);
  if (!disabled) return { key: '', files: [] };
  const naming = files.filter(({ document }) => {
    const names = memberAt(document, disabled);
    return Array.isArray(names) && names.includes(name);
  });
  return { key: disabled.join('.'), files: naming };
}

/** The name by which a list disables a hook. A hook with a name cannot be disabled by its command. */
export const nameInList = (handler: JsonValue, command = ''): string =>
  isObject(handler) && typeof handler.name === 'string' ? handler.name : command;
