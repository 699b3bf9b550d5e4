/** The disk as it will be after plans are carried out, so that the next label can be planned before anything is written. */

import { basename, dirname, join } from 'node:path';
import type { Disk } from '../system/disk.ts';
import { isInside } from '../system/files.ts';
import { changesOf, type Plan } from './plan.ts';

export function diskAfter(disk: Disk, plans: readonly Plan[]): Disk {
  const changed = new Map<string, Buffer | null>();
  for (const plan of plans) {
    const { aside } = plan.ledger;
    for (const { path, after } of [...(aside ? [aside] : []), ...changesOf(plan)])
      changed.set(path, after);
  }
  const there = [...changed].flatMap(([path, after]) => (after === null ? [] : [path]));
  return {
    ...disk,
    read: (path) => changed.get(path) ?? (changed.has(path) ? null : disk.read(path)),
    missingFolders: (path) =>
      disk.missingFolders(path).filter((folder) => !there.some((one) => isInside(one, folder))),
    list: (folder) => [
      ...new Set([
        ...disk.list(folder).filter((name) => changed.get(join(folder, name)) !== null),
        ...there.filter((path) => dirname(path) === folder).map((path) => basename(path)),
      ]),
    ],
  };
}
