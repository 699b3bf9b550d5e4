/** A client's input for a hook on stdin. The places of its values are dotted paths (`Wire` in contract.ts). */
import { isObject, type JsonObject, type JsonValue } from '../edit/edit.ts';

/** The value at a dotted path, in which a number is an index of a list; undefined without a path. */
export const valueAt = (payload: JsonObject, path: string | undefined): JsonValue | undefined =>
  path?.split('.').reduce<JsonValue | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return value !== undefined && isObject(value) && Object.hasOwn(value, key)
      ? value[key]
      : undefined;
  }, payload);

/** The payload with another value at a dotted path; unchanged without a path. */
export function withValueAt(
  payload: JsonObject,
  path: string | undefined,
  value: JsonValue,
): JsonObject {
  if (path === undefined) return payload;
  const [key = '', ...rest] = path.split('.');
  return { ...payload, [key]: put(payload[key], rest, value) };
}

function put(
  inner: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (key === undefined) return value;
  if (!Array.isArray(inner))
    return withValueAt(isObject(inner) ? inner : {}, [key, ...rest].join('.'), value);
  return inner.with(Number(key), put(inner[Number(key)], rest, value));
}
