/** Our stretches of a text while the text is changed. */

import type { Insertion, Span } from './edit.ts';

/** The stretches after insertions; one that is made inside of ours makes it longer. */
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
 * The stretches after one change from `before` to `after`; undefined when it touches what is not ours.
 * Where the same characters stand at both ends of the change it can be seen in several places, and one has to fit.
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
