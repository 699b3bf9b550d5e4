/**
 * How a file changes when one label's groups change. Pure, and the same for every format.
 *
 * | The file                                         | Our groups                                               |
 * | ------------------------------------------------ | -------------------------------------------------------- |
 * | is missing                                       | are added to its initial text; the last one removes it   |
 * | is as we left it: its fingerprint is recorded    | are cut out, and the current ones inserted               |
 * | is that, and a program of an older version       | the same, in the program of this version                 |
 * | was edited, and has each of our spans once       | the same, if the rest keeps its value without them       |
 * | has nothing of ours, and nothing is recorded     | are inserted                                             |
 * | is anything else, such as reformatted            | are changed one by one where they are (`byTree`)         |
 * | has a group after ours that must not move        | the same                                                 |
 * | has one of our handlers in a group of the user   | the same                                                 |
 *
 * For example, `{"Stop": [A]}` becomes `{"Stop": [A, B]}`, and the record says that `, B` at offset 11 is ours. If the user
 * changes the file to `{"model": "x", "Stop": [A, B]}`, `, B` is still found and cut out: the rest is the user's text, to the
 * byte. If the user puts each group on its own line, `, B` is no longer found, but B is recognised by its command, and only B
 * is removed.
 *
 * In both cases the result is read again, and nothing is written if anything else has changed.
 */

import { fingerprint } from '../system/fingerprint.ts';
import { memoize } from '../system/memoize.ts';
import type { JsonObject, Placed } from './edit.ts';
import { ANYTHING, isObject, Refusal, spansOf, splice, unsplice } from './edit.ts';
import type { EditMessage } from './messages.ts';
import type { Arrangement, FileRecord, Inserted, Options } from './record.ts';
import { ownedAt, relocate, traceable } from './record.ts';
import { byTree, hasOurKeysOnly } from './tree.ts';
import {
  type Change,
  changed,
  dialectOf,
  elementsOf,
  emptyLists,
  equal,
  eventsOf,
  groupsOf,
  hasExpectedValue,
  isAsBegun,
  isObjectEmpty,
  listNameOf,
  newContainers,
  underOf,
} from './value.ts';

export type { Arrangement, FileRecord, Options } from './record.ts';

interface Owned extends Placed {
  /** null for an empty group that preserves the positions of later ones */
  readonly label: string | null;
}

interface OwnGroup extends Owned {
  readonly index: number;
}

/** The file taken apart: the user's bytes, and our groups in the order of their insertion. */
interface Parts {
  readonly base: string;
  readonly ours: readonly OwnGroup[];
  readonly inserted: readonly Inserted[];
  readonly existed: boolean;
  /** Our groups are not in the file now. */
  readonly isOut?: true;
}

export function arrange(found: string | null, asked: Options): Arrangement {
  const { source, given } = renewed(found, asked);
  const options = leniently(source, given);
  const before = valueIn(source, options);
  const parts = takeApart(source, before, options);
  const arranged =
    parts && isFree(before, parts, options) && byBytes(source, before, parts, options);
  if (arranged) return settled(source, arranged, options);
  if (source !== null)
    return settled(source, byTree(source, before, options, parts?.inserted), options);
  throw new Refusal<EditMessage>({ code: 'wrong-result' });
}

/** A file that is wholly ours, and is as we left it, as if this version had written it. */
function renewed(source: string | null, given: Options) {
  const { format, record, start } = given;
  const isOurs = record && !record.existed && source !== null;
  if (!isOurs || !format.renewed || start === undefined || fingerprint(source) !== record.after)
    return { source, given };
  const now = format.renewed(source, start);
  return { source: now, given: { ...given, record: { ...record, after: fingerprint(now) } } };
}

/** A client's strictness must not prevent the removal of our entries. */
function leniently(source: string | null, options: Options): Options {
  const begun = source ?? options.start;
  const isLenient = begun !== undefined && options.want.length === 0;
  return isLenient ? { ...options, dialect: dialectOf(begun, options) } : options;
}

function valueIn(source: string | null, { format, dialect, layout, start }: Options): JsonObject {
  const begun = source ?? start;
  return begun === undefined ? {} : format.read(begun, dialect, layout);
}

/** Whether all of our groups can be cut out and inserted again. */
const isFree = (before: JsonObject, { ours }: Parts, options: Options): boolean =>
  !mustStay(before, ours, options) &&
  groupsOf(before, options.layout).every(
    (one) => options.handlersOf(one, options.label).length === 0,
  );

