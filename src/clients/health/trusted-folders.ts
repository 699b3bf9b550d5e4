/** `trustedFolders.json`: rules about folders, each with a level. */

import { dirname } from 'node:path';
import { isUnder } from './folder-trust.ts';
import type { FolderLook, FolderTrust } from './health.ts';

const LEVELS = ['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST'];

/** The longest rule that is about the folder or one above it decides; links in it are followed. */
export function byRules(where: string, { cwd, json }: FolderLook): FolderTrust {
  const [, level] = Object.entries(json(where))
    .filter(
      ([rule, level]) =>
        LEVELS.some((known) => known === level) &&
        isUnder(cwd, level === 'TRUST_PARENT' ? dirname(rule) : rule),
    )
    .sort(([a], [b]) => b.length - a.length)[0] ?? ['', undefined];
  if (level === 'DO_NOT_TRUST') return { where, state: 'refused' };
  return { where, state: level === undefined ? 'undecided' : 'trusted' };
}
