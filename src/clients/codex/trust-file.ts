/** Trust as Codex has written it down, in `[hooks.state]` of the user's config.toml; for where Codex cannot be asked. */

import { join, resolve } from 'node:path';
import { ANYTHING, type JsonObject, Refusal } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { isObject } from '../../edit/value.ts';
import { readWritten, type WrittenHook } from '../../install/configured-hooks.ts';
import type { Disk } from '../../system/disk.ts';
import { followLinks } from '../../system/files.ts';
import { configFolder, configPath, homeIn, type Places, userPlaces } from '../places.ts';
import { codex } from './client.ts';
import { stateKey, trustHash } from './trust-hash.ts';

/** `unknown`: neither Codex nor its file can tell. */
export type TrustState = 'trusted' | 'untrusted' | 'changed' | 'disabled' | 'unknown';

/** Every hook's state by its key. */
type Stored = JsonObject;

/**
 * What config.toml says of these hooks. Codex counts the trust in a project's folder besides; that is not in here.
 *
 * @throws Refusal when the file cannot be read.
 */
export function trustInFile(
  hooks: readonly WrittenHook[],
  places: Places,
  disk: Pick<Disk, 'read'>,
): TrustState[] {
  const stored = storedIn(places, disk);
  return hooks.map((hook) => stateOf(stored[keyOf(hook, places)], trustHash(hook)));
}

/** The keys under which Codex goes on to remember trust in a label's hooks when they are gone. */
export function rememberedTrust(label: string, places: Places, disk: Pick<Disk, 'read'>): string[] {
  const hooks = readWritten(codex, places, disk).hooks.filter((hook) => hook.label === label);
  try {
    const stored = storedIn(places, disk);
    return hooks.map((hook) => keyOf(hook, places)).filter((key) => Object.hasOwn(stored, key));
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/**
 * The hashes of all hooks that Codex has been told to trust.
 *
 * @throws Refusal when the file cannot be read.
 */
export const trustedHashes = (places: Places, disk: Pick<Disk, 'read'>): string[] =>
  Object.values(storedIn(places, disk)).flatMap((one) =>
    isObject(one) && typeof one.trusted_hash === 'string' ? [one.trusted_hash] : [],
  );

/** The file in which Codex keeps all trust, also that in a project's hooks. */
export const stateFile = (places: Places): string =>
  configPath(codex, codex.files[0], userPlaces(places));

function storedIn(places: Places, disk: Pick<Disk, 'read'>): Stored {
  const bytes = disk.read(stateFile(places));
  if (bytes === null) return {};
  const { hooks } = FORMATS.toml.read(decode(bytes), ANYTHING);
  const state = isObject(hooks) ? hooks.state : undefined;
  return isObject(state) ? state : {};
}

function stateOf(stored: JsonObject[string] | undefined, hash: string | undefined): TrustState {
  if (!isObject(stored)) return 'untrusted';
  if (stored.enabled === false) return 'disabled';
  if (stored.trusted_hash === undefined) return 'untrusted';
  if (hash === undefined) return 'unknown';
  return stored.trusted_hash === hash ? 'trusted' : 'changed';
}

const keyOf = (hook: WrittenHook, places: Places): string =>
  stateKey(sourceOf(hook.path, places), hook);

/**
 * A file by the name that Codex has for it: links are followed on the way to a folder that the user has named
 * (CODEX_HOME), and otherwise not.
 */
function sourceOf(path: string, places: Places): string {
  const { env, home, project } = places;
  const file = codex.files.find((one) => configPath(codex, one, places) === path);
  if (!file) return path;
  if (project !== undefined) return join(project, codex.projectFolder, file.name);
  const folder = codex.userFolder(env, homeIn(env) ?? home);
  return join(
    env.CODEX_HOME ? followLinks(configFolder(codex, places)) : resolve(folder),
    file.name,
  );
}