/**
 * The user's part of a file, to the byte, and our groups. Undefined if they cannot be separated, or if our groups must stay.
 */
export function usersPart(source: string, given: Options): UsersPart | undefined {
  const options = leniently(source, given);
  const before = valueIn(source, options);
  const parts = takeApart(source, before, options);
  return parts && isFree(before, parts, options) ? parts : undefined;
}

type UsersPart = Pick<Parts, 'base' | 'ours' | 'existed'>;

/** Puts the groups of all labels into another text of the user. Undefined if that is not possible. */
export function putInto(
  base: string,
  { ours, existed }: UsersPart,
  given: Options,
): Arrangement | undefined {
  const options = leniently(base, given);
  const parts: Parts = { base, ours, existed, inserted: [], isOut: true };
  return byBytes(base, valueIn(base, options), parts, options);
}

/** If a client rewrote its file and left our groups unchanged and in place, the record does not change. */
function settled(source: string | null, arranged: Arrangement, { record }: Options): Arrangement {
  const isSame = arranged.text === source && record && arranged.record;
  return isSame && equal(placesOf(arranged.record), placesOf(record))
    ? { text: source, record }
    : arranged;
}

const placesOf = ({ owned }: FileRecord): string[] =>
  owned
    .map(({ label, event, index, value }) => JSON.stringify([label, event, index, value]))
    .sort();

function takeApart(source: string | null, before: JsonObject, options: Options): Parts | undefined {
  const { record, ownerOf, layout, start = '' } = options;
  const under = underOf(layout);
  if (source === null) return { base: start, ours: [], inserted: [], existed: false };
  const known = record && knownParts(source, before, record, options);
  if (known) return known;
  const untouched =
    groupsOf(before, layout).every((group) => ownerOf(group) === undefined) &&
    !record?.owned.some(({ label }) => label === null) &&
    !(under !== undefined && record?.created.object && isObjectEmpty(before, under)) &&
    emptyLists(before, record?.created.lists ?? [], layout).length === 0;
  return untouched ? { base: source, ours: [], inserted: [], existed: true } : undefined;
}

function knownParts(
  source: string,
  before: JsonObject,
  record: FileRecord,
  options: Options,
): Parts | undefined {
  const { format, dialect, layout, isOurKey } = options;
  if (!record.inserted) return undefined;
  const { existed } = record;
  const same = fingerprint(source) === record.after;
  const inserted = same ? record.inserted : relocate(source, record.inserted);
  const base = inserted && unsplice(source, inserted);
  const ours = same ? listed(before, record, options) : recognised(before, record, options);
  if (!inserted || base === undefined || !ours) return undefined;
  // Other text may be placed around ours in such a way that the file is invalid without ours.
  const rest = changed(before, withdrawn(ours), [], layout);
  const lists = ours.map(({ event }) => listNameOf(event, layout));
  const bare = { format, layout, dialect: { ...dialect, empty: true } };
  // A key that TOML assigns to our table can end up behind a comment of the user, where the loss of its value would go
  // unnoticed.
  const areWhole = ours.every(({ group }) => hasOurKeysOnly(group, isOurKey));
  const sound = same || (areWhole && hasExpectedValue(base, rest, lists, source, bare));
  return sound ? { base, ours, inserted, existed } : undefined;
}

const withdrawn = (ours: readonly OwnGroup[]): Change[] =>
  ours.map(({ event, index }) => ({ event, index, group: undefined }));

/** Our groups at their recorded indexes, which are correct as long as the bytes are unchanged. */
function listed(
  before: JsonObject,
  { owned }: FileRecord,
  { layout }: Options,
): OwnGroup[] | undefined {
  const events = eventsOf(before, layout);
  const found = owned.flatMap((own) => {
    const group = events.get(own.event)?.[own.index];
    return isObject(group) ? [{ ...own, group }] : [];
  });
  return found.length === owned.length ? found : undefined;
}

