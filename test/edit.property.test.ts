/**
 * What has to hold for every file, whatever it looks like. MCP_HOOKS_PROPERTY_RUNS sets how many
 * files each property is tried on.
 */
import iarna from '@iarna/toml';
import fc from 'fast-check';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { stringify } from 'smol-toml';
import { describe, expect, test, vi } from 'vitest';
import { type Arrangement, arrange, type FileRecord } from '../src/edit/arrange.ts';
import {
  type Dialect,
  type Format,
  type JsonObject,
  type JsonValue,
  type Placed,
  Refusal,
  spansOf,
  splice,
  unsplice,
} from '../src/edit/edit.ts';
import { json } from '../src/edit/json.ts';
import { toml } from '../src/edit/toml.ts';
import { equal, eventsOf, isObject } from '../src/edit/value.ts';
import {
  commentsOf,
  EVENTS,
  jsoncFile,
  jsonFile,
  LABELS,
  LENIENT,
  ownerOf,
  type Sample,
  tomlFile,
  wanted,
} from './edit.arbitraries.ts';

const numRuns = Number(process.env.MCP_HOOKS_PROPERTY_RUNS ?? 300);
vi.setConfig({ testTimeout: 20_000 + numRuns * 20 });
const STRICT = { ...LENIENT, comments: false, trailingCommas: false };

const GEMINI = { ...LENIENT, trailingCommas: false, bom: false, empty: false };

function isForGemini({ source }: Sample): boolean {
  try {
    json.read(source, GEMINI);
    return true;
  } catch {
    return false;
  }
}

const KINDS = [
  { name: 'json', format: json, dialect: STRICT, file: jsonFile },
  { name: 'jsonc', format: json, dialect: LENIENT, file: jsoncFile },
  { name: 'gemini', format: json, dialect: GEMINI, file: jsoncFile.filter(isForGemini) },
  { name: 'toml', format: toml, dialect: LENIENT, file: tomlFile },
] as const;

const anyWanted = fc.constantFrom(...LABELS).chain(wanted);

