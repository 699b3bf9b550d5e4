// The requests of the tests to the pinned Codex' app-server, in addition to ours.
import {
  type AppServer,
  type CodexHook,
  hooksIn,
  withAppServer,
} from '../../src/clients/codex/app-server.ts';
import type { Executable, ProcessOptions, ProcessResult } from '../../src/system/child.ts';
import { getPath, type Json, type JsonObject, list, parse } from '../../src/system/json.ts';
import { LAUNCH } from './clients.ts';

/** The hooks that Codex sees in the project, trusted or not. */
export async function listHooks(home: string, project: string): Promise<CodexHook[]> {
  const { value } = await withAppServer(quietly(home, project), (server) =>
    hooksIn(server, project),
  );
  return value;
}

/**
 * Trusts every hook that Codex sees in the project, by the requests that its terminal interface
 * makes for "Trust all and continue". 0.169.0 has no subcommand for it, and skips an untrusted
 * hook silently.
 */
export async function trustHooks(
  home: string,
  project: string,
): Promise<{ before: CodexHook[]; after: CodexHook[] }> {
  const { value } = await withAppServer(quietly(home, project), (server) => trust(server, project));
  return value;
}

/** The same in a Codex that runs already. */
export async function trust(
  server: AppServer,
  project: string,
): Promise<{ before: CodexHook[]; after: CodexHook[] }> {
  const before = await hooksIn(server, project);
  const grants = before.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]);
  const value = Object.fromEntries(grants) as JsonObject;
  await server.ask('config/batchWrite', {
    edits: [{ keyPath: 'hooks.state', mergeStrategy: 'upsert', value }],
    reloadUserConfig: true,
  });
  return { before, after: await hooksIn(server, project) };
}

/** What Codex reads in its files at this moment. It reads them again for every request. */
export interface Reading {
  /** As `hooks/list` gives them; without their order on the screen, which every new hook changes. */
  hooks: JsonObject[];
  /** Its warnings and errors about hooks and about the files that they are in. */
  said: Json[];
  /** The values of the user's config.toml, including unknown ones; absent if Codex refuses the file. */
  config?: Json;
}

export async function reading(server: AppServer, project: string): Promise<Reading> {
  const folders = list(getPath(await server.ask('hooks/list', { cwds: [project] }), 'data'));
  const all = (key: string) => folders.flatMap((folder) => list(getPath(folder, key)));
  const hooks = all('hooks').map((hook) => {
    const { displayOrder: _, ...rest } = hook as JsonObject;
    return rest;
  });
  const said = [...all('warnings'), ...all('errors')];
  if (all('errors').length > 0) return { hooks, said };
  const layers = await server.ask('config/read', { cwd: project, includeLayers: true });
  const user = list(getPath(layers, 'layers')).find(
    (layer) => getPath(layer, 'name', 'type') === 'user',
  );
  return { hooks, said, config: getPath(user, 'config') ?? null };
}

/** What a server said about files below `folder` without being asked, which it does at its start. */
export function warnings({ stdout, stderr }: ProcessResult, folder: string): string[] {
  const notified = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(parse)
    .filter((message) => getPath(message, 'method') === 'configWarning')
    .map((message) => JSON.stringify(getPath(message, 'params')));
  const logged = stderr
    .split('\n')
    // The warning about a home below the temporary folder is not about its contents.
    .filter((line) => !/temporary dir/.test(line))
    // From the path on, because the time precedes it.
    .map((line) => line.slice(Math.max(0, line.indexOf(folder))));
  return [...notified, ...logged].filter((text) => text.includes(folder));
}

/** No model is asked, and a proxy that does not exist keeps Codex from the internet. */
export function quietly(
  home: string,
  project: string,
): Pick<ProcessOptions, 'cwd' | 'env'> & { launch: Executable } {
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' };
  return { launch: LAUNCH.codex, cwd: project, env: { ...env, HTTPS_PROXY: 'http://127.0.0.1:9' } };
}
