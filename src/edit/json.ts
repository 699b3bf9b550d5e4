/**
 * JSON and JSONC. Positions come from jsonc-parser's scanner, values from JSON.parse on the text without comments and trailing
 * commas, so neither can hide a mistake of the other. jsonc-parser's own `modify` is not used: it reformats what it touches and
 * can drop commas.
 */

import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { attempt } from '../system/errors.ts';
import type {
  Dialect,
  ElementAt,
  Format,
  Insertion,
  ItemPath,
  JsonValue,
  Layout,
  ListPath,
  Path,
  Piece,
  Refusal,
} from './edit.ts';
import { ANYTHING, isObject, splice } from './edit.ts';
import { append, cutItem, isMultiline, type List, type Mark, type Style } from './list.ts';
import type { EditMessage } from './messages.ts';
import { type Extra, type Outline, outline, type Part, withoutExtras } from './outline.ts';
import {
  dialectRefusal,
  hasBreak,
  indentOf,
  isBlank,
  MAX_DEPTH,
  newlineOf,
  refusal,
  startsLine,
  withoutBom,
} from './text.ts';
import { cachedReader, leadsToGroups, pathTo } from './value.ts';

export const json: Format = {
  hasTables: false,

  read: cachedReader((source, dialect, layout) => {
    const text = withoutBom(source);
    if (text !== source && !dialect.bom) throw dialectRefusal(source, 'byte-order-mark', dialect);
    const value = strictly(text);
    const stripped = strip(text, dialect, value !== undefined, layout);
    if (isBlank(stripped)) {
      if (!dialect.empty) throw dialectRefusal(text, 'empty', dialect);
      return {};
    }
    const document = value ?? strictly(stripped);
    if (document === undefined) throw mistake(text);
    if (isObject(document)) return document;
    throw refusal(text, text.length - text.trimStart().length, { code: 'no-object' });
  }),

  trailingCommas(source) {
    const text = withoutBom(source);
    const shift = source.length - text.length;
    return outlineOf(text).extras.flatMap(({ kind, start }) =>
      kind === 'trailing comma' ? [start + shift] : [],
    );
  },

  insert(source, lists, under) {
    const { text, root, bom, style, compact, line } = parse(source);
    const { newline, unit } = style;
    const colon = style.comma === ',' ? ':' : ': ';
    const insertions = [];
    const present = under === undefined ? root : root && member(text, root, under);
    if (lists.size === 0) return [];
    if (!root) {
      const glue = text === '' || text.endsWith('\n') ? '' : newline;
      const whole = block('{', around([...lists], unit), '}', '');
      insertions.push({ offset: text.length, text: glue + whole + newline });
    } else if (!present) {
      const list = listOf(text, root);
      const print = (indent?: string) =>
        indent === undefined
          ? [JSON.stringify(under) + colon + compact(Object.fromEntries(lists))]
          : around([...lists], indent);
      insertions.push(...append(text, list, style, isMultiline(text, list, true), print));
    } else {
      const list = listOf(text, expect(text, present, 'object', under));
      const tall = isMultiline(text, list, isMultiline(text, listOf(text, root), true));
      const missing: [string, readonly JsonValue[]][] = [];
      for (const [name, elements] of lists) {
        const array = listAt(text, root, pathTo(name, under));
        if (!array) {
          missing.push([name, elements]);
          continue;
        }
        const inner = listOf(text, array);
        const print = (indent?: string) => elements.map(indent === undefined ? compact : line);
        insertions.push(...append(text, inner, style, isMultiline(text, inner, tall), print));
      }
      const print = (indent?: string) =>
        indent === undefined
          ? missing.map(([name, elements]) => JSON.stringify(name) + colon + compact(elements))
          : members(missing, indent);
      if (missing.length > 0) insertions.push(...append(text, list, style, tall, print));
    }
    return insertions
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, text }) => ({ offset: offset + bom.length, text }));

    // Each of our groups is on one line, whatever the layout of the file: easy to see, and easy to remove by hand.
    function members(pairs: readonly (readonly [string, readonly JsonValue[]])[], indent: string) {
      return pairs.map(
        ([name, elements]) =>
          `${JSON.stringify(name)}: ${block('[', elements.map(line), ']', indent)}`,
      );
    }
    /** The members, wrapped in the object with the lists if there is one. */
    function around(pairs: Parameters<typeof members>[0], indent: string) {
      if (under === undefined) return members(pairs, indent);
      const body = block('{', members(pairs, indent + unit), '}', indent);
      return [`${JSON.stringify(under)}: ${body}`];
    }
    function block(open: string, items: readonly string[], close: string, indent: string) {
      const body = items.map((item) => newline + indent + unit + item).join(',');
      return open + body + newline + indent + close;
    }
  },

  replace(source, element, next) {
    const { text, bom, compact, line, pretty, array, item } = locate(source, element);
    if (!next) return bom + cutItem(text, listOf(text, array), element.index);
    const { start, end } = item;
    const tall = hasBreak(text.slice(start, end));
    const short = text[start + 1] === ' ' ? line : compact;
    const value = tall ? pretty(next, indentOf(text, start)) : short(next);
    return bom + text.slice(0, start) + value + text.slice(end);
  },

  inside(source, element, inner) {
    const { text, bom, item } = locate(source, element);
    const prefix: Path = inner ?? [];
    const [start, end] = inner ? innerItem(text, item, inner) : [item.start, item.end];
    const pieces: Piece[] = [];
    const add = (offset: number, path?: Path) =>
      pieces.push({
        offset: bom.length + start + offset,
        ...(path && { path: [...prefix, ...path] }),
      });
    visit(text.slice(start, end), {
      onObjectProperty: (key, offset, _length, _line, _column, parent) =>
        add(offset, [...parent(), key]),
      onComment: (offset) => add(offset),
    });
    return pieces;
  },

  withoutItem(source, element, [key, index]) {
    const { text, bom, item } = locate(source, element);
    return bom + cutItem(text, innerList(text, item, key), index);
  },

  withoutKey: (source, key) => cut(source, [key]),

  insertKey: (source, key, value) => insertAt(source, [key], value) ?? [],

  prune(source, path) {
    const { text, bom, root } = parse(source);
    const [first, second] = path;
    const outer = root && member(text, root, first);
    const box = second === undefined ? root : outer;
    const part = second === undefined ? outer : listAt(text, root, path);
    if (!box || !part) return source;
    const index = box.members.findIndex(({ value }) => value === part);
    const from = box.members[index]?.start ?? part.start;
    // A comment inside, or after the key, belongs to the user, so the empty container stays around it.
    const isComment = ({ kind }: Mark) => kind === 'comment' || kind === 'line comment';
    if (marks(text, from, part.end).some(isComment)) return source;
    return bom + cutItem(text, listOf(text, box), index);
  },
};

