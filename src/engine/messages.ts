/** What can be said of the engine: codes with their facts. src/cli/messages/engine.ts has the words. */

import type { Said } from '../system/errors.ts';

export type EngineMessage =
  | Said<'engine-closed' | 'nothing-to-evaluate'>
  | Said<'engine-event-unknown', { event: string; allowed: readonly string[] }>
  | Said<'envelope-without', { key: string }>;
