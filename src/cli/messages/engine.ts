/** The words for src/sdk/engine/messages.ts. */

import type { EngineMessage } from '../../sdk/engine/messages.ts';
import type { Words } from '../../system/words.ts';

export const engine = {
  'engine-closed': () => 'The engine is closed: nothing is evaluated any more.',
  'nothing-to-evaluate': () => 'The engine needs a manifest, or declarations.',
  'engine-event-unknown': ({ event, allowed }) =>
    `There is no event ${event}; allowed: ${allowed.join(', ')}.`,
  'grant-unknown': ({ grant, allowed }) =>
    `There is no grant ${JSON.stringify(grant)}; allowed: ${allowed.join(', ')}.`,
  'envelope-without': ({ key }) => `The event has no "${key}".`,
  'case-no-envelope': ({ found }) =>
    found === '""' ? 'it printed nothing' : `it printed ${found}, which is not a JSON object`,
  'case-action': ({ expected, found }) => `the action is ${found}, not "${expected}"`,
  'case-text-missing': ({ text }) =>
    `the model does not read ${JSON.stringify(text)}, or not in that place`,
  'case-text-unwanted': ({ text }) => `the model reads ${JSON.stringify(text)}`,
  'case-reason': ({ expected, found }) =>
    `the reason is ${found}, without ${JSON.stringify(expected)}`,
  'case-value': ({ key, expected, found }) => `"${key}" is ${found}, not ${expected}`,
  'topic-unknown': ({ topic, allowed }) =>
    `There is no topic ${topic}; allowed: ${allowed.join(', ')}.`,
  'case-exit': ({ exitCode, text }) => `it exited with ${exitCode}${text && `: ${text}`}`,
  'case-too-long': ({ seconds }) => `it took longer than ${seconds} seconds and was ended`,
  'implementation-not-started': ({ command, why }) =>
    `${command} could not be started: ${why.errno === 'ENOENT' ? 'there is no such command' : (why.errno ?? why.text)}.`,
} satisfies Words<EngineMessage>;
