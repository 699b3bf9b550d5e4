/** The words for src/engine/messages.ts. */

import type { EngineMessage } from '../../engine/messages.ts';
import type { Words } from '../../system/words.ts';

export const engine = {
  'engine-closed': () => 'The engine is closed: nothing is evaluated any more.',
  'nothing-to-evaluate': () => 'The engine needs a manifest, or declarations.',
  'engine-event-unknown': ({ event, allowed }) =>
    `There is no event ${event}; allowed: ${allowed.join(', ')}.`,
  'envelope-without': ({ key }) => `The event has no "${key}".`,
} satisfies Words<EngineMessage>;
