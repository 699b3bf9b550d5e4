/**
 * Reads a command for a POSIX shell that has only fixed words. Anything that a shell would have to work out makes it
 * unreadable. Nothing of it is run.
 */

/** One simple command, and where its output goes. */
export interface Step {
  readonly words: readonly string[];
  /** The text of its here-document. */
  readonly input?: string;
  readonly to: Output;
  /** Its output goes through `cat`, so its exit code is that of `cat`. */
  readonly piped?: true;
  /** The operator before it; `;` for the first step. */
  readonly after: ';' | '&&' | '||';
}

export type Output = 'out' | 'err' | 'nowhere';

/** More than anybody writes by hand. */
const CHARACTERS = 200_000;

/** Undefined: only a shell can tell what it does. */
export function stepsIn(text: string): Step[] | undefined {
  if (text.length > CHARACTERS) return undefined;
  const reader = new Reader(text);
  return reader.read() ? reader.steps : undefined;
}

/**
 * Redirections that do not change what is printed, or only change where it goes; each whole. `/dev/stdout` and `/dev/stderr`
 * are not here: they cannot be opened if a client gives its hooks sockets.
 */
const AWAY = String.raw`>?[ \t]*\/dev\/null`;
const END = String.raw`(?=[\s;&|]|$)`;
const REDIRECTIONS = [
  { form: new RegExp(`^1?>&2${END}`), from: 'out', to: 'err' },
  { form: new RegExp(`^1?>&1${END}`), from: 'out', to: 'out' },
  { form: new RegExp(`^2>&1${END}`), from: 'err', to: 'out' },
  { form: new RegExp(`^2>&2${END}`), from: 'err', to: 'err' },
  { form: new RegExp(`^1?>${AWAY}${END}`), from: 'out', to: 'nowhere' },
  { form: new RegExp(`^2>(?:&-|${AWAY})${END}`), from: 'err', to: 'nowhere' },
] as const;
const HERE = /^<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))(?=[\s;&|]|$)/;

/** A pipe that passes on whatever it gets. */
const THROUGH_CAT = /^\|[ \t]*cat[ \t]*(?=[\n;]|&&|\|\||$)/;

