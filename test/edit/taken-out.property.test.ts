// Entries that are not ours are removed from a file and put back, for any file and any changes in between.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, Refusal } from '../../src/edit/edit.ts';
import { arrange } from '../../src/edit/reconcile.ts';
import { type Cut, handlersOf, type Part, putBack, takeOut } from '../../src/edit/taken-out.ts';
import { equal } from '../../src/edit/value.ts';
import {
  commentsOf,
  EMPTY_GROUP,
  keeping,
  LABELS,
  type Sample,
  wanted,
  whose,
} from './arbitraries.ts';
import {
  check,
  documentOf,
  eventsOf,
  expectEqual,
  KINDS,
  piecesOf,
  settle,
  timeout,
  withEvent,
  without,
} from './checks.ts';
import { edited, editFor } from './others.ts';

const RUNS = 40;

/** Some groups of a file, or some of their handlers; `n` decides which. */
function partsOf(document: JsonObject, n: number, positional: boolean): Part[] {
  let state = n;
  const roll = (sides: number) => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % sides;
  };
  return [...eventsOf(document)].flatMap(([event, groups]) =>
    groups.flatMap((group): Part[] => {
      const list = isObject(group) ? group.hooks : undefined;
      if (!isObject(group) || !Array.isArray(list) || list.length === 0 || roll(2) === 0) return [];
      const isWhole = list.length === 1 || roll(2) === 0;
      const held = isWhole && positional && { placeholder: EMPTY_GROUP };
      return [{ event, group, key: 'hooks', items: isWhole ? null : [roll(list.length)], ...held }];
    }),
  );
}

/** All handlers with their events and matchers, whatever their groups. */
function handlersIn(document: JsonObject): string[] {
  const all = [...eventsOf(document)].flatMap(([event, groups]) =>
    groups.flatMap((group: JsonValue) => {
      const list = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
      const matcher = isObject(group) ? group.matcher : undefined;
      return list.map((one: JsonValue) => JSON.stringify([event, matcher, one]));
    }),
  );
  return all.sort();
}

describe.each(KINDS)('$name', { timeout: timeout(RUNS) }, (kind) => {
  const { format, dialect, layout, file } = kind;
  const reading = { format, dialect, layout };
  const read = (text: string | null) => documentOf(kind, text);

  /** Starts with the last part, so that equal groups are not confused. */
  function takeAll(source: string, parts: readonly Part[]) {
    let text = source;
    const cuts: (readonly [Part, Cut])[] = [];
    for (const part of parts.toReversed()) {
      const next = takeOut(text, part, reading);
      if (!next) continue;
      text = next.text;
      cuts.unshift([part, next.cut]);
    }
    return { text, cuts };
  }
  const putAll = (text: string, cuts: readonly (readonly [Part, Cut])[]) =>
    cuts.reduce((rest, [part, cut]) => putBack(rest, part, cut, reading), text);

  test('removes only the named entries', () => {
    check(RUNS, [file, fc.nat(), fc.boolean()], ({ source }: Sample, n, positional) => {
      const [part] = partsOf(read(source), n, positional);
      const taken = part && takeOut(source, part, reading);
      if (!part || !taken) return;
      const { event, items, placeholder, group } = part;
      const groups = eventsOf(read(source)).get(event) ?? [];
      const index = groups.findIndex((one) => equal(one, group));
      const list = Array.isArray(group.hooks) ? group.hooks : [];
      const left = items
        ? [{ ...group, hooks: list.filter((_, at) => !items.includes(at)) }]
        : [placeholder ?? []].flat();
      const expected = groups.toSpliced(index, 1, ...left);
      expectEqual(
        settle(read(taken.text), [event]),
        settle(withEvent(read(source), event, expected), [event]),
      );
      if (items) return;
      const inside = piecesOf(kind, source, event, index).flatMap(commentsOf);
      expect(without(without(commentsOf(source), inside), commentsOf(taken.text))).toEqual([]);
    });
  });

  test('puts entries back to the byte after ours were added and removed', () => {
    check(
      RUNS,
      [file, fc.nat(), fc.boolean(), wanted(LABELS[0])],
      ({ source }: Sample, n, positional, want) => {
        const { text, cuts } = takeAll(source, partsOf(read(source), n, positional));
        const options = {
          ...reading,
          ...whose(positional),
          ...keeping(positional),
          label: LABELS[0],
        };
        const ours = arrange(text, { ...options, record: undefined, want });
        const bare = arrange(ours.text, { ...options, record: ours.record ?? undefined, want: [] });
        expect(putAll(bare.text ?? '', cuts)).toBe(source);
      },
    );
  });

  test('puts entries back next to what others did in between, or refuses', () => {
    let refused = 0;
    check(
      RUNS * 2,
      [
        file,
        fc.nat(),
        fc.boolean(),
        wanted(LABELS[0]),
        fc.array(editFor(kind), { minLength: 1, maxLength: 3 }),
      ],
      ({ source }: Sample, n, positional, want, edits) => {
        const { text, cuts } = takeAll(source, partsOf(read(source), n, positional));
        const options = {
          ...reading,
          ...whose(positional),
          ...keeping(positional),
          label: LABELS[0],
        };
        const ours = arrange(text, { ...options, record: undefined, want });
        const after = edits.reduce((rest, edit) => edited(kind, rest, edit), ours.text ?? '');
        try {
          const bare = arrange(after, { ...options, record: ours.record ?? undefined, want: [] });
          const left = bare.text ?? '';
          const back = putAll(left, cuts);
          const expected = cuts.flatMap(([part]) =>
            handlersOf(part).map((one) => JSON.stringify([part.event, part.group.matcher, one])),
          );
          expect(handlersIn(read(back))).toEqual([...handlersIn(read(left)), ...expected].sort());
          for (const one of commentsOf(left)) expect(commentsOf(back)).toContain(one);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refused += 1;
        }
      },
    );
    expect(refused).toBeLessThan(RUNS);
  });
});
