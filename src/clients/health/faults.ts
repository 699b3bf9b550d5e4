/** Hook groups that a client's own schema refuses: what is common to the clients that have one. */

import type { JsonObject } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import type { Fault } from './health.ts';
import * as is from './shapes.ts';

/** A hook group whose handlers have a shape. */
export const groupOf = (handler: is.Shape): is.Shape =>
  is.fields({ matcher: is.text, hooks: is.list(handler) }, 'hooks');

/** All that is wrong with the groups of one event. */
export function faultsUnder(document: JsonObject, event: string, group: is.Shape): Fault[] {
  const { hooks } = document;
  const groups = isObject(hooks) && Object.hasOwn(hooks, event) ? hooks[event] : undefined;
  if (groups === undefined) return [];
  const path = ['hooks', event];
  if (!Array.isArray(groups)) return [{ path, what: 'is not an array' }];
  return is
    .list(group)(groups)
    .map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
}
