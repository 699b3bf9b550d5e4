/** Trust as Codex has written it down, in `[hooks.state]` of the user's config.toml; for where Codex cannot be asked. */

import { join, resolve } from 'node:path';
import { ANYTHING, type JsonObject } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { isObject } from '../../edit/value.ts';
import { followLinks } from '../../system/files.ts';
import type { ConfiguredHook } from '../configured-hook.ts';
import { homeIn } from '../find-places.ts';
import { configFolder, configPath, type Places, userPlaces } from '../places.ts';
import type { TrustPlace, TrustState } from '../trust.ts';
import { codex } from './client.ts';
import { stateKey, trustHash } from './trust-hash.ts';

/** The first version that asks for trust, and that tells the hash of a hook. */
export const SINCE = '0.129.0';

/** Every hook's state by its key. */
type Stored = JsonObject;

/**
 * What config.toml says of these hooks. Codex counts the trust in a project's folder besides; that is not in here.
 *
 * @throws Refusal when the file cannot be read.
 */
export function trustInFile(hooks: readonly ConfiguredHook[], at: TrustPlace): TrustState[] {
  const stored = storedIn(at);
  return hooks.map((hook) => stateOf(stored[keyOf(hook, at.places)], trustHash(hook)));
}

/**
 * The keys under which Codex goes on to remember trust in hooks when they are gone.
 *
 * @throws Refusal when the file cannot be read.
 */
export function rememberedTrust(hooks: readonly ConfiguredHook[], at: TrustPlace): string[] {
  const stored = storedIn(at);
  return hooks.map((hook) => keyOf(hook, at.places)).filter((key) => Object.hasOwn(stored, key));
}

/**
 * The hashes of all hooks that Codex has been told to trust.
 *
 * @throws Refusal when the file cannot be read.
 */
export const trustedHashes = (at: TrustPlace): string[] =>
  Object.values(storedIn(at)).flatMap((one) =>
    isObject(one) && typeof one.trusted_hash === 'string' ? [one.trusted_hash] : [],
  );

/** The file in which Codex keeps all trust, also that in a project's hooks. */
export const stateFile = (places: Places): string =>
  configPath(codex, codex.files[0], userPlaces(places));

function storedIn({ places, read }: TrustPlace): Stored {
  const bytes = read(stateFile(places));
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

const keyOf = (hook: ConfiguredHook, places: Places): string =>
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
