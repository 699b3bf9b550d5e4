/**
 * Adds hooks to a server's answers, between the server and its transport.
 *
 * This is the only layer that is the same in all SDKs. A server sees only the client capabilities that its SDK knows: both
 * generations of the official SDK drop `hooks`, and the newer one shows nothing on stdio. A transport has the original JSON.
 */

import { EXTENSION, type HookDeclaration } from '../declaration/declaration.ts';
import { isRecord } from '../declaration/schema.ts';

/** Where a client states its capabilities, for each request that the server answers with its own capabilities. */
const CAPABILITIES: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
  initialize: ({ capabilities }) => capabilities,
  'server/discover': ({ _meta }) =>
    isRecord(_meta) ? _meta['io.modelcontextprotocol/clientCapabilities'] : undefined,
};

/**
 * The transport that a server gets: clients that request hooks receive these.
 *
 * It is a proxy, because transports store `onmessage` in different ways: as a property, behind an accessor, or behind an
 * accessor that cannot be read.
 */
export function declaring(transport: object, declarations: readonly HookDeclaration[]): object {
  /** The capabilities of clients whose request is not answered yet, by request ID. */
  const asking = new Map<unknown, unknown>();

  const listen = (onmessage: Callable) =>
    function (this: unknown, message: unknown, ...extra: unknown[]) {
      const asked = isRecord(message) ? CAPABILITIES[String(message.method)] : undefined;
      if (asked && isRecord(message) && isRecord(message.params))
        asking.set(message.id, asked(message.params));
      return Reflect.apply(onmessage, this, [message, ...extra]);
    };

  const answer = (message: unknown): unknown => {
    if (!isRecord(message) || 'method' in message || !asking.has(message.id)) return message;
    const events = supportedEvents(asking.get(message.id));
    asking.delete(message.id);
    return isRecord(message.result)
      ? { ...message, result: declared(message.result, declarations, events) }
      : message;
  };

  return new Proxy(transport, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (!isCallable(value)) return value;
      if (key !== 'send') return value.bind(target);
      return (message: unknown, ...options: unknown[]) =>
        Reflect.apply(value, target, [answer(message), ...options]);
    },
    set: (target, key, value: unknown) =>
      Reflect.set(target, key, key === 'onmessage' && isCallable(value) ? listen(value) : value),
  });
}

/** Without `events`, the client did not request hooks, and gets none. */
const declared = (
  result: Record<string, unknown>,
  declarations: readonly HookDeclaration[],
  events: readonly unknown[] | undefined,
): Record<string, unknown> => ({
  ...result,
  ...(events && { capabilities: declareIn(result.capabilities, declarations, events) }),
  // The answer depends on the client, so a cache must not return it to another one.
  ...('cacheScope' in result && { cacheScope: 'private' }),
});

// biome-ignore lint/complexity/noBannedTypes: any function at all, which is only ever passed on
type Callable = Function;
const isCallable = (value: unknown): value is Callable => typeof value === 'function';

/**
 * The events that a client supports, from the first of three keys that lists any. Undefined if the client gets no hooks at all.
 */
function supportedEvents(capabilities: unknown): readonly unknown[] | undefined {
  const { hooks, experimental, extensions } = record(capabilities);
  return [record(extensions)[EXTENSION], hooks, record(experimental).hooks]
    .map((said) => record(said).supported_events)
    .find((events) => Array.isArray(events));
}

/** A server's capabilities with the `declarations` for the client's `events`, under all three keys. */
function declareIn(
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
