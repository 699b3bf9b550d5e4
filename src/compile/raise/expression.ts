/**
 * Turns a regular expression over names into globs that match the same names. The expression is parsed and never run, because
 * it is not ours and may run forever. Anything that globs cannot express is refused.
 */

/**
 * One item of the sequence that an expression describes: literal characters, any number of characters, any one character, or
 * one character of a class.
 */
export type Atom =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'any' | 'one' | 'start' | 'end' }
  | { readonly is: 'class'; readonly text: string };

/** The maximum number of alternatives. No real list of tools is longer. */
const MOST = 200;
/** The maximum length in characters, and the maximum depth of groups. */
const CHARACTERS = 2000;
const DEPTH = 20;

/** Whether it is longer than anything written by hand, as an expression or a list of names. */
export const isTooLong = (matcher: string): boolean => matcher.length > CHARACTERS;

/** The alternatives, each as a sequence; undefined: globs cannot express it. */
export function alternativesIn(expression: string): Atom[][] | undefined {
  try {
    const reader = new Reader(expression);
    const found = reader.alternatives(0);
    if (!reader.isAtEnd) return undefined;
    const joined = found.map(joinTexts);
    return joined.every(isAnchoredAtEnds) ? joined : undefined;
  } catch (error) {
    if (error instanceof NoGlob) return undefined;
    throw error;
  }
}

class NoGlob extends Error {}

const EMPTY: readonly Atom[] = [];
const ANY: Atom = { is: 'any' };
const ONE: Atom = { is: 'one' };

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  alternatives(depth: number): Atom[][] {
    if (depth > DEPTH) throw new NoGlob();
    const all = [...this.sequence(depth)];
    while (this.text[this.at] === '|') {
      this.at += 1;
      all.push(...this.sequence(depth));
      if (all.length > MOST) throw new NoGlob();
    }
    return all;
  }

  private sequence(depth: number): Atom[][] {
    let heads: Atom[][] = [[]];
    while (this.at < this.text.length && !'|)'.includes(this.text[this.at] ?? '')) {
      const tails = this.repeated(this.atom(depth));
      if (heads.length * tails.length > MOST) throw new NoGlob();
      heads = heads.flatMap((head) => tails.map((tail) => [...head, ...tail]));
    }
    return heads;
  }

  /** Reads a literal, a pattern for one character, or a group's alternatives. */
  private atom(depth: number): Part {
    const character = this.text[this.at] ?? '';
    this.at += 1;
    if (character === '^') return { alternatives: [[{ is: 'start' }]] };
    if (character === '$') return { alternatives: [[{ is: 'end' }]] };
    if (character === '.') return { alternatives: [[ONE]], wide: true };
    if (character === '(') return this.group(depth);
    if (character === '[') return this.charactersOf();
    if (character === '\\') return this.escaped();
    if ('*+?{}]'.includes(character)) throw new NoGlob();
    return { alternatives: [[{ is: 'text', text: character }]], text: character };
  }

  private group(depth: number): Part {
    if (this.text.startsWith('?:', this.at)) this.at += 2;
    else if (this.text[this.at] === '?') throw new NoGlob();
    const alternatives = this.alternatives(depth + 1);
    if (this.text[this.at] !== ')') throw new NoGlob();
    this.at += 1;
    return { alternatives };
  }

  private charactersOf(): Part {
    const end = this.text.indexOf(']', this.at + 1);
    const inside = end < 0 ? '' : this.text.slice(this.at, end);
    if (!/^\^?[A-Za-z0-9_-]+$/.test(inside)) throw new NoGlob();
    this.at = end + 1;
    return { alternatives: [[{ is: 'class', text: inside }]] };
  }

  private escaped(): Part {
    const character = this.text[this.at] ?? '';
    this.at += 1;
    // Tool names have no other characters.
    if (character === 'w' || character === 'S') return { alternatives: [[ONE]], wide: true };
    if (character === '' || /[A-Za-z0-9]/.test(character)) throw new NoGlob();
    return { alternatives: [[{ is: 'text', text: character }]], text: character };
  }

  private repeated({ alternatives, wide, text }: Part): (readonly Atom[])[] {
    const sign = this.text[this.at] ?? '';
    if (!'*+?{'.includes(sign) || sign === '') return alternatives;
    if (sign === '{') throw new NoGlob();
    this.at += 1;
    // Lazy quantifiers match the same names.
    if (this.text[this.at] === '?') this.at += 1;
    if (sign === '?') return [...alternatives, EMPTY];
    if (wide) return sign === '*' ? [[ANY]] : [[ONE, ANY]];
    // At the end, where more may come anyway, the number of repetitions does not matter.
    if (text !== undefined && this.isAtEnd)
      return sign === '*' ? [[ANY]] : [[{ is: 'text', text }, ANY]];
    throw new NoGlob();
  }
}

interface Part {
  readonly alternatives: (readonly Atom[])[];
  /** Any character matches. */
  readonly wide?: true;
  readonly text?: string;
}

function joinTexts(atoms: readonly Atom[]): Atom[] {
  const joined: Atom[] = [];
  for (const atom of atoms) {
    const last = joined.at(-1);
    if (atom.is === 'text' && last?.is === 'text')
      joined[joined.length - 1] = { is: 'text', text: last.text + atom.text };
    else joined.push(atom);
  }
  return joined;
}

const isAnchoredAtEnds = (atoms: readonly Atom[]): boolean =>
  atoms.every(
    ({ is }, index) =>
      (is !== 'start' || index === 0) && (is !== 'end' || index === atoms.length - 1),
  );
