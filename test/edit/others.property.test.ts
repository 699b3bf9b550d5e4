/** A file that others change while our entry is in it: everything of theirs remains. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  type Placed,
  Refusal,
} from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { type Arrangement, arrange, type FileRecord } from '../../src/edit/reconcile.ts';
import { equal } from '../../src/edit/value.ts';
import {
  commentsOf,
  hasOthersKeys,
  keeping,
  LABELS,
  ownerOf,
  theirsOf,
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
  isEmptyGroup,
  isLong,
  KINDS,
  type Kind,
  noneMoved,
  piecesOf,
  timeout,
  without,
} from './checks.ts';
import { ROWS } from './layouts.ts';
import { edited, editFor } from './others.ts';

const RUNS = 125;

/** A label gets these groups, or loses all. */
interface Order {
  readonly label: string;
  readonly want: readonly Placed[];
}

const order = (label: string): fc.Arbitrary<Order> =>
  fc.record({ label: fc.constant(label), want: wanted(label) });

afterAll(() => {
  if (isLong) console.log(`${documentsTried()} documents`);
});

describe.each(KINDS)('$name', { timeout: timeout(RUNS) }, (kind) => {
  const typing = editFor(kind, true);
  test.each([
    { who: 'others did', file: kind.file, edit: editFor(kind), runs: RUNS },
    {
      who: 'an owner typed into a file that was nearly empty',
      file: kind.small,
      edit: typing,
      runs: 3 * RUNS,
    },
  ])('what $who in between stays, and only our entries are removed', ({ file, edit, runs }) => {
    const steps = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: edit },
        { weight: 1, arbitrary: fc.constantFrom(...LABELS).chain(order) },
      ),
      { minLength: 1, maxLength: 6 },
    );
    const refusals: string[] = [];
    let files = 0;
    check(
      runs,
      [
        fc.option(file),
        fc.boolean(),
        fc.tuple(...LABELS.map(order)),
        steps,
        fc.constantFrom('kept', 'kept', 'kept', 'lost at once', 'lost at last'),
      ],
      (sample, positional, first, plan, ledger) => {
        files += 1;
        let { text, record }: Arrangement = { text: sample?.source ?? null, record: null };
        const obey = ({ label, want }: Order) => {
          const before = text;
          const known = record ?? undefined;
          try {
            const { format, dialect, layout } = kind;
            const options = {
              format,
              dialect,
              layout,
              ...whose(positional),
              ...keeping(positional),
            };
            ({ text, record } = arrange(text, { ...options, label, want, record: known }));
          } catch (error) {
            // After a refusal, nothing is written: the text is unchanged.
            if (!(error instanceof Refusal)) throw error;
            if (error.message !== 'not-ours-inside') refusals.push(error.message);
            else expect(holdsOthers(kind, before, label, known)).toBe(true);
            return;
          }
          obeyed(kind, before, text, { label, want }, known, positional);
        };
        for (const one of first) obey(one);
        if (ledger === 'lost at once') record = null;
        for (const one of plan) {
          if ('label' in one) obey(one);
          else if (text !== null) text = edited(kind, text, one);
        }
        if (ledger === 'lost at last') record = null;
        for (const label of LABELS) obey({ label, want: [] });
      },
    );
    if (isLong) console.log(`${kind.name}: ${refusals.length} refusals`, [...new Set(refusals)]);
    expect(refusals.length, [...new Set(refusals)].join('\n')).toBeLessThanOrEqual(
      Math.max(2, files / 100),
    );
  });
});

