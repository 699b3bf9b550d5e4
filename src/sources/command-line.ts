/** The variables that a command line sets before it starts a program: through `env`, or in a shell script. */

import { isSteering } from '../compile/steering.ts';
import { splitWords } from './manifests/split-words.ts';
import { environmentOf, variableIn } from './redacted.ts';

interface Started {
  readonly words: readonly string[];
  /** Variables that the words set, whose values may be secrets. */
  readonly own: Readonly<Record<string, string>>;
  /** Variables that determine what runs. */
  readonly literal: Readonly<Record<string, string>>;
}

/** The command that `env` or a shell starts, and the variables that are set for it, if that is all the line does. */
export function withoutEnvironment(words: readonly string[]): Started {
  const own: Record<string, string> = {};
  const literal: Record<string, string> = {};
  const take = ({ name, value }: { readonly name: string; readonly value: string }) => {
    if (isSteering(name)) literal[name] = value;
    else own[name] = value;
  };
  const end = environmentOf(words);
  if (end > 0) {
    const given = words.slice(1, end).map((_, index) => variableIn(words, index + 1));
    if (end === words.length || given.some((one) => one === undefined))
      return { words, own, literal };
    for (const one of given) if (one) take(one);
    return { words: words.slice(end), own, literal };
  }
  const [shell = '', flag = '', script, ...more] = words;
  if (!SHELL.test(shell) || !/^-[a-z]*c$/.test(flag) || script === undefined)
    return { words, own, literal };
  let rest = script.trim();
  for (let found = FIRST.exec(rest); found; found = FIRST.exec(rest)) {
    const [all, name = '', value = ''] = found;
    if (all.length === rest.length) break; // nothing would be started
    take({ name, value: unquoted(value) });
    rest = rest.slice(all.length);
  }
  const withLater = (all: string, before: string, name: string, value: string, at: number) => {
    if (isSteering(name) || isInQuery(rest, at)) return all;
    take({ name, value: unquoted(value) });
    return `${before}${name}="\${${name}}"`;
  };
  rest = rest.replace(LATER, withLater);
  const inner = splitWords(rest);
  // Without the assignments, most such commands need no shell.
  const plain = 'words' in inner ? inner.words.slice(inner.words[0] === 'exec' ? 1 : 0) : [];
  const isPlain = plain.length > 0 && more.length === 0;
  return { words: isPlain ? plain : [shell, flag, rest, ...more], own, literal };
}

/** Whether a place in a script is in the query of an address, where `&` starts no command. */
function isInQuery(script: string, at: number): boolean {
  const ends = [...` \t\n'"`].map((end) => script.lastIndexOf(end, at));
  const word = script.slice(Math.max(...ends) + 1, at);
  return word.includes('://') && word.includes('?');
}

const unquoted = (value: string): string => value.replace(/^(['"])(.*)\1$/s, '$2');

const SHELL = /(?:^|[\\/])(?:ba|da|z|k)?sh$/;
const VALUE = `('[^']*'|"[^"$\`\\\\]*"|[^\\s;&|"'$\`()<>]*)`;
/** A variable that a script sets first (`FIRST`), and one that it sets after another command (`LATER`). */
const FIRST = new RegExp(`^(?:export\\s+)?([A-Za-z_]\\w*)=${VALUE}(?:\\s*(?:;|&&)\\s*|\\s+)`);
const LATER = new RegExp(`([;&|]\\s*(?:export\\s+)?)([A-Za-z_]\\w*)=${VALUE}(?=[\\s;&|]|$)`, 'g');
