/**
 * What others do to a settings file while our entry is in it: programs that rewrite it, editors, the user. None of this uses the
 * code under test, and no change makes the file unreadable for its client.
 */
import fc from 'fast-check';
import {
  applyEdits,
  createScanner,
  type FormattingOptions,
  format as formatted,
  type JSONPath,
  modify,
} from 'jsonc-parser';
import { parse, stringify } from 'smol-toml';
import { type AST, parseTOML } from 'toml-eslint-parser';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  type Layout,
  Refusal,
} from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { equal } from '../../src/edit/value.ts';
import { EVENTS, ownerOf } from './arbitraries.ts';
import { documentOf, eventsOf, type Kind, rawOf } from './checks.ts';
import { AT_ROOT, elementIn, pathIn, ROWS, UNDER_HOOKS } from './layouts.ts';
import {
  commaTyped,
  squeezed,
  stretched,
  cutOut as typedCut,
  typedInto,
  typedIntoToml,
} from './typed.ts';

/** One change; `n` decides where and how. */
export interface Edit {
  readonly what: string;
  readonly n: number;
}

/** The text after the change; unchanged if the change is impossible there. */
export function edited(kind: Kind, text: string, { what, n }: Edit): string {
  const changes: Changes = kind.format === json ? JSON_CHANGES : TOML_CHANGES;
  try {
    const next = changes[what]?.(text, dice(n), documentOf(kind, text), kind);
    if (next === undefined) return text;
    rawOf(kind, next);
    return next;
  } catch (error) {
    if (error instanceof Refusal) return text;
    throw error;
  }
}

/** What a user adds in an editor, in either format; nothing is removed. */
export const TYPED = {
  json: ['typed anywhere', 'typed with comments', 'squeezed'],
  toml: ['typed under hooks', 'a group of theirs in an array', 'a key at the top'],
} as const;

/** @param typing Only what a user types, nothing that a program writes. */
export const editFor = ({ format }: Kind, typing = false): fc.Arbitrary<Edit> => {
  const all = Object.keys(format === json ? JSON_CHANGES : TOML_CHANGES);
  const typed = all.filter((what) => /typed|a group of theirs in an array|moved/.test(what));
  return fc.record({ what: fc.constantFrom(...(typing ? typed : all)), n: fc.nat(99_999) });
};

type Roll = (sides: number) => number;
type Change = (text: string, roll: Roll, value: JsonObject, kind: Kind) => string | undefined;
type Changes = Readonly<Record<string, Change>>;

/** The same numbers for the same seed. */
function dice(seed: number): Roll {
  let state = seed + 1;
  return (sides) => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return sides > 0 ? state % sides : 0;
  };
}

const pick = <T>(list: readonly T[], roll: Roll): T | undefined => list[roll(list.length)];
const eventOf = (roll: Roll): string => pick([...EVENTS, 'Other'], roll) ?? 'Stop';
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const late = (roll: Roll): JsonObject => ({
  matcher: `late ${roll(100)}`,
  hooks: roll(5) === 0 ? [] : [{ type: 'command', command: `later ${roll(100)} "}]`, timeout: 3 }],
});
/** A comment with a number that the generators of files do not use. */
const remark = (roll: Roll): string => `c${10_000 + roll(10_000)}! , ] }`;

interface Spot {
  readonly event: string;
  readonly index: number;
  readonly group: JsonValue;
}

const spots = (value: JsonObject, which: (group: JsonValue) => boolean = () => true): Spot[] =>
  [...eventsOf(value)].flatMap(([event, groups]) =>
    groups.flatMap((group, index) => (which(group) ? [{ event, index, group }] : [])),
  );
const isOurs = (group: JsonValue): boolean => ownerOf(group) !== undefined;
const isTheirs = (group: JsonValue): boolean => !isOurs(group);