/** Checks everything that has to hold if a label's groups are changed in a file that others may have edited. */
function obeyed(
  kind: Kind,
  before: string | null,
  after: string | null,
  { label, want }: Order,
  record: FileRecord | undefined,
  positional: boolean,
): void {
  const [was, is] = [documentOf(kind, before), documentOf(kind, after)];
  const keepsPlaces = (of: string) =>
    record?.owned.some(({ label, event }) => label === null && event === of) ?? false;
  expectGroups(is, label, want);
  if (positional) noneMoved(was, is, label);
  if (after === null && before !== null) expect(record?.existed).toBe(false);

  for (const event of new Set([...eventsOf(was).keys(), ...eventsOf(is).keys()])) {
    const [groups, left] = [eventsOf(was).get(event) ?? [], eventsOf(is).get(event)];
    const isWanted = want.some((one) => one.event === event);
    if (left === undefined) {
      // In TOML and among rows, an event has no container of its own, so it disappears with its last group.
      const hasList = kind.format === json && kind.layout !== ROWS;
      const mayGo = record?.created.lists.includes(event) || (!hasList && groups.length > 0);
      expect(mayGo).toBe(true);
    }
    if (isWanted || keepsPlaces(event)) {
      // Our groups may be anywhere, and empty groups that keep positions cannot be told from the user's.
      const theirs = (all: readonly JsonValue[] = []) =>
        all
          .filter((group) => ownerOf(group) !== label && !isEmptyGroup(group))
          .map((group) => theirsOf(group, label, positional));
      expectEqual(theirs(left), theirs(groups));
    } else {
      expectEqual(left ?? [], withoutLabel(groups, label, positional));
    }
  }
  const events = [...eventsOf(was).keys(), ...eventsOf(is).keys()];
  expectEqual(besides(is, events), besides(was, events));
  if (isObject(was.hooks) && is.hooks === undefined) {
    const isMade = record?.created.object || record?.created.lists.includes('hooks');
    expect(isMade || kind.format !== json).toBe(true);
  }

  for (const [event, groups] of eventsOf(was))
    for (const group of groups)
      if (ownerOf(group) === label && hasOthersKeys(group))
        expectEqual(
          eventsOf(is)
            .get(event)
            ?.find((one) => equal(one, group)),
          group,
          'a key is lost',
        );
  expectEqual(without(commentsOf(before ?? ''), commentsOf(after ?? '')), []);
  expectEqual(without(commentsOf(after ?? ''), commentsOf(before ?? '')), []);
  crossCheck(kind, before, after);
  const others = [...eventsOf(is).values()].flat().some((group) => ownerOf(group) !== undefined);
  if (!others && !positional) {
    expect(isLeftOf(after ?? '', before ?? ''), 'characters were only taken out').toBe(true);
  }
}

/** Whether others wrote a key or a comment into the label's groups, or into the empty groups that keep positions. */
function holdsOthers(
  kind: Kind,
  source: string | null,
  label: string,
  record: FileRecord | undefined,
): boolean {
  return [...eventsOf(documentOf(kind, source))].some(([event, groups]) =>
    groups.some((group, index) => {
      const isOwn = ownerOf(group) === label || whose().handlersOf(group, label).length > 0;
      const keepsPlace = isEmptyGroup(group) && record?.owned.some((own) => own.label === null);
      const hasComment = () =>
        piecesOf(kind, source ?? '', event, index).some((piece) => commentsOf(piece).length > 0);
      return (isOwn || keepsPlace) && (hasOthersKeys(group) || hasComment());
    }),
  );
}

/** Whether a text is the other one with some characters left out. */
function isLeftOf(rest: string, whole: string): boolean {
  let from = 0;
  for (let at = 0; at < rest.length; at += 1) {
    from = whole.indexOf(rest[at] ?? '', from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** The groups of an event after uninstall. With `positional`, empty groups replace ours in front of the others. */
function withoutLabel(
  groups: readonly JsonValue[],
  label: string,
  positional: boolean,
): JsonValue[] {
  const isOwn = (group: JsonValue) => ownerOf(group) === label;
  const theirs = (group: JsonValue) => theirsOf(group, label, positional);
  if (!positional) return groups.filter((group) => !isOwn(group)).map(theirs);
  const last = groups.findLastIndex((group) => !isOwn(group));
  return groups.slice(0, last + 1).map((group) => (isOwn(group) ? { hooks: [] } : theirs(group)));
}

/** The document without these events, and without `hooks` if it is empty then. */
function besides(document: JsonObject, events: readonly string[]): JsonObject {
  if (!isObject(document.hooks)) return document;
  const hooks = Object.entries(document.hooks).filter(([event]) => !events.includes(event));
  const { hooks: _, ...rest } = document;
  return hooks.length > 0 ? { ...rest, hooks: Object.fromEntries(hooks) } : rest;
}
