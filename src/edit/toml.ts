/**
 * TOML 1.0 and 1.1, written as 1.0. Places come from toml-eslint-parser's ranges; no library that
 * writes TOML leaves comments, numbers and dates as they were.
 */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { attempt } from '../system/errors.ts';
import type { Format, Insertion, JsonObject, Path, Piece, Placed } from './edit.ts';
import { ANYTHING, isObject, splice } from './edit.ts';
import { append, cutItem, isTall, type List, type Mark, type Style } from './list.ts';
import {
  behindBreak,
  indentOf,
  isBlank,
  lineEnd,
  lineStart,
  newlineOf,
  refusal,
  without,
  withoutMark,
} from './text.ts';
import { name, pair, print, read } from './toml-value.ts';
import { byEvent, remembering } from './value.ts';

/** A key and its value, and the inline table it is in, if it is in one. */
interface Assignment {
  readonly node: AST.TOMLKeyValue;
  readonly within: AST.TOMLInlineTable | undefined;
}

/** Where an event's groups are: in an array, or each in `[[hooks.<event>]]` and its sub-tables. */
interface EventPlace {
  array?: Assignment & { readonly value: AST.TOMLArray };
  readonly groups: AST.TOMLTable[][];
  wrong?: AST.TOMLNode;
}

interface Place {
  readonly text: string;
  readonly comments: readonly AST.Comment[];
  readonly mark: string;
  readonly style: Style;
  readonly events: Map<string, EventPlace>;
  /** `hooks = { ... }` */
  inline?: Assignment & { readonly value: AST.TOMLInlineTable };
  /** `[hooks]` */
  header?: AST.TOMLTable;
}

