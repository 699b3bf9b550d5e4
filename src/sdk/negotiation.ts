/** What a client and a server say to each other about hooks, in the capabilities of both (SEP-2282). */

import { EXTENSION, type HookDeclaration } from '../declaration/declaration.ts';
import { isRecord } from '../declaration/schema.ts';

/**
 * The events that a client asks for, by its capabilities. SDKs know no `hooks` yet, so it may stand under any of three
 * keys; the first that says it counts.
 *
 * @returns Undefined when it asks for none: then it is told of no hooks at all.
 */
export function supportedEvents(capabilities: unknown): readonly unknown[] | undefined {
  const { hooks, experimental, extensions } = record(capabilities);
  return [record(extensions)[EXTENSION], hooks, record(experimental).hooks]
    .map((said) => record(said).supported_events)
    .find((events) => Array.isArray(events));
}

/** A server's capabilities with those of `declarations` that are on the `events` a client asks for, under all three keys. */
export function declareIn(
  capabilities: unknown,
  declarations: readonly HookDeclaration[],
  events: readonly unknown[],
): Record<string, unknown> {
  const others = record(capabilities);
  const hooks = { declarations: declarations.filter(({ event }) => events.includes(event)) };
  return {
    ...others,
    hooks,
    experimental: { ...record(others.experimental), hooks },
    extensions: { ...record(others.extensions), [EXTENSION]: hooks },
  };
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
