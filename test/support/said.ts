// The words that users read in an error or a message. Most tests check codes; tests that use this file check the words.
import { sentence, sentences } from '../../src/present/messages/sentence.ts';
import { UserError } from '../../src/system/errors.ts';

export { sentence, sentences };

/** The sentence of an error and its details, a line each. */
export function linesOf(error: unknown): string[] {
  if (!(error instanceof UserError)) throw new Error(`expected a UserError, not ${error}`);
  return sentences([error.problem, ...error.details]);
}
