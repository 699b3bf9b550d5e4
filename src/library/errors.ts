/** The errors that the library throws. They are sentences, and none names a flag. */

import { librarySentence } from '../present/messages/sentence.ts';
import * as errors from '../system/errors.ts';
import type { Say } from '../system/words.ts';

/**
 * An error that a person can act on: a manifest that is wrong, a file that must not be edited. Anything else that is thrown is a
 * mistake in the call (`TypeError`), or a bug of ours.
 */
export class UserError extends Error {
  /** `UserError`, or `Stale`. */
  override readonly name: string = 'UserError';
  /** One line each: every mistake with its file, line and column; what to do next. */
  readonly details: readonly string[];
  /** `message` as a code for programs, such as `manifest-refused`. It stays the same when the wording changes. */
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

/** A file has changed since a plan was made for it, and was left untouched. Make a new plan and show that one. */
export class Stale extends UserError {
  override readonly name: string = 'Stale';
}

/** Runs `work`, and turns the codes of its errors into sentences. */
export function withLibraryErrors<T>(work: () => T, say: Say = librarySentence): T {
  try {
    return work();
  } catch (error) {
    throw libraryError(error, say);
  }
}

export const withLibraryErrorsAsync = <T>(
  work: () => Promise<T>,
  say: Say = librarySentence,
): Promise<T> =>
  withLibraryErrors(work, say).catch((error: unknown) => {
    throw libraryError(error, say);
  });

function libraryError(error: unknown, say: Say): unknown {
  if (!(error instanceof errors.UserError)) return error;
  const { problem, details } = error;
  const Same = error instanceof errors.Stale ? Stale : UserError;
  return new Same(say(problem), details.map(say), problem.code);
}