/** The text with a value under a path of keys. Missing objects are created. */
export function put(source: string, path: readonly string[], value: JsonValue): string {
  const insertions = insertAt(source, path, value);
  if (insertions) return splice(source, insertions);
  const { text, bom, compact } = parse(source);
  const root = treeOf(text);
  const depth = path.findIndex((_, index) => {
    const found = root && findNodeAtLocation(root, path.slice(0, index + 1));
    return found?.type !== 'object' || index === path.length - 1;
  });
  const found = root && findNodeAtLocation(root, path.slice(0, depth + 1));
  if (!found) return source;
  const end = found.offset + found.length;
  const next = compact(under(path.slice(depth + 1), value));
  return bom + text.slice(0, found.offset) + next + text.slice(end);
}

/** Insertions that put a value under a path of keys. Undefined if something else is there, or on the way. */
export function insertAt(
  source: string,
  path: readonly string[],
  value: JsonValue,
): Insertion[] | undefined {
  const { text, bom, style, compact, pretty } = parse(source);
  const root = treeOf(text);
  if (!root) {
    // The file may contain only a comment.
    const glue = text === '' || text.endsWith('\n') ? '' : style.newline;
    const whole = glue + pretty(under(path, value), '') + style.newline;
    return [{ offset: source.length, text: whole }];
  }
  let box = root;
  let isTall = true;
  for (const [depth, key] of path.entries()) {
    const list = listOfNode(text, box);
    isTall = isMultiline(text, list, isTall);
    const found = findNodeAtLocation(box, [key]);
    if (!found) {
      const rest = under(path.slice(depth + 1), value);
      const print = (indent?: string) => [
        `${JSON.stringify(key)}: ${indent === undefined ? compact(rest) : pretty(rest, indent)}`,
      ];
      return append(text, list, style, isTall, print).map(({ offset, text }) => ({
        offset: offset + bom.length,
        text,
      }));
    }
    if (found.type !== 'object') return undefined;
    box = found;
  }
  return undefined;
}

