/** Messages about the engine and the conformance suite. */

import type { SystemReason } from '../../system/errors.ts';
import { duration } from '../../system/plurals.ts';
import type { MessageOf } from '../../system/words.ts';

type Names = readonly string[];

export const engine = {
  'engine-closed': 'The engine is closed: nothing is evaluated any more.',
  'nothing-to-evaluate': 'The engine needs a manifest, or declarations.',
  'engine-event-unknown': ({ event, allowed }: { event: string; allowed: Names }) =>
    `There is no event ${event}; allowed: ${allowed.join(', ')}.`,
  'grant-unknown': ({ grant, allowed }: { grant: string; allowed: Names }) =>
    `There is no grant ${JSON.stringify(grant)}; allowed: ${allowed.join(', ')}.`,
  'envelope-without': 'The event has no "{key}".',
  'case-no-envelope': ({ found }: { found: string }) =>
    found === '""' ? 'it printed nothing' : `it printed ${found}, which is not a JSON object`,
  'case-action': 'the action is {found}, not "{expected}"',
  'case-text-missing': ({ text }: { text: string }) =>
    `the model does not read ${JSON.stringify(text)}, or not in that place`,
  'case-text-unwanted': ({ text }: { text: string }) => `the model reads ${JSON.stringify(text)}`,
  'case-reason': ({ expected, found }: Record<'expected' | 'found', string>) =>
    `the reason is ${found}, without ${JSON.stringify(expected)}`,
  'case-value': '"{key}" is {found}, not {expected}',
  'topic-unknown': ({ topic, allowed }: { topic: string; allowed: Names }) =>
    `There is no topic ${topic}; allowed: ${allowed.join(', ')}.`,
  'case-exit': ({ exitCode, text }: { exitCode: number; text: string }) =>
    `it exited with ${exitCode}${text && `: ${text}`}`,
  'case-too-long': ({ seconds }: { seconds: number }) =>
    `it took longer than ${duration(seconds)} and was ended`,
  'implementation-not-started': ({ command, why }: { command: string; why: SystemReason }) =>
    `${command} could not be started: ${why.errno === 'ENOENT' ? 'command not found' : (why.errno ?? why.text)}.`,
} as const;

export type EngineMessage = MessageOf<typeof engine>;
