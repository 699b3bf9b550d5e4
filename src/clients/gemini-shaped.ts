/** What Gemini CLI and its forks have in common besides hooks, which a fork may shape otherwise. */

import { dirname, join } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '../edit/edit.ts';
import { isUnder } from './health/folder-trust.ts';
import type { FolderLook, FolderTrust, Health, TrustLook } from './health/health.ts';
import { type AddedServer, optionEach, type ServerClient } from './servers/servers.ts';
import {
  type BundleContents,
  type BundleServer,
  type Managed,
  managedHere,
  mcpServers,
} from './shipping.ts';

/** A server at an address, in settings or in an extension. */
const httpServer = ({ url: httpUrl, ...rest }: Extract<BundleServer, { url: string }>) => ({
  httpUrl,
  ...rest,
});

export const written: NonNullable<ServerClient['written']> = {
  scopes: ['user', 'project'],
  entry: (server) => ('url' in server ? httpServer(server) : { ...server }),
};

/** @param program Takes nothing after "--" for an option of its own. */
export const addedBy =
  (program: string) =>
  (server: AddedServer): string[] => [
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
  ];

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
 * No variable is set for the folder, but it is filled into every string of the file. We keep it out of the command, where it
 * would be shell text.
 */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is theirs
const FOLDER = '${extensionPath}';

/** The hooks of an extension. */
export const hooksIn = ({ hooks }: BundleContents): JsonObject => {
  const handled = (handler: JsonValue) =>
    isObject(handler) ? { ...handler, env: { [EXTENSION]: FOLDER } } : handler;
  const grouped = (group: JsonValue) =>
    isObject(group) && Array.isArray(group.hooks)
      ? { ...group, hooks: group.hooks.map(handled) }
      : group;
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      Array.isArray(groups) ? groups.map(grouped) : groups,
    ]),
  );
};

/** @param prefix Of the variables that name other files for the whole machine. */
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

/** The files of extensions that may hold hooks. @param record The file that says where a linked one is. */
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

/** Levels of trust in a rule of `trustedFolders.json`. */
const LEVELS = ['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST'];

/** The longest rule that is about the folder or one above it decides; links in it are followed. */
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
