/** What git would do with a file when somebody commits everything. */

import { dirname } from 'node:path';
import { repositoryOf } from './folders.ts';
import { isIgnored, type User } from './ignored.ts';
import { isTracked } from './tracked.ts';

export type GitState = 'tracked' | 'ignored' | 'untracked';

/** Undefined: the file is in no repository, or nobody can tell. It need not be there yet. */
export function gitState(file: string, user: User): GitState | undefined {
  const top = repositoryOf(dirname(file));
  if (top === undefined) return undefined;
  const tracked = isTracked(file, top);
  if (tracked === undefined) return undefined;
  if (tracked) return 'tracked';
  return isIgnored(file, top, user) ? 'ignored' : 'untracked';
}