describe.each(KINDS)('$name', ({ format, dialect, file }) => {
  const options = { format, dialect, ownerOf };
  const read = (text: string): JsonObject => format.read(text, dialect);
  const check = <T extends unknown[]>(
    arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
    hold: (...args: T) => void,
  ) =>
    fc.assert(
      fc.property(fc.tuple(...arbitraries), (values) => hold(...(values as T))),
      { numRuns },
    );

  test('reads what the file says', () => {
    check([file], (sample) => {
      const value = read(sample.source);
      if (format === json) expect(equal(value, sample.value)).toBe(true);
      else expect(hooksOf(value)).toEqual(sample.value);
    });
  });

  test('insert only inserts, at the end of each event, and is undone exactly', () => {
    check([file, anyWanted], ({ source }: Sample, want) => {
      const insertions = format.insert(source, want);
      const text = splice(source, insertions);
      expect(unsplice(text, spansOf(insertions))).toBe(source);
      const before = read(source);
      expect(equal(read(text), withAdded(before, want))).toBe(true);
      expect(insertions.length).toBeLessThanOrEqual(want.length * 2);
      if (format === toml) crossCheck(source, text, want);
    });
  });

  test('replace and cut change one group and no comment', () => {
    check([file, anyWanted, fc.nat()], ({ source }: Sample, want, pick) => {
      const places = [...eventsOf(read(source))].flatMap(([event, groups]) =>
        groups.map((_, index) => ({ event, index })),
      );
      const place = places[pick % Math.max(1, places.length)];
      const group = want[0]?.group;
      if (!place || !group) return;
      const { event, index } = place;
      const groups = eventsOf(read(source)).get(event) ?? [];
      const with_ = (next: JsonValue[]) => settle(withEvent(read(source), event, next), [event]);

      const replaced = format.replace(source, event, index, group);
      expect(equal(read(replaced), with_(groups.with(index, group)))).toBe(true);
      const cut = format.cut(source, event, index);
      expect(equal(settle(read(cut), [event]), with_(groups.toSpliced(index, 1)))).toBe(true);
      const lost = without(commentsOf(source), commentsOf(cut));
      // What is inside the group goes with it, and nothing else; `c8!` is behind a key of the group.
      const inside = format === json ? commentsOf(nodeText(source, event, index)) : ['c8!'];
      expect(without(lost, inside)).toEqual([]);
      if (format === json) expect(lost).toEqual(inside);
    });
  });

  test('what others wrote beside ours costs no byte', () => {
    check(
      [file, fc.boolean(), fc.tuple(wanted(LABELS[0]), wanted(LABELS[1])), fc.nat(7)],
      ({ source }: Sample, positional, [first, second], edit) => {
        const base = { ...options, positional };
        const one = arrange(source, { ...base, label: LABELS[0], want: first, record: undefined });
        const late = beside(format, dialect, one.text ?? '', source, edit);
        if (!late) return;
        const steps: [string, readonly Placed[]][] = [
          [LABELS[1], second],
          [LABELS[0], []],
          [LABELS[1], []],
        ];
        let { text, record }: Arrangement = { text: late.installed, record: one.record };
        for (const [label, want] of steps) {
          ({ text, record } = arrange(text, { ...base, label, want, record: record ?? undefined }));
        }
        expect(text).toBe(late.original);
      },
    );
  });

  test('two labels come and go in any order; the last one leaves the file as it was', () => {
    const steps = fc.array(
      fc.constantFrom(...LABELS).chain((label) => fc.tuple(fc.constant(label), wanted(label))),
      { minLength: 1, maxLength: 6 },
    );
    check([fc.option(file), fc.boolean(), steps], (sample, positional, plan) => {
      const source = sample === null ? null : sample.source;
      let text: string | null = source;
      let record: FileRecord | null = null;
      const installed = new Map<string, readonly Placed[]>();
      const step = (label: string, want: readonly Placed[]) => {
        const before = text;
        const result = arrange(text, {
          ...options,
          record: record ?? undefined,
          label,
          want,
          positional,
        });
        const again = arrange(result.text, {
          ...options,
          record: result.record ?? undefined,
          label,
          want,
          positional,
        });
        expect(again.text).toBe(result.text);
        expect(again.record).toEqual(result.record);
        expect(JSON.parse(JSON.stringify(result.record))).toEqual(result.record);
        ({ text, record } = result);
        installed.set(label, want);
        for (const [own, placed] of installed) expect(groupsOf(text, own)).toEqual(sorted(placed));
        if (positional) noneMoved(before, text, label);
      };
      for (const [label, want] of plan) step(label, want);
      for (const label of installed.keys()) step(label, []);
      expect(text).toBe(source);
      expect(record).toBeNull();
    });
  });

  test('what others did in between stays, and only ours goes', () => {
    check(
      [
        fc.option(file),
        fc.boolean(),
        fc.tuple(wanted(LABELS[0]), wanted(LABELS[1])),
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        fc.nat(4),
      ],
      (sample, positional, [first, second], edits, keep) => {
        let { text, record } = arrange(sample?.source ?? null, {
          ...options,
          record: undefined,
          label: LABELS[0],
          want: first,
          positional,
        });
        ({ text, record } = arrange(text, {
          ...options,
          record: record ?? undefined,
          label: LABELS[1],
          want: second,
          positional,
        }));
        if (text === null) return;
        let touched: string = text;
        for (const edit of edits) touched = thirdParty(format, dialect, touched, edit);
        const ledger = keep === 0 ? undefined : (record ?? undefined);
        const before = read(touched);
        const one = arrange(touched, {
          ...options,
          record: ledger,
          label: LABELS[0],
          want: [],
          positional,
        });
        expect(groupsOf(one.text, LABELS[0])).toEqual([]);
        expect(groupsOf(one.text, LABELS[1])).toEqual(groupsOf(touched, LABELS[1]));
        if (positional) noneMoved(touched, one.text, LABELS[0]);
        const two = arrange(one.text, {
          ...options,
          record: one.record ?? undefined,
          label: LABELS[1],
          want: [],
          positional,
        });
        if (two.record === null) {
          const after = two.text === null ? {} : read(two.text);
          const free = withoutOurs(before);
          expect(equal(settle(withoutOurs(after)), settle(free))).toBe(true);
        }
        expect(groupsOf(two.text, LABELS[1])).toEqual([]);
        const lost = commentsOf(touched).length - commentsOf(two.text ?? '').length;
        expect(lost).toBe(0);
      },
    );
  });

  function groupsOf(text: string | null, label: string) {
    const placed = [...eventsOf(text === null ? {} : read(text))].flatMap(([event, groups]) =>
      groups.filter((group) => ownerOf(group) === label).map((group) => ({ event, group })),
    );
    return sorted(placed);
  }

  /** Groups that are not the label's stand where they stood. */
  function noneMoved(before: string | null, after: string | null, label: string) {
    const now = eventsOf(after === null ? {} : read(after));
    for (const [event, groups] of eventsOf(before === null ? {} : read(before))) {
      groups.forEach((group, index) => {
        if (ownerOf(group) === label || isEmptyGroup(group)) return;
        expect(now.get(event)?.[index]).toEqual(group);
      });
    }
  }
});

