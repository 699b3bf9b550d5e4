/**
 * The manifest.json of an MCP bundle. Its keys are fixed, except for `_meta`, where other projects may add objects under
 * reverse-DNS keys.
 *
 * Source: https://github.com/anthropics/mcpb/blob/main/MANIFEST.md, and the schemas of @anthropic-ai/mcpb 2.1.2.
 */

import { isAbsolute } from 'node:path';
import type { ServerLaunch } from '../../declaration/declared.ts';
import type { ServerStart } from '../../declaration/manifest.ts';
import { checkServer, isRecord } from '../../declaration/schema.ts';
import { anchorAt } from '../launch.ts';
import type { SourceMessage } from '../messages.ts';
import { type Contents, type FileLocation, ID, type Kind, type ManifestPlace } from './kind.ts';

export const bundle: Kind = {
  is: ({ manifest_version: version, dxt_version: former, server }) =>
    (typeof version === 'string' || typeof former === 'string') && isRecord(server),
  find,
  name: ({ name }) => (typeof name === 'string' ? name : undefined),
  serverStart,
};

function find({ _meta: meta }: Contents): ManifestPlace | SourceMessage {
  if (!isRecord(meta)) return { code: 'bundle-without', id: ID };
  if (ID in meta) return { at: ['_meta', ID] };
  const others = Object.keys(meta).filter((key) => {
    const owned = meta[key];
    return isRecord(owned) && isRecord(owned.hooks) && 'declarations' in owned.hooks;
  });
  const [key] = others;
  if (key === undefined) return { code: 'bundle-without', id: ID };
  if (others.length > 1) return { code: 'bundle-several', id: ID, keys: others };
  const at = ['_meta', key];
  const message = { code: 'bundle-foreign', key, id: ID } as const;
  return { at, foreign: true, problems: [{ level: 'warning', message, path: at }] };
}

/** `mcp_config`, with its overrides for this system. */
function serverStart({ server }: Contents, where: FileLocation): ServerStart<SourceMessage> {
  const config = isRecord(server) ? server.mcp_config : undefined;
  if (config === undefined) return { reason: { code: 'host-starts' } };
  if (!isRecord(config)) return { reason: { code: 'server-malformed' } };
  const overrides = isRecord(config.platform_overrides) ? config.platform_overrides : {};
  const here = overrides[process.platform];
  const own = isRecord(here) ? here : {};
  const { value } = checkServer(
    {
      command: own.command ?? config.command,
      args: own.args ?? config.args ?? [],
      env: own.env ?? config.env ?? {},
    },
    [],
  );
  if (!value || 'url' in value) return { reason: { code: 'server-malformed' } };

  const words = [value.command, ...(value.args ?? [])];
  const values = Object.values(value.env ?? {});
  if ('packed' in where) {
    const inside = words.some((word) => word.includes(FOLDER) || where.packed(word));
    if (inside || values.length > 0) return { reason: { code: 'bundle-packed' } };
  }
  // Words are expanded here. Values are read as written, when the tool is called.
  const filled = 'folder' in where ? words.map((word) => fill(word, where.folder)) : words;
  const left = [...filled, ...values].map((text) => /\$\{[^}]*\}?/.exec(text)?.[0]).find(Boolean);
  if (left !== undefined) return { reason: { code: 'host-variable', text: left } };

  const [command = '', ...args] = filled;
  const at = ['server', 'mcp_config'];
  const valuesAt = own.env === undefined ? at : [...at, 'platform_overrides', process.platform];
  const launch: ServerLaunch =
    values.length > 0 ? { command, args, env: value.env ?? {}, valuesAt } : { command, args };
  return 'folder' in where ? inFolder(launch, where.folder) : { server: launch };
}

/** The variable for the folder of the bundle. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of bundles, which appears in texts
const FOLDER = '${__dirname}';

/** Expands the variables that do not depend on the user. */
const fill = (word: string, folder: string): string =>
  word.replaceAll(FOLDER, folder).replace(/\$\{(?:pathSeparator|\/)\}/g, '/');

/** A word that names a file of the bundle must work from any folder, and must not match a file of the same name there. */
function inFolder(launch: ServerLaunch, folder: string): ServerStart<SourceMessage> {
  const server = anchorAt(folder, launch);
  const lost = 'command' in server && /[\\/]/.test(server.command) && !isAbsolute(server.command);
  return lost ? { reason: { code: 'not-in-folder', command: server.command } } : { server };
}