/** Characters that have a special meaning outside quotes. */
const NOT_PLAIN = /[|&<>()$`*{}]/;

class Reader {
  readonly steps: Step[] = [];
  private readonly text: string;
  private at = 0;
  private words: string[] = [];
  private word: string | undefined;
  /** Where standard output and standard error go. */
  private outputs: { out: Output; err: Output } = { out: 'out', err: 'err' };
  private piped = false;
  private after: Step['after'] = ';';
  private input: string | undefined;
  /** The here-document whose text begins on the next line, and its step, if that has ended by then. */
  private here:
    | { readonly end: string; readonly plain: boolean; readonly tabs: boolean; step?: number }
    | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether all of it could be read. */
  read(): boolean {
    while (this.at < this.text.length) if (!this.next()) return false;
    return this.here === undefined && this.endStep(';') && this.after === ';';
  }

  private next(): boolean {
    const { text } = this;
    const character = text[this.at] ?? '';
    const rest = text.slice(this.at, this.at + 100);
    if (this.word === undefined) {
      const redirected = this.redirect(rest);
      if (redirected !== undefined) return redirected;
    }
    const [through] = THROUGH_CAT.exec(rest) ?? [];
    if (through !== undefined) {
      this.endWord();
      // Nothing comes before the pipe.
      if (this.words.length === 0) return false;
      this.piped = true;
      this.at += through.length;
      return true;
    }
    // Only the end of the step may follow.
    if (this.piped && !/[;\n&|]/.test(character)) return false;
    if (character === ' ' || character === '\t') {
      this.endWord();
      this.at += 1;
      return true;
    }
    if (character === ';' || character === '\n') {
      this.at += 1;
      // A line may be empty, but nothing else.
      if (character === ';' && this.words.length === 0 && this.word === undefined) return false;
      if (character === '\n' && this.here !== undefined && !this.readHere()) return false;
      return this.endStep(';');
    }
    for (const operator of ['&&', '||'] as const)
      if (rest.startsWith(operator)) {
        this.at += 2;
        return this.endStep(operator);
      }
    if (character === '#' && this.word === undefined) {
      const end = text.indexOf('\n', this.at);
      this.at = end < 0 ? text.length : end;
      return true;
    }
    if (character === "'") return this.quoted();
    if (character === '"') return this.doubleQuoted();
    if (character === '\\') {
      const escaped = text[this.at + 1];
      if (escaped === undefined) return false;
      this.at += 2;
      if (escaped !== '\n') this.add(escaped);
      return true;
    }
    if (NOT_PLAIN.test(character) || character === '\r') return false;
    if (character === '~' && this.word === undefined) return false;
    this.add(character);
    this.at += 1;
    return true;
  }

  /** Undefined: nothing is redirected here. */
  private redirect(rest: string): boolean | undefined {
    const [here, tabs, single, double, plain] = HERE.exec(rest) ?? [];
    const end = single ?? double ?? plain;
    if (here !== undefined && end !== undefined) {
      if (this.here) return false;
      this.here = { end, plain: plain !== undefined, tabs: tabs === '-' };
      this.at += here.length;
      return true;
    }
    for (const { form, from, to } of REDIRECTIONS) {
      const [found] = form.exec(rest) ?? [];
      if (found === undefined) continue;
      // To where the other one goes at this point.
      this.outputs[from] = to === 'nowhere' ? to : this.outputs[to];
      this.at += found.length;
      return true;
    }
    return undefined;
  }

  private readHere(): boolean {
    const { end, plain, tabs, step } = this.here ?? { end: '', plain: false, tabs: false };
    this.here = undefined;
    const lines: string[] = [];
    while (this.at < this.text.length) {
      const next = this.text.indexOf('\n', this.at);
      const line = this.text.slice(this.at, next < 0 ? undefined : next);
      this.at = next < 0 ? this.text.length : next + 1;
      const own = tabs ? line.replace(/^\t+/, '') : line;
      if (own === end) {
        const whole = lines.map((one) => `${one}\n`).join('');
        if (plain && /[$`]/.test(whole.replace(/\\[$`\\]/g, ''))) return false;
        const input = plain ? whole.replace(/\\([$`\\])/g, '$1') : whole;
        const ended = step === undefined ? undefined : this.steps[step];
        if (step !== undefined && ended) this.steps[step] = { ...ended, input };
        else this.input = input;
        return true;
      }
      lines.push(own);
    }
    return false;
  }

  private quoted(): boolean {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) return false;
    this.add(this.text.slice(this.at + 1, end));
    this.at = end + 1;
    return true;
  }

  private doubleQuoted(): boolean {
    let inside = '';
    for (let at = this.at + 1; at < this.text.length; at += 1) {
      const character = this.text[at] ?? '';
      const next = this.text[at + 1] ?? '';
      if (character === '"') {
        this.add(inside);
        this.at = at + 1;
        return true;
      }
      if (character === '$' || character === '`') return false;
      if (character === '\\' && next !== '' && '$`"\\\n'.includes(next)) {
        inside += next === '\n' ? '' : next;
        at += 1;
      } else inside += character;
    }
    return false;
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  private endWord(): void {
    if (this.word !== undefined) this.words.push(this.word);
    this.word = undefined;
  }

  /** @param operator The operator between this step and the next. */
  private endStep(operator: Step['after']): boolean {
    this.endWord();
    const { words, outputs, piped, after, input } = this;
    if (words.length === 0) return input === undefined && after === ';' && operator === ';';
    // A here-document's text follows the line, and belongs to the step before an operator on that line.
    if (this.here && this.here.step === undefined) this.here.step = this.steps.length;
    this.steps.push({
      words,
      // Only standard output goes through `cat`.
      to: outputs.out,
      after,
      ...(piped && { piped }),
      ...(input !== undefined && { input }),
    });
    this.words = [];
    this.outputs = { out: 'out', err: 'err' };
    this.piped = false;
    this.after = operator;
    this.input = undefined;
    return true;
  }
}
