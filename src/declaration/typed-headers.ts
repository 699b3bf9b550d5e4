/** Headers that the user has typed for a server at an address, and what is kept of them. */

import type { Source } from './declared.ts';

/** One header. Its value may be a secret: only the name is ever printed. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What is kept of each header, by its name: the value with its variables, or null for one that is nobody's business. */
export type KnownHeaders = NonNullable<Extract<Source, { kind: 'url' }>['headers']>;

/** The names of those whose values are kept nowhere. */
export const unkept = (source: Source): string[] =>
  source.kind === 'url'
    ? Object.entries(source.headers ?? {}).flatMap(([name, value]) => (value === null ? name : []))
    : [];

/** Those that are kept, with variables in them. */
export const typedHeaders = (source: Source): Record<string, string> =>
  source.kind === 'url'
    ? Object.fromEntries(
        Object.entries(source.headers ?? {}).flatMap(([name, value]) =>
          value === null ? [] : [[name, value]],
        ),
      )
    : {};
