/** The options for editing a file, the record of our edits, and how to find our bytes again after other edits. */
import { canonical, fingerprint } from '../system/fingerprint.ts';
import type { Insertion, ItemPath, JsonObject, JsonValue, Path, Placed, Span } from './edit.ts';
import { commonEnds } from './edit.ts';
import type { Cut } from './taken-out.ts';
import type { Reading } from './value.ts';

export interface Inserted extends Span {
  /** A single comma is identified by the text after it: the fingerprint of the user's text up to our next span. */
  readonly gap?: string;
}

/**
 * One of our groups, identified by its index among those of its event. `label` is preceded by the client and a slash where
 * several clients share the file. Without a label, the group is empty and preserves the positions of later ones.
 */
interface OwnedAt {
  readonly label: string | null;
  readonly event: string;
  readonly index: number;
  /** Fingerprint of the group as we left it, ignoring the order of keys. */
  readonly value: string;
}

/** An entry of the user that a label has taken out. The record identifies it, but does not reveal its contents. */
export interface TakenOut {
  readonly label: string;
  readonly event: string;
  /** The entry is not a group but a top-level key, named by `event`. */
  readonly isKey?: true | undefined;
  /** The group that was taken out, or that contained the entry, as JSON. */
  readonly group: string;
  readonly key: string;
  readonly items: readonly number[] | null;
  /** An empty group preserves its position. */
  readonly isHeld?: true | undefined;
  readonly cut: Cut;
  /** The hooks that run in place of each of its handlers. */
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
  /** Our spans of text. Null if the file was edited in a way that we cannot undo. */
  readonly inserted: readonly Inserted[] | null;
  readonly owned: readonly OwnedAt[];
  /**
   * `object`: we created the object with the lists. `lists`: the lists that we created. We may remove these once they are
   * empty.
   */
  readonly created: { readonly object: boolean; readonly lists: readonly string[] };
  /** Entries to put back, in the order in which they were taken out. */
  readonly taken?: readonly TakenOut[] | undefined;
}

export interface Arrangement {
  /** null: remove the file, because we created it */
  readonly text: string | null;
  /** null: nothing of ours is left */
  readonly record: FileRecord | null;
}

/** Whether we write a key at this path in our groups. */
type IsOurKey = (path: Path) => boolean;

export interface Options extends Reading {
  /** Initial content of a file that we create. Empty if absent. */
  readonly start?: string;
  readonly record: FileRecord | undefined;
  /** The label that owns a group in the file, judged by its value. Undefined if the group is not ours. */
  readonly ownerOf: (group: JsonValue) => string | undefined;
  readonly isOurKey: IsOurKey;
  /** Where the label's handlers are in a group that also has others, if they can be taken out. */
  readonly handlersOf: (group: JsonValue, label: string) => readonly ItemPath[];
  readonly label: string;
  /** The groups that `label` will have from now on, at most one for each event. */
  readonly want: readonly Placed[];
  /** Replaces our group in a client whose trust depends on a group's position, so that no later group ever moves. */
  readonly placeholder?: JsonObject;
}

/** The record of a group. Another label's group keeps the record from that label's install, even if it was edited since. */
export function ownedAt(
  { label, event, group }: Placed & { readonly label: string | null },
  index: number,
  { record, label: changing }: Options,
): OwnedAt {
  const known = record?.owned.find((own) => own.label === label && own.event === event);
  const value = known && label !== changing ? known.value : valueMark(group);
  return { label, event, index, value };
}

/** A fingerprint of a value that ignores the order of keys. */
export const valueMark = (value: JsonValue): string => fingerprint(canonical(value));

/** The spans of `text`, in a form in which `relocate` can find them again. */
export function traceable(text: string, spans: readonly Span[]): Inserted[] {
  return spans.map(({ offset, text: own }, index) => {
    const next = spans[index + 1];
    if (own !== ',' || !next) return { offset, text: own };
    return { offset, text: own, gap: fingerprint(text.slice(offset + 1, next.offset)) };
  });
}

/** The current positions of the spans, if each is still there verbatim, once, and in the same order. */
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
  // A span occurs too often: ours was copied, and the copies cannot be told apart.
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

/** The spans after insertions. An insertion inside one of our spans extends it. */
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
 * The spans after one change from `before` to `after`. Undefined if the change touches text that is not ours. If the changed
 * text starts and ends with the same characters, the change may be at several positions, and one of them has to fit.
 */
export function follow(spans: readonly Span[], before: string, after: string): Span[] | undefined {
  const common = commonEnds(before, after);
  const growth = after.length - before.length;
  let { start } = common;
  for (let end = before.length - common.end; start >= 0; start -= 1, end -= 1) {
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
