/**
 * JSON and JSONC. Places come from jsonc-parser's tree, values from JSON.parse on the text without
 * comments and trailing commas, so neither can hide a mistake of the other.
 * jsonc-parser's own `modify` is not used: it reformats what it touches and can drop commas.
 */
import { createScanner, type Node, parseTree, printParseErrorCode } from 'jsonc-parser';
import { ANYTHING, type Dialect, type Format, type JsonValue } from './edit.ts';
import { append, cutItem, isTall, type List, type Mark, type Style } from './list.ts';
import {
  BOM,
  hasBreak,
  indentOf,
  isBlank,
  MAX_DEPTH,
  newlineOf,
  refusal,
  startsLine,
} from './text.ts';
import { byEvent, isObject, remembering } from './value.ts';

export const json: Format = {
  read: remembering((source, dialect) => {
    const text = bare(source);
    const rejects = (what: string) => `${what} ${dialect.otherwise}`;
    if (text !== source && !dialect.bom) {
      throw refusal(source, 0, rejects('a file with a byte order mark'));
    }
    const { json: strict, blank } = strip(text, dialect);
    if (blank) {
      if (!dialect.empty) throw refusal(text, 0, rejects('an empty file'));
      return {};
    }
    let value: JsonValue;
    try {
      value = JSON.parse(strict);
    } catch {
      tree(text);
      throw refusal(text, 0, 'the file is not valid JSON');
    }
    if (isObject(value)) return value;
    throw refusal(text, text.length - text.trimStart().length, 'the file does not hold an object');
  }),

  insert(source, placed) {
    const { text, root, shift, style, compact, line } = parse(source);
    const { newline, unit } = style;
    const colon = style.comma === ',' ? ':' : ': ';
    const insertions = [];
    const events = byEvent(placed);
    const hooks = root && member(text, root, 'hooks');
    if (events.size === 0) return [];
    if (!root) {
      const glue = text === '' || text.endsWith('\n') ? '' : newline;
      const whole = block('{', [`"hooks": ${object([...events], unit)}`], '}', '');
      insertions.push({ offset: text.length, text: glue + whole + newline });
    } else if (!hooks) {
      const list = listOf(text, root);
      const print = (indent?: string) => [
        indent === undefined
          ? `"hooks"${colon}${compact(Object.fromEntries(events))}`
          : `"hooks": ${object([...events], indent)}`,
      ];
      insertions.push(...append(text, list, style, isTall(text, list, true), print));
    } else {
      const list = listOf(text, expect(text, hooks, 'object', '"hooks"'));
      const tall = isTall(text, list, isTall(text, listOf(text, root), true));
      const missing: [string, readonly JsonValue[]][] = [];
      for (const [event, groups] of events) {
        const array = groupsOf(text, hooks, event);
        if (!array) {
          missing.push([event, groups]);
          continue;
        }
        const inner = listOf(text, array);
        const print = (indent?: string) => groups.map(indent === undefined ? compact : line);
        insertions.push(...append(text, inner, style, isTall(text, inner, tall), print));
      }
      const print = (indent?: string) =>
        indent === undefined
          ? missing.map(([event, groups]) => JSON.stringify(event) + colon + compact(groups))
          : members(missing, indent);
      if (missing.length > 0) insertions.push(...append(text, list, style, tall, print));
    }
    return insertions
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, text }) => ({ offset: offset + shift, text }));

    // A group of ours is one line, however the rest is laid out: easy to see, and to take out by hand.
    function members(pairs: readonly (readonly [string, readonly JsonValue[]])[], indent: string) {
      return pairs.map(
        ([event, groups]) =>
          `${JSON.stringify(event)}: ${block('[', groups.map(line), ']', indent)}`,
      );
    }
    function object(pairs: Parameters<typeof members>[0], indent: string) {
      return block('{', members(pairs, indent + unit), '}', indent);
    }
    function block(open: string, items: readonly string[], close: string, indent: string) {
      const body = items.map((item) => newline + indent + unit + item).join(',');
      return open + body + newline + indent + close;
    }
  },

  replace(source, event, index, group) {
    const { text, mark, compact, line, pretty, node } = locate(source, event, index);
    const end = node.offset + node.length;
    const tall = hasBreak(text.slice(node.offset, end));
    const short = text[node.offset + 1] === ' ' ? line : compact;
    const value = tall ? pretty(group, indentOf(text, node.offset)) : short(group);
    return mark + text.slice(0, node.offset) + value + text.slice(end);
  },

  cut(source, event, index) {
    const { text, mark, array } = locate(source, event, index);
    return mark + cutItem(text, listOf(text, array), index);
  },

  prune(source, event) {
    const { text, mark, root } = parse(source);
    const hooks = root && member(text, root, 'hooks');
    const box = event === undefined ? root : hooks;
    const node = event === undefined ? hooks : hooks && groupsOf(text, hooks, event);
    if (!box || !node) return source;
    // A comment inside is somebody's; then the empty container stays around it.
    if (!isBlank(text.slice(node.offset + 1, node.offset + node.length - 1))) return source;
    const index = box.children?.findIndex(({ children }) => children?.[1] === node) ?? -1;
    return mark + cutItem(text, listOf(text, box), index);
  },
};

const bare = (source: string): string => (source.startsWith(BOM) ? source.slice(1) : source);

/**
 * The text as strict JSON: comments and trailing commas blanked out where the dialect has them,
 * refused where it has not. What is wrong in other ways stays wrong.
 */