/** Changes of line breaks and spaces, which are the same in every format. */
const BLANKS: Changes = {
  'LF for the whole file': (text) => text.replaceAll('\r\n', '\n'),
  'CRLF for the whole file': (text) => text.replace(/\r?\n/g, '\r\n'),
  'no spaces at the end of lines': (text) => text.replace(/[ \t]+(?=\r?\n)/g, ''),
  'another end of the file': (text, roll) =>
    text.replace(/\s*$/, () => pick(['', '\n', '\r\n', '\n\n', '\n \t'], roll) ?? ''),
  'another byte order mark': (text) =>
    text.startsWith('\uFEFF') ? text.slice(1) : `\uFEFF${text}`,
  'a blank line': (text, roll) => {
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
    const at = pick(ends, roll);
    return at === undefined ? undefined : `${text.slice(0, at)}${eolOf(text)}${text.slice(at)}`;
  },
};

// --- JSON ---------------------------------------------------------------------------------------

const layout = (text: string, roll: Roll): FormattingOptions => ({
  tabSize: 2 + 2 * roll(2),
  insertSpaces: roll(3) > 0,
  eol: eolOf(text),
  ...(roll(2) === 0 ? { insertFinalNewline: true } : {}),
});

const anew = (value: JsonValue, indent: string | number, roll: Roll): string =>
  JSON.stringify(value, null, indent) + (roll(2) === 0 ? '\n' : '');

/** Sets, inserts (`into` an array) or removes one value, as an editor with a JSON library does. */
function set(
  kind: Kind,
  text: string,
  roll: Roll,
  place: JSONPath,
  given: JsonValue | undefined,
  into = false,
): string {
  const [, event, index, ...inside] = place;
  const isElement = index !== undefined && inside.length === 0 && given !== undefined;
  const value = isElement ? elementIn(String(event), given, kind.layout) : given;
  const path = pathIn(rawOf(kind, text), place, kind.layout);
  // Rows have no list of an event, and the document itself cannot be set.
  if (path.length === 0 || (kind.layout === ROWS && event !== undefined && index === undefined))
    return text;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const bare = text.slice(mark.length);
  const formattingOptions = layout(text, roll);
  return (
    mark +
    applyEdits(bare, modify(bare, path, value, { formattingOptions, isArrayInsertion: into }))
  );
}

/** The ends of all tokens except white space and comments, and the spans of the comments. */
function scan(text: string): { ends: number[]; comments: [number, number][] } {
  const scanner = createScanner(text.replace(/^\uFEFF/, ' '));
  const ends: number[] = [];
  const comments: [number, number][] = [];
  for (;;) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    if (start >= text.length) return { ends, comments };
    const end = scanner.getPosition();
    if (text[start] === '/') comments.push([start, end]);
    else if (/\S/.test(text[start] ?? '')) ends.push(end);
  }
}

const cutOut = (text: string, stretch: readonly [number, number] | undefined): string | undefined =>
  stretch && text.slice(0, stretch[0]) + text.slice(stretch[1]);

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(pairs.map(([key, item]) => [key, sortKeys(item)]));
}

const isEventList = (value: JsonObject, event: string): boolean =>
  !isObject(value.hooks) || value.hooks[event] === undefined || Array.isArray(value.hooks[event]);

