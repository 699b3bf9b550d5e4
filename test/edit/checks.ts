/** Shared by the properties of editing: the kinds of files, how many are tried, and what is compared. */
import { isDeepStrictEqual } from 'node:util';
import { runInThisContext } from 'node:vm';
import iarna from '@iarna/toml';
import fc from 'fast-check';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { expect } from 'vitest';
import {
  type Dialect,
  type Format,
  isObject,
  type JsonObject,
  type JsonValue,
  type Layout,
  type Placed,
} from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { toml } from '../../src/edit/toml.ts';
import { equal, eventsOf as eventsIn } from '../../src/edit/value.ts';
import {
  EVENTS,
  GEMINI,
  jsonFileFor,
  LENIENT,
  ownerOf,
  type Sample,
  STRICT,
  STRICTEST,
  smallJson,
  smallToml,
  smallTomlWith,
  theirsOf,
  tomlFile,
  tomlFileWith,
} from './arbitraries.ts';
import { AT_ROOT, pathIn, ROWS, UNDER_HOOKS, underHooks } from './layouts.ts';

export interface Kind {
  readonly name: string;
  readonly format: Format;
  readonly dialect: Dialect;
  readonly layout: Layout;
  readonly file: fc.Arbitrary<Sample>;
  /** A nearly empty file. */
  readonly small: fc.Arbitrary<Sample>;
}

const jsonKind = (name: string, dialect: Dialect, layout = UNDER_HOOKS): Kind => ({
  name,
  format: json,
  dialect,
  layout,
  file: jsonFileFor(dialect, layout),
  small: smallJson(dialect, layout),
});

const tomlKind = (name: string, layout: Layout): Kind => ({
  name,
  format: toml,
  dialect: LENIENT,
  layout,
  file: tomlFileWith(layout),
  small: smallTomlWith(layout),
});

const ALL: readonly Kind[] = [
  jsonKind('json', STRICT),
  jsonKind('hooks.json', STRICTEST),
  jsonKind('jsonc', LENIENT),
  jsonKind('gemini', GEMINI),
  jsonKind('rows.json', LENIENT, ROWS),
  jsonKind('root.json', LENIENT, AT_ROOT),
  tomlKind('rows.toml', ROWS),
  tomlKind('root.toml', AT_ROOT),
  {
    name: 'toml',
    format: toml,
    dialect: LENIENT,
    layout: UNDER_HOOKS,
    file: tomlFile,
    small: smallToml,
  },
];
const { MCP_HOOKS_PROPERTY_RUNS, MCP_HOOKS_PROPERTY_SEED, MCP_HOOKS_PROPERTY_KIND } = process.env;
export const KINDS = ALL.filter(
  ({ name }) => !MCP_HOOKS_PROPERTY_KIND || name === MCP_HOOKS_PROPERTY_KIND,
);

/** Whether this is the long run, `npm run test:properties`. */
export const isLong = MCP_HOOKS_PROPERTY_RUNS !== undefined;
/** How many files a property is tried on; slow properties are tried on fewer. */
const runs = (usual: number): number => Number(MCP_HOOKS_PROPERTY_RUNS ?? usual);
/** A minute plus more time than any file has taken. */
export const timeout = (usual: number): number => 60_000 + runs(usual) * 100;

let documents = 0;
export const documentsTried = (): number => documents;

/** Fails with the seed, the path and the smallest example; MCP_HOOKS_PROPERTY_SEED repeats a seed. */
export function check<T extends unknown[]>(
  usual: number,
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  hold: (...values: T) => void,
): void {
  const seed =
    MCP_HOOKS_PROPERTY_SEED === undefined ? {} : { seed: Number(MCP_HOOKS_PROPERTY_SEED) };
  fc.assert(
    fc.property(fc.tuple(...arbitraries), (values) => {
      documents += 1;
      hold(...(values as T));
    }),
    { numRuns: runs(usual), ...seed },
  );
}

// --- Values -------------------------------------------------------------------------------------

