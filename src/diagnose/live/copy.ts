/**
 * A scratch home with the hooks of one label: the files of its runner, unchanged except for the path of the state folder, and
 * the settings file with its entries. Missing files stay missing. Files that are not as installed are left out, because they
 * would be run.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Client, type ConfigFile, HANDLERS } from '../../clients/contract.ts';
import type { ClientDriver } from '../../clients/driver/driver.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import {
  configPath,
  copiesFolder,
  filesIn,
  type Places,
  runnerFolder,
  tokensFolder,
} from '../../clients/places.ts';
import { powerShellQuote, shellQuote } from '../../compile/command.ts';
import { policyPath } from '../../declaration/policy.ts';
import { isObject, type JsonObject, type JsonValue, type Placed, splice } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { elementsOf, eventsOf, underOf, withoutGroups } from '../../edit/value.ts';
import type { Env } from '../../system/env.ts';
import { codeOf } from '../../system/errors.ts';
import type { Subject } from './hook-scenarios.ts';

export type Scratch = Readonly<ReturnType<typeof scratch>>;

/** A scratch home and project. A client may do less if its home is in the system's temporary folder. */
export function scratch(below: string, prefix: string, outer: Env) {
  mkdirSync(below, { recursive: true });
  const root = mkdtempSync(join(below, prefix));
  const home = join(root, 'home');
  const project = join(root, 'project');
  /** For the caller's files. */
  const files = join(root, 'files');
  for (const folder of [home, project, files]) mkdirSync(folder);
  // Without their own repository, clients would take a parent folder's repository for the project.
  const { execFileSync } = process.getBuiltinModule('node:child_process'); // loaded when needed
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env: { ...outer } });
  try {
    git('init', '--quiet', '--initial-branch=main');
    // The scratch HOME has no git identity, and scripted models like to commit.
    git('config', 'user.name', 'Scratch');
    git('config', 'user.email', 'scratch@example.com');
  } catch (error) {
    // Clients also run without git.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  return { home, project, outer, files, remove };
}

export const placesIn = (home: string): Places => ({
  env: {},
  home,
  state: join(home, '.mcp-hooks'),
  scope: 'user',
});

/** A label and a client to copy hooks for. */
interface Copied extends Pick<Subject, 'client' | 'label' | 'places' | 'disk' | 'runner'> {
  readonly driver: Pick<ClientDriver, 'keeps'>;
  readonly written: readonly ConfiguredHook[];
}

/** @param onlyIn The only folder that the hooks are for. It is replaced by the session's folder. */
export function copyHooks(
  copied: Copied,
  home: string,
  onlyIn?: { readonly from: string | undefined; readonly to: string },
): void {
  const { client, driver, label, places: from, disk, runner, written } = copied;
  const to = placesIn(home);
  const move = moving(from.state, to.state);
  const movePlace = (text: string) => {
    if (onlyIn?.from === undefined) return text;
    const was = onlyIn.from;
    // In a program, and in a first stage.
    return [
      (path: string) => `"onlyIn": ${JSON.stringify(path)}`,
      (path: string) => `/ in ${shellQuote(path)}/*)`,
    ].reduce(
      (moved, way) => moved.replaceAll(way(was), () => way(realpathSync.native(onlyIn.to))),
      text,
    );
  };
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  mkdirSync(to.state, { mode: 0o700 });
  const folder = runnerFolder(from, label);
  for (const [name, bytes] of runner)
    put(join(to.state, relative(from.state, folder), name), movePlace(move(bytes.toString())));
  // Links instead of copies, because a refresh token works only once, and a server's package may be large.
  for (const folderIn of [tokensFolder, copiesFolder])
    if (existsSync(folderIn(from.state)))
      symlinkSync(folderIn(from.state), folderIn(to.state), 'junction');
  const policy = disk.read(policyPath(from.state));
  if (policy) put(policyPath(to.state), policy.toString());

  for (const path of new Set(written.map((hook) => hook.path))) {
    // In the copy, hooks always belong to the user, whatever their scope was.
    const known = from.scope === 'local' ? [] : filesIn(client, from);
    const config =
      known.find((file) => configPath(client, file, from) === path) ??
      client.placement.files.user[0];
    const target = configPath(client, config, to);
    const prepared = existsSync(target) ? readFileSync(target, 'utf8') : null;
    const ours = written.filter((hook) => hook.path === path);
    const bytes = disk.read(path);
    if (bytes) put(target, settingsFor(config, { client, driver, bytes, prepared, ours, move }));
  }
}