export const toml: Format = {
  hasTables: true,

  read: remembering(read),

  // An array may have one in any TOML, but an inline table only since 1.1.
  trailingCommas(source) {
    const text = withoutMark(source);
    if (!/,\s*[#}]/.test(text)) return [];
    const mark = source.length - text.length;
    const inside = (node: AST.TOMLContentNode): number[] => {
      if (node.type === 'TOMLArray') return node.elements.flatMap(inside);
      if (node.type !== 'TOMLInlineTable') return [];
      const [, end = node.range[1]] = node.body.at(-1)?.range ?? [];
      const own = marks(text, end, node.range[1]).filter(({ kind }) => kind === 'comma');
      return [...node.body.flatMap(({ value }) => inside(value)), ...own.map(({ start }) => start)];
    };
    return parse(text)
      .body.flatMap((node) => (node.type === 'TOMLKeyValue' ? [node] : node.body))
      .flatMap(({ value }) => inside(value))
      .map((offset) => offset + mark);
  },

  insert(source, placed) {
    const simple = atEnd(source, placed);
    if (simple) return simple;
    const place = locate(source);
    const { text, mark, style } = place;
    const insertions: Insertion[] = [];
    const missing: string[] = [];
    const blocks: string[] = [];
    for (const [event, groups] of byEvent(placed)) {
      const { array, groups: tables } = placeOf(place, event);
      if (array) {
        const list = listOf(text, array.value);
        const items = () => groups.map(print);
        insertions.push(...append(text, list, style, isTall(text, list, false), items));
      } else if (place.inline && tables.length === 0) {
        missing.push(pair(event, groups));
      } else {
        blocks.push(...groups.map((group) => block(event, group, style.newline)));
      }
    }
    if (place.inline && missing.length > 0) {
      const list = listOf(text, place.inline.value);
      const items = list.open === list.close ? [` ${missing.join(', ')} `] : missing;
      insertions.push(...append(text, list, style, isTall(text, list, false), () => items));
    }
    insertions.sort((a, b) => a.offset - b.offset);
    insertions.push(...behind(text, blocks, style.newline));
    return insertions.map(({ offset, text }) => ({ offset: offset + mark.length, text }));
  },

  replace(source, event, index, group) {
    const place = locate(source);
    const { text, mark, style } = place;
    const { array, groups } = placeOf(place, event);
    const element = array?.value.elements[index];
    if (array && element) {
      if (!group) return mark + cutItem(text, listOf(text, array.value), index);
      const [start, end] = element.range;
      return mark + text.slice(0, start) + print(group) + text.slice(end);
    }
    const [table, ...below] = groups[index] ?? [];
    if (!table) throw new RangeError(`no group ${index} under hooks.${event}`);
    let out = below.reverse().reduce(withoutTable, text);
    if (!group) return mark + withoutTable(out, table);
    // The header stays as its author wrote it, with anything after it on its line.
    const [first, last] = [table.body[0], table.body.at(-1)];
    const indent = indentOf(text, first ? first.range[0] : table.range[0]);
    const body = lines(group).join(style.newline + indent);
    if (first && last) {
      out = out.slice(0, first.range[0]) + body + out.slice(last.range[1]);
    } else {
      const end = lineEnd(out, table.range[1]);
      out = out.slice(0, end) + style.newline + indent + body + out.slice(end);
    }
    return mark + out;
  },

  inside(source, event, index, handler) {
    const place = locate(source);
    const prefix: Path = handler === undefined ? [] : ['hooks', handler];
    const nodes = nodesOf(place, event, index, handler);
    const pieces: Piece[] = [];
    const add = (offset: number, path?: Path) =>
      pieces.push({ offset: offset + place.mark.length, ...(path && { path }) });
    const seek = (path: Path, node: AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode) => {
      if (node.type === 'TOMLKeyValue') {
        const own = [...path, ...keysOf(node.key)];
        add(node.range[0], own);
        seek(own, node.value);
      } else if (node.type === 'TOMLArray') {
        for (const [nth, element] of node.elements.entries()) seek([...path, nth], element);
      } else if (node.type === 'TOMLInlineTable' || node.type === 'TOMLTable') {
        for (const inner of node.body) seek(path, inner);
      }
    };
    for (const node of nodes) {
      const path = node.type === 'TOMLTable' ? node.resolvedKey.slice(3) : prefix;
      if (path.length > prefix.length) add(node.range[0], path);
      seek(path, node);
    }
    for (const { range } of place.comments)
      if (nodes.some((node) => node.range[0] < range[0] && range[1] <= node.range[1]))
        add(range[0]);
    return pieces.sort((a, b) => a.offset - b.offset);
  },

  withoutHandler(source, event, index, handler) {
    const place = locate(source);
    const { text, mark } = place;
    const list = handlersOf(place, event, index);
    if (list) return mark + cutItem(text, listOf(text, list), handler);
    const tables = nodesOf(place, event, index, handler).filter((one) => one.type === 'TOMLTable');
    return mark + tables.reverse().reduce(withoutTable, text);
  },

  prune(source, event) {
    const place = locate(source);
    const { text, mark } = place;
    const found = event === undefined ? place.inline : placeOf(place, event).array;
    if (!found) {
      const header = event === undefined ? place.header : undefined;
      return header && header.body.length === 0 ? mark + withoutTable(text, header) : source;
    }
    const { node, within, value } = found;
    // A comment inside is somebody's; then the empty container stays around it.
    if (!isBlank(text.slice(value.range[0] + 1, value.range[1] - 1))) return source;
    if (!within) return mark + without(text, node.range[0], node.range[1]);
    return mark + cutItem(text, listOf(text, within), within.body.indexOf(node));
  },
};

/**
 * Where groups go in nearly every file: in blocks at its end. Undefined when the result is not TOML, because the file has
 * hooks in an array or an inline table. Only then do we need ranges, which are the most expensive part.
 */
function atEnd(source: string, placed: readonly Placed[]): Insertion[] | undefined {
  const newline = newlineOf(source);
  const { hooks } = read(source, ANYTHING);
  if (hooks !== undefined && !isObject(hooks)) return undefined;
  const blocks = [...byEvent(placed)].flatMap(([event, groups]) =>
    groups.map((group) => block(event, group, newline)),
  );
  const insertions = behind(source, blocks, newline);
  return attempt(() => read(splice(source, insertions), ANYTHING)) && insertions;
}

/** One insertion for each block, so that we can tell them apart when somebody writes between them. */
function behind(text: string, blocks: readonly string[], newline: string): Insertion[] {
  return blocks.map((item, index) => ({
    offset: text.length,
    text: (index > 0 ? newline : blankLine(text, newline)) + item,
  }));
}

function parse(text: string): AST.TOMLTopLevelTable {
  return program(text).body[0];
}

function program(text: string): AST.TOMLProgram {
  try {
    // At the very end of a text the parser loses the `0` of `timeout = 0`, so a line break always follows.
    return parseTOML(`${text}\n`, { tomlVersion: '1.1' });
  } catch (error) {
    if (error instanceof ParseError)
      throw refusal(text, error.index, { code: 'invalid-toml', text: error.message });
    if (error instanceof RangeError) throw refusal(text, 0, { code: 'too-deep-or-long' });
    throw error;
  }
}

function locate(source: string): Place {
  const text = withoutMark(source);
  const { body, comments } = program(text);
  const place: Place = {
    text,
    comments,
    mark: source.slice(0, source.length - text.length),
    style: { newline: newlineOf(text), unit: '  ', comma: ', ' },
    events: new Map(),
  };
  const at = (event: string): EventPlace => {
    const known = place.events.get(event) ?? { groups: [] };
    place.events.set(event, known);
    return known;
  };

  const assignment = (prefix: readonly string[], node: AST.TOMLKeyValue, within?: Inline) => {
    const [root, event, ...more] = [...prefix, ...keysOf(node.key)];
    if (root !== 'hooks') return;
    const { value } = node;
    if (event === undefined) {
      if (value.type !== 'TOMLInlineTable') throw notATable(text, node);
      place.inline = { node, within, value };
      for (const inner of value.body) assignment(['hooks'], inner, value);
    } else if (more.length === 0 && value.type === 'TOMLArray') {
      at(event).array = { node, within, value };
    } else {
      at(event).wrong = node;
    }
  };

  for (const node of body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      assignment([], node);
      continue;
    }
    const [root, event, index] = node.resolvedKey;
    if (root !== 'hooks') continue;
    if (event === undefined) {
      place.header = node;
      for (const inner of node.body) assignment(['hooks'], inner);
    } else if (typeof event === 'number') {
      throw notATable(text, node);
    } else if (typeof index === 'number') {
      const { groups } = at(event);
      const tables = groups[index] ?? [];
      groups[index] = tables;
      tables.push(node);
    } else {
      at(event).wrong = node;
    }
  }
  return place;
}

type Inline = AST.TOMLInlineTable;

function placeOf({ text, events }: Place, event: string): EventPlace {
  const place = events.get(event) ?? { groups: [] };
  if (place.wrong)
    throw refusal(text, place.wrong.range[0], { code: 'not-an-array', path: `hooks.${event}` });
  return place;
}

/** What a group or one of its handlers is written with: one value or, in tables, each of them. */
function nodesOf(place: Place, event: string, index: number, handler?: number) {
  const { array, groups } = placeOf(place, event);
  const whole = array?.value.elements[index];
  if (handler === undefined) return whole ? [whole] : (groups[index] ?? []);
  const element = handlersOf(place, event, index)?.elements[handler];
  if (element) return [element];
  const [, ...tables] = groups[index] ?? [];
  return tables.filter(({ resolvedKey: [, , , key, nth] }) => key === 'hooks' && nth === handler);
}

/** The handlers of a group, if they are in an array. */
function handlersOf(place: Place, event: string, index: number): AST.TOMLArray | undefined {
  const [node] = nodesOf(place, event, index);
  if (node?.type !== 'TOMLTable' && node?.type !== 'TOMLInlineTable') return undefined;
  const pair = node.body.find(({ key }) => keysOf(key).join('.') === 'hooks');
  return pair?.value.type === 'TOMLArray' ? pair.value : undefined;
}

const notATable = (text: string, node: AST.TOMLNode) =>
  refusal(text, node.range[0], { code: 'not-a-table', path: 'hooks' });

const keysOf = (key: AST.TOMLKey): string[] =>
  key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));

