/**
 * TOML 1.0 and 1.1, written as 1.0. Positions come from toml-eslint-parser's ranges, because no library that writes TOML
 * preserves comments, numbers and dates.
 */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { attempt } from '../system/errors.ts';
import type {
  ElementAt,
  Format,
  Insertion,
  ItemPath,
  JsonObject,
  ListPath,
  Lists,
  Path,
  Piece,
} from './edit.ts';
import { ANYTHING, isObject, splice } from './edit.ts';
import { append, cutItem, isMultiline, type List, type Mark, type Style } from './list.ts';
import {
  behindBreak,
  indentOf,
  isBlank,
  lineEnd,
  lineStart,
  newlineOf,
  refusal,
  removeSpan,
  withoutBom,
} from './text.ts';
import { name, pair, print, read } from './toml-value.ts';
import { cachedReader, equal, pathTo } from './value.ts';

/** A key and its value, and the inline table that contains it, if any. */
interface Assignment {
  readonly node: AST.TOMLKeyValue;
  readonly within: AST.TOMLInlineTable | undefined;
}

/** Where a list's elements are: in an array, or each in a `[[<path>]]` table and its sub-tables. */
interface ListPlace {
  array?: Assignment & { readonly value: AST.TOMLArray };
  readonly tables: AST.TOMLTable[][];
  wrong?: AST.TOMLNode;
}

interface Place {
  readonly text: string;
  readonly comments: readonly AST.Comment[];
  readonly bom: string;
  readonly style: Style;
  readonly lists: Map<string, ListPlace>;
  /** The object with the lists, either as `<under> = { ... }` (`inline`) or with a header, `[<under>]` (`header`). */
  inline?: Assignment & { readonly value: AST.TOMLInlineTable };
  header?: AST.TOMLTable;
}

