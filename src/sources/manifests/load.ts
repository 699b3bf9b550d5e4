/** Reads a file that the user named. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MANIFEST_BYTES } from '../../declaration/limits.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { attempt, reasonOf, UserError } from '../../system/errors.ts';
import type { SystemMessage } from '../../system/messages.ts';
import { nearest } from '../../system/nearest.ts';

/** The text of a manifest. @throws UserError when there is none, or it is too large. */
export const loadManifest = (file: string, path: string): string =>
  decode(loadBytes(file, path, MANIFEST_BYTES, 'manifest-too-large'), path);

/** The bytes of a file that the user named. A file of more than `limitBytes` is not read; `tooLarge` is the error code. */
export function loadBytes(
  file: string,
  path: string,
  limitBytes: number,
  tooLarge: 'manifest-too-large' | 'bundle-too-large',
): Buffer {
  try {
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory())
      throw new UserError<SystemMessage>({ code: 'not-a-file', path });
    const { size } = found;
    if (size > limitBytes)
      throw new UserError<DeclarationMessage>({ code: tooLarge, path, bytes: size, limitBytes });
    return readFileSync(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError<SystemMessage | DeclarationMessage>(
      { code: 'cannot-read', path, why: reasonOf(error) },
      meantFile(file, path),
    );
  }
}

/** For a missing file, the most similar name in its folder that may contain hooks. */
function meantFile(file: string, path: string): DeclarationMessage[] {
  if (existsSync(file)) return [];
  const beside = attempt(() => readdirSync(dirname(file))) ?? []; // the folder may be missing, too
  const names = beside.filter((name) => /\.(?:jsonc?|mcpb|dxt)$/i.test(name));
  const [name] = nearest(basename(file), names);
  return name === undefined ? [] : [{ code: 'did-you-mean', name: join(dirname(path), name) }];
}

export function decode(bytes: Uint8Array, path: string): string {
  const text = Buffer.from(bytes).toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    throw new UserError<DeclarationMessage>({ code: 'not-utf8', path });
  return text;
}
