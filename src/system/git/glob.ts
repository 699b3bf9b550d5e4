/**
 * Patterns of git's for paths, as regular expressions. Strangers write them, so what was found is not looked for once more
 * when the rest does not fit: some of them would take for ever.
 *
 * Source: https://git-scm.com/docs/gitignore#_pattern_format
 */

/** A bracket without an end is followed by all the rest. */
const PARTS = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*(?:\]|$)|\\.|[\s\S]/g;

/** Undefined for what is not a pattern. */
export function globOf(pattern: string): RegExp | undefined {
  let groups = 0;
  /** What stands between gaps, each where it first fits: a lookahead is not gone back into. Behind the last, nothing is missed. */
  const inTurn = ([first = '', ...others]: readonly string[], gap: string): string => {
    const last = others.pop();
    const found = others.map((one) => {
      groups += 1;
      return `(?=(?<_${groups}>${gap}${one}))\\k<_${groups}>`;
    });
    return first + found.join('') + (last === undefined ? '' : gap + last);
  };
  try {
    const runs = [['']];
    for (const [part] of pattern.matchAll(PARTS)) {
      const run = runs.at(-1) ?? [];
      if (part.startsWith('*') && part !== '**/') run.push('');
      else run.push(`${run.pop()}${sourceOf(part)}`);
      if (part.endsWith('**/')) runs.push(['']);
    }
    const names = runs.map((run) => inTurn(run, '[^/]*?'));
    return new RegExp(`^${inTurn(names, '(?:[^]*?/)??')}$`);
  } catch {
    return undefined;
  }
}

/** @throws SyntaxError for a bracket that is none. */
function sourceOf(part: string): string {
  if (part === '**/') return '';
  if (part === '/**/') return '/';
  if (part === '/**') return '/[^]+';
  if (part === '?') return '[^/]';
  if (!part.startsWith('[')) return part.replace(/^\\(?=.)/s, '').replace(/\W/, '\\$&');
  const bracket = part.replace(/^\[!/, '[^').replace(/^(\[\^?)\]/, '$1\\]');
  return `(?!/)${new RegExp(bracket).source}`;
}
