/**
 * Finds the simple commands in a shell line, wherever they are: in a pipe, a condition or a substitution. The line is never
 * run. A shell's grammar is larger, so an unknown construct is missed, or counts as one command too many.
 */

import { printsNothing } from './programs.ts';

export interface Word {
  /** Its position in the line. */
  readonly start: number;
  readonly end: number;
  /** Undefined: only a shell can tell. */
  readonly text: string | undefined;
  /** A file that a redirection reads or writes. */
  readonly isTarget: boolean;
}

export interface Commands {
  /** Without reserved words and leading variable assignments. */
  readonly commands: readonly (readonly Word[])[];
  /** Whether it uses the shell's own arguments. */
  readonly usesArguments: boolean;
  readonly hasDocument: boolean;
  /** Whether some of its output goes to standard output, as far as is known. */
  readonly prints: boolean;
  /** Whether it uses features that shells other than bash may lack. */
  readonly isForBash: boolean;
  /** Whether it leaves a process running. */
  readonly runsOn: boolean;
  /** Whether it ends within quotes, so that no shell would run it. */
  readonly isOpen: boolean;
}

/** Deeper than anything written by hand. */
const DEPTH = 50;

const RESERVED = /^(?:if|then|elif|else|while|until|do|!|\{|\}|time|fi|done|esac)$/;
/** Names and patterns come after these. */
const NAMING = /^(?:for|case|select|function)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** After a `$`: one of the shell's arguments. */
const ARGUMENT = /^(?:\{?[1-9@*#]|\{#\})/;

/** The line that these words pass to a shell; undefined: they start something else. */
export const lineIn = ([shell = '', option, line = '']: readonly string[]): string | undefined =>
  option === '-c' && /^(?:ba)?sh$/.test(shell) ? line : undefined;

/** @param valueFor The value of a variable, if known. */
export function commandsIn(
  line: string,
  valueFor: (name: string) => string | undefined = () => undefined,
): Commands {
  const scanner = new Scanner(line, valueFor);
  scanner.scan(0, '', 0);
  const found = scanner.commands.flatMap((one) => {
    const own = withoutShell(line, one.words);
    return own.length > 0 ? [{ ...one, words: own }] : [];
  });
  const texts = found.map(({ words }) => words.map(({ text }) => text));
  const all = scanner.commands.map(({ words }) => words.map(({ text }) => text));
  return {
    commands: found.map(({ words }) => words),
    usesArguments: scanner.usesArguments || texts.some(isSetter) || all.some(isOverArguments),
    hasDocument: scanner.hasDocument,
    runsOn: scanner.runsOn,
    isOpen: scanner.isOpen,
    prints: found.some(({ prints }, index) => prints && !isMute(texts[index] ?? [])),
    isForBash:
      scanner.isForBash ||
      texts.some(([first = '', ...others]) => OF_BASH.test(first) || others.includes('pipefail')),
  };
}

type Texts = readonly (string | undefined)[];

const SETTERS = /^(?:shift|set|eval)$/;
const isSetter = ([first = '', second = '']: Texts): boolean =>
  SETTERS.test(/^(?:command|builtin)$/.test(first) ? second : first);

/** A function has arguments of its own, and a loop without words is over the shell's. */
const isOverArguments = ([first, _, third]: Texts): boolean =>
  first === 'function' || (first === 'for' && third !== 'in');

/** The beginning of a function's body. */
const FUNCTION = /^\([ \t]{0,9}\)/;
const OF_BASH = /^(?:\[\[|source|declare|typeset|shopt|mapfile|readarray)$/;
/** Programs that print nothing, or report only through their exit code. */
const MUTE =
  /^(?:\[\[?|test|true|false|:|exit|return|cd|read|export|unset|local|shift|set|trap|wait|cp|mv|rm|mkdir|touch|sleep)$/;

const isMute = ([first, ...others]: readonly (string | undefined)[]): boolean =>
  (first !== undefined && MUTE.test(first)) ||
  (/^[efz]?grep$/.test(first ?? '') && others.some((word) => /^-\w{0,9}q/.test(word ?? ''))) ||
  printsNothing([first ?? '', ...others]);

function withoutShell(line: string, words: readonly Word[]): readonly Word[] {
  const start = words.findIndex(
    ({ text, start: from, end }) =>
      !(text !== undefined && RESERVED.test(text)) && !ASSIGNMENT.test(line.slice(from, end)),
  );
  const own = start < 0 ? [] : words.slice(start);
  return NAMING.test(own[0]?.text ?? '') ? [] : own;
}

/** A word in progress. */
interface Begun {
  readonly start: number;
  text: string | undefined;
}

interface Command {
  readonly words: readonly Word[];
  /** Its output is neither redirected nor read by another command or a substitution. */
  readonly prints: boolean;
}

class Scanner {
  readonly commands: Command[] = [];
  usesArguments = false;
  isForBash = false;
  runsOn = false;
  isOpen = false;
  hasDocument = false;
  /** The delimiters of here-documents that begin on the next line. */
  private readonly documents: string[] = [];
  private readonly line: string;
  private readonly valueFor: (name: string) => string | undefined;

  constructor(line: string, valueFor: (name: string) => string | undefined) {
    this.line = line;
    this.valueFor = valueFor;
  }

  /** Reads up to `until`. @returns The position after it. */
  scan(from: number, until: string, depth: number, isCaptured = false): number {
    const { line } = this;
    let words: Word[] = [];
    let word: Begun | undefined;
    let isTarget = false;
    let isRedirected = false;
    let at = from;
    const begin = (): Begun => {
      word ??= { start: at, text: '' };
      return word;
    };
    const add = (text: string | undefined) => {
      const begun = begin();
      begun.text = begun.text === undefined || text === undefined ? undefined : begun.text + text;
    };
    const endWord = () => {
      if (word) words.push({ start: word.start, end: at, text: word.text, isTarget });
      if (word) isTarget = false;
      word = undefined;
    };
    const endCommand = (isPiped = false) => {
      endWord();
      const prints = !(isCaptured || isPiped || isRedirected);
      if (words.length > 0) this.commands.push({ words, prints });
      words = [];
      isTarget = false;
      isRedirected = false;
    };

    while (at < line.length) {
      const character = line[at] ?? '';
      if (character === until && (until !== ')' || depth > 0)) {
        endCommand();
        return at + 1;
      }
      if (character === ' ' || character === '\t') {
        endWord();
        at += 1;
      } else if (character === '#' && word === undefined) {
        at = this.endOfLine(at);
      } else if (character === '\n') {
        endCommand();
        at = this.afterDocuments(at + 1);
      } else if (character === '>' || character === '<') {
        // The number of the file descriptor that is redirected.
        const number = word && at === word.start + 1 ? word.text : undefined;
        const isNumbered = number !== undefined && /^\d$/.test(number);
        if (isNumbered) word = undefined;
        endWord();
        isRedirected ||= character === '>' && (!isNumbered || number === '1');
        at = this.redirected(at);
        isTarget = true;
      } else if (character === '&' && line[at + 1] === '>') {
        endWord();
        this.isForBash = true;
        at += 1;
      } else if (';&|'.includes(character)) {
        this.runsOn ||= character === '&' && line[at + 1] !== '&' && line[at - 1] !== '&';
        endCommand(character === '|' && line[at + 1] !== '|' && line[at - 1] !== '|');
        at += 1;
      } else if (character === ')' || character === '(') {
        // The end of a pattern, a group, or the parentheses of a function.
        const isArray = word !== undefined && line[at - 1] === '=';
        this.isForBash ||= character === '(' && (isArray || line[at + 1] === '(' || isTarget);
        this.usesArguments ||= !isArray && FUNCTION.test(line.slice(at, at + 12));
        endCommand();
        at =
          character === '(' && depth < DEPTH
            ? this.scan(at + 1, ')', depth + 1, isCaptured)
            : at + 1;
      } else if (character === '`') {
        add(undefined);
        at = depth < DEPTH ? this.scan(at + 1, '`', depth + 1, true) : at + 1;
      } else if (character === "'") {
        const end = line.indexOf("'", at + 1);
        this.isOpen ||= end < 0;
        add(end < 0 ? undefined : line.slice(at + 1, end));
        at = end < 0 ? line.length : end + 1;
      } else if (character === '"') {
        begin();
        at = this.quoted(at + 1, add, depth);
      } else if (character === '\\') {
        add(line[at + 1] === '\n' ? '' : (line[at + 1] ?? ''));
        at += 2;
      } else if (character === '$') {
        begin();
        this.isForBash ||= line[at + 1] === "'";
        at = this.expanded(at + 1, add, depth);
      } else {
        add('*?['.includes(character) && line[at + 1] !== ' ' && word ? undefined : character);
        at += 1;
      }
    }
    at = Math.min(at, line.length);
    endCommand();
    return at;
  }

  private quoted(from: number, add: (text: string | undefined) => void, depth: number): number {
    const { line } = this;
    let at = from;
    while (at < line.length) {
      const character = line[at] ?? '';
      if (character === '"') return at + 1;
      if (character === '$') at = this.expanded(at + 1, add, depth);
      else if (character === '`') {
        add(undefined);
        at = depth < DEPTH ? this.scan(at + 1, '`', depth + 1, true) : at + 1;
      } else if (character === '\\') {
        add('$`"\\'.includes(line[at + 1] ?? ' ') ? line[at + 1] : line.slice(at, at + 2));
        at += 2;
      } else {
        add(character);
        at += 1;
      }
    }
    this.isOpen = true;
    return at;
  }

  /** After a `$`. */
  private expanded(at: number, add: (text: string | undefined) => void, depth: number): number {
    const { line } = this;
    if (line[at] === '(') {
      add(undefined);
      return depth < DEPTH ? this.scan(at + 1, ')', depth + 1, true) : at + 1;
    }
    if (ARGUMENT.test(line.slice(at, at + 3))) this.usesArguments = true;
    const [all = '', braced, plain] =
      /^(?:\{(\w{1,100})\}|(\w{1,100}))/.exec(line.slice(at, at + 102)) ?? [];
    const name = braced ?? plain;
    if (name === undefined && line[at] === '{') {
      add(undefined);
      const end = line.indexOf('}', at);
      // Such as pattern replacement; all shells know `:-` and the like.
      this.isForBash ||= /^\{!|^\{\w{1,100}(?:[/^,[]|:\d)/.test(line.slice(at, at + 120));
      return end < 0 ? line.length : end + 1;
    }
    add(name === undefined ? undefined : this.valueFor(name));
    return at + all.length;
  }

  private redirected(from: number): number {
    const { line } = this;
    const sign = line[from] ?? '';
    this.isForBash ||= line.startsWith('<<<', from) || line[from + 1] === '(';
    let at = from + 1;
    if (sign === '<' && line[at] === '<' && line[at + 1] !== '<') {
      const found = /^<-?[ \t]{0,9}(['"]?)([\w.-]{1,100})\1/.exec(line.slice(at, at + 120));
      this.hasDocument = true;
      if (found?.[2] !== undefined) this.documents.push(found[2]);
      return at + (found?.[0].length ?? 1);
    }
    while ('<>&|-'.includes(line[at] ?? ' ')) at += 1;
    return at;
  }

  private endOfLine(at: number): number {
    const end = this.line.indexOf('\n', at);
    return end < 0 ? this.line.length : end;
  }

  private afterDocuments(from: number): number {
    let at = from;
    for (const end of this.documents.splice(0)) {
      while (at < this.line.length) {
        const next = this.endOfLine(at);
        const isEnd = this.line.slice(at, next).trim() === end;
        at = next + 1;
        if (isEnd) break;
      }
    }
    return at;
  }
}