const JSON_CHANGES: Changes = {
  ...BLANKS,
  'typed anywhere': (text, roll, _, { layout }) => typedInto(text, roll, layout),
  'typed with comments': (text, roll, _, { dialect, layout }) =>
    dialect.comments ? typedInto(text, roll, layout, () => remark(roll)) : undefined,
  'cut out by hand': (text, roll) => typedCut(text, roll),
  'a comma typed after a last item': (text, roll, _, { dialect }) =>
    dialect.trailingCommas ? commaTyped(text, roll) : undefined,
  squeezed: (text) => squeezed(text),
  stretched: (text) => stretched(text, eolOf(text)),
  'written anew, 2 spaces': (text, roll, _, kind) => anew(rawOf(kind, text), 2, roll),
  'written anew, 4 spaces': (text, roll, _, kind) => anew(rawOf(kind, text), 4, roll),
  'written anew, tabs': (text, roll, _, kind) => anew(rawOf(kind, text), '\t', roll),
  'written anew, on one line': (text, roll, _, kind) => anew(rawOf(kind, text), 0, roll),
  'keys sorted': (text, roll, _, kind) => anew(sortKeys(rawOf(kind, text)), 2, roll),
  formatted: (text, roll) => {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const bare = text.slice(mark.length);
    return mark + applyEdits(bare, formatted(bare, undefined, layout(text, roll)));
  },
  'a group of theirs anywhere': (text, roll, value, kind) => {
    const event = eventOf(roll);
    if (!isEventList(value, event)) return undefined;
    const count = eventsOf(value).get(event)?.length ?? 0;
    return set(kind, text, roll, ['hooks', event, roll(count + 1)], late(roll), count > 0);
  },
  'a group of theirs behind': (text, roll, value, kind) => {
    const event = eventOf(roll);
    const groups = eventsOf(value).get(event);
    return groups && set(kind, text, roll, ['hooks', event, groups.length], late(roll), true);
  },
  'a group of theirs before': (text, roll, value, kind) => {
    const event = eventOf(roll);
    return eventsOf(value).has(event)
      ? set(kind, text, roll, ['hooks', event, 0], late(roll), true)
      : undefined;
  },
  'a group of theirs changed': (text, roll, value, kind) => {
    const spot = pick(
      spots(value, (group) => isTheirs(group) && isObject(group)),
      roll,
    );
    return (
      spot && set(kind, text, roll, ['hooks', spot.event, spot.index, 'matcher'], `new ${roll(9)}`)
    );
  },
  'a group deleted': (text, roll, value, kind) => {
    const spot = pick(spots(value), roll);
    return spot && set(kind, text, roll, ['hooks', spot.event, spot.index], undefined);
  },
  'a group of theirs deleted': (text, roll, value, kind) => {
    const spot = pick(spots(value, isTheirs), roll);
    return spot && set(kind, text, roll, ['hooks', spot.event, spot.index], undefined);
  },
  'a group copied': (text, roll, value, kind) => {
    const spot = pick(spots(value), roll);
    return spot && set(kind, text, roll, ['hooks', spot.event, spot.index], spot.group, true);
  },
  'our group copied': (text, roll, value, kind) => {
    const spot = pick(spots(value, isOurs), roll);
    const event = roll(2) === 0 ? spot?.event : eventOf(roll);
    if (!spot || !event || !isEventList(value, event)) return undefined;
    const count = eventsOf(value).get(event)?.length ?? 0;
    return set(kind, text, roll, ['hooks', event, roll(count + 1)], spot.group, count > 0);
  },
  'a group moved': (text, roll, value, kind) => {
    const spot = pick(spots(value), roll);
    if (!spot) return undefined;
    const rest = set(kind, text, roll, ['hooks', spot.event, spot.index], undefined);
    const event = roll(2) === 0 ? spot.event : eventOf(roll);
    if (!isEventList(value, event)) return undefined;
    const count = (eventsOf(value).get(event)?.length ?? 0) - (event === spot.event ? 1 : 0);
    return set(kind, rest, roll, ['hooks', event, roll(count + 1)], spot.group, count > 0);
  },
  "our group's timeout": (text, roll, value, kind) => {
    const spot = pick(spots(value, isOurs), roll);
    return (
      spot &&
      set(kind, text, roll, ['hooks', spot.event, spot.index, 'hooks', 0, 'timeout'], 700 + roll(9))
    );
  },
  'more in our group': (text, roll, value, kind) => {
    const spot = pick(spots(value, isOurs), roll);
    return spot && set(kind, text, roll, ['hooks', spot.event, spot.index, 'note'], 'mine');
  },
  'a handler of theirs in our group': (text, roll, value, kind) => {
    const spot = pick(spots(value, isOurs), roll);
    const handler = { type: 'command', command: 'theirs' };
    return (
      spot &&
      set(kind, text, roll, ['hooks', spot.event, spot.index, 'hooks', roll(2)], handler, true)
    );
  },
  'an event more': (text, roll, value, kind) =>
    isObject(value.hooks)
      ? set(kind, text, roll, ['hooks', `Own${roll(4)}`], [late(roll)])
      : undefined,
  'an event less': (text, roll, value, kind) => {
    const event = pick([...eventsOf(value).keys()], roll);
    return event && set(kind, text, roll, ['hooks', event], undefined);
  },
  'an empty event': (text, roll, value, kind) =>
    isObject(value.hooks) ? set(kind, text, roll, ['hooks', `Own${roll(4)}`], []) : undefined,
  'a key more, anywhere': (text, roll, value) => {
    const bare = text.replace(/^\uFEFF/, '');
    const path = [`added${roll(3)}`];
    const options = {
      formattingOptions: layout(text, roll),
      getInsertionIndex: (keys: string[]) => roll(keys.length + 1),
    };
    if (Object.keys(value).length === 0 && !bare.includes('{')) return undefined;
    const added = applyEdits(bare, modify(bare, path, { x: [roll(9)] }, options));
    return text.slice(0, text.length - bare.length) + added;
  },
  'a key less': (text, roll, value, kind) => {
    const key = pick(
      Object.keys(value).filter((name) => name !== 'hooks'),
      roll,
    );
    return key === undefined ? undefined : set(kind, text, roll, [key], undefined);
  },
  'no hooks': (text, roll, value, kind) =>
    value.hooks !== undefined && roll(4) === 0
      ? set(kind, text, roll, ['hooks'], undefined)
      : undefined,
  'a comment anywhere': (text, roll, _, { dialect }) => {
    const { ends } = scan(text);
    const at = pick([text.startsWith('\uFEFF') ? 1 : 0, ...ends], roll) ?? 0;
    if (!dialect.comments) return undefined;
    const comment = pick([`/* ${remark(roll)} */`, ` // ${remark(roll)}${eolOf(text)}`], roll);
    return text.slice(0, at) + comment + text.slice(at);
  },
  'a comment less': (text, roll) => cutOut(text, pick(scan(text).comments, roll)),
};

