/** The words for why the runner said nothing. */

import type { RunnerMessage } from '../../compile/runner-messages.ts';
import type { Words } from '../../system/words.ts';

export const runner: Words<RunnerMessage> = {
  'no-text': () => 'no text',
  'tool-failed': () => 'the tool failed',
  'call-refused': () => 'the server refused the call',
  'wants-more': () => 'it wants to know more',
  'no-answer-in-time': () => 'no answer in time',
  'no-answer': () => 'no answer',
  'answer-too-long': () => 'too long',
  ended: () => 'it ended',
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
  'policy-invalid': () => 'policy.json is not valid',
  error: ({ name }) => name,
};
