/** The output of a command that prints the same each time. It is determined by parsing the command, which is never run. */

import { CONTEXT_CHARACTERS } from '../../declaration/limits.ts';
import { printedByJq } from './constant-json.ts';
import type { LeftOut } from './messages.ts';
import { type Step, stepsIn } from './shell.ts';

export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly status: number;
  /** The files whose texts are part of it. */
  readonly files: readonly string[];
}

/** The text of the file that a word names, or why it is not read. */
export type ReadText = (word: string) => FileText | LeftOut;

interface FileText {
  readonly text: string;
  /** The name of the file. */
  readonly name: string;
}

/** Undefined: it does more than print, or its output is only known when it runs. */
export function printedBy(command: string, readText: ReadText): Printed | LeftOut | undefined {
  const steps = stepsIn(command);
  if (!steps || steps.length === 0) return undefined;
  let [out, err, status] = ['', '', 0];
  const files: string[] = [];
  for (const step of steps) {
    // Every command that is understood here succeeds, so this one does not run.
    if (step.after === '||') continue;
    const [program, ...words] = step.words;
    if (program === 'exit') {
      // In a pipe, it would only end the pipe.
      if (step.piped) return undefined;
      const [code = String(status)] = words;
      if (words.length > 1 || !/^\d{1,3}$/.test(code)) return undefined;
      status = Number(code);
      break;
    }
    const made = madeBy(step, readText);
    if (made === undefined || 'code' in made) return made;
    files.push(...(made.files ?? []));
    if (step.to === 'out') out += made.text;
    if (step.to === 'err') err += made.text;
    if (out.length + err.length > CONTEXT_CHARACTERS) return undefined;
  }
  // The output contains a folder's path, which differs on other machines.
  if (out.includes('\0') || err.includes('\0')) return undefined;
  return { out, err, status, files };
}

type Made = { readonly text: string; readonly files?: readonly string[] } | LeftOut | undefined;

function madeBy({ words, input, to }: Step, readText: ReadText): Made {
  const [program = '', ...rest] = words[0] === 'command' ? words.slice(1) : words;
  if (input !== undefined)
    return program === 'cat' && rest.length === 0 ? { text: input } : undefined;
  const text = (made: string | undefined): Made =>
    made === undefined ? undefined : { text: made };
  switch (program) {
    case ':':
    case 'true':
      return { text: '' };
    case 'set':
      // Nothing here fails, and no variable is read. Other options end a shell that does not know them.
      return rest.length === 1 && /^-[eu]+$/.test(rest[0] ?? '') ? { text: '' } : undefined;
    case 'echo':
      return text(echoed(rest));
    case 'printf':
      return text(formatted(rest));
    case 'jq':
      return text(printedByJq(rest));
    case 'cat':
      // Without files it prints its stdin, which is only known when it fires.
      if (rest.length === 0) return to === 'nowhere' ? { text: '' } : undefined;
      return concatenated(rest, readText);
    default:
      return undefined;
  }
}

function concatenated(words: readonly string[], readText: ReadText): Made {
  if (words.some((word) => word.startsWith('-'))) return undefined;
  let text = '';
  const files: string[] = [];
  for (const word of words) {
    const read = readText(word);
    if ('code' in read) return read;
    text += read.text;
    files.push(read.name);
  }
  return { text, files };
}

/** Undefined as for `unescaped`. */
function echoed(words: readonly string[]): string | undefined {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const end = first < 0 ? words.length : first;
  const options = words.slice(0, end).join('');
  const text = words.slice(end).join(' ');
  const isEscaped = options.lastIndexOf('e') > options.lastIndexOf('E');
  const made = isEscaped ? unescaped(text, ESCAPES) : text;
  return made === undefined ? undefined : made + (options.includes('n') ? '' : '\n');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', a: '' };
/** Escapes in the format of `printf`. Elsewhere, some shells keep their backslash. */
const IN_FORMAT: Readonly<Record<string, string>> = { ...ESCAPES, '"': '"', "'": "'" };

/** Undefined: an escape that is unknown, or that differs between shells. */
function unescaped(text: string, known: Readonly<Record<string, string>>): string | undefined {
  const escapes = [...text.matchAll(/\\(.?)/gs)].map(([, character = '']) => character);
  if (!escapes.every((character) => Object.hasOwn(known, character))) return undefined;
  return text.replace(/\\(.)/gs, (_, character: string) => known[character] ?? '');
}

/** Undefined: an unknown format, or as for `unescaped`. */
function formatted([format, ...words]: readonly string[]): string | undefined {
  if (format === undefined || format.startsWith('-')) return undefined;
  const places = format.match(/%%|%./gs) ?? [];
  if (
    places.some((place) => !['%%', '%s', '%b'].includes(place)) ||
    /%$/.test(format.replaceAll('%%', ''))
  )
    return undefined;
  const perRound = places.filter((place) => place !== '%%').length;
  let text = '';
  const left = [...words];
  do {
    for (const part of format.split(/(%[%sb])/)) {
      const made = placed(part, left);
      if (made === undefined) return undefined;
      text += made;
    }
    if (text.length > CONTEXT_CHARACTERS) return undefined;
  } while (perRound > 0 && left.length > 0);
  return text;
}

/** A part of a format. A placeholder consumes the next word. */
function placed(part: string, left: string[]): string | undefined {
  if (part === '%%') return '%';
  if (part === '%s') return left.shift() ?? '';
  if (part === '%b') return unescaped(left.shift() ?? '', ESCAPES);
  return unescaped(part, IN_FORMAT);
}
