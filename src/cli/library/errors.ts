/** What the library throws: sentences, and none that names a flag. */

import * as errors from '../../system/errors.ts';
import { librarySentence } from '../messages/library.ts';

/**
 * An error that a person can act on: a manifest that is wrong, a file that must not be edited. Anything else that is thrown is a
 * mistake in the call (`TypeError`), or a bug of ours.
 */
export class UserError extends Error {
  /** `UserError`, or `Stale`. */
  override readonly name: string = 'UserError';
  /** One line each: every mistake with its file, line and column; what to do next. */
  readonly details: readonly string[];
  /** What `message` says, for programs: in kebab-case, `manifest-refused` for example. It does not change with the wording. */
  readonly code: string;

  /**
   * @param message What is wrong and in which file, one sentence or two.
   * @hidden
   */
  constructor(message: string, details: readonly string[], code: string) {
    super(message);
    this.details = details;
    this.code = code;
  }
}

/** A file is no longer what a plan was made for. It was left as it is: make a new plan, and show that one. */
export class Stale extends UserError {
  override readonly name: string = 'Stale';
}

/** Does something, and says in words what goes wrong. */
export function said<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inWords(error);
  }
}

export const saidLater = <T>(work: () => Promise<T>): Promise<T> =>
  said(work).catch((error: unknown) => {
    throw inWords(error);
  });

function inWords(error: unknown): unknown {
  if (!(error instanceof errors.UserError)) return error;
  const { problem, details } = error;
  const Same = error instanceof errors.Stale ? Stale : UserError;
  return new Same(librarySentence(problem), details.map(librarySentence), problem.code);
}
