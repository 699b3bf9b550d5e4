/** What a client gives a hook on stdin. The places of its values are dotted paths (`Wire` in contract.ts). */
import { isObject, type JsonObject, type JsonValue } from '../edit/edit.ts';

/** The value at a dotted path; undefined without a path. */
export const valueAt = (payload: JsonObject, path: string | undefined): JsonValue | undefined =>
  path
    ?.split('.')
    .reduce<JsonValue | undefined>(
      (value, key) =>
        value !== undefined && isObject(value) && Object.hasOwn(value, key)
          ? value[key]
          : undefined,
      payload,
    );

/** The payload with another value at a dotted path, or as it is without a path. */
export function withValueAt(
  payload: JsonObject,
  path: string | undefined,
  value: JsonValue,
): JsonObject {
  if (path === undefined) return payload;
  const [key = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...payload, [key]: value };
  const inner = payload[key];
  return {
    ...payload,
    [key]: withValueAt(isObject(inner) ? inner : {}, rest.join('.'), value),
  };
}
