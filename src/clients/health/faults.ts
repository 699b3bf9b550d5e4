/** Hook groups that a client's own schema refuses: what is common to the clients that have one. */

import type { JsonObject, JsonValue } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import type { Fault } from './health.ts';

export interface Schema {
  /** The types of handlers, and the keys in each that must be strings. */
  readonly types: Readonly<Record<string, readonly string[]>>;
  /** Keys of a handler that must be one of some words. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly timeout: (value: JsonValue) => boolean;
}

/** All that is wrong with the groups of one event. */
export function faultsUnder(document: JsonObject, event: string, schema: Schema): Fault[] {
  const { hooks } = document;
  const groups = isObject(hooks) ? hooks[event] : undefined;
  if (groups === undefined) return [];
  if (!Array.isArray(groups)) return [{ path: ['hooks', event], what: 'is not an array' }];
  return groups.flatMap((group: JsonValue, index) => {
    const path = ['hooks', event, index];
    if (!isObject(group)) return [{ path, what: 'is not an object' }];
    const { matcher, hooks: handlers } = group;
    const matched =
      matcher === undefined || typeof matcher === 'string'
        ? []
        : [{ path: [...path, 'matcher'], what: 'is not a string' }];
    if (!Array.isArray(handlers)) return [...matched, { path, what: 'has no array "hooks"' }];
    return [
      ...matched,
      ...handlers.flatMap((handler: JsonValue, at) =>
        faultsOf(handler, schema).map(({ path: key, what }) => ({
          path: [...path, 'hooks', at, ...key],
          what,
        })),
      ),
    ];
  });
}

function faultsOf(handler: JsonValue, { types, words = {}, timeout }: Schema): Fault[] {
  if (!isObject(handler)) return [{ path: [], what: 'is not an object' }];
  const { type } = handler;
  const needed = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  return [
    ...(needed
      ? needed
          .filter((key) => typeof handler[key] !== 'string')
          .map((key) => ({ path: [], what: `has no string "${key}"` }))
      : [{ path: [], what: `has no "type" of ${Object.keys(types).join(', ')}` }]),
    ...Object.entries(words).flatMap(([key, allowed]) => {
      const value = handler[key];
      return value === undefined || (typeof value === 'string' && allowed.includes(value))
        ? []
        : [{ path: [key], what: `is not one of ${allowed.join(', ')}` }];
    }),
    ...(handler.timeout === undefined || timeout(handler.timeout)
      ? []
      : [{ path: ['timeout'], what: 'is no number that is allowed here' }]),
  ];
}
