/** A folder with all its files, in memory, for comparison or restoring. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly mode: number;
  /** Null for a folder. */
  readonly bytes: Buffer | null;
}

/** By path below the folder; the folder itself is `.`. A folder comes before its files. */
export type Tree = ReadonlyMap<string, Entry>;

export function capture(top: string): Tree {
  const tree = new Map<string, Entry>();
  const visit = (path: string) => {
    const whole = join(top, path);
    const info = lstatSync(whole);
    const mode = info.mode & 0o7777;
    if (!info.isDirectory() && !info.isFile()) throw new Error(`${whole} is no file and no folder`);
    tree.set(path, { mode, bytes: info.isFile() ? readFileSync(whole) : null });
    if (info.isDirectory()) for (const name of readdirSync(whole).sort()) visit(join(path, name));
  };
  visit('.');
  return tree;
}

/** Restores a folder. */
export function restore(top: string, tree: Tree): void {
  for (const name of readdirSync(top)) rmSync(join(top, name), { recursive: true, force: true });
  for (const [path, { mode, bytes }] of tree) {
    const whole = join(top, path);
    if (bytes) writeFileSync(whole, bytes);
    else mkdirSync(whole, { recursive: true });
    chmodSync(whole, mode);
  }
}

/** The differences in words; empty if there are none. */
export function differences(now: Tree, wanted: Tree): string[] {
  return [...new Set([...now.keys(), ...wanted.keys()])].flatMap((path) => {
    const [is, was] = [now.get(path), wanted.get(path)];
    if (!is) return [`${path} is missing`];
    if (!was) return [`${path} is left over`];
    if (is.mode !== was.mode) return [`${path} has mode ${is.mode.toString(8)}`];
    return sameBytes(is, was) ? [] : [`${path} holds something else`];
  });
}

/** Whether both are missing, both are folders, or both hold the same bytes. */
export const sameBytes = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a?.bytes && b?.bytes
    ? a.bytes.equals(b.bytes)
    : (a === undefined) === (b === undefined) && a?.bytes === b?.bytes;

/** The same text for the same tree. */
export const keyOf = (tree: Tree): string =>
  [...tree]
    .map(([path, { mode, bytes }]) => `${path} ${mode} ${bytes?.toString('base64') ?? '/'}`)
    .join('\n');

/** The time of the last write and the inode by path: equal only if no file was touched. */
export function stamps(top: string): Record<string, string> {
  return Object.fromEntries(
    [...capture(top).keys()].map((path) => {
      const { ino, mtimeNs, ctimeNs } = lstatSync(join(top, path), { bigint: true });
      return [path, `${ino} ${mtimeNs} ${ctimeNs}`];
    }),
  );
}
