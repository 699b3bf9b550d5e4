/**
 * Reads files from archives: the manifest.json of a packed bundle, and the manifests of a package. Nothing is unpacked to disk.
 */

import { posix } from 'node:path';
import { promisify } from 'node:util';
import { MANIFEST_BYTES } from '../../declaration/limits.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { UserError } from '../../system/errors.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { decode, loadBytes } from './load.ts';

/** Maximum bytes of a bundle, and of a package after decompression. */
const ARCHIVE_LIMIT = 256 * 1024 * 1024;

/** Maximum number of entries. A bundle can claim billions, and negative sizes in a package can make the reader loop. */
const ENTRIES = 100_000;
const PACKAGE_ENTRIES = 200_000;

/** Bytes to inflate at a time. Node's default of 16 KiB is slow for large packages. */
const CHUNK = 1024 * 1024;

const MANIFEST = 'manifest.json';

export const isArchive = (path: string): boolean => /\.(?:mcpb|dxt)$/i.test(path);

/** A package as created by `npm pack`, not a bundle. */
export const isPackage = (path: string): boolean => /\.(?:tgz|tar\.gz)$/i.test(path);

interface Unpacked {
  readonly text: string;
  readonly shown: string;
  readonly has: (path: string) => boolean;
}

/** Reads a bundle and inflates only its manifest. `shown`: the path as the user typed it. */
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
    // The archive merely claims both sizes, but both act as limits: one when reading, one for memory.
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

/** @throws UserError for a file in an archive that exceeds the size limit of manifests. */
function checkSize(bytes: number, path: string): void {
  const tooLarge = { code: 'manifest-too-large', path, bytes, limitBytes: MANIFEST_BYTES } as const;
  if (bytes > MANIFEST_BYTES) throw new UserError<DeclarationMessage>(tooLarge);
}

/** Replaces the library's errors, which are about the archive. Our own errors are already meant for the user. */
function orBroken<T>(work: () => T, broken: SourceMessage): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new SourceError(broken);
  }
}

export interface Files {
  readonly texts: ReadonlyMap<string, string>;
  readonly has: (name: string) => boolean;
}

/** Reads some files of the top-level folder of a package. `shown`: the package, for errors. */
export async function readTarball(
  bytes: Buffer,
  names: readonly string[],
  shown: string,
): Promise<Files> {
  const { parseTar } = await import('nanotar');
  const archive = await unzipped(bytes, shown);
  const broken = { code: 'npm-broken', spec: shown } as const;
  const all = new Set<string>();
  let entries = 0;
  const seen = new Set<string>();
  const wanted = (claimed: { name: string; type?: string; size: number }): boolean => {
    const { name: path, type, size } = claimed;
    entries += 1;
    const sound = size >= 0; // the archive is untrusted, so it may not be a number
    if (entries > PACKAGE_ENTRIES || !sound) throw new SourceError(broken);
    const name = withoutRoot(path);
    all.add(name);
    if (!names.includes(name)) return false;
    if (seen.has(name)) throw new SourceError({ code: 'npm-twice', spec: shown, file: name });
    if (type !== 'file') throw new SourceError({ code: 'npm-link', spec: shown, file: name });
    checkSize(size, `${shown}/${name}`);
    seen.add(name);
    return true;
  };
  const texts = new Map<string, string>();
  const found = orBroken(() => parseTar(archive, { filter: wanted }), broken);
  for (const { name: path, data } of found) {
    const name = withoutRoot(path);
    texts.set(name, decode(data ?? new Uint8Array(), `${shown}/${name}`));
  }
  return { texts, has: (name) => all.has(name.replace(/^(?:\.[\\/])+/, '')) };
}

/** npm removes the first folder, whatever its name is. */
const withoutRoot = (path: string): string => path.replace(/^(?:\.\/)?[^/]*\//, '');

async function unzipped(bytes: Buffer, shown: string): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib'); // also loads all of node:stream
  try {
    const archive = await promisify(gunzip)(bytes, {
      maxOutputLength: ARCHIVE_LIMIT,
      chunkSize: CHUNK,
    });
    return Uint8Array.from(archive); // the reader takes the whole underlying buffer
  } catch (error) {
    if (!(error instanceof RangeError)) throw new SourceError({ code: 'npm-broken', spec: shown });
    throw new SourceError({ code: 'npm-too-large', spec: shown, limitBytes: ARCHIVE_LIMIT });
  }
}
