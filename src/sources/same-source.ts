/** Whether two declarations come from the same source. The label does not prove it, because any manifest may use any label. */

import { existsSync } from 'node:fs';
import type { Source } from '../declaration/declared.ts';
import { realPath } from '../system/files.ts';
import { canonical, sha256 } from '../system/fingerprint.ts';

interface From {
  /** The source in words. */
  readonly source: string;
  /** Absent if it would contain a secret. In that case, `sourceMark` contains its `sourceDigest`. */
  readonly origin?: Source;
  readonly sourceMark?: string;
}

/** Whether a declaration has the same source as the install. An unknown source counts as a different one. */
export const isSameSource = ({ origin, sourceMark }: From, source: Source): boolean =>
  origin ? identityOf(origin) === identityOf(source) : sourceMark === sourceDigest(source);

/**
 * Whether the source is a manifest. If only its words are known, they are the path of a manifest, or a command joined by
 * spaces.
 */
export const isManifest = ({ source, origin }: From): boolean =>
  origin
    ? origin.kind === 'manifest'
    : /^\/.*\.jsonc?$/.test(source) && (existsSync(source) || !/ [/-]/.test(source));

/** Identifies a source. Hashed, because a command may contain a secret. */
export const sourceDigest = (source: Source): string => sha256(identityOf(source));

export const installedSourceDigest = ({ origin, sourceMark }: From): string | undefined =>
  origin ? sourceDigest(origin) : sourceMark;

/** The parts that identify a source. The version of a package and the headers of an address may differ. */
const identityOf = (source: Source): string => canonical(identifying(source));

function identifying(source: Source): object {
  const { kind } = source;
  if (source.kind === 'manifest') return { kind, path: realPath(source.path) };
  if (source.kind === 'command') return { kind, command: source.command, args: source.args };
  if (source.kind === 'url') return { kind, url: source.url };
  if (source.kind === 'npm') return { kind, name: source.spec.replace(/(?<=.)@.*$/s, '') };
  if (source.kind === 'catalogue') return { kind, name: source.name, of: identifying(source.of) };
  const { client, name, file, path } = source;
  return { kind, client, name, file: realPath(file), path };
}
