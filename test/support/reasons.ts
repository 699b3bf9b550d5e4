/** Why nothing was shown: the runner's log in words. */

import { parseLog } from '../../src/diagnose/log.ts';
import { joinedSentences } from '../../src/present/messages/sentence.ts';

/** One for each line of a log that has a reason. */
export const reasonsIn = (log: string): string[] =>
  parseLog('annal', log).entries.flatMap(({ why }) => (why ? [joinedSentences(why)] : []));
