/**
 * The names of all files and folders that we read or write. Their places depend only on the environment, so a scratch HOME is
 * completely separate.
 */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Layout } from '../edit/edit.ts';
import type { Env } from '../system/env.ts';
import { attempt, UserError, unless } from '../system/errors.ts';
import { isInside, list, realPath } from '../system/files.ts';
import { fingerprint } from '../system/fingerprint.ts';
import type { Client, ConfigFile, HooksFolder, Scope } from './contract.ts';
import type { ClientMessage } from './messages.ts';

/** The scope of settings, and its folders. */
export interface Places {
  /** Used to find clients: `PATH`, and variables that move their settings. */
  readonly env: Env;
  /** Absolute path of the home folder, without links. */
  readonly home: string;
  /** Absolute path of our state folder: runners, ledger, sessions, log. */
  readonly state: string;
  /** Whose settings contain the hooks. */
  readonly scope: Scope;
  /** Absolute path of the project, in project and local scope. */
  readonly project?: string;
}

/** In order of precedence. On Windows, the clients ignore HOME, which some shells set to another folder. */
const homeVariables = (platform: NodeJS.Platform): readonly [string, ...string[]] =>
  platform === 'win32' ? ['USERPROFILE', 'HOME'] : ['HOME'];

/** The home folder from the environment, as the clients find it; undefined: the environment has none. */
export const homeIn = (env: Env, platform = process.platform): string | undefined =>
  homeVariables(platform)
    .map((name) => env[name])
    .find(Boolean);

const CONTROL = /[\u0000-\u001F\u007F]/;

/**
 * The canonical path of a folder from the environment: without links, and as stored on disk. On macOS, paths also match in
 * another case or with differently encoded accents. On Windows, the native function would replace the letter of a network drive
 * by its address.
 */
export const asKept = (path: string, known?: string): string =>
  (process.platform === 'win32' ? undefined : attempt(() => realpathSync.native(path))) ??
  realPath(path, known);

/** Throws a UserError if there is no home folder, or the home folder itself would be the project. */
export function findPlaces(
  env: Env,
  cwd: string,
  scope: Scope,
  platform: NodeJS.Platform = process.platform,
): Places {
  const named = homeIn(env, platform);
  const [usual, ...others] = homeVariables(platform);
  if (named === undefined) throw new UserError<ClientMessage>({ code: 'no-home', variable: usual });
  const variable = [usual, ...others].find((name) => env[name] === named) ?? usual;
  if (CONTROL.test(named))
    throw new UserError<ClientMessage>({ code: 'home-with-control', variable });
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError<ClientMessage>(
      // Node writes this in place of bytes that are not text.
      named.includes('\uFFFD')
        ? { code: 'home-not-text', variable }
        : { code: 'home-missing', variable, home: named },
    );
  const home = asKept(resolve(cwd, named));
  const state = env.MCP_HOOKS_HOME
    ? asKept(resolve(cwd, env.MCP_HOOKS_HOME))
    : realPath(join(home, '.mcp-hooks'), home);
  const user: Places = { env, home, state, scope: 'user' };
  if (scope === 'user') return user;
  const places = placesHere(cwd, user).find((one) => one.scope === scope);
  if (!places) throw new UserError<ClientMessage>({ code: 'home-is-no-project' });
  return places;
}

export const userPlaces = ({ env, home, state }: Places): Places => ({
  env,
  home,
  state,
  scope: 'user',
});

/** The user's own places and those of a folder, unless the folder is the home folder. */
export function placesHere(cwd: string, user: Places): readonly [Places, ...Places[]] {
  const project = realpathSync.native(cwd);
  if (project === user.home) return [user];
  return [user, { ...user, scope: 'project', project }, { ...user, scope: 'local', project }];
}

/** A client's files that may contain hooks in a scope; empty if there are none. */
export function filesIn(client: Client, places: Places): readonly ConfigFile[] {
  const files = (client.placement.files[places.scope] ?? []).filter(
    ({ without }) =>
      without === undefined || !existsSync(join(configFolder(client, places), without)),
  );
  const folder = hooksFolder(client, places);
  if (!folder) return files;
  // The folder may be impossible to list, for example because of circular links in a clone. The client cannot read it either.
  const names = unless(
    UserError,
    () => list(join(configFolder(client, places), folder.name)),
    () => [],
  );
  const inFolder = names.filter((name) => name.endsWith(folder.ending)).sort();
  const found = inFolder.map((name) => fileIn(folder, name));
  return [...found, ...files.filter((file) => !found.some(({ name }) => name === file.name))];
}

/** Whether a client has project settings, at least shared ones. */
export const hasProjects = ({ placement: { files } }: Client): boolean =>
  files.project !== undefined;

/** The folder with each label's own file; undefined: the client has no such folder in this scope. */
export const hooksFolder = (
  { placement }: Client,
  { scope }: Pick<Places, 'scope'>,
): HooksFolder | undefined =>
  placement.kind === 'own-file' && placement.files[scope] ? placement.folder : undefined;

/** The client's file with the same format as one elsewhere: by its name, or otherwise by its file extension. */
export function fileLike({ placement }: Client, path: string): ConfigFile {
  const { user, project = [], local = [] } = placement.files;
  const all = [...user, ...project, ...local];
  return (
    all.find(({ name }) => basename(name) === basename(path)) ??
    all.find(({ format }) => path.endsWith(format)) ??
    user[0]
  );
}

/** The layouts of hooks in a client's files, without duplicates. */
export function layoutsOf({ placement }: Client): readonly Layout[] {
  const { user, project = [], local = [] } = placement.files;
  const all = [...user, ...project, ...local].map(({ layout }) => layout);
  return [...new Map(all.map((layout) => [JSON.stringify(layout), layout])).values()];
}

