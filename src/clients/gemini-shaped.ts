/** The common parts of Gemini CLI and its forks except hooks, whose shape may differ in a fork. */

import { dirname, join } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '../edit/edit.ts';
import type { Client } from './contract.ts';
import { isUnder } from './health/folder-trust.ts';
import type { FolderLook, FolderTrust, Health, TrustLook } from './health/health.ts';
import {
  jsonFile,
  ofClient,
  optionEach,
  type SearchPlace,
  type ServerClient,
  type ServerFile,
  type ServerLook,
  userFolderOf,
} from './servers/servers.ts';
import {
  type BundleContents,
  type Managed,
  managedHere,
  mcpServers,
  withHandlers,
} from './shipping.ts';

/**
 * The places of its servers, and their form.
 *
 * @param program Does not take anything after "--" for one of its own options: measured with Gemini CLI 0.61.0 and Qwen Code
 *   0.24.4.
 */
export const serversOf = (client: Client, program: string): Omit<ServerClient, 'switchedOff'> => ({
  ...ofClient(client),
  files: (at) => filesOf(client, at),
  fields: { url: ['httpUrl', 'url'], headers: 'headers', cwd: 'cwd' },
  written: {
    scopes: ['user', 'project'],
    reference: ['${', '}'],
    entry: (server) => {
      if (!('url' in server)) return { ...server };
      const { url: httpUrl, ...rest } = server;
      return { httpUrl, ...rest };
    },
  },
  add: (server) => [
    ...[program, 'mcp', 'add', '--scope', 'user'],
    ...('url' in server
      ? [
          ...['--transport', 'http', server.name, server.url],
          ...optionEach('--header', server.headers, ': '),
        ]
      : [
          ...optionEach('--env', server.variables, '='),
          ...[server.name, server.command],
          ...(server.args.length > 0 ? ['--', ...server.args] : []),
        ]),
  ],
});

const filesOf = (client: Client, at: SearchPlace): ServerFile[] => [
  jsonFile('project', join(at.cwd, client.projectFolder, 'settings.json')),
  jsonFile('user', join(userFolderOf(client, at), 'settings.json')),
];

/** Why a list in the settings excludes a server; undefined: none does. @param has Whether a list contains it. */
export function unlisted(
  client: Client,
  look: ServerLook,
  has: (list: JsonValue | undefined) => boolean,
): string | undefined {
  const settings = filesOf(client, look).flatMap(({ path }) => {
    const { mcp } = look.document(path, 'json');
    return isObject(mcp) ? [mcp] : [];
  });
  if (settings.some(({ excluded }) => has(excluded))) return 'it is in "mcp.excluded"';
  return settings.some(({ allowed }) => Array.isArray(allowed) && !has(allowed))
    ? 'it is not in "mcp.allowed"'
    : undefined;
}

/** The servers of an extension. */
export const serversIn = (contents: BundleContents): JsonObject | undefined => {
  const { label, server } = contents;
  return server && 'url' in server
    ? { [label]: { httpUrl: server.url, headers: { ...server.headers } } }
    : mcpServers(contents);
};

/** The variable with an extension's folder. */
export const EXTENSION = 'MCP_HOOKS_EXTENSION';

/**
 * There is no variable for the folder, but it is filled into every string of the file. We keep it out of the command, where it
 * would be shell text.
 */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is theirs
const FOLDER = '${extensionPath}';

/** The hooks of an extension. */
export const hooksIn = ({ hooks }: BundleContents): JsonObject =>
  withHandlers(hooks, (handler) => ({ ...handler, env: { [EXTENSION]: FOLDER } }));

/** @param prefix The prefix of the variables that name other files for the whole machine. */
export const layersOf = (prefix: string, managed: Managed): Health['layers'] => [
  {
    whose: 'defaults',
    path: (machine) =>
      machine.env[`${prefix}_SYSTEM_DEFAULTS_PATH`] ||
      join(dirname(managedHere(managed, machine)), 'system-defaults.json'),
  },
  { whose: 'user' },
  { whose: 'project' },
  {
    whose: 'managed',
    path: (machine) =>
      machine.env[`${prefix}_SYSTEM_SETTINGS_PATH`] || managedHere(managed, machine),
  },
];

/** The files of extensions that may contain hooks. @param record The file with the path of a linked extension. */
export const extensionFiles =
  (record: string, file: string) =>
  ({ folder, list, json }: TrustLook): string[] => {
    const extensions = join(folder, 'extensions');
    return list(extensions).map((name) => {
      const own = join(extensions, name);
      const { type, source } = json(join(own, record));
      const linked = type === 'link' && typeof source === 'string' ? source : undefined;
      return join(linked ?? own, file);
    });
  };

/** Trust levels in a rule of `trustedFolders.json`. */
const LEVELS = ['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST'];

/** The longest rule for the folder or one of its parents wins. Links in rules are resolved. */
export function byRules(where: string, { cwd, json }: FolderLook): FolderTrust {
  const [, level] = Object.entries(json(where))
    .filter(
      ([rule, level]) =>
        LEVELS.some((known) => known === level) &&
        isUnder(cwd, level === 'TRUST_PARENT' ? dirname(rule) : rule),
    )
    .sort(([a], [b]) => b.length - a.length)[0] ?? ['', undefined];
  if (level === 'DO_NOT_TRUST') return { where, state: 'refused' };
  return { where, state: level === undefined ? 'undecided' : 'trusted' };
}
