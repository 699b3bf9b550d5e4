/** The options for editing a file, what we remember of it, and how we find our bytes again after somebody else has written. */
import { canonical, fingerprint } from '../system/fingerprint.ts';
import type { Insertion, ItemPath, JsonObject, JsonValue, Path, Placed, Span } from './edit.ts';
import type { Cut } from './taken-out.ts';
import type { Reading } from './value.ts';

export interface Inserted extends Span {
  /** A comma alone is found by what follows: the fingerprint of the user's text between it and our next stretch. */
  readonly gap?: string;
}

/**
 * A group of ours, the one with this index among those of its event. The label, after its client and a slash where several
 * clients share the file. No label: it is empty and keeps later ones in place.
 */
export interface OwnedAt {
  readonly label: string | null;
  readonly event: string;
  readonly index: number;
  /** Fingerprint of the group as we left it, whatever the order of its keys. */
  readonly value: string;
}

/** An entry of somebody else that a label has taken out. It can be told from other hooks, but not read. */
export interface TakenOut {
  readonly label: string;
  readonly event: string;
  /** It is no group, but a key of the document itself, with the name that `event` has. */
  readonly isKey?: true | undefined;
  /** The group that it was, or was in, as JSON. */
  readonly group: string;
  readonly key: string;
  readonly items: readonly number[] | null;
  /** An empty group stands in its place. */
  readonly isHeld?: true | undefined;
  readonly cut: Cut;
  /** What runs instead, for each of its handlers. */
  readonly hooks: readonly HookMarks[];
}

/** Fingerprints of a declared hook, and of the moments at which it fires. */
export interface HookMarks {
  readonly hook: string;
  readonly moment: string;
}

export interface FileRecord {
  readonly existed: boolean;
  readonly after: string;
  /** Our stretches of text; null if the file has been edited in a way that we cannot take back. */
  readonly inserted: readonly Inserted[] | null;
  readonly owned: readonly OwnedAt[];
  /** Whether we made the object with the lists, and the lists that we made: we may remove them when they are empty. */
  readonly created: { readonly object: boolean; readonly lists: readonly string[] };
  /** What is to be put back, in the order in which it was taken out. */
  readonly taken?: readonly TakenOut[] | undefined;
}

export interface Arrangement {
  /** null: remove the file, because we made it */
  readonly text: string | null;
  /** null: nothing of ours is left */
  readonly record: FileRecord | null;
}

/** Whether we write a key at this place in our groups. */
export type IsOurKey = (path: Path) => boolean;

export interface Options extends Reading {
  /** Initial content of a file we create; absent: empty. */
  readonly start?: string;
  readonly record: FileRecord | undefined;
  /** The label that owns a group found in the file, by its value; undefined: not ours. */
  readonly ownerOf: (group: JsonValue) => string | undefined;
  readonly isOurKey: IsOurKey;
  /** Where the label's handlers are in a group that somebody else has handlers in, if they can be taken out. */
  readonly handlersOf: (group: JsonValue, label: string) => readonly ItemPath[];
  readonly label: string;
  /** The groups that `label` will have from now on, at most one for each event. */
  readonly want: readonly Placed[];
  /** For a client whose trust depends on a group's position, so that no later group may ever move: what stands in a place of ours. */
  readonly placeholder?: JsonObject;
}

/** What to remember of a group. Another label's group is remembered as that label left it, even if somebody has edited it since. */
export function ownedAt(
  { label, event, group }: Placed & { readonly label: string | null },
  index: number,
  { record, label: changing }: Options,
): OwnedAt {
  const known = record?.owned.find((own) => own.label === label && own.event === event);
  const value = known && label !== changing ? known.value : valueMark(group);
  return { label, event, index, value };
}

/** A fingerprint of a value in which the order of keys does not count. */
export const valueMark = (value: JsonValue): string => fingerprint(canonical(value));

/** The spans of `text`, in a form that lets `relocate` find them again. */
export function traceable(text: string, spans: readonly Span[]): Inserted[] {
  return spans.map(({ offset, text: own }, index) => {
    const next = spans[index + 1];
    if (own !== ',' || !next) return { offset, text: own };
    return { offset, text: own, gap: fingerprint(text.slice(offset + 1, next.offset)) };
  });
}

/** Where the stretches are now, if each is still there verbatim, once, and in the same order. */
export function relocate(text: string, inserted: readonly Inserted[]): Inserted[] | undefined {
  const found = new Map<string, number[]>();
  const spans: Inserted[] = [];
  for (const span of inserted) {
    if (span.gap !== undefined) continue;
    const offsets = found.get(span.text) ?? occurrences(text, span.text);
    found.set(span.text, offsets);
    const offset = offsets.shift();
    if (offset === undefined) return undefined;
    spans.push({ ...span, offset });
  }
  // One too many: somebody has copied ours, and nobody can tell them apart.
  if ([...found.values()].some((left) => left.length > 0)) return undefined;

  const all: Inserted[] = [];
  for (const span of [...inserted].reverse()) {
    if (span.gap === undefined) {
      const placed = spans.pop();
      if (placed) all.unshift(placed);
      continue;
    }
    const next = inserted[inserted.indexOf(span) + 1];
    const start = all[0] && next ? all[0].offset - (next.offset - span.offset) : -1;
    if (start < 0 || text[start] !== ',') return undefined;
    if (fingerprint(text.slice(start + 1, all[0]?.offset)) !== span.gap) return undefined;
    all.unshift({ ...span, offset: start });
  }
  const inOrder = all.every(({ offset }, index) => {
    const previous = all[index - 1];
    return !previous || previous.offset + previous.text.length <= offset;
  });
  return inOrder ? all : undefined;
}

function occurrences(text: string, part: string): number[] {
  const offsets = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    offsets.push(at);
  return offsets;
}

/** The stretches after insertions. An insertion inside one of ours makes it longer. */
export function withInsertions(spans: readonly Span[], insertions: readonly Insertion[]): Span[] {
  let after = [...spans];
  let shift = 0;
  for (const { offset, text } of insertions) {
    const at = offset + shift;
    const inside = after.some((span) => span.offset < at && at < endOf(span));
    after = after.map((span) => {
      if (span.offset >= at) return { ...span, offset: span.offset + text.length };
      if (endOf(span) <= at) return span;
      const cut = at - span.offset;
      return { ...span, text: span.text.slice(0, cut) + text + span.text.slice(cut) };
    });
    if (!inside) after.push({ offset: at, text });
    shift += text.length;
  }
  return after.sort((a, b) => a.offset - b.offset);
}

/**
 * The stretches after one change from `before` to `after`; undefined if it touches what is not ours. If the change has the
 * same characters at both ends, it may be in several places, and one of them has to fit.
 */
export function follow(spans: readonly Span[], before: string, after: string): Span[] | undefined {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let rest = 0;
  while (
    rest < shorter - start &&
    before[before.length - 1 - rest] === after[after.length - 1 - rest]
  )
    rest += 1;
  const growth = after.length - before.length;
  for (let end = before.length - rest; start >= 0; start -= 1, end -= 1) {
    const ours = spans.find((span) => span.offset <= start && end <= endOf(span));
    if (ours)
      return spans.flatMap((span): Span[] => {
        if (span.offset > ours.offset) return [{ ...span, offset: span.offset + growth }];
        if (span !== ours) return [span];
        const text = after.slice(span.offset, endOf(span) + growth);
        return text === '' ? [] : [{ offset: span.offset, text }];
      });
    if (before[end - 1] !== after[end - 1 + growth]) return undefined;
  }
  return undefined;
}

const endOf = ({ offset, text }: Span): number => offset + text.length;