/** Replaces a path in a text in each of its forms: in JSON, as a shell word, or unquoted. */
function moving(from: string, to: string): (text: string) => string {
  const inShell = (path: string) => shellQuote(path).replace(/^'([\s\S]*)'$/, '$1');
  const inPowerShell = (path: string) => powerShellQuote(path).replace(/^\(?'([\s\S]*)'\)?$/, '$1');
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  const ways = [(path: string) => path, inShell, inPowerShell, inJson];
  return (text) => {
    const way = ways.find((one) => text.includes(one(from)));
    return way ? text.replaceAll(way(from), () => way(to)) : text;
  };
}

/** Replaces every command that is not ours. */
const NOTHING = 'true';
/** Names of settings whose values are run. */
const RUN = /command|helper$|export$|refresh$|wrapper$|^script$/i;

/** The parts of a settings file for our session. */
interface SettingsCopyInput {
  readonly client: Client;
  readonly driver: Pick<ClientDriver, 'keeps'>;
  readonly bytes: Buffer;
  /** The settings with which the client runs here; null: none. */
  readonly prepared: string | null;
  readonly ours: readonly ConfiguredHook[];
  /** Replaces the path of the user's state folder with that of the copy. */
  readonly move: (text: string) => string;
}

/** Keeps everything that might make the client reject the user's file. */
export function settingsFor(
  { name, format, dialect, layout, start }: ConfigFile,
  given: SettingsCopyInput,
): string {
  const { client, driver, bytes, prepared, ours, move } = given;
  const { read, insert } = FORMATS[format];
  const document = read(decode(bytes), dialect, layout);
  const others = driver.keeps?.(withoutGroups(document, layout), name);
  const base =
    others && format === 'json'
      ? `${JSON.stringify({ ...read(prepared ?? '{}', dialect), ...quiet(others) }, null, 2)}\n`
      : (prepared ?? start ?? (format === 'json' ? '{}\n' : ''));
  const placed = [...eventsOf(document, layout)].flatMap(([event, groups]): Placed[] =>
    groups.flatMap((group, index) => {
      const isOurs = (at: number) =>
        ours.some((o) => o.native === event && o.index === index && o.handlerIndex === at);
      return isObject(group) ? [{ event, group: groupFor(client, group, isOurs, move) }] : [];
    }),
  );
  // One at a time, because each is added after the existing entries of its event.
  const add = (text: string, one: Placed) =>
    splice(text, insert(text, elementsOf([one], layout), underOf(layout)));
  return placed.reduce(add, base);
}

function groupFor(
  { entry }: Client,
  group: JsonObject,
  isOurs: (handler: number) => boolean,
  move: (text: string) => string,
): JsonObject {
  const handlerFor = (handler: JsonObject, at: number) => {
    if (isOurs(at)) return mapped(handler, (one) => (typeof one === 'string' ? move(one) : one));
    return handler.type === 'command'
      ? mapped(quiet(handler), (one, key) =>
          typeof one === 'string' && entry.commands.includes(key) ? NOTHING : one,
        )
      : { type: 'command', command: NOTHING };
  };
  if (entry.shape === 'flat') return handlerFor(group, 0);
  const { [HANDLERS]: handlers } = group;
  if (!Array.isArray(handlers)) return group;
  const copied = handlers.map((handler: JsonValue, at) =>
    isObject(handler) ? handlerFor(handler, at) : handler,
  );
  return { ...group, [HANDLERS]: copied };
}

const mapped = (
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue,
): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** The same settings with every command disabled. */
const quiet = (settings: JsonObject): JsonObject =>
  mapped(settings, (value, key) => {
    if (typeof value === 'string') return RUN.test(key) ? NOTHING : value;
    return isObject(value) ? quiet(value) : value;
  });