/** Our groups in an edited file: at the end of their events or, failing that, by owner. */
function recognised(
  before: JsonObject,
  { owned }: FileRecord,
  { ownerOf, layout, placeholder }: Options,
): OwnGroup[] | undefined {
  const events = eventsOf(before, layout);
  const queues = new Map<string, OwnGroup[]>();
  for (const event of new Set(owned.map((own) => own.event))) {
    const groups = events.get(event) ?? [];
    const labels = owned.filter((own) => own.event === event).map(({ label }) => label);
    const shift = groups.length - labels.length;
    const atEnd = labels.map((_, index) => index + shift);
    const byOwner = [...groups.keys()].filter((index) => ownerOf(groups[index] ?? null));
    const indices = [atEnd, byOwner].find(
      (candidate) =>
        candidate.length === labels.length &&
        labels.every((label, nth) => {
          const group = groups[candidate[nth] ?? -1];
          if (group === undefined) return false;
          return label === null ? equal(group, placeholder) : ownerOf(group) === label;
        }),
    );
    if (!indices) return undefined;
    const found = labels.flatMap((label, nth) => {
      const index = indices[nth] ?? -1;
      const group = groups[index];
      return isObject(group) ? [{ label, event, group, index }] : [];
    });
    queues.set(event, found);
  }
  // A copy of our group counts as ours, but is not in the record.
  const all = groupsOf(before, layout).filter((group) => ownerOf(group) !== undefined).length;
  if (all !== owned.filter(({ label }) => label !== null).length) return undefined;
  return owned.flatMap(({ event }) => queues.get(event)?.shift() ?? []);
}

/** Whether a group that is not ours follows one of ours, and would change its position. */
function mustStay(before: JsonObject, ours: readonly OwnGroup[], options: Options): boolean {
  const followed = [...eventsOf(before, options.layout)].some(([event, groups]) => {
    const indices = ours.filter((own) => own.event === event).map(({ index }) => index);
    return indices.length > 0 && Math.min(...indices) + indices.length !== groups.length;
  });
  return followed && (options.placeholder !== undefined || successors(ours, options).length > 0);
}

function byBytes(
  source: string | null,
  before: JsonObject,
  { base, ours, inserted, existed, isOut }: Parts,
  options: Options,
): Arrangement | undefined {
  const { format, layout, record } = options;
  const next = successors(ours, options);
  const present = isOut ? [] : ours;
  const owned = next.map(({ label, event, group }) => ({ label, event, group }));
  const asWas = present.map(({ label, event, group }) => ({ label, event, group }));
  if (source !== null && equal(owned, asWas)) {
    if (next.length === 0) return { text: source, record: null };
    const after = fingerprint(source);
    if (record?.after === after) return { text: source, record };
    const at = present.map((own) => ownedAt(own, own.index, options));
    return record ? { text: source, record: { ...record, after, inserted, owned: at } } : undefined;
  }

  const insertions =
    next.length > 0 ? format.insert(base, elementsOf(next, layout), underOf(layout)) : [];
  const text = splice(base, insertions);
  const gone = next.length === 0 && !existed && isAsBegun(text, options.start);
  const expected = changed(before, withdrawn(present), next, layout);
  const touched = present.map(({ event }) => listNameOf(event, layout));
  const dialect = gone ? ANYTHING : options.dialect;
  if (!hasExpectedValue(text, expected, touched, source, { format, dialect, layout }))
    return undefined;
  if (next.length === 0) return { text: gone ? null : text, record: null };

  const after = memoize(() => fingerprint(text)); // diff does not need it, and a text may be long
  const users = base === source ? before : format.read(base, ANYTHING, layout);
  const lengths = new Map(
    [...eventsOf(users, layout)].map(([event, groups]) => [event, groups.length]),
  );
  return {
    text,
    record: {
      existed,
      get after() {
        return after();
      },
      inserted: traceable(text, spansOf(insertions)),
      owned: next.map((own) => {
        const index = lengths.get(own.event) ?? 0;
        lengths.set(own.event, index + 1);
        return ownedAt(own, index, options);
      }),
      created: newContainers(users, next, layout),
    },
  };
}

/** All of our groups after the change: those of the label are replaced, emptied, removed or added. */
function successors(ours: readonly Owned[], { label, want, placeholder }: Options): Owned[] {
  const wanted = new Map(want.map(({ event, group }) => [event, group]));
  const next: Owned[] = [];
  for (const own of ours) {
    const group = wanted.get(own.event);
    if (own.label !== label) next.push(own);
    else if (group) next.push({ ...own, group });
    else if (placeholder) next.push({ ...own, label: null, group: placeholder });
    if (own.label === label) wanted.delete(own.event);
  }
  for (const [event, group] of wanted) {
    // Reuses an empty group before adding another one, so that empty groups do not accumulate.
    const vacant = next.findIndex((own) => own.label === null && own.event === event);
    if (vacant === -1) next.push({ label, event, group });
    else next[vacant] = { label, event, group };
  }
  return next.filter(
    (own, index) =>
      own.label !== null ||
      next.slice(index + 1).some(({ event, label }) => event === own.event && label !== null),
  );
}
