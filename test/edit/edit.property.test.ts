/**
 * Properties that hold for every file. MCP_HOOKS_PROPERTY_RUNS sets how many files each is tried on. others.property.test.ts has
 * the changes that others make to a file in between.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  isObject,
  type JsonValue,
  type Placed,
  Refusal,
  spansOf,
  splice,
  unsplice,
} from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { type Arrangement, arrange, type FileRecord } from '../../src/edit/reconcile.ts';
import { toml } from '../../src/edit/toml.ts';
import { elementAt, elementOf, elementsOf, underOf } from '../../src/edit/value.ts';
import {
  commentsOf,
  EVENTS,
  keeping,
  LABELS,
  LENIENT,
  type Sample,
  wanted,
  whose,
} from './arbitraries.ts';
import {
  check,
  crossCheck,
  documentOf,
  documentsTried,
  eventsOf,
  expectEqual,
  expectGroups,
  isLong,
  KINDS,
  type Kind,
  noneMoved,
  piecesOf,
  rawOf,
  settle,
  timeout,
  withAdded,
  withEvent,
  without,
} from './checks.ts';
import { UNDER_HOOKS } from './layouts.ts';

const anyWanted = fc.constantFrom(...LABELS).chain(wanted);
const RUNS = 60;
/** The events in random files. */
const NAMED: readonly string[] = [...EVENTS, 'Other', 'my own'];

afterAll(() => {
  if (isLong) console.log(`${documentsTried()} documents`);
});

