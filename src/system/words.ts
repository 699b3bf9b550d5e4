/** Shared code for tables of sentences. */

import type { Message } from './errors.ts';
import { listed } from './plurals.ts';

/** Formats a message that is inside another. */
export interface Say {
  (message: Message): string;
  /** " Nothing was written.", or empty if that is obvious. */
  readonly nothing: string;
  /** The same without the note that nothing was written. */
  readonly bare: (message: Message) => string;
  /** Text that only applies to the command line, such as a flag. Empty for callers of the library. */
  readonly hint: (text: string) => string;
}

/**
 * A sentence of a table: a text with the names of its facts in braces, where lists become `a, b and c`, and `{nothing}` becomes
 * `Say.nothing`. A function where that is not enough.
 */
type Sentence<M extends Message> = string | ((message: M, say: Say) => string);

/** The sentences for every code of `M`. A missing or unknown code does not compile. */
export type Words<M extends Message> = {
  readonly [Code in M['code']]: Sentence<Extract<M, { code: Code }>>;
};

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'nothing'> | NamesIn<Rest>
  : never;

export type FactsOf<Words> = Words extends (facts: infer Given, say: Say) => string
  ? Readonly<Given>
  : { readonly [Name in NamesIn<Words>]: string | number | readonly string[] };

/** A message for each code of a table of sentences, with the facts that its sentence uses. */
export type MessageOf<Sentences> = {
  readonly [Code in keyof Sentences]: { readonly code: Code } & FactsOf<Sentences[Code]>;
}[keyof Sentences];

/** The sentence of a message, from its words. */
export function sentenceIn<M extends Message>(words: Sentence<M>, message: M, say: Say): string {
  if (typeof words === 'function') return words(message, say);
  const facts: ReadonlyMap<string, unknown> = new Map(Object.entries(message));
  return words.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'nothing' ? say.nothing : listed([facts.get(name)].flat()),
  );
}

/** The end of a sentence about a name: the name that was probably meant. */
export const meant = (near: string | undefined): string =>
  near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;

/** `an object`, `null`: the name of a value's type, for a sentence. */
export function withArticle(type: string): string {
  if (type === 'null' || type === 'undefined') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

export const installed = (near: readonly string[], all: readonly string[]): string => {
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return all.length > 0 ? `Installed: ${all.join(', ')}.` : NOTHING_INSTALLED;
};

export const NOTHING_INSTALLED = 'Nothing is installed.';
export const FIND_HOOKS = 'To find hooks for your servers: mcp-hooks scan';

/** A place in a file, in the format of compilers. */
export const placeIn = (
  file: string,
  line: number | undefined,
  column: number | undefined,
): string => `${file}${line === undefined ? '' : `:${line}:${column}`}`;

export const noSuchTool = (tool: string, near: string | undefined): string =>
  `the server has no tool ${JSON.stringify(tool)}${meant(near)}`;

/** The parser's name for a mistake, as words: `InvalidSymbol`, `invalid symbol`. */
export const mistakeInJson = (name: string): string =>
  name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
