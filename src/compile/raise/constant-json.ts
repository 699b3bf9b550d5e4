/** The output of `jq -n` for constants. Objects may have unquoted keys, and variables come from `--arg`. */

import type { JsonValue } from '../../edit/edit.ts';
import { attempt } from '../../system/errors.ts';

/** @returns The output; undefined: it is not constant, or there is an unknown option. */
export function printedByJq(words: readonly string[]): string | undefined {
  const variables = new Map<string, string>();
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
  const json = asJson(program, variables);
  return attempt(() => {
    const value: JsonValue = JSON.parse(json ?? '');
    return `${raw && typeof value === 'string' ? value : JSON.stringify(value)}\n`;
  });
}

const TOKEN =
  /[ \t\r\n]*(?:[{}[\],:]|"(?:[^"\\]|\\[^(])*"|(\$?[A-Za-z_]\w*)(?=\s*(:?))|-?\d+(?:\.\d+)?)/y;

/** The constant with quoted keys and its variables filled in; undefined: it is not a constant. */
function asJson(program: string, variables: ReadonlyMap<string, string>): string | undefined {
  const token = new RegExp(TOKEN);
  const made: string[] = [];
  let read = 0;
  for (let found = token.exec(program); found; found = token.exec(program)) {
    read = token.lastIndex;
    const [text, word, colon] = found;
    const variable = word?.startsWith('$') ? variables.get(word.slice(1)) : word;
    const isValue = colon === '' && !word?.startsWith('$');
    if (word === undefined || (isValue && /^(?:true|false|null)$/.test(word))) made.push(text);
    else if (isValue || variable === undefined || (colon && variable !== word)) return undefined;
    else made.push(JSON.stringify(variable));
  }
  return program.slice(read).trim() === '' ? made.join(' ') : undefined;
}
