/**
 * `node:v8`, for the one flag that is ever set: the engine for regular expressions that no text can keep busy. A browser has no
 * such engine. Here the flag `l` refuses what that engine refuses, and everything else runs in the usual one, in a
 * worker that the page can end.
 */

/** Look-around, and references to what a group has found. */
const NOT_LINEAR = /^(?:\\[^1-9k]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?<?[=!])|[^\\[(])*/;

const usual = globalThis.RegExp;

class LinearRegExp extends usual {
  readonly #isLinear: boolean;

  constructor(pattern: string | RegExp, flags?: string) {
    const isLinear = flags?.includes('l') ?? false;
    super(pattern, isLinear ? flags?.replace('l', '') : flags);
    this.#isLinear = isLinear;
    const source = String(pattern);
    if (isLinear && NOT_LINEAR.exec(source)?.[0] !== source)
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
