/**
 * Patterns of git's for paths. A regular expression would take for ever with some of them, and strangers write them: here
 * each part of a pattern takes one look at the path.
 *
 * Source: https://git-scm.com/docs/gitignore#_pattern_format
 */

/** Whether a path fits. */
export type Glob = (path: string) => boolean;

/** Where in the path one may be after a part of the pattern, by where one may be before it. */
type Part = (path: string, before: readonly boolean[]) => boolean[];

/** A bracket without an end is followed by all the rest. */
const PARTS = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*(?:\]|$)|\\.|[\s\S]/g;

/** Undefined for what is not a pattern. */
export function globOf(pattern: string): Glob | undefined {
  const parts: Part[] = [];
  for (const [text] of pattern.matchAll(PARTS)) {
    const part = partOf(text);
    if (!part) return undefined;
    parts.push(part);
  }
  return (path) => {
    let at = [true, ...Array<boolean>(path.length).fill(false)];
    for (const part of parts) {
      at = part(path, at);
      if (!at.includes(true)) return false;
    }
    return at[path.length] === true;
  };
}

function partOf(text: string): Part | undefined {
  if (text === '**/') return folders;
  if (text === '/**/') return (path, before) => folders(path, slash(path, before));
  if (text === '/**') return (path, before) => more(path, slash(path, before));
  if (text.startsWith('*')) return name;
  if (text === '?') return one((character) => character !== '/');
  if (text.startsWith('[')) return bracket(text);
  const character = text.replace(/^\\(?=.)/s, '');
  return one((other) => other === character);
}

/** One character. */
const one =
  (fits: (character: string) => boolean): Part =>
  (path, before) => [
    false,
    ...path.split('').map((character, at) => before[at] === true && fits(character)),
  ];

const slash = one((character) => character === '/');

/** Any characters of one name. */
const name: Part = (path, before) => {
  let is = false;
  return before.map((was, at) => {
    is = was || (is && path[at - 1] !== '/');
    return is;
  });
};

/** Nothing, or any folders. */
const folders: Part = (path, before) => {
  let was = false;
  return before.map((is, at) => {
    const isNext = was && path[at - 1] === '/';
    was ||= is;
    return is || isNext;
  });
};

/** All that is left, but something. */
const more: Part = (_, before) => {
  const first = before.indexOf(true);
  return before.map((_is, at) => first !== -1 && at > first);
};

function bracket(text: string): Part | undefined {
  try {
    const source = text.replace(/^\[!/, '[^').replace(/^(\[\^?)\]/, '$1\\]');
    const pattern = new RegExp(`^${source}$`);
    return one((character) => character !== '/' && pattern.test(character));
  } catch {
    return undefined;
  }
}
