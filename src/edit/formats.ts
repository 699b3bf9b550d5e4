/**
 * The formats of the files that hold hooks: JSON, TOML, and our own program in JavaScript. In a program, the hooks are one
 * object, as in JSON, between two comments. Only that object is read and edited. The code around it is replaced by that of this
 * version, unless the user has changed the file.
 */

import { type Format, type JsonObject, Refusal } from './edit.ts';
import { json } from './json.ts';
import type { EditMessage } from './messages.ts';
import { toml } from './toml.ts';

const OPEN = '/* The list of mcp-hooks: */ ';
const CLOSE = ' /* its end */';

/** A program that starts with its list of hooks, as the value of `hooks`. */
export const programWith = (code: string, list: JsonObject = {}): string =>
  `const hooks = ${OPEN}${JSON.stringify(list, null, 2)}${CLOSE};\n${code}`;

/** The text before the list, the list, and the text after it. @throws Refusal for a program without such a list. */
function parts(source: string): readonly [string, string, string] {
  const [before, list, ...others] = source.split(OPEN);
  const [inside, after, ...more] = list?.split(CLOSE) ?? [];
  if (before === undefined || inside === undefined || after === undefined)
    throw new Refusal<EditMessage>({ code: 'not-our-program' });
  if (others.length + more.length > 0) throw new Refusal<EditMessage>({ code: 'not-our-program' });
  return [`${before}${OPEN}`, inside, `${CLOSE}${after}`];
}

const blank = (text: string): string =>
  text.replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length));

/** The list as JSON, with everything at the same offset as in the program. */
export function listAsJson(source: string): string {
  const [before, list, after] = parts(source);
  return blank(before) + list + blank(after);
}

/** The program with the list from `edited`. A list that is empty now is written as it begins. */
function withList(source: string, edited: string): string {
  const [before, , after] = parts(source);
  const list = edited.slice(before.length, edited.length - after.length);
  return before + (/^\{\s*\}$/.test(list) ? '{}' : list) + after;
}

const program: Format = {
  hasTables: false,
  read: (source, dialect, layout) => json.read(listAsJson(source), dialect, layout),
  trailingCommas: (source) => json.trailingCommas(listAsJson(source)),
  insert: (source, lists, under) => json.insert(listAsJson(source), lists, under),
  inside: (source, element, item) => json.inside(listAsJson(source), element, item),
  replace: (source, element, next) =>
    withList(source, json.replace(listAsJson(source), element, next)),
  withoutItem: (source, element, item) =>
    withList(source, json.withoutItem(listAsJson(source), element, item)),
  withoutKey: (source, key) => withList(source, json.withoutKey(listAsJson(source), key)),
  insertKey: (source, key, value) => json.insertKey(listAsJson(source), key, value),
  prune: (source, path) => withList(source, json.prune(listAsJson(source), path)),
  renewed(source, start) {
    const [before, , after] = parts(start);
    return before + parts(source)[1] + after;
  },
};

export const FORMATS = { json, toml, program } as const satisfies Readonly<Record<string, Format>>;
