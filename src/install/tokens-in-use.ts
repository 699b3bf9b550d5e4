/** Which sign-ins an install uses: what is kept of one goes with the last label that does. */

import { dirname, join } from 'node:path';
import { tokensFolder } from '../clients/places.ts';
import type { EventProgram } from '../compile/program.ts';
import { serverAt, tokensFile } from '../sources/oauth/address.ts';
import type { Install } from './ledger.ts';

/** The files that keep what the user has signed in with at the servers that an install was read from, or whose tools its hooks call. */
export function signInsOf(
  { origin }: Install,
  programs: readonly Pick<EventProgram, 'server'>[],
  state: string,
): string[] {
  const folder = tokensFolder(state);
  const address = origin?.kind === 'url' ? serverAt(origin.url) : undefined;
  const files = [
    ...(address === undefined ? [] : [tokensFile(state, address)]),
    ...(origin?.kind === 'configured' && origin.tokens !== undefined
      ? [join(folder, origin.tokens)]
      : []),
    ...programs.flatMap(({ server }) => (server && 'tokens' in server && server.tokens) || []),
  ];
  // A program may have been edited, and what is named here may be deleted.
  return [...new Set(files)].filter((file) => dirname(file) === folder);
}
