/** The output of `jq -n` for constants: objects may have keys without quotes, and variables from `--arg`. */

import type { JsonValue } from '../../edit/edit.ts';

/** Brackets within brackets. */
const DEPTH = 50;

/** @returns The output; undefined: it is not constant, or has an unknown option. */
export function printedByJq(words: readonly string[]): string | undefined {
  const variables = new Map<string, JsonValue>();
  let program: string | undefined;
  let isNull = false;
  let raw = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--arg') {
      const [name, value] = [words[at + 1], words[at + 2]];
      if (name === undefined || value === undefined) return undefined;
      variables.set(name, value);
      at += 2;
    } else if (/^-[ncrMS]+$/.test(word)) {
      isNull ||= word.includes('n');
      raw ||= word.includes('r');
    } else if (word === '--null-input') isNull = true;
    else if (word === '--raw-output') raw = true;
    else if (word !== '--compact-output' && (word.startsWith('-') || program !== undefined))
      return undefined;
    else if (word !== '--compact-output') program = word;
  }
  if (!isNull || program === undefined) return undefined;
  const value = new Constant(program, variables).read();
  if (value === undefined) return undefined;
  return `${raw && typeof value === 'string' ? value : JSON.stringify(value)}\n`;
}

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\]|\\[^(])*")|(\$?[A-Za-z_]\w*)|(-?\d+(?:\.\d+)?))/y;

class Constant {
  private readonly tokens: string[] = [];
  private readonly variables: ReadonlyMap<string, JsonValue>;
  private readonly whole: boolean;
  private at = 0;

  constructor(text: string, variables: ReadonlyMap<string, JsonValue>) {
    this.variables = variables;
    const token = new RegExp(TOKEN);
    let read = 0;
    for (let found = token.exec(text); found; found = token.exec(text)) {
      this.tokens.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
      read = token.lastIndex;
    }
    this.whole = text.slice(read).trim() === '';
  }

  read(): JsonValue | undefined {
    if (!this.whole) return undefined;
    const value = this.value(0);
    return this.at === this.tokens.length ? value : undefined;
  }

  private value(depth: number): JsonValue | undefined {
    if (depth > DEPTH) return undefined;
    const token = this.tokens[this.at++];
    if (token === undefined) return undefined;
    if (token === '{') return this.object(depth);
    if (token === '[') return this.list(depth);
    return this.plain(token);
  }

  private plain(token: string): JsonValue | undefined {
    if (token.startsWith('$')) return this.variables.get(token.slice(1));
    if (!/^(?:".*"|true|false|null|-?\d.*)$/s.test(token)) return undefined;
    try {
      return JSON.parse(token);
    } catch {
      return undefined;
    }
  }

  private object(depth: number): JsonValue | undefined {
    const members: [string, JsonValue][] = [];
    if (this.tokens[this.at] === '}') this.at += 1;
    else
      for (;;) {
        const key = this.tokens[this.at++] ?? '';
        const name = key.startsWith('"') ? this.plain(key) : /^\w+$/.test(key) ? key : undefined;
        if (typeof name !== 'string' || this.tokens[this.at++] !== ':') return undefined;
        const value = this.value(depth + 1);
        if (value === undefined) return undefined;
        members.push([name, value]);
        const next = this.tokens[this.at++];
        if (next === '}') break;
        if (next !== ',') return undefined;
      }
    return Object.fromEntries(members);
  }

  private list(depth: number): JsonValue | undefined {
    const items: JsonValue[] = [];
    if (this.tokens[this.at] === ']') this.at += 1;
    else
      for (;;) {
        const value = this.value(depth + 1);
        if (value === undefined) return undefined;
        items.push(value);
        const next = this.tokens[this.at++];
        if (next === ']') break;
        if (next !== ',') return undefined;
      }
    return items;
  }
}
