/**
 * The names that a mistyped one probably means, nearest first. With `most`, at most this many characters may differ, and
 * containing the other name is not enough.
 */
export function nearest(typed: string, known: readonly string[], most?: number): string[] {
  const near = most ?? Math.max(2, Math.ceil(typed.length / 3));
  const isPart = (a: string, b: string) => most === undefined && a !== '' && b.includes(a);
  return [...new Set(known)]
    .filter((name) => name !== '')
    .map((name) => ({
      name,
      // Computed only for names of similar length, because the user may have pasted a whole page.
      far:
        Math.abs(name.length - typed.length) > near
          ? Number.POSITIVE_INFINITY
          : distance(typed.toLowerCase(), name.toLowerCase()),
    }))
    .filter(({ name, far }) => far <= near || isPart(typed, name) || isPart(name, typed))
    .sort((a, b) => (a.far === b.far ? 0 : a.far - b.far))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The number of characters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + (letter === other ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
