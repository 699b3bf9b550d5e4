/** Files of a package, read from its archive: nothing is unpacked to the disk. */

import { promisify } from 'node:util';
import { decode } from '../../declaration/manifest.ts';
import { checkSize, orBroken } from '../manifests/archive.ts';
import { SourceError } from '../messages.ts';

/** Bytes of a package when it is not compressed any more. */
const UNPACKED = 256 * 1024 * 1024;

/** Entries that are looked at; sizes below zero can lead the reader in circles. */
const ENTRIES = 200_000;

export interface Files {
  /** Of those that were asked for and are there, by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether the package has a file of that name. */
  readonly has: (name: string) => boolean;
}

/** What the archive claims of a file. */
interface Entry {
  readonly name: string;
  readonly type?: string | undefined;
  readonly size: number;
}

/**
 * Reads some files of the topmost folder.
 *
 * @param shown The package, for errors.
 * @throws UserError for what is no package, or says of a file two different things.
 */
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
  const wanted = ({ name: path, type, size }: Entry): boolean => {
    entries += 1;
    const sound = size >= 0; // it is what somebody wrote there, and may be no number
    if (entries > ENTRIES || !sound) throw new SourceError(broken);
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

/** npm takes away the first folder, whatever it is called. */
const withoutRoot = (path: string): string => path.replace(/^(?:\.\/)?[^/]*\//, '');

async function unzipped(bytes: Buffer, shown: string): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib'); // and with it all of streams
  try {
    const archive = await promisify(gunzip)(bytes, { maxOutputLength: UNPACKED });
    return Uint8Array.from(archive); // the reader takes all of the buffer that is below
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    throw new SourceError(
      tooLarge
        ? { code: 'npm-too-large', spec: shown, limitBytes: UNPACKED }
        : { code: 'npm-broken', spec: shown },
    );
  }
}
