/** The values that a client accepts for a setting or a hook group, as small checks that are combined into tables. */

import {
  isObject,
  type JsonObject,
  type JsonValue,
  type Layout,
  memberAt,
} from '../../edit/edit.ts';
import { listNameOf, pathTo, underOf } from '../../edit/value.ts';
import { HANDLERS } from '../contract.ts';
import type { Fault } from './health.ts';

/** All faults of a value. Paths are relative to the value. */
export type Shape = (value: JsonValue) => readonly Fault[];

/** Most values are valid. They share this list, because a file may have thousands of them. */
const NONE: readonly Fault[] = [];

const only =
  (fits: (value: JsonValue) => boolean, what: string): Shape =>
  (value) =>
    fits(value) ? NONE : [{ path: [], what }];

export const text = only((value) => typeof value === 'string', 'is not a string');
export const flag = only((value) => typeof value === 'boolean', 'is not true or false');
export const number = only((value) => typeof value === 'number', 'is not a number');

export const matching = (pattern: RegExp, what: string): Shape =>
  only((value) => typeof value === 'string' && pattern.test(value), what);

export const integer = (least?: number): Shape =>
  only(
    (value) => Number.isInteger(value) && Number(value) >= (least ?? Number.NEGATIVE_INFINITY),
    least === undefined ? 'is not a whole number' : `is not a whole number of at least ${least}`,
  );

export const within = (fits: (value: number) => boolean, range: string): Shape =>
  only((value) => typeof value === 'number' && fits(value), `is not a number ${range}`);

export const word = (...words: readonly string[]): Shape =>
  only(
    (value) => typeof value === 'string' && words.includes(value),
    `is not one of ${words.join(', ')}`,
  );

/** `null` counts as absent. */
export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? NONE : shape(value);

export const list =
  (of: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return [{ path: [], what: 'is not an array' }];
    const faults: Fault[] = [];
    for (const [at, item] of value.entries()) addUnder(faults, at, of(item));
    return faults;
  };

/** An object whose keys are names. */
export const table =
  (of: Shape): Shape =>
  (value) => {
    if (!isObject(value)) return [{ path: [], what: 'is not an object' }];
    const faults: Fault[] = [];
    for (const [key, item] of Object.entries(value)) addUnder(faults, key, of(item));
    return faults;
  };

/** An object with known keys. Other keys may have any value. */
export const fields =
  (shapes: Readonly<Record<string, Shape>>, ...needed: readonly string[]): Shape =>
  (value) => {
    if (!isObject(value)) return [{ path: [], what: 'is not an object' }];
    const faults: Fault[] = [];
    for (const key of needed)
      if (!Object.hasOwn(value, key)) faults.push({ path: [], what: `has no "${key}"` });
    for (const key in shapes) {
      const item = Object.hasOwn(value, key) ? value[key] : undefined;
      if (item !== undefined) addUnder(faults, key, shapes[key]?.(item) ?? NONE);
    }
    return faults;
  };

/** Only checks objects. Any other value is valid. */
export const ifObject =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) ? shape(value) : NONE;

/** An object of one of several kinds, which the key `type` distinguishes. */
export const variants =
  (kinds: Readonly<Record<string, Shape>>): Shape =>
  (value) => {
    if (!isObject(value)) return [{ path: [], what: 'is not an object' }];
    const { type } = value;
    const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    return kind
      ? kind(value)
      : [{ path: [], what: `has no "type" of ${Object.keys(kinds).join(', ')}` }];
  };

export const anyOf = (what: string, ...shapes: readonly Shape[]): Shape =>
  only((value) => shapes.some((shape) => shape(value).length === 0), what);

function addUnder(faults: Fault[], key: string | number, found: readonly Fault[]): void {
  for (const fault of found) faults.push({ ...fault, path: [key, ...fault.path] });
}

/** @param more The client's other keys of a group. */
export const groupOf = (handler: Shape, more: Readonly<Record<string, Shape>> = {}): Shape =>
  fields({ ...more, matcher: text, [HANDLERS]: list(handler) }, HANDLERS);

/** The faults of an event's list, at its place in the layout. */
export function faultsUnder(
  document: JsonObject,
  event: string,
  group: Shape,
  layout: Layout,
): Fault[] {
  const path = pathTo(listNameOf(event, layout), underOf(layout));
  const groups = memberAt(document, path);
  if (groups === undefined) return [];
  return list(group)(groups).map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
}
