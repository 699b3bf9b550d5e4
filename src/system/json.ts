/** Parsed JSON, and the helpers to traverse it without a cast. */

import { stringsIn } from './strings.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export const parse = (text: string): Json => JSON.parse(text);

/** The value at a path of keys. Undefined if any of them is missing. */
export function getPath(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || Array.isArray(current)) return undefined;
    current = current[key];
  }
  return current;
}

export const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const str = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The text of a content value: a string, or a list of parts with a `text` each. */
export function contentText(content: Json | undefined): string {
  return typeof content === 'string'
    ? content
    : list(content)
        .map((part) => str(getPath(part, 'text')))
        .join('\n');
}

/** All strings of a value as one text, for values without a text of their own, such as a call's input. */
export const textOf = (value: Json | undefined): string => stringsIn(value).join('\n');
