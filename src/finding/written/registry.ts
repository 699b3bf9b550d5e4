/**
 * The server.json of an MCP registry. Of its `_meta` a registry keeps one key, of at most 4096 bytes.
 *
 * Source: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, and
 * https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json.
 */

import { isRecord } from '../../declaration/schema.ts';
import { messages } from '../../messages.ts';
import { type Contents, type Found, ID, type Kind } from './kind.ts';
import { toldByServerJson } from './registry-launch.ts';

const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';

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

function find({ _meta: meta }: Contents): Found | string {
  const published = isRecord(meta) ? meta[PUBLISHER] : undefined;
  const key = isRecord(published) && [ID, 'mcpHooks'].find((one) => one in published);
  return key ? { at: ['_meta', PUBLISHER, key] } : messages.registryWithout(PUBLISHER, ID);
}