const under = (keys: readonly string[], value: JsonValue): JsonValue =>
  keys.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);

/**
 * The text without the value under a path of keys, and without the objects that become empty, except for the outermost.
 *
 * @param prunes Whether these objects are removed.
 */
export function cut(source: string, path: readonly string[], prunes = true): string {
  const { text, bom } = parse(source);
  const root = treeOf(text);
  const outer = path.slice(0, -1);
  const box = root && findNodeAtLocation(root, [...outer]);
  const index = box?.children?.findIndex(({ children }) => children?.[0]?.value === path.at(-1));
  if (!box || index === undefined || index < 0) return source;
  const list = listOfNode(text, box);
  const without = bom + cutItem(text, list, index);
  // A comment belongs to the user, so the empty object stays around it.
  const isEmpty = list.items.length === 1 && outer.length > 0 && isPlainAt(without, outer);
  return prunes && isEmpty ? cut(without, outer) : without;
}

/** Whether the value under a path of keys is strict JSON, without comments. */
export function isPlainAt(source: string, path: readonly string[]): boolean {
  const text = withoutBom(source);
  const root = treeOf(text);
  const node = root && findNodeAtLocation(root, [...path])?.parent;
  return (
    node !== undefined &&
    strictly(`{${text.slice(node.offset, node.offset + node.length)}}`) !== undefined
  );
}

const treeOf = (text: string): Node | undefined =>
  parseTree(text, [], { allowTrailingComma: true });

/** @param start The place in the text at which the node's own text starts. */
function listOfNode(text: string, node: Node, start = 0): List {
  const span = ({ offset, length }: Node) => [start + offset, start + offset + length] as const;
  const [from, end] = span(node);
  return {
    open: from + 1,
    close: end - 1,
    items: (node.children ?? []).map(span),
    marks: (from, to) => marks(text, from, to),
  };
}

/** The value of strict JSON; undefined for anything else. */
const strictly = (text: string): JsonValue | undefined => attempt(() => JSON.parse(text));

/** Caches the outlines of the last few texts, because an edit needs the same ones repeatedly. */
const recent = new Map<string, Outline>();

function outlineOf(text: string, strict = false): Outline {
  const known = recent.get(text);
  if (known) return known;
  const made = outline(text, strict);
  if (recent.size >= 4) recent.clear();
  recent.set(text, made);
  return made;
}

/** The text as strict JSON. Comments and trailing commas are blanked out if the dialect allows them, and refused otherwise. */
function strip(text: string, dialect: Dialect, strict: boolean, layout?: Layout) {
  const { comments, returns, trailingCommas, otherwise } = dialect;
  const { extras, duplicates, tooDeep } = outlineOf(text, strict);
  const unwanted = extras.find(({ kind }) => !(kind === 'comment' ? comments : trailingCommas));
  const wrong: [at: number, what: EditMessage][] = [];
  const bare = returns ? undefined : extras.find((extra) => isEndedByReturn(text, extra));
  if (bare) wrong.push([bare.start, { code: 'not-in-dialect', what: 'bare-return', otherwise }]);
  if (unwanted)
    wrong.push([unwanted.start, { code: 'not-in-dialect', what: unwanted.kind, otherwise }]);
  const twice = layout && duplicates.find((one) => leadsToGroups(one, layout));
  if (twice) wrong.push([twice.offset, { code: 'duplicate-key', name: twice.name }]);
  if (tooDeep !== undefined) wrong.push([tooDeep, { code: 'brackets-too-deep', depth: MAX_DEPTH }]);
  const [first] = wrong.sort(([a], [b]) => a - b);
  if (first) throw refusal(text, ...first);
  return withoutExtras(text, extras);
}

const isEndedByReturn = (text: string, { kind, start, end }: Extra): boolean =>
  kind === 'comment' && text[start + 1] === '/' && text[end] === '\r' && text[end + 1] !== '\n';

