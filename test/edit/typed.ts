/**
 * What a user types into a settings file, character by character: it has no uniform layout, and the commas are wherever the user
 * puts them. A separate tokenizer finds the lists, so it cannot share a mistake with the code under test.
 */

import type { Layout } from '../../src/edit/edit.ts';
import { AT_ROOT, ROWS } from './layouts.ts';

/** What is between two brackets of an object (`{`) or an array (`[`). */
interface Typed {
  readonly kind: string;
  /** The keys of its path; items of arrays have none. */
  readonly path: readonly string[];
  readonly open: number;
  readonly close: number;
  readonly items: readonly (readonly [start: number, end: number])[];
}

type Roll = (sides: number) => number;

const TOKEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"/\uFEFF]+/g;

/** Every object and array of a text in JSON with comments. */
function listsIn(text: string): Typed[] {
  const found: Typed[] = [];
  const open: { kind: string; path: string[]; at: number; items: [number, number][] }[] = [];
  let key = '';
  let start: number | undefined;
  const begun = (at: number) => {
    start ??= at;
  };
  const ended = (at: number) => {
    const around = open.at(-1);
    if (start !== undefined) around?.items.push([start, at]);
    start = undefined;
  };
  const starts: (number | undefined)[] = [];
  let last = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token)) continue;
    if (token === '{' || token === '[') {
      begun(index);
      const around = open.at(-1);
      const path = around ? [...around.path, around.kind === '{' ? key : ''] : [];
      starts.push(start);
      open.push({ kind: token, path, at: index, items: [] });
      start = undefined;
    } else if (token === '}' || token === ']') {
      ended(last);
      const one = open.pop();
      start = starts.pop();
      if (one)
        found.push({
          kind: one.kind,
          path: one.path,
          open: one.at,
          close: index,
          items: one.items,
        });
    } else if (token === ',') ended(last);
    else if (token !== ':') {
      if (start === undefined && open.at(-1)?.kind === '{') key = JSON.parse(token);
      begun(index);
    }
    last = index + token.length;
  }
  return found;
}

const pick = <T>(list: readonly T[], roll: Roll): T | undefined => list[roll(list.length)];

/** Something that fits into the list at that place; undefined if a user would not write there. */
function itemFor({ kind, path: keys }: Typed, roll: Roll, layout: Layout): string | undefined {
  const path = layout === AT_ROOT ? ['hooks', ...keys] : keys;
  const [hooks, event, , handlers] = path;
  const handler = `{"type":"command","command":"typed ${roll(100)} , ] }"}`;
  const group = `{"hooks": [${roll(3) === 0 ? '' : handler}]}`;
  if (path.length === 0) return `"typed${roll(1000)}" : {"a":[${roll(9)}]}`;
  if (hooks !== 'hooks') return undefined;
  if (layout === ROWS) {
    if (path.length === 1) return `{"event": "Typed${roll(1000)}", "hooks": [${handler}]}`;
    if (path.length === 2 && kind === '{') return `"note${roll(1000)}": "mine"`;
    return path[2] === 'hooks' && path.length === 3 ? handler : undefined;
  }
  if (event === undefined) return `"Typed${roll(1000)}":[${roll(2) === 0 ? group : ''}]`;
  if (path.length === 2 && kind === '[') return group;
  if (path.length === 3 && kind === '{') return `"note${roll(1000)}": "mine"`;
  if (path.length === 4 && handlers === 'hooks') return handler;
  return undefined;
}

/** Adds something new before, between or after the items of a list, with its comma. */
export function typedInto(
  text: string,
  roll: Roll,
  layout: Layout,
  remark?: () => string,
): string | undefined {
  const list = pick(
    listsIn(text).filter((one) => itemFor(one, () => 0, layout)),
    roll,
  );
  const item = list && itemFor(list, roll, layout);
  if (!list || !item) return undefined;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = (): string => {
    const comments = remark ? [`/* ${remark()} */`, ` // ${remark()}${eol}`] : [];
    return pick(['', '', '', ' ', `${eol}  `, `${eol}\t`, ...comments], roll) ?? '';
  };
  const at = roll(list.items.length + 1);
  const next = list.items[at];
  const previous = list.items[at - 1];
  // Right after a bracket or an item, the place cannot be inside a comment.
  const where = previous && (!next || roll(2) === 0) ? previous[1] : (next?.[0] ?? list.open + 1);
  const before = where === previous?.[1] ? `${gap()},` : '';
  const after = next && where === next[0] ? `,${gap()}` : '';
  const first = !previous && next && roll(2) === 0;
  return first
    ? `${text.slice(0, list.open + 1)}${gap()}${item}${gap()},${gap()}${text.slice(list.open + 1)}`
    : `${text.slice(0, where)}${before}${gap()}${item}${gap()}${after}${text.slice(where)}`;
}

/** Removes an item and one comma, as if by hand: a comma after a last item may stay where that is allowed. */
export function cutOut(text: string, roll: Roll): string | undefined {
  const list = pick(
    listsIn(text).filter(({ path, items }) => path.length < 4 && items.length > 0),
    roll,
  );
  const at = roll(list?.items.length ?? 0);
  const [item, next, previous] = [list?.items[at], list?.items[at + 1], list?.items[at - 1]];
  if (!item) return undefined;
  if (next) return text.slice(0, item[0]) + text.slice(next[0]);
  const end = text.slice(item[1], list?.close).includes(',') ? (list?.close ?? 0) : item[1];
  return text.slice(0, previous ? previous[1] : item[0]) + text.slice(end);
}

/** Adds a comma after a last item. */
export function commaTyped(text: string, roll: Roll): string | undefined {
  const list = pick(
    listsIn(text).filter(
      ({ items, close }) => items.length > 0 && /^\s*$/.test(text.slice(items.at(-1)?.[1], close)),
    ),
    roll,
  );
  const end = list?.items.at(-1)?.[1];
  return end === undefined ? undefined : `${text.slice(0, end)},${text.slice(end)}`;
}

/** Puts everything on one line that can be without a change of meaning; `stretched` does the reverse. */
export const squeezed = (text: string): string =>
  text.replace(
    /("(?:\\.|[^"\\])*"|\/\/[^\r\n]*[\r\n]*|\/\*[\s\S]*?\*\/)|\s+/g,
    (_, kept = '') => kept,
  );
export const stretched = (text: string, eol: string): string =>
  text.replace(
    /("(?:\\.|[^"\\])*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|([{[,])|([}\]])/g,
    (whole, kept, open) => (kept ? whole : open ? `${open}${eol}\t` : `${eol}${whole}`),
  );

/** In TOML, adds something before or after the items of an inline table or an array under `hooks`, or under its header. */
export function typedIntoToml(text: string, roll: Roll): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const places = [
    ...[...text.matchAll(/^\s*hooks\s*=\s*\{(?=([^\n]?))/gm)].map((one) => ({ one, inline: true })),
    ...[...text.matchAll(/^[ \t]*\[\s*hooks\s*\][^\n]*\n/gm)].map((one) => ({
      one,
      inline: false,
    })),
  ];
  const place = pick(places, roll);
  if (!place) return undefined;
  const at = place.one.index + place.one[0].length;
  const key = `Typed${roll(1000)}`;
  const rest = text.slice(at);
  const isEmpty = /^\s*\}/.test(rest);
  const item = place.inline ? ` ${key} = []${isEmpty ? '' : ','}` : `${key} = []${eol}`;
  return text.slice(0, at) + item + rest;
}
