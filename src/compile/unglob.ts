/** Back from the patterns that install makes of `tool_name` (names.ts) to globs for people, and to names that fit. */

/** The globs that a pattern was made of, as a person may have written them. */
export const globsOf = (pattern: string): string[] => [
  ...new Set(alternatives(pattern).map((one) => pieces(one).map(asGlob).join(''))),
];

/** A name for each alternative that fits it. */
export const namesFor = (pattern: string): string[] => [
  ...new Set(alternatives(pattern).map((one) => pieces(one).map(asName).join(''))),
];

/** `^(?:a|b)$` is `a` and `b`. One that looks ahead only says once more, for tools of MCP servers, what another one says. */
function alternatives(pattern: string): string[] {
  const inside = /^\^\(\?:(.*)\)\$$/s.exec(pattern)?.[1] ?? pattern;
  const found = [''];
  for (const piece of pieces(inside))
    if (piece === '|') found.push('');
    else found[found.length - 1] += piece;
  return found.filter((one) => !one.startsWith('(?='));
}

/** Characters, escaped where they mean something, wildcards and classes. */
const pieces = (source: string): string[] =>
  source.match(/\\[\s\S]|\.\*|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g) ?? [];

function asGlob(piece: string): string {
  if (piece === '.*') return '*';
  if (piece === '.') return '?';
  if (piece.startsWith('[')) return piece.replace(/^\[\^/, '[!');
  const character = piece.slice(-1);
  return /[*?[\]{}\\]/.test(character) ? `\\${character}` : character;
}

function asName(piece: string): string {
  if (piece === '.*' || piece === '.') return 'x';
  if (!piece.startsWith('[')) return piece.slice(-1);
  const fits = new RegExp(`^${piece}$`);
  return CHARACTERS.find((one) => fits.test(one)) ?? 'x';
}

/** Those that names of tools are made of, then all others of ASCII. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
];
