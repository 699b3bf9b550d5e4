/**
 * `node:v8`, for the one flag that is ever set: the engine for regular expressions that no text can keep busy. A browser has no
 * such engine. Here the flag `l` refuses what that engine refuses, and everything else runs in the usual one, in a
 * worker that the page can end.
 */

/** What an expression is made of, as far as it matters here. */
const PARTS =
  /\\(?<reference>[1-9]\d*)|(?<named>\\k)|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|(?<look>\(\?<?[=!])|(?<plain>\(\?[^<:]*:)|(?<capture>\((?:\?<)?)|(?<end>\))|(?<many>[*+?]|\{(?<min>\d+)(?<to>,(?<max>\d*))?\})|[\s\S]/gu;

/** That engine copies what is repeated, and no part more often than this. */
const COPIES = 16;

/** Whether the engine takes an expression that is valid: it knows neither look-around nor what a group has found. */
function isLinear(source: string): boolean {
  const parts = [...source.matchAll(PARTS)].map(({ 0: text, groups = {} }) => ({ text, groups }));
  const captures = parts.filter(({ groups }) => groups.capture).length;
  const hasNames = parts.some(({ groups }) => groups.capture === '(?<');
  /** For each open group, the most copies of a part in it. */
  const open = [0];
  /** The copies of the part before, and whether it is repeated already: then `?` means as few as possible. */
  let last = 0;
  let isRepeated = false;
  for (const { groups } of parts) {
    const { reference, named, look, plain, capture, end, many } = groups;
    if (look || (named && hasNames) || Number(reference) <= captures) return false;
    if (plain || capture) open.push(0);
    else if (many !== undefined) {
      if (isRepeated) continue;
      const [min, max] = boundsOf(many, groups);
      if (min > COPIES || (max !== undefined && max > COPIES)) return false;
      last *= max ?? min + 1;
      if (last > COPIES) return false;
    } else last = end ? Math.max(1, open.pop() ?? 0) : 1;
    isRepeated = many !== undefined;
    const level = open.length - 1;
    open[level] = Math.max(open[level] ?? 0, last);
  }
  return true;
}

/** How often something is repeated; without an end, undefined. */
function boundsOf(
  many: string,
  { min = '', to, max }: Record<string, string | undefined>,
): readonly [number, number | undefined] {
  if (many === '*') return [0, undefined];
  if (many === '+') return [1, undefined];
  if (many === '?') return [0, 1];
  if (to === undefined) return [Number(min), Number(min)];
  return [Number(min), max ? Number(max) : undefined];
}

const usual = globalThis.RegExp;

class LinearRegExp extends usual {
  readonly #isLinear: boolean;

  constructor(pattern: string | RegExp, flags?: string) {
    const wantsLinear = flags?.includes('l') ?? false;
    super(pattern, wantsLinear ? flags?.replace('l', '') : flags);
    this.#isLinear = wantsLinear;
    const source = String(pattern);
    if (wantsLinear && !isLinear(source))
      throw new SyntaxError(
        `Invalid regular expression: /${source}/l: Cannot be executed in linear time`,
      );
  }

  static override get [Symbol.species]() {
    return usual;
  }

  /** Expressions in the source are of the usual kind. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof usual;
  }

  override get flags(): string {
    return this.#isLinear ? `${super.flags}l` : super.flags;
  }
}

// From the start, because callers look `RegExp` up before they set the flag.
Object.assign(globalThis, { RegExp: LinearRegExp });

export const setFlagsFromString = (_flag: string): void => {};

export default { setFlagsFromString };
