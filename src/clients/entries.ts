/** The form of hooks in a client's settings: parses and builds entries in the client's shape. */

import { isObject, type JsonObject, type JsonValue, type Layout } from '../edit/edit.ts';
import { eventsOf } from '../edit/value.ts';
import { type Client, HANDLERS, type Handler } from './contract.ts';

/** A handler in an element of an event's list. */
export interface WrittenHandler {
  readonly handler: JsonObject;
  /** Its index among the element's handlers, from 0. */
  readonly handlerIndex: number;
  /** Absent: the client runs it for all. */
  readonly matcher?: string;
}

export interface ConfiguredHook extends WrittenHandler {
  readonly client: Client;
  readonly path: string;
  readonly native: string;
  /** The index of its group among those of the event, from 0. */
  readonly index: number;
  /** Undefined: it is not a command. */
  readonly command?: string;
  /** In milliseconds; undefined: the client's own default. */
  readonly timeout?: number;
  /** The label whose runner it starts; undefined: it is not our hook. */
  readonly label?: string;
}

type Shaped = Pick<Client, 'entry'>;

/** A group without handlers, which keeps later groups in their positions. */
export const EMPTY_GROUP: JsonObject = { [HANDLERS]: [] };

export function entryFor({ entry }: Shaped, { matcher, ...others }: Handler): JsonObject {
  const handler = entry.handler(others);
  const filter: JsonObject =
    matcher === undefined ? {} : { matcher: entry.expands ? unexpanded(matcher) : matcher };
  return entry.shape === 'flat' ? { ...filter, ...handler } : { ...filter, [HANDLERS]: [handler] };
}

/** The same regular expression without a `$` that a client would expand. */
const unexpanded = (matcher: string): string =>
  matcher.replace(/\\([\s\S])|\$(?=[\w{])/g, (all, escaped: string | undefined) =>
    escaped === undefined || escaped === '$' ? '\\x24' : all,
  );

/** All values at the place of a handler in an element of an event's list, valid or not. */
export function valuesIn({ entry }: Shaped, element: JsonValue): readonly JsonValue[] {
  if (!isObject(element)) return [];
  const { [HANDLERS]: handlers } = element;
  if (entry.shape === 'grouped') return Array.isArray(handlers) ? handlers : [];
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

/** The commands in a client's file, each with its event. */
export const commandsIn = (client: Client, document: JsonObject, layout: Layout) =>
  [...eventsOf(document, layout)].flatMap(([native, groups]) =>
    groups
      .flatMap((group) => handlersIn(client, group))
      .flatMap(({ handler }) => commandsAt(client.entry.commands, handler))
      .map((command) => ({ native, command })),
  );

/** A handler's commands under these keys: its client's `entry.commands`, or more. */
export const commandsAt = (keys: readonly string[], handler: JsonValue): string[] =>
  isObject(handler)
    ? keys.map((key) => handler[key]).filter((command) => typeof command === 'string')
    : [];
