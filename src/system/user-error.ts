/** What the machine refuses is no bug of ours: it is said like anything else that went wrong. */

import { reasonOf, UserError } from './errors.ts';
import type { SystemMessage } from './messages.ts';

/** An error of the system as one that a person can act on; any other as it is. */
export function asUserError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError || !('syscall' in error))
    return error;
  const path = 'path' in error ? String(error.path) : 'A file';
  return new UserError<SystemMessage>({ code: 'cannot-use', path, why: reasonOf(error) });
}
