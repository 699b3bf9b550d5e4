/**
 * The server.json of an MCP registry. Of its `_meta` a registry keeps one key.
 *
 * Source: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, and
 * https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json.
 */

import type { Problem } from '../../declaration/problem.ts';
import { isRecord } from '../../declaration/schema.ts';
import type { SourceMessage } from '../messages.ts';
import { type Contents, ID, type Kind, type ManifestPlace } from './kind.ts';
import { toldByServerJson } from './registry-launch.ts';

const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';

/** Bytes of JSON below that key; the official registry refuses more. */
const MOST = 4096;

export const registry: Kind = {
  is: ({ $schema: schema, name, packages, remotes }) =>
    (typeof schema === 'string' && /\/server\.schema\.json$/.test(schema)) ||
    (typeof name === 'string' &&
      name.includes('/') &&
      (Array.isArray(packages) || Array.isArray(remotes))),
  find,
  name: ({ name }) =>
    typeof name === 'string' ? { name: name.replace(/^.*\//, ''), path: ['name'] } : undefined,
  told: toldByServerJson,
};

function find({ _meta: meta }: Contents): ManifestPlace | SourceMessage {
  const published = isRecord(meta) ? meta[PUBLISHER] : undefined;
  const key = isRecord(published) && [ID, 'mcpHooks'].find((one) => one in published);
  if (!key) return { code: 'registry-without', key: PUBLISHER, id: ID };
  const size = Buffer.byteLength(JSON.stringify(published));
  const message: SourceMessage = { code: 'registry-large', bytes: size, limitBytes: MOST };
  const large: Problem = { level: 'warning', message, path: ['_meta', PUBLISHER] };
  const problems = size > MOST ? [large] : [];
  return { at: ['_meta', PUBLISHER, key], problems };
}
