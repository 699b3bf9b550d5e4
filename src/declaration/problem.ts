/** A mistake in what somebody wrote, and where. */

import type { Message } from '../system/errors.ts';

/** Something about a declaration that a person should know. */
export interface Problem<M extends Message = Message> {
  readonly level: 'error' | 'warning';
  /** What is wrong and what is allowed. */
  readonly message: M;
  /** Where in the value: keys and indexes from the root of the document. */
  readonly path: readonly PropertyKey[];
  /** 1-based, when the value was read from a file. */
  readonly line?: number;
  readonly column?: number;
  /** It is about a hook that is right, and is not installed all the same. */
  readonly leftOut?: true;
  /** It is allowed and was hardly meant, such as a tool that no client has: `--strict` refuses it. */
  readonly doubtful?: true;
}

/** Something that is wrong, and not only doubtful. */
export const error = <M extends Message>(message: M, path: readonly PropertyKey[]): Problem<M> => ({
  level: 'error',
  message,
  path,
});
