/**
 * A command for a POSIX shell, read as far as it holds nothing but fixed words: whatever a shell would have to work out makes
 * it something else. Nothing of it is run.
 */

/** One simple command, and where its output goes. */
export interface Step {
  readonly words: readonly string[];
  /** The text of its here-document. */
  readonly input?: string;
  readonly to: 'out' | 'err' | 'nowhere';
  /** What stands before it; `;` for the first one. */
  readonly after: ';' | '&&' | '||';
}

/** More than anybody writes by hand. */
const CHARACTERS = 200_000;

/** Undefined: a shell is needed to know what it does. */
export function stepsIn(text: string): Step[] | undefined {
  if (text.length > CHARACTERS) return undefined;
  const reader = new Reader(text);
  return reader.read() ? reader.steps : undefined;
}

/** Redirections that change nothing of what is printed, or only where it goes. */
const TO_ERR = /^1?>&2/;
const ERR_AWAY = /^2>(?:[ \t]*\/dev\/null|&1)/;
const OUT_AWAY = /^1?>[ \t]*\/dev\/null/;
const HERE = /^<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))/;
/** Between words. */
const REDIRECTIONS = [TO_ERR, ERR_AWAY, OUT_AWAY, HERE];

/** What stands for something else outside of quotes. */
const NOT_PLAIN = /[|&<>()$`*{}]/;

class Reader {
  readonly steps: Step[] = [];
  private readonly text: string;
  private at = 0;
  private words: string[] = [];
  private word: string | undefined;
  private to: Step['to'] = 'out';
  private after: Step['after'] = ';';
  private input: string | undefined;
  /** The here-document whose text begins on the next line. */
  private here:
    | { readonly end: string; readonly plain: boolean; readonly tabs: boolean }
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
    if (this.word === undefined && REDIRECTIONS.some((one) => one.test(rest)))
      return this.redirect(rest);
    if (character === ' ' || character === '\t') {
      this.endWord();
      this.at += 1;
      return true;
    }
    if (character === ';' || character === '\n') {
      this.at += 1;
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

  private redirect(rest: string): boolean {
    const [here, tabs, single, double, plain] = HERE.exec(rest) ?? [];
    const end = single ?? double ?? plain;
    if (here !== undefined && end !== undefined) {
      if (this.here) return false;
      this.here = { end, plain: plain !== undefined, tabs: tabs === '-' };
      this.at += here.length;
      return true;
    }
    const [found = ''] = TO_ERR.exec(rest) ?? ERR_AWAY.exec(rest) ?? OUT_AWAY.exec(rest) ?? [];
    if (TO_ERR.test(rest)) this.to = 'err';
    else if (OUT_AWAY.test(rest)) this.to = 'nowhere';
    this.at += found.length;
    return true;
  }

  private readHere(): boolean {
    const { end, plain, tabs } = this.here ?? { end: '', plain: false, tabs: false };
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
        this.input = plain ? whole.replace(/\\([$`\\])/g, '$1') : whole;
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

  /** @param operator What stands between it and the next one. */
  private endStep(operator: Step['after']): boolean {
    this.endWord();
    const { words, to, after, input } = this;
    if (words.length === 0) return input === undefined && after === ';' && operator === ';';
    // The text of a here-document is read at the end of the line, and belongs to what stands before an operator on it.
    if (this.here !== undefined) return false;
    this.steps.push({ words, to, after, ...(input !== undefined && { input }) });
    this.words = [];
    this.to = 'out';
    this.after = operator;
    this.input = undefined;
    return true;
  }
}
