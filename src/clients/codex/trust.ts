/** Trust in Codex, which silently skips untrusted hooks. Queries Codex itself, or otherwise reads its file. */

import { join, resolve } from 'node:path';
import { ANYTHING, isObject, type JsonObject, Refusal } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { cutTable } from '../../edit/toml.ts';
import { unless } from '../../system/errors.ts';
import { followLinks } from '../../system/files.ts';
import { bytesOf } from '../config-bytes.ts';
import { type ConfiguredHook, handlersIn } from '../entries.ts';
import { configFolder, configPath, homeIn, type Places, userPlaces } from '../places.ts';
import type { HookTrust, Trust, TrustPlace, TrustReading, TrustState } from '../trust.ts';
import { codex as client, FILES } from './client.ts';
import { trustIn } from './health.ts';
import { stateKey, trustHash } from './trust-hash.ts';

/** The tables with Codex's state of hooks, one for each. */
const STATE = ['hooks', 'state'];

/** The file with all of Codex's trust, including trust in a project's hooks. */
const stateFile = (places: Places): string => configPath(client, FILES[0], userPlaces(places));

export const trust: Trust = {
  byHand: 'Start codex and answer "Trust all and continue", or type /hooks in it.',
  reviewCommand: '/hooks',
  file: FILES[0].name,

  path: stateFile,
  readsProject: (project, setting) => trustIn(project, project, setting) === 'trusted',
  recorded: trustInFile,
  async read(hooks, question) {
    const { launch } = question;
    if (launch === undefined) return fromFile(hooks, question);
    // Imported late, because it loads the code that starts programs.
    const { askTrust } = await import('./app-server-trust.ts');
    const answer = await askTrust(hooks, { ...question, launch });
    if ('trouble' in answer) return { ...fromFile(hooks, question), trouble: answer.trouble };
    return { from: 'client', hooks: answer.hooks };
  },
  async grant(hooks, question) {
    const { grantTrust } = await import('./app-server-trust.ts');
    return grantTrust(hooks, question);
  },
  forget(hooks, at) {
    const stored = Object.keys(readableIn(at));
    const own = hooks.map((hook) => keyOf(hook, at.places)).filter((key) => stored.includes(key));
    const path = stateFile(at.places);
    const bytes = own.length > 0 ? at.read(path) : null;
    if (bytes === null) return undefined;
    // Codex puts one header above all of them, which is removed with the last.
    const isAll = own.length === stored.length;
    const without = (text: string) =>
      (isAll ? cutTable(text, STATE) : undefined) ??
      own.reduce((left, key) => cutTable(left, [...STATE, key]) ?? left, text);
    const left = statesIn(without(decode(bytes)));
    const keys = own.filter((key) => !Object.hasOwn(left, key));
    return keys.length > 0 ? { path, format: 'toml', keys, without } : undefined;
  },
  // Trust is bound to the content of a hook, no matter which label the hook belonged to before.
  carriedOver(groups, at) {
    const stored = Object.values(readableIn(at));
    const trusted = stored.flatMap((one) => (isObject(one) ? [one.trusted_hash] : []));
    if (trusted.length === 0) return [];
    return groups.filter(({ event, group }) => {
      const [written] = handlersIn(client, group);
      const hash = written && trustHash({ ...written, native: event });
      return hash !== undefined && trusted.includes(hash);
    });
  },
};

function fromFile(hooks: readonly ConfiguredHook[], at: TrustPlace): TrustReading {
  const inFile = () => {
    const states = trustInFile(hooks, at);
    return hooks.map((hook, index) => ({ hook, trust: states[index] ?? 'unknown' }));
  };
  const unreadable = ({ problem }: Refusal): HookTrust[] => {
    const why = { code: 'trust-file-unreadable', why: problem } as const;
    return hooks.map((hook) => ({ hook, trust: 'unknown', why }));
  };
  return { from: 'file', hooks: unless(Refusal, inFile, unreadable) };
}

/** The trust in config.toml for these hooks. Codex also requires trust in a project's folder, which is not considered here. */
function trustInFile(hooks: readonly ConfiguredHook[], at: TrustPlace): TrustState[] {
  const stored = storedIn(at);
  return hooks.map((hook) => {
    const plugin = pluginSource(hook.path);
    // It is unknown what Codex hashes for a plugin.
    if (plugin !== undefined) return stateOf(stored[stateKey(plugin, hook)], undefined);
    return stateOf(stored[keyOf(hook, at.places)], trustHash(hook));
  });
}

/** Like `storedIn`, but empty if the file cannot be read. */
const readableIn = (at: TrustPlace): JsonObject =>
  unless(
    Refusal,
    () => storedIn(at),
    () => ({}),
  );

/** Every hook's state by its key, from `[hooks.state]`. @throws Refusal if the file cannot be read. */
function storedIn({ places, read }: TrustPlace): JsonObject {
  const bytes = bytesOf(stateFile(places), read);
  return bytes === null ? {} : statesIn(decode(bytes));
}

function statesIn(text: string): JsonObject {
  const { hooks } = FORMATS.toml.read(text, ANYTHING);
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

/** Codex's name for a file of a plugin, measured with 0.169.0. Undefined: it does not belong to a plugin. */
function pluginSource(path: string): string | undefined {
  const [, market, plugin, file] = PLUGIN_FILE.exec(path.replaceAll('\\', '/')) ?? [];
  return file === undefined ? undefined : `${plugin}@${market}:${file}`;
}
/** These folders are nested: marketplace, plugin, version. */
const PLUGIN_FILE = /\/plugins\/cache\/([^/]+)\/([^/]+)\/[^/]+\/(.+)$/;

/** Codex's name for a file: links are only resolved on the way to a folder that CODEX_HOME names. */
function sourceOf(path: string, places: Places): string {
  const { env, home, project } = places;
  const file = FILES.find((one) => configPath(client, one, places) === path);
  if (!file) return path;
  if (project !== undefined) return join(project, client.projectFolder, file.name);
  const folder = client.userFolder(env, homeIn(env) ?? home, process.platform);
  return join(
    env.CODEX_HOME ? followLinks(configFolder(client, places)) : resolve(folder),
    file.name,
  );
}