// --- TOML ---------------------------------------------------------------------------------------

const treeOf = (text: string): AST.TOMLProgram => parseTOML(text, { tomlVersion: '1.1' });

/** The file in sections: the keys of the root, then one section for each table's header. */
function sectionsOf(text: string): string[] {
  const nodes = treeOf(blanked(text)).body[0].body;
  const starts = nodes.flatMap((node) =>
    node.type === 'TOMLTable' ? [text.lastIndexOf('\n', node.range[0]) + 1] : [],
  );
  return [0, ...starts].map((start, n) => text.slice(start, starts[n] ?? text.length));
}

/** The parser refuses a byte order mark in TOML; a space in its place keeps the offsets. */
const blanked = (text: string): string => text.replace(/^\uFEFF/, ' ');

/** Joins pieces, each of which starts on a line of its own. */
const joined = (sections: readonly string[], eol: string): string =>
  sections
    .filter((section) => section !== '')
    .map((section, n, all) =>
      n < all.length - 1 && !/\n$/.test(section) ? section + eol : section,
    )
    .join('');

function withSections(
  text: string,
  change: (tables: string[], all: readonly string[]) => boolean,
): string | undefined {
  const [root = '', ...tables] = sectionsOf(text);
  const after = [...tables];
  return change(after, tables) ? joined([root, ...after], eolOf(text)) : undefined;
}

/** Whether a key is an event, so that its value is an array of groups. */
const isEvent = (key: unknown): boolean => [...EVENTS, 'Other'].some((event) => event === key);

function arraysOf(text: string, layout: Layout): AST.TOMLArray[] {
  const found: AST.TOMLArray[] = [];
  const seek = (path: readonly (string | number)[], pair: AST.TOMLKeyValue): void => {
    const keys = [
      ...path,
      ...pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value)),
    ];
    const isPart = layout === AT_ROOT ? isEvent(keys[0]) : keys[0] === 'hooks';
    if (!isPart) return;
    const depth = layout === UNDER_HOOKS ? 2 : 1;
    if (pair.value.type === 'TOMLArray' && keys.length === depth) found.push(pair.value);
    if (pair.value.type === 'TOMLInlineTable')
      for (const inner of pair.value.body) seek(keys, inner);
  };
  for (const node of treeOf(blanked(text)).body[0].body) {
    if (node.type === 'TOMLKeyValue') seek([], node);
    else for (const pair of node.body) seek(node.resolvedKey, pair);
  }
  return found;
}

