/**
 * mcp-hooks: translates the input of a client's tool to the keys of declarations, so that one script works in every client, and
 * translates a changed input back. This file is loaded only for tools whose input differs.
 */

import path = require('node:path');

import type { Firing, JsonObject, ToolInput } from './types.cjs';
import { isObject } from './values.cjs';

/** The input as hooks read it, and for a patch the declared tool that has the same effect. */
interface Declared {
  readonly input: unknown;
  readonly tool?: 'Edit' | 'Write';
}

/** The event with the input in the form of declarations. The client's own input is kept next to it. */
export function translate(firing: Firing, form: ToolInput): Firing {
  const { input: native } = firing;
  const { input, tool } = declared(form, native, firing);
  return input === native ? firing : { ...firing, input, native: { input: native, tool } };
}

function declared(form: ToolInput, input: unknown, firing: Firing): Declared {
  const patch = patchIn(form, input);
  if (patch !== undefined) return ofPatch(patch, input, firing, form);
  return { input: isObject(input) && form.keys ? renamed(input, form.keys) : input };
}

/** A client's key replaces ours, which its tool would not read. */
function renamed(input: JsonObject, keys: Readonly<Record<string, string>>): JsonObject {
  const ours = Object.entries(keys).flatMap(([key, name]) =>
    Object.hasOwn(input, key) ? [name] : [],
  );
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => {
      const name = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (name !== undefined) return [[name, value]];
      return ours.includes(key) ? [] : [[key, value]];
    }),
  );
}

const patchIn = ({ patch }: ToolInput, input: unknown): string | undefined => {
  if (patch === undefined) return undefined;
  const text = patch === '' ? input : isObject(input) ? input[patch] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** The effect of a patch on one file, as far as declared tools can express it; otherwise the patch itself. */
function ofPatch(
  patch: string,
  input: unknown,
  firing: Firing,
  { patch: at }: ToolInput,
): Declared {
  const clock = require('./clock.cjs').clockOf(firing);
  const files = require('./paths.cjs').headingsIn(patch, clock) ?? [];
  const file = files.length === 1 ? files[0] : undefined;
  const place = file === undefined ? {} : { file_path: path.resolve(firing.cwd, file) };
  // The tool only reads the patch, so other keys must not look like ours.
  const entries = isObject(input) ? Object.entries(input) : [];
  const others = Object.fromEntries(entries.filter(([key]) => key !== at && !OURS.includes(key)));
  const change = Object.keys(others).length === 0 ? changeIn(patch) : undefined;
  if (file === undefined || !change) return { tool: 'Edit', input: { ...others, ...place, patch } };
  const { tool, ...texts } = change;
  return { tool, input: { ...place, ...texts } };
}

/** The keys that scripts read in place of a patch. */
export const OURS = ['file_path', 'content', 'old_string', 'new_string', 'patch'];

type Change =
  | { readonly tool: 'Write'; readonly content: string }
  | { readonly tool: 'Edit'; readonly old_string: string; readonly new_string: string };

/** A patch that creates one file, or replaces one place in it; undefined: it does something else, or is not certain. */
function changeIn(patch: string): Change | undefined {
  const [begin, heading = '', ...rest] = patch.replace(/\n$/, '').split('\n');
  const end = rest.pop();
  if (begin !== BEGIN || end !== END || rest.length === 0) return undefined;
  if (/^\*\*\* Add File: \S(?:.*\S)?$/.test(heading)) {
    if (!rest.every((line) => line.startsWith('+'))) return undefined;
    return { tool: 'Write', content: rest.map((line) => `${line.slice(1)}\n`).join('') };
  }
  if (!/^\*\*\* Update File: \S(?:.*\S)?$/.test(heading)) return undefined;
  const lines = rest[0] === '@@' ? rest.slice(1) : rest;
  if (!lines.every((line) => /^[ +-]/.test(line))) return undefined;
  const without = (mark: string) =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => line.slice(1))
      .join('\n');
  // For added lines alone, the patch does not give the position.
  if (lines.every((line) => line.startsWith('+'))) return undefined;
  return { tool: 'Edit', old_string: without('+'), new_string: without('-') };
}
const BEGIN = '*** Begin Patch';
const END = '*** End Patch';

/** A changed input in the client's form; undefined: it cannot be expressed there. @param native The input before the change. */
export function nativeInput(
  form: ToolInput,
  input: unknown,
  native: unknown,
  cwd: string,
): JsonObject | string | undefined {
  if (!isObject(input)) return undefined;
  const patch = patchIn(form, native);
  if (patch === undefined) return inKeysOf(form, input);
  const before = changeIn(patch);
  // A patch replaces whole lines, but a script's own text may be part of a line.
  const isKnown = before?.tool !== 'Edit' || before.old_string === input.old_string;
  return before && isKnown ? asPatch(form, input, (file) => nameIn(patch, file, cwd)) : undefined;
}

const inKeysOf = ({ keys = {} }: ToolInput, input: JsonObject): JsonObject =>
  renamed(input, Object.fromEntries(Object.entries(keys).map(([key, name]) => [name, key])));

/** The input of a call that the client has not made, in the client's form, or unchanged if that form is unknown. */
export const inClient = (form: ToolInput, input: JsonObject): JsonObject | string =>
  form.keys ? inKeysOf(form, input) : (asPatch(form, input) ?? input);

/** The file's name in the patch, if it is still the same file. */
function nameIn(patch: string, file: string, cwd: string): string {
  const heading = /^\*\*\* (?:Add|Update) File: (.+)$/m.exec(patch)?.[1];
  return heading !== undefined && path.resolve(cwd, heading) === file ? heading : file;
}

/** A call of Write or Edit as a patch; undefined: no patch is certain to have the same effect. */
function asPatch(
  { patch: at = '' }: ToolInput,
  { file_path: file, content, old_string: before, new_string: after, ...rest }: JsonObject,
  nameOf = (name: string) => name,
): JsonObject | string | undefined {
  const isOne = rest.replace_all === undefined || rest.replace_all === false;
  const others = Object.keys(rest).filter((key) => key !== 'replace_all');
  if (typeof file !== 'string' || /[\r\n]/.test(file) || file.trim() !== file) return undefined;
  if (others.length > 0 || !isOne || file === '') return undefined;
  const marked = (mark: string, text: string) => text.split('\n').map((line) => mark + line);
  const isWrite = typeof content === 'string' && before === undefined && after === undefined;
  const isEdit = typeof before === 'string' && typeof after === 'string' && content === undefined;
  if (!isWrite && !(isEdit && before !== '')) return undefined;
  const lines = isWrite
    ? [`*** Add File: ${nameOf(file)}`, ...marked('+', content.replace(/\n$/, ''))]
    : [
        `*** Update File: ${nameOf(file)}`,
        '@@',
        ...marked('-', String(before)),
        ...(after === '' ? [] : marked('+', String(after))),
      ];
  const patch = [BEGIN, ...lines, END, ''].join('\n');
  return at === '' ? patch : { [at]: patch };
}
