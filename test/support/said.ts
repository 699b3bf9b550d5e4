// What users read of an error or of a message: tests of a room see codes, and these see the words.
import { sentence, sentences } from '../../src/cli/messages/sentence.ts';
import { UserError } from '../../src/system/errors.ts';

export { sentence, sentences };

/** The sentence of an error and its details, a line each. */
export function linesOf(error: unknown): string[] {
  if (!(error instanceof UserError)) throw new Error(`expected a UserError, not ${error}`);
  return sentences([error.problem, ...error.details]);
}
