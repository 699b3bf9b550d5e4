/**
 * Evaluates hooks within a process, for clients and agents that honour them by themselves.
 *
 * @module mcp-hooks/engine
 */

import { engineSentence } from '../present/messages/sentence.ts';
import * as evaluating from '../sdk/engine/engine.ts';
import { withLibraryErrors, withLibraryErrorsAsync } from './errors.ts';

export type {
  Budget,
  Decision,
  Event,
  ExtendedMatcher,
  Matcher,
  Repeat,
} from '../declaration/declaration.ts';
export type { Grant } from '../declaration/grants.ts';
export type {
  Engine,
  EngineOptions,
  Handler as EventHandler,
  HandlerOptions,
} from '../sdk/engine/engine.ts';
export type {
  EngineDecision,
  EngineFailure,
  EventEnvelope,
  EventName,
  HandlerAnswer,
  HandlerInput,
  ResponseEnvelope,
} from '../sdk/engine/envelopes.ts';
export { UserError } from './errors.ts';

/**
 * An engine for the hooks of one server.
 *
 * @throws UserError that lists all that is wrong in the manifest, in the declarations or in the policy.
 */
export function createEngine(options: evaluating.EngineOptions): evaluating.Engine {
  const engine = withLibraryErrors(() => evaluating.createEngine(options), engineSentence);
  return {
    register: (...given) => withLibraryErrors(() => engine.register(...given), engineSentence),
    fire: (event) => withLibraryErrorsAsync(() => engine.fire(event), engineSentence),
    close: engine.close,
  };
}
