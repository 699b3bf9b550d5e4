/** Where everything is: decided by the environment alone, so that a scratch HOME is a whole world. */

import { realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { messages } from '../cli/messages.ts';
import type { Env } from '../system/env.ts';
import { UserError } from '../system/errors.ts';
import { followLinks, isInside } from '../system/files.ts';
import { fingerprint } from '../system/fingerprint.ts';
import type { Client, ConfigFile } from './contract.ts';

/** Whose settings hold the hooks: the user's, a project's, or the user's own of a project, which nobody shares. */
export const SCOPES = ['user', 'project', 'local'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Places {
  readonly env: Env;
  readonly home: string;
  /** Our own folder: runners, ledger, sessions, log. */
  readonly state: string;
  readonly scope: Scope;
  /** Absolute path of the project, in project and local scope. */
  readonly project?: string;
}

/**
 * The variables that may hold the home folder, the strongest first. The clients do not look at HOME on Windows, where some
 * shells set it to a place of their own.
 */
const homeVariables = (platform: NodeJS.Platform): readonly [string, ...string[]] =>
  platform === 'win32' ? ['USERPROFILE', 'HOME'] : ['HOME'];

/** The home folder as the environment has it, and as the clients find it; undefined where it has none. */
export function homeIn(env: Env, platform = process.platform): string | undefined {
  const variable = homeVariables(platform).find((name) => env[name]);
  return variable === undefined ? undefined : env[variable];
}

/** Throws a UserError when there is no home folder, or the home itself would be the project. */
export function findPlaces(
  env: Env,
  cwd: string,
  scope: Scope,
  platform: NodeJS.Platform = process.platform,
): Places {
  const named = homeIn(env, platform);
  if (named === undefined) throw new UserError(messages.noHome(homeVariables(platform)[0]));
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory()) {
    const variable = homeVariables(platform).find((name) => env[name] === named);
    throw new UserError(messages.homeMissing(variable ?? 'HOME', named));
  }
  const home = real(resolve(cwd, named));
  const state = env.MCP_HOOKS_HOME
    ? real(resolve(cwd, env.MCP_HOOKS_HOME))
    : real(join(home, '.mcp-hooks'));
  if (scope === 'user') return { env, home, state, scope };
  if (realpathSync.native(cwd) === home) throw new UserError(messages.homeIsNoProject);
  return { env, home, state, scope, project: realpathSync.native(cwd) };
}

/** The same places in user scope. */
export const userPlaces = ({ env, home, state }: Places): Places => ({
  env,
  home,
  state,
  scope: 'user',
});

/** The files of a client that may hold hooks in a scope; none where the client has nothing of the kind. */
export const filesIn = (client: Client, { scope }: Pick<Places, 'scope'>): readonly ConfigFile[] =>
  scope === 'local' ? client.localFiles : client.files;

/** One name for one folder, whichever links lead to it, or a file would be taken for two. */
function real(path: string): string {
  try {
    return followLinks(path);
  } catch {
    return path; // whoever reads it says why not
  }
}

/** Following links takes its time, and a command asks for the same paths again and again. */
const known = new WeakMap<Places, Map<string, string>>();

function realIn(places: Places, path: string): string {
  const paths = known.get(places) ?? new Map<string, string>();
  known.set(places, paths);
  const found = paths.get(path) ?? real(path);
  paths.set(path, found);
  return found;
}

/** The folder in which the client looks for its settings. */
export function configFolder(client: Client, places: Places): string {
  const { env, home, project } = places;
  return realIn(
    places,
    resolve(
      project === undefined ? client.userFolder(env, home) : join(project, client.projectFolder),
    ),
  );
}

/**
 * Where a file of the client is, by the one name that it has. One that a link takes out of its project has the name
 * that it has in the project.
 */
export const configPath = (client: Client, file: ConfigFile, places: Places): string =>
  wayOut(client, file, places)?.path ??
  realIn(places, join(configFolder(client, places), file.name));

/** A link by which a file of a project is not in the project. */
export interface WayOut {
  /** The file, by its name in the project. */
  readonly path: string;
  readonly link: string;
  /** Where the link leads. */
  readonly target: string;
}

/**
 * The link that takes a file of a client out of its project; undefined where there is none. Links come with a clone, and
 * must not have hooks of a project written to settings that hold everywhere. In user scope links are the user's own.
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
    const target = realIn(places, link);
    const isHomes = isInside(home, project) && isInside(target, home);
    if (isHomes || (target !== project && !isInside(target, project)))
      return { path, link, target };
  }
  return undefined;
}

/** Whether the state folder has the name that it has unless the user chose another: that one is ours for certain. */
export const isDefault = ({ home, state }: Places): boolean => state === join(home, '.mcp-hooks');

/** The folder of a label's runner. It never changes, because it is in every client's config. */
export function runnerFolder({ state, scope, project }: Places, label: string): string {
  if (project === undefined) return join(state, 'servers', label);
  const local = scope === 'local' ? '-local' : '';
  return join(state, 'projects', `${fingerprint(project)}${local}`, label);
}

/** Where hooks remember what they have said. */
export const sessionsFolder = (state: string): string => join(state, 'sessions');

/** What the user has signed in to servers with. */
export const tokensFolder = (state: string): string => join(state, 'tokens');

/** Where hooks write down what they did. */
export const logFolder = (state: string): string => join(state, 'log');

/** A label's log, older lines first: the runner renames the one file when it has become long. */
export function logFiles(state: string, label: string): readonly [string, string] {
  const file = join(logFolder(state), `${label}.jsonl`);
  return [`${file}.1`, file];
}

/** `~` for the home folder, as people write it. */
export function tilde(path: string, home: string): string {
  return path === home || path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}
