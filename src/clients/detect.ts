/** Which clients are installed on this machine, by a config folder or an executable on the PATH, and whether one starts. */

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { attempt, UserError } from '../system/errors.ts';
import { getPath, parse, str } from '../system/json.ts';
import { nearest } from '../system/nearest.ts';
import { runnerCode } from '../system/runner-code.ts';
import type { Client } from './contract.ts';
import type { StartQuestion, Stopped } from './folder.ts';
import type { ClientMessage } from './messages.ts';
import { configFolder, type Places, tilde, userPlaces } from './places.ts';
import { CLIENTS, findClient, startupOf } from './registry.ts';

export interface Selection {
  readonly clients: readonly Client[];
  /** What was found for each chosen client, in words; empty if the user named the clients. */
  readonly found: Readonly<Record<string, string>>;
  /** The clients that are not on this machine, and the places that were checked. */
  readonly missing: readonly { readonly client: Client; readonly looked: string }[];
}

/** The clients that the user named by id or alias, or otherwise those that are installed. */
export function selectClients(names: readonly string[] | undefined, places: Places): Selection {
  if (names) return { clients: namedClients(names), found: {}, missing: [] };
  const user = userPlaces(places);
  const found: Record<string, string> = {};
  const missing: { client: Client; looked: string }[] = [];
  for (const client of CLIENTS) {
    const folder =
      client.foundBy?.(user.env, user.home, process.platform) ?? configFolder(client, user);
    const executable = which(client.executable, places);
    if (executable) found[client.id] = executable;
    else if (isSignOf(client, folder)) found[client.id] = tilde(folder, places.home);
    else {
      const looked = `no ${tilde(folder, places.home)}, no ${client.executable} on the PATH`;
      missing.push({ client, looked });
    }
  }
  return { clients: CLIENTS.filter(({ id }) => id in found), found, missing };
}

/**
 * A folder with nothing but hooks is no sign of a client if another one reads them, too, unless we installed hooks there for this
 * client.
 */
function isSignOf({ id, placement }: Client, folder: string): boolean {
  if (!existsSync(folder)) return false;
  if (placement.kind !== 'own-file' || !placement.folder.sharedWith) return true;
  const { name } = placement.folder;
  const isOthers = attempt(() => {
    const hooks = join(folder, name);
    const isOwn = (file: string) => readFileSync(join(hooks, file), 'utf8').includes(`/${id}.`);
    return !readdirSync(hooks).some(isOwn) && String(readdirSync(folder)) === name;
  });
  return !isOthers;
}

/** The clients with these ids or aliases, without duplicates. */
export function namedClients(names: readonly string[]): Client[] {
  const clients = names.map((name) => {
    const client = findClient(name);
    if (client) return client;
    const known = CLIENTS.map(({ id }) => id);
    throw new UserError<ClientMessage>({
      code: 'unknown-client',
      name,
      near: nearest(name, known),
      known,
    });
  });
  return [...new Set(clients)];
}

/** The version of the client on the PATH; undefined: there is none, or it is only known after a start. */
export function installedVersion(
  client: Client,
  places: Pick<Places, 'env'>,
  read: (path: string) => Buffer | null,
): string | undefined {
  const path = which(client.executable, places);
  return path === undefined ? undefined : packagedVersion(client, path, read);
}

/** How many levels above an executable to look for its package. */
const NEAR = 4;

/** From the package of the executable, or from the name of its folder, which some installers name after the version. */
export function packagedVersion(
  { npmPackage }: Client,
  executable: string,
  read: (path: string) => Buffer | null,
): string | undefined {
  return attempt(() => {
    const path = realpathSync.native(executable);
    for (let folder = dirname(path), left = NEAR; left > 0; left--) {
      // On Windows, npm's script is next to the folder of the packages.
      for (const file of [
        `${folder}/package.json`,
        `${folder}/node_modules/${npmPackage}/package.json`,
      ]) {
        const { name, version } = existsSync(file) ? packageIn(read(file)) : {};
        if (name === npmPackage && version !== undefined) return version;
      }
      folder = dirname(folder);
    }
    return /\/(?:Cellar\/[^/]+|versions)\/(\d+\.\d+\.\d+)(?=$|[/_-])/.exec(path)?.[1];
  });
}

function packageIn(bytes: Buffer | null): { name?: string; version?: string } {
  const value = attempt(() => parse(bytes?.toString() ?? ''));
  const [name, version] = [str(getPath(value, 'name')), str(getPath(value, 'version'))];
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/.test(version) ? { name, version } : {};
}

/**
 * The executable on the PATH, or undefined. It may be started, so relative entries do not count: they mean the current folder.
 */
export function which(executable: string, { env }: Pick<Places, 'env'>): string | undefined {
  if (process.platform === 'win32')
    return runnerCode('./process-tree.cjs').programFile(executable, env);
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const path = `${folder}${sep}${executable}`;
    if (!existsSync(path)) continue; // returns false where stat would throw
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isFile() && (file.mode & 0o111) !== 0) return normalize(path);
  }
  return undefined;
}

/**
 * Runs a client to find out whether it starts with its configuration. Undefined: it does, is not installed, or cannot be
 * queried.
 */
export async function stopped(
  client: Client,
  question: Omit<StartQuestion, 'launch'>,
): Promise<Stopped | undefined> {
  const found = which(client.executable, question.places);
  const ask = found === undefined ? undefined : await startupOf(client);
  return found === undefined ? undefined : ask?.({ ...question, launch: [found] });
}
