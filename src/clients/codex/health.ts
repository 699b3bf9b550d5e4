// https://developers.openai.com/codex/config-reference
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, type JsonObject, type JsonValue, memberAt } from '../../edit/edit.ts';
import { foldersUpTo, hasGitHead, mainOf, repositoryOf } from '../../system/git/folders.ts';
import { knownEvents, UNDER_HOOKS } from '../contract.ts';
import type { Fault, Health, Trusted, TrustLook } from '../health/health.ts';
import * as is from '../health/shapes.ts';
import { managedHere } from '../shipping.ts';
import { codex as client } from './client.ts';
import { managed } from './shipping.ts';

const timeout = { timeout: is.integer(0) };
const GROUP = is.groupOf(
  is.variants({
    command: is.fields({ ...timeout, command: is.text, async: is.flag }, 'command'),
    mcp_tool: is.fields({ ...timeout, server: is.text, tool: is.text }, 'server', 'tool'),
    prompt: is.fields(timeout),
    agent: is.fields(timeout),
  }),
);
/** There are many more settings, and every version adds some. For those we query Codex itself. */
const SETTINGS = is.fields({
  model: is.text,
  model_provider: is.text,
  notify: is.list(is.text),
  sandbox_mode: is.word('read-only', 'workspace-write', 'danger-full-access'),
});
/** If a file only has these settings, we need not query Codex. */
const PLAIN = {
  model: is.text,
  hooks: is.table(() => []),
  projects: is.table(is.fields({ trust_level: is.word('trusted', 'untrusted') })),
};
/** A server command as `codex mcp add` writes it. */
const PLAIN_SERVER = { command: is.text, args: is.list(is.text), env: is.table(is.text) };

/** Whether all keys of an object are known and have valid values. */
const isOnly = (value: JsonValue, shapes: Readonly<Record<string, is.Shape>>): boolean =>
  isObject(value) &&
  Object.keys(value).every((key) => Object.hasOwn(shapes, key)) &&
  is.fields(shapes)(value).length === 0;

const isPlainServer = ([name, server]: [string, JsonValue]): boolean =>
  /^[\w-]+$/.test(name) &&
  isOnly(server, PLAIN_SERVER) &&
  isObject(server) &&
  server.command !== undefined;

/** Whether the `faults` below cover every possible mistake in a configuration. */
export const isPlain = ({ mcp_servers = {}, ...rest }: JsonObject): boolean =>
  isOnly(rest, PLAIN) && isObject(mcp_servers) && Object.entries(mcp_servers).every(isPlainServer);

const EVENTS = knownEvents(client);

export const codex: Health = {
  layers: [
    {
      whose: 'defaults',
      path: (machine) => join(dirname(managedHere(managed, machine)), 'config.toml'),
    },
    { whose: 'user' },
    { whose: 'project' },
    { whose: 'managed', path: (machine) => managedHere(managed, machine) },
  ],
  switches: [
    { key: ['features', 'hooks'], off: false },
    { key: ['features', 'codex_hooks'], off: false },
    { key: ['allow_managed_hooks_only'], off: true, only: 'managed' },
  ],
  projects: ({ cwd, setting }) =>
    codexFolders(cwd, setting).filter((folder) => trustIn(folder, cwd, setting) === 'trusted'),
  faults: (document, file): Fault[] => [
    ...(basename(file) === 'hooks.json'
      ? Object.keys(document)
          .filter((key) => key !== 'hooks' && key !== 'description')
          .map((key) => ({ path: [key], what: 'is a key that Codex CLI does not know there' }))
      : SETTINGS(document)),
    ...EVENTS.flatMap((event) => is.faultsUnder(document, event, GROUP, UNDER_HOOKS)),
  ],
  faulty: (file) =>
    basename(file) === 'hooks.json'
      ? 'Codex CLI ignores the whole file'
      : 'it stops Codex CLI from starting',
  stops: (file) => basename(file) !== 'hooks.json',
  plugins: ({ folder, list }) => {
    const below = (path: string) => list(path).map((name) => join(path, name));
    // These folders are nested: marketplace, plugin, version.
    const versions = below(join(folder, 'plugins/cache')).flatMap(below).flatMap(below);
    return versions.map((path) => join(path, 'hooks/hooks.json'));
  },
};

type Setting = TrustLook['setting'];

/**
 * Whether Codex reads a folder's `.codex` when it is started there or below. A setting for the folder itself takes precedence,
 * then the project's, then the repository's. Parent folders do not count. Measured with 0.169.0
 * (test/real-clients/approval.test.ts).
 */
export function trustIn(folder: string, cwd: string, setting: Setting): Trusted {
  const projects = setting('projects');
  const repository = repositoryOf(cwd, hasGitHead);
  const level = [folder, projectOf(cwd, setting), repository && mainOf(repository)]
    .map((at) => (at === undefined ? undefined : memberAt(projects, [at])))
    .map((known) => (isObject(known) ? known.trust_level : undefined))
    .find((said) => said !== undefined);
  return level === 'trusted' ? 'trusted' : level === undefined ? 'undecided' : 'refused';
}

/** The folders in which Codex looks for a `.codex`, nearest first. */
export const codexFolders = (cwd: string, setting: Setting): string[] =>
  foldersUpTo(cwd, projectOf(cwd, setting));

/** The root of the project: the nearest folder with one of the user's markers. */
function projectOf(cwd: string, setting: Setting): string | undefined {
  const said = setting('project_root_markers');
  const markers = Array.isArray(said) ? said.map(String) : ['.git'];
  return repositoryOf(cwd, (folder) =>
    markers.some((name) => (name === '.git' ? hasGitHead(folder) : existsSync(join(folder, name)))),
  );
}
