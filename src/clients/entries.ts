/** How hooks are written in the settings of a client: taken apart and made by the shape that the client says. */

import { isObject, type JsonObject, type JsonValue } from '../edit/edit.ts';
import type { Client, Handler } from './contract.ts';

/** A handler as it is in an element of an event's list. */
export interface WrittenHandler {
  readonly handler: JsonObject;
  /** Its place among the handlers of the element, from 0. */
  readonly handlerIndex: number;
  /** Absent: the client runs it for all. */
  readonly matcher?: string;
}

export interface ConfiguredHook extends WrittenHandler {
  readonly client: Client;
  readonly path: string;
  readonly native: string;
  /** The place of its group among those of the event, from 0. */
  readonly index: number;
  /** Undefined: it is no command. */
  readonly command?: string;
  /** Milliseconds; undefined: the client's own default. */
  readonly timeout?: number;
  /** The label whose runner it starts; undefined: it is not ours. */
  readonly label?: string;
}

type Shaped = Pick<Client, 'entry'>;

export function entryFor({ entry }: Shaped, { matcher, ...others }: Handler): JsonObject {
  const handler = entry.handler(others);
  const filter: JsonObject =
    matcher === undefined ? {} : { matcher: entry.matcher?.(matcher) ?? matcher };
  return entry.shape === 'flat' ? { ...filter, ...handler } : { ...filter, hooks: [handler] };
}

/** Everything in the place of a handler in an element of an event's list, whatever it is. */
export function valuesIn({ entry }: Shaped, element: JsonValue): readonly JsonValue[] {
  if (!isObject(element)) return [];
  if (entry.shape === 'grouped') return Array.isArray(element.hooks) ? element.hooks : [];
  const { matcher: _, ...handler } = element;
  return [handler];
}

export function handlersIn(client: Shaped, element: JsonValue): WrittenHandler[] {
  const { matcher } = isObject(element) ? element : {};
  const filter = typeof matcher === 'string' ? { matcher } : {};
  return valuesIn(client, element).flatMap((handler, handlerIndex) =>
    isObject(handler) ? [{ handler, handlerIndex, ...filter }] : [],
  );
}

/** The commands that a handler has under some keys: those of its client, `entry.commands`, or more. */
export const commandsAt = (keys: readonly string[], handler: JsonValue): string[] =>
  isObject(handler)
    ? keys.map((key) => handler[key]).filter((command) => typeof command === 'string')
    : [];