describe.each(KINDS)('$name', { timeout: timeout(RUNS) }, (kind) => {
  const { format, dialect, layout, file } = kind;
  const options = { format, dialect, layout, ...whose() };
  const read = (text: string | null) => documentOf(kind, text);
  const under = underOf(layout);

  test('reads the same as another parser', () => {
    check(RUNS, [file], (sample) => {
      const value = read(sample.source);
      const { state: _, ...lists } = isObject(value.hooks) ? value.hooks : {};
      const all = Object.entries(lists);
      const hooks = Object.fromEntries(all.filter(([name]) => under || NAMED.includes(name)));
      expectEqual(format === json ? value : hooks, sample.value);
      crossCheck(kind, sample.source, sample.source);
    });
  });

  test('insert adds only at the end of each event, and is undone exactly', () => {
    check(RUNS, [file, anyWanted], ({ source }: Sample, want) => {
      const insertions = format.insert(source, elementsOf(want, layout), under);
      const text = splice(source, insertions);
      expect(unsplice(text, spansOf(insertions))).toBe(source);
      const before = read(source);
      expectEqual(read(text), withAdded(before, want));
      expect(insertions.length).toBeLessThanOrEqual(want.length * 2);
      expect(commentsOf(text)).toEqual(commentsOf(source));
      crossCheck(kind, source, text);
    });
  });

  test('replace and cut change one group, and no comment outside it', () => {
    check(RUNS, [file, anyWanted, fc.nat()], ({ source }: Sample, want, pick) => {
      const places = [...eventsOf(read(source))].flatMap(([event, groups]) =>
        groups.map((_, index) => ({ event, index })),
      );
      const place = places[pick % Math.max(1, places.length)];
      const group = want[0]?.group;
      if (!place || !group) return;
      const { event, index } = place;
      const groups = eventsOf(read(source)).get(event) ?? [];
      const with_ = (next: JsonValue[]) => settle(withEvent(read(source), event, next), [event]);

      const at = elementAt(rawOf(kind, source), place, layout);
      const replaced = format.replace(source, at, elementOf({ event, group }, layout));
      expectEqual(read(replaced), with_(groups.with(index, group)));
      const cut = format.replace(source, at);
      expectEqual(settle(read(cut), [event]), with_(groups.toSpliced(index, 1)));
      const inside = piecesOf(kind, source, event, index).flatMap(commentsOf);
      const outside = without(commentsOf(source), inside);
      expect(commentsOf(cut)).toEqual(outside);
      expect(without(outside, commentsOf(replaced))).toEqual([]);
      crossCheck(kind, source, replaced);
      crossCheck(kind, source, cut);
    });
  });

  test('uninstall keeps every byte that others wrote in between', () => {
    check(
      RUNS,
      [file, fc.boolean(), fc.tuple(wanted(LABELS[0]), wanted(LABELS[1])), fc.nat(7)],
      ({ source }: Sample, positional, [first, second], edit) => {
        const base = { ...options, ...keeping(positional) };
        const one = arrange(source, { ...base, label: LABELS[0], want: first, record: undefined });
        const late = beside(kind, one.text ?? '', source, edit);
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

  test('two labels can be added and removed in any order, and the last one restores the file', () => {
    const steps = fc.array(
      fc.constantFrom(...LABELS).chain((label) => fc.tuple(fc.constant(label), wanted(label))),
      { minLength: 1, maxLength: 6 },
    );
    check(RUNS, [fc.option(file), fc.boolean(), steps], (sample, positional, plan) => {
      const source = sample === null ? null : sample.source;
      let text: string | null = source;
      let record: FileRecord | null = null;
      const installed = new Map<string, readonly Placed[]>();
      const step = (label: string, want: readonly Placed[]) => {
        const before = text;
        const base = { ...options, label, want, ...keeping(positional) };
        const result = arrange(text, { ...base, record: record ?? undefined });
        const again = arrange(result.text, { ...base, record: result.record ?? undefined });
        expect(again.text).toBe(result.text);
        expect(again.record).toEqual(result.record);
        expect(JSON.parse(JSON.stringify(result.record))).toEqual(result.record);
        ({ text, record } = result);
        installed.set(label, want);
        for (const [own, placed] of installed) expectGroups(read(text), own, placed);
        if (positional) noneMoved(read(before), read(text), label);
        if (record?.inserted) expect(unsplice(text ?? '', record.inserted)).toBe(source ?? '');
        crossCheck(kind, before, text);
      };
      for (const [label, want] of plan) step(label, want);
      for (const label of installed.keys()) step(label, []);
      expect(text).toBe(source);
      expect(record).toBeNull();
    });
  });

  test('a broken settings file is refused, never damaged', () => {
    check(
      RUNS,
      [file, fc.nat(), fc.string({ maxLength: 3 }), anyWanted],
      ({ source }: Sample, at, junk, want) => {
        const offset = at % (source.length + 1);
        const broken = source.slice(0, offset) + junk + source.slice(offset + 1);
        for (const other of [json, toml]) {
          try {
            const before = other.read(broken, LENIENT, UNDER_HOOKS);
            const text = splice(
              broken,
              other.insert(broken, elementsOf(want, UNDER_HOOKS), 'hooks'),
            );
            expectEqual(other.read(text, LENIENT), withAdded(before, want));
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
        }
      },
    );
  });
});

/** Makes the same edit, not by us, to the file with our entries and to the file without them. */
function beside(
  { format, dialect, layout }: Kind,
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
    const isElsewhere = layout !== UNDER_HOOKS;
    const state =
      isElsewhere || /(^|\n)[ \t]*\uFEFF?["']?hooks["']? *= *\{|\bstate\b/.test(original)
        ? 'other'
        : 'hooks.state';
    // On a line of its own, as programs write TOML.
    if (!original.endsWith('\n')) return undefined;
    return both((text) => `${text}\n[${state}."k:stop:0:0"]\nhash = "sha256:1"\n`);
  }
  const value = format.read(original, dialect);
  if (Object.keys(value).length === 0 || Object.hasOwn(value, 'added')) return undefined;
  if (!/^\uFEFF?\s*\{/.test(original)) return undefined;
  return both((text) => text.replace('{', '{ "added": [{}],'));
}
