/** The user's `policy.json`, read from the disk. */

import { type Policy, policyIn, policyPath } from '../declaration/policy.ts';
import { expectTarget } from '../system/files.ts';

/**
 * Returns the defaults if there is no file. A dangling link is not treated as a missing file: whoever created it wanted rules
 * to apply.
 *
 * @throws PolicyRefused with all problems; Unreadable when the file cannot be read.
 */
export function readPolicy(state: string, read: (path: string) => Buffer | null): Policy {
  const path = policyPath(state);
  expectTarget(path);
  const bytes = read(path);
  return bytes === null ? {} : policyIn(bytes.toString(), path);
}