/** Why a text is not JSON, from jsonc-parser, which also reports the position. */
function mistake(text: string): Refusal {
  const errors: ParseError[] = [];
  parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (!error) return refusal(text, 0, { code: 'invalid-json' });
  const found = text.slice(error.offset, error.offset + error.length);
  // Shows at most one short token, because any value may be a secret.
  const isShown = error.offset >= text.length || (found.length > 0 && found.length <= 12);
  const mistake = printParseErrorCode(error.error);
  return refusal(text, error.offset, {
    code: 'invalid-json',
    mistake,
    ...(isShown && { found: error.offset >= text.length ? '' : found }),
  });
}

function parse(source: string) {
  const text = withoutBom(source);
  json.read(source, ANYTHING);
  const { root } = outlineOf(text);
  if (root) expect(text, root, 'object');
  const newline = newlineOf(text);
  const first = root?.members[0];
  const tight = first?.colon !== undefined && !isBlank(text[first.colon] ?? '');
  const own = first && startsLine(text, first.start) ? indentOf(text, first.start) : '';
  const unit = own || '  ';
  const style: Style = { newline, unit, comma: tight ? ',' : ', ' };
  return {
    text,
    root,
    style,
    bom: source.slice(0, source.length - text.length),
    pretty: (value: JsonValue, indent: string) =>
      JSON.stringify(value, null, unit).replaceAll('\n', newline + indent),
    compact: (value: JsonValue) =>
      tight ? JSON.stringify(value) : onOneLine(JSON.stringify(value, null, 1)),
    /** A value on a line of its own, formatted as people write it. */
    line: (value: JsonValue) => {
      const json = JSON.stringify(value, null, 1);
      return onOneLine(json.replace(/\{\n */g, '{ ').replace(/\n *\}/g, ' }'));
    },
  };
}

/** JSON strings contain no raw line breaks, so every line break is layout. */
const onOneLine = (json: string) => json.replace(/,\n */g, ', ').replace(/\n */g, '');

function locate(source: string, { list, index }: ElementAt) {
  const document = parse(source);
  const array = listAt(document.text, document.root, list);
  const item = array?.items[index];
  if (!array || !item) throw new RangeError(`no element ${index} in ${list.join('.')}`);
  return { ...document, array, item };
}

function listAt(text: string, root: Part | undefined, path: ListPath): Part | undefined {
  const [first, second] = path;
  const object = root && second !== undefined ? member(text, root, first) : root;
  const part = object && member(text, expect(text, object, 'object', first), second ?? first);
  return part && expect(text, part, 'array', path.join('.'));
}

function innerList(text: string, element: Part, key: string): List {
  const tree = treeOf(text.slice(element.start, element.end));
  const node = tree && findNodeAtLocation(tree, [key]);
  if (!node?.children) throw new RangeError(`an element without ${key}`);
  return listOfNode(text, node, element.start);
}

function innerItem(text: string, element: Part, [key, index]: ItemPath) {
  const found = innerList(text, element, key).items[index];
  if (!found) throw new RangeError(`no item ${index} of ${key}`);
  return found;
}

function member(text: string, part: Part, key: string): Part | undefined {
  const found = part.members.filter((one) => one.key === key);
  if (found[1]) throw refusal(text, found[1].start, { code: 'duplicate-key', name: key });
  return found[0]?.value;
}

function expect(text: string, part: Part, type: 'object' | 'array', path?: string): Part {
  if (part.type === type) return part;
  throw refusal(text, part.start, {
    code: 'unexpected-type',
    type,
    found: part.type,
    ...(path !== undefined && { path }),
  });
}

function listOf(text: string, { type, start, end, members, items }: Part): List {
  return {
    open: start + 1,
    close: end - 1,
    items:
      type === 'object'
        ? members.map((one) => [one.start, one.value?.end ?? one.start] as const)
        : items.map((item) => [item.start, item.end] as const),
    marks: (from, to) => marks(text, from, to),
  };
}

function marks(text: string, from: number, to: number): Mark[] {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  const found: Mark[] = [];
  while (true) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    if (start >= to) return found;
    const end = scanner.getPosition();
    const token = text[start];
    if (token === ',') found.push({ kind: 'comma', start, end });
    else if (token === '\n' || token === '\r') found.push({ kind: 'line break', start, end });
    else if (token === '/') {
      const kind = text[start + 1] === '/' ? 'line comment' : 'comment';
      found.push({ kind, start, end });
    }
  }
}