/** A label's own file; undefined if it shares a file. */
export function ownFile(client: Client, label: string, places: Places): ConfigFile | undefined {
  const folder = hooksFolder(client, places);
  return folder && fileIn(folder, folder.fileOf(label));
}

/** A client's file by its name within the config folder. A label's own file is known even if it does not exist. */
export const fileNamed = (
  client: Client,
  name: string | undefined,
  label: string,
  places: Places,
): ConfigFile | undefined =>
  [
    ownFile(client, label, places),
    ...filesIn(client, places),
    // A file that the client no longer reads.
    ...(client.placement.files[places.scope] ?? []),
  ].find((file) => file?.name === name);

/** The default file for a label's hooks. */
export const usualFile = (client: Client, label: string, places: Places): ConfigFile =>
  ownFile(client, label, places) ?? filesIn(client, places)[0] ?? client.placement.files.user[0];

const fileIn = (
  { name, format, dialect, layout, sharedWith }: HooksFolder,
  file: string,
): ConfigFile => ({
  name: `${name}/${file}`,
  format,
  dialect,
  layout,
  ...(sharedWith && { sharedWith }),
});

export function foldersIn(client: Client, places: Places): string[] {
  const folder = hooksFolder(client, places);
  return [
    ...filesIn(client, places).map((file) => dirname(configPath(client, file, places))),
    ...(folder ? [join(configFolder(client, places), folder.name)] : []),
  ];
}

/** Resolving links takes time, and commands need the same paths repeatedly. */
const known = new WeakMap<Places, Map<string, string>>();

function once(places: Places, name: string, find: () => string): string {
  const paths = known.get(places) ?? new Map<string, string>();
  known.set(places, paths);
  const found = paths.get(name) ?? find();
  paths.set(name, found);
  return found;
}

/** The folder in which the client looks for its settings. */
export const configFolder = (client: Client, places: Places): string =>
  once(places, `folder of ${client.id}`, () => {
    const { env, home, project } = places;
    return project === undefined
      ? asKept(resolve(client.userFolder(env, home, process.platform)), home)
      : realPath(resolve(join(project, client.projectFolder)));
  });

/** The canonical path of a client's file: in a project, even if a link points out of it. */
export const configPath = (client: Client, file: ConfigFile, places: Places): string =>
  once(places, `${client.id}/${file.name}`, () => {
    const out = wayOut(client, file, places);
    if (out) return out.path;
    const folder = configFolder(client, places);
    return realPath(join(folder, file.name), folder);
  });

/** A link by which a project's file is outside the project. */
export interface WayOut {
  readonly path: string;
  readonly link: string;
  readonly target: string;
}

/**
 * The link by which a client's file is outside its project; undefined: there is none. Links may come from a clone, and must not
 * make us write a project's hooks to settings that apply everywhere. In user scope, links are the user's own.
 */
export function wayOut(
  { projectFolder }: Client,
  { name }: ConfigFile,
  places: Places,
): WayOut | undefined {
  const { project, home } = places;
  if (project === undefined) return undefined;
  const path = join(project, projectFolder, name);
  for (const link of [join(project, projectFolder), path]) {
    const target = once(places, link, () => realPath(link));
    if (isOutside(target, project, home)) return { path, link, target };
  }
  return undefined;
}

/** Whether a path is outside a project. If the project contains the home folder, the home folder is outside. */
export const isOutside = (target: string, project: string, home: string): boolean =>
  (isInside(home, project) && isInside(target, home)) ||
  (target !== project && !isInside(target, project));

/** Whether the state folder has its default name, and not one chosen by the user. The default one is certainly ours. */
export const isDefault = ({ home, state }: Places): boolean => state === join(home, '.mcp-hooks');

/** The folder of a label's runner. It never changes, because every client's config contains it. */
export const runnerFolder = (places: Places, label: string): string =>
  once(places, `runner of ${label}`, () => {
    const { state, scope, project } = places;
    if (project === undefined) return join(state, 'servers', label);
    const local = scope === 'local' ? '-local' : '';
    return join(state, 'projects', `${fingerprint(project)}${local}`, label);
  });

/** Where hooks remember what was shown. */
export const sessionsFolder = (state: string): string => join(state, 'sessions');

/** The packages that hooks start in place of npx. */
export const copiesFolder = (state: string): string => join(state, 'packages');

/** The tokens of servers that the user has signed in to. */
export const tokensFolder = (state: string): string => join(state, 'tokens');

/** Where hooks log what they did. */
export const logFolder = (state: string): string => join(state, 'log');

/** A label's log files, older lines first: the runner renames the file when it has become long. */
export function logFiles(state: string, label: string): readonly [string, string] {
  const file = join(logFolder(state), `${label}.jsonl`);
  return [`${file}.1`, file];
}

/** The counts of a label's log, which include deleted lines, and the lock of the counting process. */
export const countFiles = (state: string, label: string): readonly [string, string] =>
  withLock(state, `${label}.counts.json`);

/** The record of how much of a label's log was sent to a metrics collector, and the sender's lock. */
export const sentFiles = (state: string, label: string): readonly [string, string] =>
  withLock(state, `${label}.sent.json`);

function withLock(state: string, name: string): readonly [string, string] {
  const file = join(logFolder(state), name);
  return [file, `${file}.lock`];
}

/** Replaces the home folder by `~`. */
export function tilde(path: string, home: string): string {
  return path === home || path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}

/** The same for every path in a line of words, such as a command. */
export function tildeInWords(words: string, home: string): string {
  const folder = home.replace(/\W/g, '\\$&');
  const path = new RegExp(`(?<![^\\s"'=])${folder}(?=[\\s/\\\\]|$)`, 'g');
  return words.replace(path, '~');
}
