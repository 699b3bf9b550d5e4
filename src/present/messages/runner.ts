/** The texts for why the runner showed nothing. */

import type { RunnerMessage } from '../../compile/runner-messages.ts';
import { nearest } from '../../system/nearest.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { noSuchTool, type Words } from '../../system/words.ts';

/** The server's own words. They are escaped, so no quote in them can end ours. */
const saying = (said: string | undefined, when = ''): string =>
  said === undefined ? '' : ` (the server said${when}: ${JSON.stringify(said)})`;

type Dropped = Extract<RunnerMessage, { code: 'dropped' }>;

/** The end of "hook 1: ...". */
export const droppedBy = (by: Dropped['by']): string => `dropped by the client: ${DROPPED[by]}`;
const DROPPED: Readonly<Record<Dropped['by'], string>> = {
  failure: 'it shows no text of a hook after a call that failed like this',
  block: 'it shows no text beside a block',
  change: 'it shows no text beside a changed output',
};

/** The text that is also used as the reason of a block. */
const plain = (why: RunnerMessage): string => failure().wordsOf(why);
const failure = (): { readonly wordsOf: (why: RunnerMessage) => string } =>
  runnerCode('./failure.cjs');

export const runner: Words<RunnerMessage> = {
  'no-text': plain,
  'tool-failed': ({ said }) => `the tool failed${saying(said)}`,
  'call-refused': ({ said }) => `the server refused the call${saying(said)}`,
  'tool-missing': ({ tool, known }) => noSuchTool(tool, nearest(tool, known)[0]),
  'wants-more': plain,
  'no-answer-in-time': plain,
  'no-answer': plain,
  'answer-too-long': plain,
  ended: ({ said }) => `it ended${saying(said, ' last')}`,
  'moved-elsewhere': plain,
  'not-signed-in': plain,
  'address-unusable': plain,
  'http-status': ({ status }) => `HTTP ${status}`,
  'entry-gone': plain,
  'entry-changed': plain,
  'entry-unread': plain,
  'env-file-unread': plain,
  'manifest-unread': plain,
  'type-unknown': ({ type }) => `its type is "${type}"`,
  'client-fills-in': () => 'only its client can fill it in',
  'variable-unset': ({ name }) => `${name} is not set`,
  'variable-changed': plain,
  'passing-changed': () => 'it passes on other variables of yours than you agreed to',
  'policy-invalid': plain,
  'payload-invalid': plain,
  'answer-unknown': plain,
  'answer-invalid': plain,
  'block-not-allowed': () => 'it may not stop anything (--allow block)',
  'modify-not-allowed': () => 'it may not change anything (--allow modify)',
  'block-not-possible': () => 'the client lets no hook stop this',
  'modify-not-possible': plain,
  'budget-estimated': () =>
    'the client had counted no tokens yet, so the length of its transcript counted',
  'block-not-again': () => 'it has just stopped this, and does not stop it twice in a row',
  'answer-hides': plain,
  'answer-masked': plain,
  'cannot-ask': plain,
  'pattern-refused': plain,
  'out-of-time': plain,
  'command-failed': ({ status }) => `its program ended with ${status}`,
  'command-changed': ({ file }) => `${file} is not the file that you allowed`,
  'background-ended': plain,
  'background-full': ({ limit }) => `${limit} commands of its server run in the background already`,
  'state-of-another': plain,
  'within-itself': plain,
  dropped: ({ by, hooks }) =>
    `hook${hooks.length > 1 ? 's' : ''} ${hooks.join(', ')} ${droppedBy(by)}`,
  'node-missing': plain,
  unmasked: () => 'the rules for secrets failed, so input and output were left out',
  error: plain,
};
