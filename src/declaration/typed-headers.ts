/** Headers that the user has typed for a server at an address, and what is kept of them. */

import type { Source } from './declared.ts';

/** One header. Its value may be a secret: only the name is ever printed. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What is kept of each header, by its name: the value with its variables, or null for one that is nobody's business. */
export type KnownHeaders = NonNullable<Extract<Source, { kind: 'url' }>['headers']>;

const headersOf = (source: Source) =>
  Object.entries((source.kind === 'url' && source.headers) || {});

/** The names of those whose values are kept nowhere. */
export const unkept = (source: Source): string[] =>
  headersOf(source).flatMap(([name, value]) => (value === null ? name : []));

/** Those that are kept, with variables in them. */
export const typedHeaders = (source: Source): Record<string, string> =>
  Object.fromEntries(
    headersOf(source).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