const hooksOf = (value: JsonObject): JsonObject => {
  const { state: _, ...hooks } = isObject(value.hooks) ? value.hooks : {};
  return hooks;
};

const sorted = (placed: readonly { event: string; group: JsonValue }[]) =>
  [...placed].sort((a, b) => EVENTS.indexOf(a.event as never) - EVENTS.indexOf(b.event as never));

const isEmptyGroup = (group: JsonValue): boolean => equal(group, { hooks: [] });

function withEvent(document: JsonObject, event: string, groups: readonly JsonValue[]): JsonObject {
  const hooks = isObject(document.hooks) ? document.hooks : {};
  return {
    ...document,
    hooks: Object.fromEntries([
      ...Object.entries(hooks).filter(([key]) => key !== event),
      [event, groups],
    ]),
  };
}

function withAdded(document: JsonObject, placed: readonly Placed[]): JsonObject {
  return placed.reduce(
    (out, { event, group }) => withEvent(out, event, [...(eventsOf(out).get(event) ?? []), group]),
    document,
  );
}

/** Without empty events and empty hooks, which may stay or go. */
function settle(document: JsonObject, events?: readonly string[]): JsonObject {
  if (!isObject(document.hooks)) return document;
  const hooks = Object.entries(document.hooks).filter(
    ([event, groups]) =>
      !(Array.isArray(groups) && groups.length === 0 && (events?.includes(event) ?? true)),
  );
  const { hooks: _, ...rest } = document;
  return hooks.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(hooks) };
}

/** Without our groups and the empty ones that keep places. */
function withoutOurs(document: JsonObject): JsonObject {
  return [...eventsOf(document)].reduce(
    (out, [event, groups]) =>
      withEvent(
        out,
        event,
        groups.filter((group) => ownerOf(group) === undefined && !isEmptyGroup(group)),
      ),
    document,
  );
}

/** A reader that knows nothing of ours, where it can read the file at all (no BOM, no CRLF behind a comment). */
function crossCheck(source: string, text: string, want: readonly Placed[]) {
  const parse = (toml: string) => plain(iarna.parse(toml.replaceAll('\r\n', '\n')));
  let before: JsonObject;
  try {
    before = parse(source);
  } catch {
    return;
  }
  expect(settle(parse(text))).toEqual(settle(withAdded(before, want)));
}

const plain = (value: unknown): JsonObject =>
  JSON.parse(JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item)));

