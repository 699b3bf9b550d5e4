/** The user's `policy.json`, read from the disk. */

import { type Policy, policyIn, policyPath } from '../declaration/policy.ts';
import { expectTarget } from '../system/files.ts';

/**
 * The defaults when there is no file. A link to nothing is no missing file: who made it meant rules to hold.
 *
 * @throws PolicyRefused with all that is wrong; Unreadable when it cannot be read.
 */
export function readPolicy(state: string, read: (path: string) => Buffer | null): Policy {
  const path = policyPath(state);
  expectTarget(path);
  const bytes = read(path);
  return bytes === null ? {} : policyIn(bytes.toString(), path);
}
