/** The words for why the runner said nothing. */

import type { RunnerMessage } from '../../compile/runner-messages.ts';
import { nearest } from '../../system/nearest.ts';
import type { Words } from '../../system/words.ts';
import { noSuchTool } from './words.ts';

/** The server's own words. No quote in them can end ours. */
const saying = (said: string | undefined, when = ''): string =>
  said === undefined ? '' : ` (the server said${when}: ${JSON.stringify(said)})`;

export const runner: Words<RunnerMessage> = {
  'no-text': () => 'no text',
  'tool-failed': ({ said }) => `the tool failed${saying(said)}`,
  'call-refused': ({ said }) => `the server refused the call${saying(said)}`,
  'tool-missing': ({ tool, known }) => noSuchTool(tool, nearest(tool, known)[0]),
  'wants-more': () => 'it wants to know more',
  'no-answer-in-time': () => 'no answer in time',
  'no-answer': () => 'no answer',
  'answer-too-long': () => 'too long',
  ended: ({ said }) => `it ended${saying(said, ' last')}`,
  'moved-elsewhere': () => 'moved elsewhere',
  'not-signed-in': () => 'not signed in',
  'address-unusable': () => 'no address',
  'http-status': ({ status }) => `HTTP ${status}`,
  'entry-gone': () => 'it is no longer configured',
  'entry-changed': () => 'its configuration has changed',
  'entry-unread': () => 'the configuration cannot be read',
  'env-file-unread': () => 'its envFile cannot be read',
  'manifest-unread': () => 'the manifest cannot be read',
  'type-unknown': ({ type }) => `its type is "${type}"`,
  'client-fills-in': () => 'only its client can fill it in',
  'variable-unset': ({ name }) => `${name} is not set`,
  'variable-changed': () => 'a variable that decides what runs has changed',
  'passing-changed': () => 'it passes on other variables of yours than you agreed to',
  'policy-invalid': () => 'policy.json is not valid',
  'payload-invalid': () => 'what the client said of the event is not a JSON object',
  'answer-unknown': () => 'it answered with JSON that means nothing here',
  'answer-invalid': () => 'its answer is not valid',
  'block-not-allowed': () => 'it may not stop anything (--allow block)',
  'modify-not-allowed': () => 'it may not change anything (--allow modify)',
  'block-not-possible': () => 'the client lets no hook stop this',
  'modify-not-possible': () => 'the client lets no hook change this',
  'block-not-again': () => 'it has just stopped this, and does not stop it twice in a row',
  'answer-hides': () => 'the input that it gave has characters in it that nobody sees',
  'answer-masked': () => 'the input that it gave has *** in it, and nobody knows for what',
  'cannot-ask': () => 'it wants you to be asked, which no hook of ours can do',
  'pattern-refused': () => 'this node cannot run its regular expression',
  'out-of-time': () => 'the event was too long to be looked through in time',
  'command-failed': ({ status }) => `its program ended with ${status}`,
  'command-changed': ({ file }) => `${file} is not the file that you allowed`,
  'node-missing': () => 'there is no node that runs, or the runner is damaged',
  unmasked: () => 'the rules for secrets failed, so input and output were left out',
  error: ({ name }) => name,
};