export const toml: Format = {
  hasTables: true,

  read: cachedReader(read),

  // An array may have a trailing comma in any TOML version, an inline table only since 1.1.
  trailingCommas(source) {
    const text = withoutBom(source);
    if (!/,\s*[#}]/.test(text)) return [];
    const shift = source.length - text.length;
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
      .map((offset) => offset + shift);
  },

  insert(source, lists, under) {
    const simple = atEnd(source, lists, under);
    if (simple) return simple;
    const place = locate(source, under);
    const { text, bom, style } = place;
    const insertions: Insertion[] = [];
    const missing: string[] = [];
    const blocks: string[] = [];
    for (const [name, elements] of lists) {
      const path = pathTo(name, under);
      const { array, tables } = placeOf(place, path);
      if (array) {
        const list = listOf(text, array.value);
        const items = () => elements.map(print);
        insertions.push(...append(text, list, style, isMultiline(text, list, false), items));
      } else if (place.inline && tables.length === 0) {
        missing.push(pair(name, elements));
      } else {
        blocks.push(...elements.map((element) => block(path, element, style.newline)));
      }
    }
    if (place.inline && missing.length > 0) {
      const list = listOf(text, place.inline.value);
      const items = list.open === list.close ? [` ${missing.join(', ')} `] : missing;
      insertions.push(...append(text, list, style, isMultiline(text, list, false), () => items));
    }
    insertions.sort((a, b) => a.offset - b.offset);
    insertions.push(...behind(text, blocks, style.newline));
    return insertions.map(({ offset, text }) => ({ offset: offset + bom.length, text }));
  },

  replace(source, { list, index }, next) {
    const place = locate(source, underIn(list));
    const { text, bom, style } = place;
    const { array, tables } = placeOf(place, list);
    const item = array?.value.elements[index];
    if (array && item) {
      if (!next) return bom + cutItem(text, listOf(text, array.value), index);
      const [start, end] = item.range;
      return bom + text.slice(0, start) + print(next) + text.slice(end);
    }
    const [table, ...below] = tables[index] ?? [];
    if (!table) throw new RangeError(`no element ${index} in ${list.join('.')}`);
    let out = below.reverse().reduce(withoutTable, text);
    if (!next) return bom + withoutTable(out, table);
    // The header stays as its author wrote it, with anything after it on its line.
    const [first, last] = [table.body[0], table.body.at(-1)];
    const indent = indentOf(text, first ? first.range[0] : table.range[0]);
    const body = lines(next).join(style.newline + indent);
    if (first && last) {
      out = out.slice(0, first.range[0]) + body + out.slice(last.range[1]);
    } else {
      const end = lineEnd(out, table.range[1]);
      out = out.slice(0, end) + style.newline + indent + body + out.slice(end);
    }
    return bom + out;
  },

  inside(source, element, item) {
    const place = locate(source, underIn(element.list));
    const prefix: Path = item ?? [];
    const nodes = nodesOf(place, element, item);
    const pieces: Piece[] = [];
    const add = (offset: number, path?: Path) =>
      pieces.push({ offset: offset + place.bom.length, ...(path && { path }) });
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
      const path = node.type === 'TOMLTable' ? keysInside(node, element) : prefix;
      if (path.length > prefix.length) add(node.range[0], path);
      seek(path, node);
    }
    for (const { range } of place.comments)
      if (nodes.some((node) => node.range[0] < range[0] && range[1] <= node.range[1]))
        add(range[0]);
    return pieces.sort((a, b) => a.offset - b.offset);
  },

  withoutItem(source, element, item) {
    const place = locate(source, underIn(element.list));
    const { text, bom } = place;
    const [key, index] = item;
    const list = innerList(place, element, key);
    if (list) return bom + cutItem(text, listOf(text, list), index);
    const tables = nodesOf(place, element, item).filter((one) => one.type === 'TOMLTable');
    return bom + tables.reverse().reduce(withoutTable, text);
  },

  withoutKey(source, key) {
    const text = withoutBom(source);
    const bom = source.slice(0, source.length - text.length);
    const own = parse(text).body.find((node) => isPair(node) && equal(keysOf(node.key), [key]));
    return own ? bom + removeSpan(text, ...own.range) : source;
  },

  // After a header, the key would belong to that table.
  insertKey(source, key, value) {
    const text = withoutBom(source);
    const [, end] = parse(text).body.findLast(isPair)?.range ?? [];
    const at = end === undefined ? 0 : behindBreak(text, lineEnd(text, end));
    const newline = newlineOf(text);
    const before = at === 0 || text[at - 1] === '\n' ? '' : newline;
    const offset = at + source.length - text.length;
    return [{ offset, text: before + pair(key, value) + newline }];
  },

  prune(source, path) {
    const [first, second] = path;
    const { text, bom, lists } = locate(source, underIn(path));
    const list = lists.get(second ?? first)?.array;
    const object = list || second !== undefined ? undefined : locate(source, first);
    const found = list ?? object?.inline;
    if (!found) {
      const header = object?.header;
      return header && header.body.length === 0 ? bom + withoutTable(text, header) : source;
    }
    const { node, within, value } = found;
    // A comment inside belongs to the user, so the empty container stays around it.
    if (!isBlank(text.slice(value.range[0] + 1, value.range[1] - 1))) return source;
    if (!within) return bom + removeSpan(text, node.range[0], node.range[1]);
    return bom + cutItem(text, listOf(text, within), within.body.indexOf(node));
  },
};

/** Insertions that append a table to the text. */
export const insertTable = (
  source: string,
  path: readonly string[],
  value: JsonObject,
): Insertion[] => {
  const newline = newlineOf(source);
  const header = `[${path.map(name).join('.')}]`;
  return behind(source, [[header, ...lines(value), ''].join(newline)], newline);
};

/**
 * The text without a table that has its own header, and without its sub-tables. Undefined if it contains a comment of the user.
 */
export function cutTable(source: string, path: readonly string[]): string | undefined {
  const text = withoutBom(source);
  const { body, comments } = program(text);
  const tables = body[0].body.filter(
    (node): node is AST.TOMLTable =>
      node.type === 'TOMLTable' && path.every((key, index) => node.resolvedKey[index] === key),
  );
  const isInside = ({ range: [at] }: AST.Comment): boolean =>
    tables.some(({ range: [start, end] }) => start < at && at < lineEnd(text, end));
  if (comments.some(isInside)) return undefined;
  return source.slice(0, source.length - text.length) + tables.reverse().reduce(withoutTable, text);
}

/**
 * Where elements are inserted in nearly every file: in blocks at its end. Undefined when the result would not be valid TOML,
 * because the file has the elements in an array or an inline table. Only that case needs ranges, which are the most expensive
 * part.
 */
function atEnd(source: string, lists: Lists, under: string | undefined): Insertion[] | undefined {
  const newline = newlineOf(source);
  const object = under === undefined ? {} : read(source, ANYTHING)[under];
  if (object !== undefined && !isObject(object)) return undefined;
  const blocks = [...lists].flatMap(([name, elements]) =>
    elements.map((element) => block(pathTo(name, under), element, newline)),
  );
  const insertions = behind(source, blocks, newline);
  return attempt(() => read(splice(source, insertions), ANYTHING)) && insertions;
}

/** One insertion per block, so that they can be told apart after the user writes between them. */
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
    // At the very end of a text, the parser loses the `0` of `timeout = 0`, so a line break is always appended.
    return parseTOML(`${text}\n`, { tomlVersion: '1.1' });
  } catch (error) {
    if (error instanceof ParseError)
      throw refusal(text, error.index, { code: 'invalid-toml', text: error.message });
    if (error instanceof RangeError) throw refusal(text, 0, { code: 'too-deep-or-long' });
    throw error;
  }
}