/** Calls `expect(is).toEqual(shall)` only for different values; calling it for all would take a third of the tests' time. */
export function expectEqual(
  is: JsonValue | undefined,
  shall: JsonValue | undefined,
  what?: string,
): void {
  if (!isDeepStrictEqual(is, shall)) expect(is, what).toEqual(shall);
}

/** The document of a file as if its hooks were under `hooks`; `{}` if there is no file. */
export const documentOf = (kind: Kind, text: string | null): JsonObject =>
  underHooks(rawOf(kind, text), kind.layout);

export const rawOf = ({ format, dialect, layout }: Kind, text: string | null): JsonObject =>
  text === null ? {} : format.read(text, dialect, layout);

export const eventsOf = (document: JsonObject) => eventsIn(document, UNDER_HOOKS);

/** Expects that the label has exactly these groups. */
export function expectGroups(document: JsonObject, label: string, want: readonly Placed[]): void {
  const placed = [...eventsOf(document)].flatMap(([event, groups]) =>
    groups.filter((group) => ownerOf(group) === label).map((group) => ({ event, group })),
  );
  expectEqual(sorted(placed), sorted(want));
}

const sorted = (placed: readonly { event: string; group: JsonValue }[]) =>
  [...placed].sort((a, b) => EVENTS.indexOf(a.event as never) - EVENTS.indexOf(b.event as never));

/** Expects that groups of other labels keep their positions. */
export function noneMoved(before: JsonObject, after: JsonObject, label: string): void {
  const now = eventsOf(after);
  for (const [event, groups] of eventsOf(before)) {
    groups.forEach((group, index) => {
      if (ownerOf(group) === label || isEmptyGroup(group)) return;
      expectEqual(now.get(event)?.[index], theirsOf(group, label, true));
    });
  }
}

export const isEmptyGroup = (group: JsonValue): boolean => equal(group, { hooks: [] });

export function withEvent(
  document: JsonObject,
  event: string,
  groups: readonly JsonValue[],
): JsonObject {
  const hooks = isObject(document.hooks) ? document.hooks : {};
  return {
    ...document,
    hooks: Object.fromEntries([
      ...Object.entries(hooks).filter(([key]) => key !== event),
      [event, groups],
    ]),
  };
}

export function withAdded(document: JsonObject, placed: readonly Placed[]): JsonObject {
  return placed.reduce(
    (out, { event, group }) => withEvent(out, event, [...(eventsOf(out).get(event) ?? []), group]),
    document,
  );
}

/** Removes empty events (all or these) and empty hooks, because an edit may leave or remove them. */
export function settle(document: JsonObject, events?: readonly string[]): JsonObject {
  if (!isObject(document.hooks)) return document;
  const hooks = Object.entries(document.hooks).filter(
    ([event, groups]) =>
      !(Array.isArray(groups) && groups.length === 0 && (events?.includes(event) ?? true)),
  );
  const { hooks: _, ...rest } = document;
  return hooks.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(hooks) };
}

// --- Comments -----------------------------------------------------------------------------------

/** The list without the items of the other; each occurrence there removes one. */
export function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...list];
  for (const item of other) {
    const index = rest.indexOf(item);
    if (index !== -1) rest.splice(index, 1);
  }
  return rest;
}

/** The source of a group: one piece, or one for each table of a TOML group in tables. */
export function piecesOf(kind: Kind, source: string, event: string, index: number): string[] {
  const { format, layout } = kind;
  const target = pathIn(rawOf(kind, source), ['hooks', event, index], layout);
  const text = source.replace(/^\uFEFF/, '');
  if (format === json) {
    const root = parseTree(text, [], { allowTrailingComma: true });
    const node = root && findNodeAtLocation(root, target);
    return node ? [text.slice(node.offset, node.offset + node.length)] : [];
  }
  const pieces: string[] = [];
  const add = ({ range: [start, end] }: AST.TOMLNode) => pieces.push(text.slice(start, end));
  const seek = (
    path: readonly (string | number)[],
    node: AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode,
  ): void => {
    if (target.some((key, nth) => nth < path.length && path[nth] !== key)) return;
    if (path.length >= target.length) add(node);
    else if (node.type === 'TOMLTable')
      for (const pair of node.body) seek([...path, ...keysOf(pair)], pair);
    else if (node.type === 'TOMLKeyValue') seek(path, node.value);
    else if (node.type === 'TOMLInlineTable')
      for (const pair of node.body) seek([...path, ...keysOf(pair)], pair);
    else if (node.type === 'TOMLArray')
      for (const [nth, item] of node.elements.entries()) seek([...path, nth], item);
  };
  for (const node of parseTOML(text, { tomlVersion: '1.1' }).body[0].body) {
    seek(node.type === 'TOMLTable' ? node.resolvedKey : keysOf(node), node);
  }
  return pieces;
}