const lines = (group: JsonObject): string[] =>
  Object.entries(group).map(([key, value]) => pair(key, value));

/** The group as a table of its own, with its handlers inline: the one form that is valid in any file. */
function block(event: string, group: JsonObject, newline: string): string {
  return [`[[hooks.${name(event)}]]`, ...lines(group), ''].join(newline);
}

function blankLine(text: string, newline: string): string {
  if (text === '' || /\n[ \t]*\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? newline : newline + newline;
}

/** The text without a table's header and keys; comments around it stay, the blank line before it does not. */
function withoutTable(text: string, { range: [start, end] }: AST.TOMLTable): string {
  const out = without(text, start, end);
  const from = lineStart(text, start);
  const previous = text.lastIndexOf('\n', from - 2) + 1;
  const blankBefore = from > 0 && isBlank(text.slice(previous, from));
  const rest = text.slice(behindBreak(text, lineEnd(text, end)));
  const lineGoes = isBlank(text.slice(from, start)) && isBlank(text.slice(end, lineEnd(text, end)));
  if (!lineGoes || !blankBefore || !/^[ \t]*(\r?\n|$)/.test(rest)) return out;
  return out.slice(0, previous) + out.slice(from);
}

function listOf(text: string, node: AST.TOMLArray | AST.TOMLInlineTable): List {
  const items = node.type === 'TOMLArray' ? node.elements : node.body;
  return {
    open: node.range[0] + 1,
    close: node.range[1] - 1,
    items: items.map(({ range }) => range),
    marks: (from, to) => marks(text, from, to),
  };
}

/** Between items there is nothing but white space, commas and comments. */
function marks(text: string, from: number, to: number): Mark[] {
  const found: Mark[] = [];
  for (let start = from; start < to; start += 1) {
    const character = text[start];
    if (character === ',') found.push({ kind: 'comma', start, end: start + 1 });
    if (character === '\n') found.push({ kind: 'line break', start, end: start + 1 });
    if (character !== '#') continue;
    const end = lineEnd(text, start);
    found.push({ kind: 'line comment', start, end });
    start = end - 1;
  }
  return found;
}
