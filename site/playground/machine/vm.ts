/**
 * `node:vm`, without its time limits: a browser cannot stop one function. The page ends the whole worker instead when it takes
 * too long (../asker.ts).
 */

type Names = Record<string, unknown>;

export const createContext = (names: Names): Names => names;

export const runInContext = (code: string, names: Names): unknown =>
  new Function(...Object.keys(names), `return ${code}`)(...Object.values(names));

export class Script {
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
  }

  runInThisContext(): unknown {
    return new Function(`return ${this.#code}`)();
  }
}

export default { createContext, runInContext, Script };
