/** A refusal of the machine is not our bug, so it is reported like anything else that goes wrong. */

import { reasonOf, UserError } from './errors.ts';
import type { SystemMessage } from './messages.ts';

/** A system error as one that a person can act on; any other stays as it is. */
export function asUserError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError || !('syscall' in error))
    return error;
  const path = 'path' in error ? String(error.path) : 'A file';
  return new UserError<SystemMessage>({ code: 'cannot-use', path, why: reasonOf(error) });
}