function inTables(
  event: string,
  group: JsonObject,
  eol: string,
  nested: boolean,
  layout: Layout,
): string {
  const keys = layout === AT_ROOT ? event : layout === ROWS ? 'hooks' : `hooks.${event}`;
  const handlers = Array.isArray(group.hooks) ? group.hooks.filter(isObject) : [];
  const fields = (item: JsonObject) =>
    Object.entries(item).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const inline = `hooks = [${handlers.map((handler) => `{ ${fields(handler).join(', ')} }`).join(', ')}]`;
  const tables = handlers.flatMap((handler) => ['', `[[${keys}.hooks]]`, ...fields(handler)]);
  const { hooks: _, ...rest } = group;
  const own = layout === ROWS ? { event, ...rest } : rest;
  return [`[[${keys}]]`, ...fields(own), ...(nested ? tables : [inline]), ''].join(eol);
}

const inArray = (roll: Roll, layout: Layout): string =>
  `{ ${layout === ROWS ? 'event = "Stop", ' : ''}matcher = "late ${roll(100)}", hooks = [] }`;

/** All values written again with the same types; comments are lost. */
function rewritten(text: string, sorted: boolean): string | undefined {
  try {
    const document = parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: true });
    const pairs = Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1));
    return stringify(sorted ? Object.fromEntries(pairs) : document, { numbersAsFloat: true });
  } catch {
    return undefined;
  }
}

/** The changed text, if a parser sees no difference except inside a string. */
const ifSame = (text: string, next: string, value: JsonObject, kind: Kind): string | undefined => {
  try {
    return equal(documentOf(kind, next), value) ? next : undefined;
  } catch {
    return next === text ? text : undefined;
  }
};

