/** The manifest.json of a packed bundle. Nothing else of the archive is inflated, and nothing is written anywhere. */

import { posix } from 'node:path';
import { MANIFEST_BYTES } from '../../declaration/limits.ts';
import { decode, loadBytes } from '../../declaration/manifest.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { UserError } from '../../system/errors.ts';
import { SourceError, type SourceMessage } from '../messages.ts';

/** Bytes of an archive that are read. */
const ARCHIVE_LIMIT = 256 * 1024 * 1024;

/** Entries that are looked at; an archive can claim billions. */
const ENTRIES = 100_000;

const MANIFEST = 'manifest.json';

export const isArchive = (path: string): boolean => /\.(?:mcpb|dxt)$/i.test(path);

/** A package as `npm pack` makes it, which is no bundle. */
export const isPackage = (path: string): boolean => /\.(?:tgz|tar\.gz)$/i.test(path);

export interface Unpacked {
  readonly text: string;
  /** The path of the manifest, for errors. */
  readonly shown: string;
  /** Whether the archive has a file of that path. */
  readonly has: (path: string) => boolean;
}

/**
 * Reads a bundle.
 *
 * @param shown The path as the user wrote it.
 */
export async function openArchive(file: string, shown: string): Promise<Unpacked> {
  const bytes = loadBytes(file, shown, ARCHIVE_LIMIT, 'bundle-too-large');
  const { unzipSync } = await import('fflate');
  const inside = `${shown}/${MANIFEST}`;
  const names = new Set<string>();
  let entries = 0;
  let found = 0;
  const wanted = (entry: { name: string; size: number; originalSize: number }): boolean => {
    entries += 1;
    names.add(posix.normalize(entry.name));
    if (entries > ENTRIES) throw new SourceError({ code: 'bundle-broken', path: shown });
    if (entry.name !== MANIFEST) return false;
    found += 1;
    if (found > 1) throw new SourceError({ code: 'bundle-two-manifests', path: shown });
    // Both sizes are claims, and both bound what is done: what is read, and what there is room for.
    checkSize(Math.max(entry.size, entry.originalSize), inside);
    return true;
  };
  const broken = { code: 'bundle-broken', path: shown } as const;
  const manifest = orBroken(() => unzipSync(bytes, { filter: wanted })[MANIFEST], broken);
  if (!manifest) throw new SourceError({ code: 'bundle-no-manifest', path: shown });
  return {
    text: decode(manifest, inside),
    shown: inside,
    has: (path) => names.has(posix.normalize(path)),
  };
}

/** @throws UserError for a file in an archive that is larger than manifests may be. */
export function checkSize(bytes: number, path: string): void {
  const limitBytes = MANIFEST_BYTES;
  if (bytes > limitBytes)
    throw new UserError<DeclarationMessage>({
      code: 'manifest-too-large',
      path,
      bytes,
      limitBytes,
    });
}

/** What the library throws is about the archive; what we throw is for the user already. */
export function orBroken<T>(work: () => T, broken: SourceMessage): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new SourceError(broken);
  }
}