function strip(text: string, { comments, trailingCommas, otherwise }: Dialect) {
  const scanner = createScanner(text);
  const out: string[] = [];
  const keys = [new Set<string>(), new Set<string>()];
  let from = 0;
  let depth = 0;
  let inHooks = false;
  let previous = '';
  let key = { name: '', offset: 0 };
  /** A comma behind a value, as long as it is not known whether another value follows. */
  let comma: number | undefined;

  const drop = (start: number, end: number) => {
    out.push(text.slice(from, start), ' ');
    from = end;
  };
  const place = (): void => {
    // Of two equal keys a client sees one and a person the other: nothing can be right there.
    const seen = depth === 1 ? keys[0] : depth === 2 && inHooks ? keys[1] : undefined;
    if (depth === 1) inHooks = key.name === 'hooks';
    if (!seen || (depth === 1 && !inHooks)) return;
    if (seen.has(key.name)) throw refusal(text, key.offset, `duplicate key "${key.name}"`);
    seen.add(key.name);
  };

  const dropped: [number, number][] = [];
  while (true) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    if (start >= text.length) break;
    const end = scanner.getPosition();
    const token = text[start] ?? '';
    if (isBlank(token)) continue;
    if (token === '/' && (text[start + 1] === '/' || text[start + 1] === '*')) {
      if (!comments) throw refusal(text, start, `a file with a comment ${otherwise}`);
      if (scanner.getTokenError() === 0) dropped.push([start, end]);
      continue;
    }
    if (token === '{' || token === '[') depth += 1;
    if (depth > MAX_DEPTH) {
      throw refusal(text, start, `more than ${MAX_DEPTH} brackets inside each other`);
    }
    if (token === '"') key = { name: scanner.getTokenValue(), offset: start };
    if (token === ':' && previous === '"') place();
    if (token === '}' || token === ']') {
      depth -= 1;
      if (comma !== undefined) {
        if (!trailingCommas) {
          throw refusal(text, comma, `a file with a trailing comma ${otherwise}`);
        }
        dropped.push([comma, comma + 1]);
      }
    }
    // Behind `[` or another comma it is a mistake, which is left for JSON.parse to find.
    comma = token === ',' && !['', '{', '[', ',', ':'].includes(previous) ? start : undefined;
    previous = token;
  }
  for (const [start, end] of dropped.sort((a, b) => a[0] - b[0])) drop(start, end);
  out.push(text.slice(from));
  return { json: out.join(''), blank: previous === '' };
}

/** The tree of a valid text; undefined when there is nothing but white space and comments. */
function tree(text: string): Node | undefined {
  const errors: Parameters<typeof parseTree>[1] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (!error) return root;
  const words = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const found = text.slice(error.offset, error.offset + error.length);
  // At most one token is shown, and not a long one: it may be anybody's secret.
  const shown = found.length > 0 && found.length <= 12 ? `, found ${JSON.stringify(found)}` : '';
  const what = error.offset >= text.length ? ', found the end of the file' : shown;
  throw refusal(text, error.offset, `not valid JSON: ${words.toLowerCase()}${what}`);
}

function parse(source: string) {
  const text = bare(source);
  json.read(source, ANYTHING);
  const root = tree(text);
  if (root) expect(text, root, 'object', 'the document');
  const newline = newlineOf(text);
  const first = root?.children?.[0];
  const tight = first?.colonOffset !== undefined && !isBlank(text[first.colonOffset + 1] ?? '');
  const own = first && startsLine(text, first.offset) ? indentOf(text, first.offset) : '';
  const unit = own || '  ';
  const style: Style = { newline, unit, comma: tight ? ',' : ', ' };
  return {
    text,
    root,
    style,
    mark: source.slice(0, source.length - text.length),
    shift: source.length - text.length,
    pretty: (value: JsonValue, indent: string) =>
      JSON.stringify(value, null, unit).replaceAll('\n', newline + indent),
    // No string in JSON has a raw line break, so every one that is here is layout.
    compact: (value: JsonValue) =>
      tight
        ? JSON.stringify(value)
        : JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, ''),
    /** For a line of its own, as people write it. */
    line: (value: JsonValue) =>
      JSON.stringify(value, null, 1)
        .replace(/\{\n */g, '{ ')
        .replace(/\n *\}/g, ' }')
        .replace(/,\n */g, ', ')
        .replace(/\n */g, ''),
  };
}

function locate(source: string, event: string, index: number) {
  const document = parse(source);
  const { text, root } = document;
  const hooks = root && member(text, root, 'hooks');
  const array = hooks && groupsOf(text, hooks, event);
  const node = array?.children?.[index];
  if (!array || !node) throw new RangeError(`no group ${index} under hooks.${event}`);
  return { ...document, array, node };
}

function groupsOf(text: string, hooks: Node, event: string): Node | undefined {
  const node = member(text, expect(text, hooks, 'object', '"hooks"'), event);
  return node && expect(text, node, 'array', `"hooks.${event}"`);
}

function member(text: string, node: Node, key: string): Node | undefined {
  const found = node.children?.filter(({ children }) => children?.[0]?.value === key) ?? [];
  if (found[1]) throw refusal(text, found[1].offset, `duplicate key "${key}"`);
  return found[0]?.children?.[1];
}

function expect(text: string, node: Node, type: 'object' | 'array', what: string): Node {
  if (node.type === type) return node;
  throw refusal(text, node.offset, `${what} is not an ${type} but ${aOrAn(node.type)}`);
}

const aOrAn = (type: string): string =>
  type === 'null' ? type : `${type === 'object' || type === 'array' ? 'an' : 'a'} ${type}`;

function listOf(text: string, node: Node): List {
  return {
    open: node.offset + 1,
    close: node.offset + node.length - 1,
    items: (node.children ?? []).map(({ offset, length }) => [offset, offset + length] as const),
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