const TOML_CHANGES: Changes = {
  ...BLANKS,
  'typed under hooks': (text, roll, _, { layout }) =>
    layout === UNDER_HOOKS ? typedIntoToml(text, roll) : undefined,
  'written anew': (text) => rewritten(text, false),
  'written anew, sorted': (text) => rewritten(text, true),
  'a table at the end': (text, roll) => {
    const eol = eolOf(text);
    return joined([text, `${eol}[added${roll(3)}]${eol}x = 1 # ${remark(roll)}${eol}`], eol);
  },
  // The key belongs to the table that happens to be the last.
  'a key at the end': (text, roll) =>
    joined([text, `added${roll(1000)} = ${roll(9)}`], eolOf(text)),
  'a table of the last group at the end': (text, roll) => {
    const [, event] = [...text.matchAll(/^\[\[\s*hooks\.(\w+)\s*\]\]/gm)].at(-1) ?? [];
    return event && joined([text, `[hooks.${event}.added${roll(1000)}]`, 'x = 1'], eolOf(text));
  },
  // Codex does this when the user trusts a hook.
  'trust at the end': (text, roll, _, { layout }) => {
    if (layout !== UNDER_HOOKS) return undefined;
    const eol = eolOf(text);
    const key = `"/h/config.toml:stop:0:${roll(3)}"`;
    return joined([text, `${eol}[hooks.state.${key}]${eol}trusted_hash = "sha256:1"${eol}`], eol);
  },
  'a group of theirs at the end': (text, roll, _, { layout }) => {
    const eol = eolOf(text);
    return joined(
      [text, eol + inTables(eventOf(roll), late(roll), eol, roll(2) === 0, layout)],
      eol,
    );
  },
  'a group of theirs between tables': (text, roll, _, { layout }) =>
    withSections(text, (tables) => {
      const eol = eolOf(text);
      const group = inTables(eventOf(roll), late(roll), eol, roll(2) === 0, layout);
      return tables.splice(roll(tables.length + 1), 0, group + eol).length === 0;
    }),
  'a group of theirs in an array': (text, roll, _, { layout }) => {
    const array = pick(arraysOf(text, layout), roll);
    if (!array) return undefined;
    const [start] = array.range;
    const last = array.elements.at(-1);
    const behind = last !== undefined && roll(2) === 0;
    const at = behind ? last.range[1] : start + 1;
    const item = behind ? `, ${inArray(roll, layout)}` : inArray(roll, layout) + (last ? ', ' : '');
    return text.slice(0, at) + item + text.slice(at);
  },
  'an element of an array deleted': (text, roll, _, { layout }) => {
    const array = pick(
      arraysOf(text, layout).filter(({ elements }) => elements.length > 0),
      roll,
    );
    const at = roll(array?.elements.length ?? 0);
    const [one, next] = [array?.elements[at], array?.elements[at + 1]];
    return one && cutOut(text, [one.range[0], next ? next.range[0] : one.range[1]]);
  },
  'an element of an array copied': (text, roll, _, { layout }) => {
    const one = pick(
      arraysOf(text, layout).flatMap(({ elements }) => elements),
      roll,
    );
    if (!one) return undefined;
    const [start, end] = one.range;
    return `${text.slice(0, end)}, ${text.slice(start, end)}${text.slice(end)}`;
  },
  'a table moved': (text, roll) =>
    withSections(text, (tables) => {
      const [moved] = tables.splice(roll(tables.length), 1);
      if (moved !== undefined) tables.splice(roll(tables.length + 1), 0, moved);
      return moved !== undefined;
    }),
  'a table deleted': (text, roll) =>
    withSections(text, (tables) => tables.splice(roll(tables.length), 1).length > 0),
  'a table copied': (text, roll) =>
    withSections(text, (tables) => {
      const at = roll(tables.length);
      const copied = tables[at];
      if (copied !== undefined) tables.splice(at, 0, copied);
      return copied !== undefined;
    }),
  'our group copied': (text, roll) =>
    withSections(text, (tables) => {
      const copied = pick(
        tables.filter((table) => table.includes('/r/')),
        roll,
      );
      if (copied !== undefined) tables.splice(roll(tables.length + 1), 0, copied);
      return copied !== undefined;
    }),
  "our group's timeout": (text, roll) => {
    const times = [...text.matchAll(/(?<=\/r\/\w+\/[^\n]*timeout = )\d+/g)];
    const one = pick(times, roll);
    return one && `${text.slice(0, one.index)}70${roll(9)}${text.slice(one.index + one[0].length)}`;
  },
  'a timeout': (text, roll) => {
    const one = pick([...text.matchAll(/(?<=timeout\s*=\s*)\d+/g)], roll);
    return one && `${text.slice(0, one.index)}80${roll(9)}${text.slice(one.index + one[0].length)}`;
  },
  'a key of theirs in our group': (text, roll) => {
    const one = pick([...text.matchAll(/^matcher = [^\n]*\n(?=hooks = .*\/r\/)/gm)], roll);
    return one && `${text.slice(0, one.index)}note = "mine"${eolOf(text)}${text.slice(one.index)}`;
  },
  'a handler of theirs in our group': (text, roll) => {
    const one = pick([...text.matchAll(/(?<=hooks = \[)(?=\{[^\n]*\/r\/)/g)], roll);
    return (
      one &&
      `${text.slice(0, one.index)}{ type = "command", command = "theirs" }, ${text.slice(one.index)}`
    );
  },
  'a key at the top': (text, roll) =>
    text.replace(/^\uFEFF?/, (mark) => `${mark}added${roll(3)} = [1, 2]${eolOf(text)}`),
  'a comment on a line of its own': (text, roll, value, kind) => {
    const starts = [
      text.startsWith('\uFEFF') ? 1 : 0,
      ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1),
    ];
    const at = pick(starts, roll) ?? 0;
    const next = `${text.slice(0, at)}# ${remark(roll)}${eolOf(text)}${text.slice(at)}`;
    return ifSame(text, next, value, kind);
  },
  'a comment behind a line': (text, roll, value, kind) => {
    const at =
      pick(
        [...text.matchAll(/\r?$/gm)].map(({ index }) => index),
        roll,
      ) ?? 0;
    return ifSame(text, `${text.slice(0, at)} # ${remark(roll)}${text.slice(at)}`, value, kind);
  },
  'a comment less': (text, roll) => cutOut(text, pick(treeOf(blanked(text)).comments, roll)?.range),
  'a line indented': (text, roll, value, kind) => {
    const at =
      pick(
        [...text.matchAll(/^(?=.)/gm)].map(({ index }) => index),
        roll,
      ) ?? 0;
    return ifSame(
      text,
      `${text.slice(0, at)}${roll(2) === 0 ? '\t' : '  '}${text.slice(at)}`,
      value,
      kind,
    );
  },
};
