/** Facts about a published package, from the file that contains the manifest. */

import { basename } from 'node:path';
import type { PackageFacts } from '../../compile/bundles/shipment.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import { readManifestText } from '../../declaration/manifest.ts';
import { isRecord } from '../../declaration/schema.ts';
import { attempt } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { isExact, isPackageName } from '../npm/fetch.ts';
import type { Contents } from './kind.ts';
import { loadManifest } from './load.ts';
import { commandOfPackage, packageJson } from './package-json.ts';

export function packageFacts({ source }: ServerHooks): PackageFacts {
  if (source.kind !== 'manifest') return {};
  const { path } = source;
  // An archive is not JSON and provides no facts.
  const contents = attempt(() => readManifestText(loadManifest(path, path)).value);
  if (!isRecord(contents)) return {};
  const version = nonEmpty(contents.version);
  const description = nonEmpty(contents.description);
  const { author } = contents;
  const named = nonEmpty(isRecord(author) ? author.name : author)?.replace(
    /(?<!\s)\s*[<(][\s\S]*$/,
    '',
  );
  const npm = packageJson.is(contents, basename(path)) ? npmOf(contents) : undefined;
  return {
    ...(version !== undefined && isExact(version) && { version }),
    ...(description !== undefined && { description }),
    ...(named && { author: named }),
    ...(npm && { npm }),
  };
}

const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? inLine(value, 300) : undefined;

/** Undefined if the package cannot be fetched, or if the manifest itself specifies how the server is started. */
function npmOf(contents: Contents): PackageFacts['npm'] {
  const { name, version, private: isPrivate, mcpHooks } = contents;
  if (isPrivate === true || (isRecord(mcpHooks) && 'server' in mcpHooks)) return undefined;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  if (!isPackageName(name) || !isExact(version)) return undefined;
  const command = commandOfPackage(contents);
  return 'why' in command ? command : { name, version };
}
