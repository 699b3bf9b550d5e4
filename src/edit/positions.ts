/** Positions of values in a settings file. For a missing value, the nearest enclosing value that exists. */

import { type Node, parseTree } from 'jsonc-parser';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { attempt } from '../system/errors.ts';
import { memoize } from '../system/memoize.ts';
import type { Path } from './edit.ts';
import { type FORMATS, listAsJson } from './formats.ts';
import { withoutBom } from './text.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column are 1-based. @param text A text that has been parsed before, so it is valid. */
export function positionsIn(text: string, format: keyof typeof FORMATS): (keys: Path) => Position {
  // Positions are rarely needed, so the text is parsed on demand.
  const read = memoize(() => {
    const source = format === 'program' ? listAsJson(text) : withoutBom(text);
    const starts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
    return { starts, find: format === 'toml' ? inToml(source) : inJson(source) };
  });
  return (keys) => {
    const { starts, find } = read();
    const offset = find(keys);
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function inJson(source: string): (keys: Path) => number {
  const root = parseTree(source, [], { allowTrailingComma: true });
  return (keys) => {
    let node: Node | undefined = root;
    let offset = node?.offset ?? 0;
    for (const key of keys) {
      node = childOf(node, key);
      if (!node) break;
      offset = node.parent?.type === 'property' ? node.parent.offset : node.offset;
    }
    return offset;
  };
}

/** Of duplicate keys, the last one counts. */
const childOf = (node: Node | undefined, key: string | number): Node | undefined =>
  typeof key === 'number'
    ? node?.children?.[key]
    : node?.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];

function inToml(source: string): (keys: Path) => number {
  const root = attempt(() => parseTOML(`${source}\n`, { tomlVersion: '1.1' }).body[0]);
  const known = new Map<string, number>();
  const add = (keys: Path, offset: number) => {
    const name = JSON.stringify(keys);
    if (!known.has(name)) known.set(name, offset);
  };
  const value = (keys: Path, node: AST.TOMLContentNode): void => {
    if (node.type === 'TOMLArray')
      for (const [index, element] of node.elements.entries()) {
        add([...keys, index], element.range[0]);
        value([...keys, index], element);
      }
    if (node.type === 'TOMLInlineTable') assignments(keys, node.body);
  };
  const assignments = (keys: Path, all: readonly AST.TOMLKeyValue[]): void => {
    for (const one of all) {
      const names = one.key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
      const own = [...keys, ...names];
      for (let end = keys.length + 1; end <= own.length; end += 1)
        add(own.slice(0, end), one.range[0]);
      value(own, one.value);
    }
  };
  for (const node of root?.body ?? [])
    if (node.type === 'TOMLKeyValue') assignments([], [node]);
    else {
      for (let end = 1; end <= node.resolvedKey.length; end += 1)
        add(node.resolvedKey.slice(0, end), node.range[0]);
      assignments(node.resolvedKey, node.body);
    }
  return (keys) => {
    for (let end = keys.length; end > 0; end -= 1) {
      const found = known.get(JSON.stringify(keys.slice(0, end)));
      if (found !== undefined) return found;
    }
    return 0;
  };
}
