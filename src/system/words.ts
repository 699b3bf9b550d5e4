/** What tables of words share. They are at the edges, where codes become sentences. */

import type { Message } from './errors.ts';

/** Says a message that is inside another. */
export interface Say {
  (message: Message): string;
  /** " Nothing was written.", or nothing if that is obvious. */
  readonly nothing: string;
  /** The same without saying that nothing was written. */
  readonly bare: (message: Message) => string;
}

/** The words for every code of `M`. A missing code does not compile, nor does an unknown one. */
export type Words<M extends Message> = {
  readonly [Code in M['code']]: (facts: Extract<M, { code: Code }>, say: Say) => string;
};

/** The end of a sentence about a name: the one that was probably meant. */
export const meant = (near: string | undefined): string =>
  near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;

/** `an object`, `null`: the name of a value's type, for a sentence. */
export function withArticle(type: string): string {
  if (type === 'null' || type === 'undefined') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