/** The list without one of each in the other. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...list];
  for (const item of other) {
    const index = rest.indexOf(item);
    if (index !== -1) rest.splice(index, 1);
  }
  return rest;
}

function nodeText(source: string, event: string, index: number): string {
  const text = source.replace(/^\uFEFF/, '');
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, ['hooks', event, index]);
  return node ? text.slice(node.offset, node.offset + node.length) : '';
}

/** The same addition by somebody else, to the file with ours in it and to the file without. */
function beside(
  format: Format,
  dialect: Dialect,
  installed: string,
  original: string,
  edit: number,
) {
  const both = (change: (text: string) => string) => ({
    installed: change(installed),
    original: change(original),
  });
  if (edit % 2 === 0 && dialect.comments) {
    const comment = `${format === json ? '//' : '#'} c77!, ["\n`;
    return both((text) => text.replace(/^\uFEFF?/, (bom) => bom + comment));
  }
  if (format === toml) {
    const state = /(^|\n)(\uFEFF)?hooks *= *\{|hooks\.state/.test(original)
      ? 'other'
      : 'hooks.state';
    // On a line of its own, as every writer of TOML does it.
    if (!original.endsWith('\n')) return undefined;
    return both((text) => `${text}\n[${state}."k:stop:0:0"]\nhash = "sha256:1"\n`);
  }
  const value = format.read(original, dialect);
  if (Object.keys(value).length === 0 || Object.hasOwn(value, 'added')) return undefined;
  if (!/^\uFEFF?\s*\{/.test(original)) return undefined;
  return both((text) => text.replace('{', '{ "added": [{}],'));
}

/** What somebody else does to the file: an editor, a client that rewrites it, the user. */
function thirdParty(format: Format, dialect: typeof LENIENT, text: string, edit: number): string {
  const value = format.read(text, dialect);
  const places = [...eventsOf(value)].flatMap(([event, groups]) =>
    groups.map((_, index) => ({ event, index })),
  );
  const pick = places[edit % Math.max(1, places.length)];
  const event = EVENTS[edit % EVENTS.length] ?? 'Stop';
  const theirs = {
    matcher: `late ${edit % 100}`,
    hooks: [{ type: 'command', command: `later ${edit % 100}`, timeout: 3 }],
  };
  const comment = `c${10_000 + (edit % 10_000)}!`;
  const blank = text.replace(/^\uFEFF/, '').trim() === '';
  switch (edit % 12) {
    case 0:
      if (format === json) return JSON.stringify(value, null, (edit % 3) + 1);
      try {
        return stringify(untag(value) as JsonObject);
      } catch {
        return text;
      }
    case 1:
      return text.replaceAll('\r\n', '\n');
    case 2:
      return /\r/.test(text) ? text : text.replaceAll('\n', '\r\n');
    case 3:
      if (!dialect.comments) return text;
      return text.replace(
        /^\uFEFF?/,
        (bom) => `${bom}${format === json ? '//' : '#'} ${comment}\n`,
      );
    case 4:
    case 5:
      return splice(text, format.insert(text, [{ event, group: theirs }]));
    case 6:
      return pick ? format.cut(text, pick.event, pick.index) : text;
    case 7:
      return pick ? format.replace(text, pick.event, pick.index, theirs) : text;
    case 8: {
      // Somebody copies a group, perhaps one of ours.
      const group = pick && eventsOf(value).get(pick.event)?.[pick.index];
      return pick && isObject(group)
        ? splice(text, format.insert(text, [{ event: pick.event, group }]))
        : text;
    }
    case 9: {
      if (format === toml || blank)
        return format === toml && !isObject(value.added)
          ? `${text}\n[added]\nx = 1 # ${comment}\n`
          : text;
      const at = text.indexOf('{') + 1;
      const hasAny =
        Object.keys(value).length > 0 &&
        text
          .slice(0, at)
          .replace(/^\uFEFF/, '')
          .trim() === '{';
      return hasAny && !Object.hasOwn(value, 'added')
        ? `${text.slice(0, at)}\n  "added": {"x": 1},${text.slice(at)}`
        : text;
    }
    case 10: {
      // Codex grants trust: a table right behind the last hook.
      if (format === json || /hooks\s*=\s*\{/.test(text) || /state/.test(text)) return text;
      return `${text}\n[hooks.state."k:stop:0:0"]\ntrusted_hash = "sha256:1"\n`;
    }
    default:
      return text.replace(/[ \t]+(\r?\n)/g, '$1');
  }
}

/** The values that JSON does not have, as strings: what matters is that the text is new. */
function untag(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(untag);
  if (!isObject(value)) return value;
  const pairs = Object.entries(value);
  if (pairs[0]?.[0].startsWith('toml:')) return String(pairs[0][1]);
  return Object.fromEntries(pairs.map(([key, item]) => [key, untag(item)]));
}

test('bytes that are no settings file are refused, never mangled', () => {
  fc.assert(
    fc.property(
      fc.oneof(jsoncFile, tomlFile),
      fc.nat(),
      fc.string({ maxLength: 3 }),
      anyWanted,
      ({ source }, at, junk, want) => {
        const offset = at % (source.length + 1);
        const broken = source.slice(0, offset) + junk + source.slice(offset + 1);
        for (const format of [json, toml]) {
          try {
            const before = format.read(broken, LENIENT);
            const text = splice(broken, format.insert(broken, want));
            expect(equal(format.read(text, LENIENT), withAdded(before, want))).toBe(true);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
        }
      },
    ),
    { numRuns },
  );
});