const keysOf = ({ key }: AST.TOMLKeyValue): string[] =>
  key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));

// --- Other readers ------------------------------------------------------------------------------

/**
 * Reads the change with a parser that editing does not use: it reads the same hooks as ours, and everything else in the file is
 * unchanged. Undefined if the other parser cannot read such a file.
 */
export function crossCheck(kind: Kind, before: string | null, after: string | null): void {
  const [was, is] = [before, after].map((text) => {
    const value = otherwise(kind, text);
    return value && underHooks(value as JsonObject, kind.layout);
  });
  if (was) expect(is, 'read before, and not after').toBeDefined();
  expect(commasAtEnd(kind, after)).toBeLessThanOrEqual(commasAtEnd(kind, before));
  if (is) expectEqual(plain(is.hooks), plain(documentOf(kind, after).hooks));
  if (!was || !is) return;
  const { hooks: _, ...rest } = was;
  const { hooks: __, ...same } = is;
  expectEqual(plain(same), plain(rest));
}

function otherwise(
  { format, dialect }: Kind,
  text: string | null,
): Record<string, unknown> | undefined {
  const bare = (text ?? '').replace(/^\uFEFF/, '');
  if (text !== null && bare !== text && !dialect.bom) return undefined;
  if (format === toml) {
    try {
      // This parser knows only TOML 1.0, and no CRLF after a comment.
      return iarna.parse(bare.replaceAll('\r\n', '\n'));
    } catch {
      return undefined;
    }
  }
  if (!dialect.trailingCommas) {
    const json = dialect.comments ? bare.replace(LEXEMES, (_, own = ' ') => own) : bare;
    return json.trim() === '' && (dialect.empty || text === null) ? {} : JSON.parse(json);
  }
  if (bare.trim() === '') return {};
  // JavaScript allows the same comments and trailing commas, but treats `__proto__` differently, and needs an expression.
  if (/__proto__|\\u005f/.test(bare)) return undefined;
  return runInThisContext(`(${commentsOnly(bare) ? '{}' : ''}${bare}\n)`);
}

/** A comment, or any other piece of a group: a string or one character. */
const LEXEMES = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|("(?:\\.|[^"\\])*"|[\s\S])/g;

const JSON_TOKENS = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|\S/g;
const TOML_TOKENS =
  /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?"""(?!")|'''[\s\S]*?'''(?!')|"(?:\\.|[^"\\])*"|'[^'\n]*'|\S/g;

/** The number of commas after last items. All versions of TOML allow one in an array. */
function commasAtEnd({ format }: Kind, text: string | null): number {
  const [token, ends] = format === json ? [JSON_TOKENS, ['}', ']']] : [TOML_TOKENS, ['}']];
  const tokens = (text ?? '').match(token)?.filter((one) => !/^(\/[/*]|#)/.test(one)) ?? [];
  return tokens.filter((one, n) => one === ',' && ends.includes(tokens[n + 1] ?? '')).length;
}

const commentsOnly = (text: string): boolean =>
  parseTree(text, [], { allowEmptyContent: true }) === undefined;

/** By value, except for line breaks in strings, which TOML leaves to the platform. */
const plain = (value: unknown): JsonValue | undefined =>
  value === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(value, (_, item) =>
          typeof item === 'bigint' ? `${item}n` : item,
        ).replaceAll('\\r\\n', '\\n'),
      );
