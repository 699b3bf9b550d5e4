/** Fragments for files with other contents: a bundle's manifest, a registry's server.json, a package.json. */

import { manifestOf } from '../../compile/bundles/shipment.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import type { JsonObject } from '../../edit/edit.ts';
import { UserError } from '../../system/errors.ts';
import type { SourceMessage } from '../messages.ts';
import { ID } from './kind.ts';
import { PUBLISHED_BYTES, PUBLISHER } from './registry.ts';

/** The kinds of files, as named in `--target`. */
export const FRAGMENTS = ['mcpb', 'registry', 'npm'] as const;
export type Fragment = (typeof FRAGMENTS)[number];

/** The file that such a fragment is merged into. */
export const MERGED_INTO: Readonly<Record<Fragment, string>> = {
  mcpb: 'manifest.json',
  registry: 'server.json',
  npm: 'package.json',
};

/**
 * A fragment has no server and no programs: its file already specifies how the server is started, and must not name programs.
 * @throws UserError if the fragment is too large.
 */
export function fragment(kind: Fragment, hooks: readonly HookDeclaration[]): JsonObject {
  const manifest = manifestOf(hooks.filter(({ command }) => command === undefined));
  if (kind === 'npm') return { mcpHooks: manifest };
  const own = { [ID]: manifest };
  if (kind === 'mcpb') return { _meta: own };
  const bytes = Buffer.byteLength(JSON.stringify(own));
  if (bytes > PUBLISHED_BYTES)
    throw new UserError<SourceMessage>({
      code: 'registry-too-large',
      bytes,
      limitBytes: PUBLISHED_BYTES,
    });
  return { _meta: { [PUBLISHER]: own } };
}