/** @param under The key of the object with the lists. Undefined if they are in the document itself. */
function locate(source: string, under: string | undefined): Place {
  const text = withoutBom(source);
  const { body, comments } = program(text);
  const place: Place = {
    text,
    comments,
    bom: source.slice(0, source.length - text.length),
    style: { newline: newlineOf(text), unit: '  ', comma: ', ' },
    lists: new Map(),
  };
  const at = (name: string): ListPlace => {
    const known = place.lists.get(name) ?? { tables: [] };
    place.lists.set(name, known);
    return known;
  };
  /** The keys below the object with the lists. Undefined if they point elsewhere. */
  const inside = <Key>(keys: readonly Key[]): readonly Key[] | undefined => {
    if (under === undefined) return keys;
    return keys[0] === under ? keys.slice(1) : undefined;
  };

  const assignment = (prefix: readonly string[], node: AST.TOMLKeyValue, within?: Inline) => {
    const keys = inside([...prefix, ...keysOf(node.key)]);
    if (!keys) return;
    const [name, ...more] = keys;
    const { value } = node;
    if (name === undefined) {
      if (value.type !== 'TOMLInlineTable') throw notATable(text, node, under);
      place.inline = { node, within, value };
      for (const inner of value.body) assignment([...prefix, ...keysOf(node.key)], inner, value);
    } else if (more.length === 0 && value.type === 'TOMLArray') {
      at(name).array = { node, within, value };
    } else {
      at(name).wrong = node;
    }
  };

  for (const node of body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      assignment([], node);
      continue;
    }
    const keys = inside(node.resolvedKey);
    if (!keys) continue;
    const [name, index] = keys;
    if (name === undefined) {
      place.header = node;
      for (const inner of node.body) assignment([under ?? ''], inner);
    } else if (typeof name === 'number') {
      throw notATable(text, node, under);
    } else if (typeof index === 'number') {
      const { tables } = at(name);
      const element = tables[index] ?? [];
      tables[index] = element;
      element.push(node);
    } else {
      at(name).wrong = node;
    }
  }
  return place;
}

type Inline = AST.TOMLInlineTable;

function placeOf({ text, lists }: Place, path: ListPath): ListPlace {
  const place = lists.get(path.at(-1) ?? '') ?? { tables: [] };
  if (place.wrong)
    throw refusal(text, place.wrong.range[0], { code: 'not-an-array', path: path.join('.') });
  return place;
}

/** The nodes of an element, or of an item of a list in it: one value or, for tables, each of them. */
function nodesOf(place: Place, element: ElementAt, item?: ItemPath) {
  const { array, tables } = placeOf(place, element.list);
  const whole = array?.value.elements[element.index];
  if (!item) return whole ? [whole] : (tables[element.index] ?? []);
  const inArray = innerList(place, element, item[0])?.elements[item[1]];
  if (inArray) return [inArray];
  const [, ...below] = tables[element.index] ?? [];
  return below.filter((table) => {
    const [key, nth] = keysInside(table, element);
    return key === item[0] && nth === item[1];
  });
}

/** The keys of a table, relative to its element. */
const keysInside = ({ resolvedKey }: AST.TOMLTable, { list }: ElementAt): Path =>
  resolvedKey.slice(list.length + 1);

/** A list in an element, if it is an array. */
function innerList(place: Place, element: ElementAt, key: string): AST.TOMLArray | undefined {
  const [node] = nodesOf(place, element);
  if (node?.type !== 'TOMLTable' && node?.type !== 'TOMLInlineTable') return undefined;
  const pair = node.body.find((one) => keysOf(one.key).join('.') === key);
  return pair?.value.type === 'TOMLArray' ? pair.value : undefined;
}

const isPair = (node: AST.TOMLKeyValue | AST.TOMLTable): node is AST.TOMLKeyValue =>
  node.type === 'TOMLKeyValue';

const underIn = ([first, second]: ListPath): string | undefined =>
  second === undefined ? undefined : first;

const notATable = (text: string, node: AST.TOMLNode, path = '') =>
  refusal(text, node.range[0], { code: 'not-a-table', path });

const keysOf = (key: AST.TOMLKey): string[] =>
  key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));

const lines = (element: JsonObject): string[] =>
  Object.entries(element).map(([key, value]) => pair(key, value));

/** The element as a separate table, with its contents inline: the only form that is valid in any file. */
function block(path: ListPath, element: JsonObject, newline: string): string {
  return [`[[${path.map(name).join('.')}]]`, ...lines(element), ''].join(newline);
}

function blankLine(text: string, newline: string): string {
  if (text === '' || /\n[ \t]*\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? newline : newline + newline;
}

/** The text without a table's header and keys. Comments around it stay; the blank line before it is removed. */
function withoutTable(text: string, { range: [start, end] }: AST.TOMLTable): string {
  const out = removeSpan(text, start, end);
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

/** The marks between items, where there is only white space, commas and comments. */
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
