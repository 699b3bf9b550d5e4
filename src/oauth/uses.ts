/** Which servers an install asks: what is kept of a sign-in goes with the last label that uses it. */

import type { EventProgram } from '../compile/program.ts';
import type { Install } from '../ledger.ts';
import { serverAt } from './address.ts';

/** Origin and path of each server at an address that an install was read from, or whose tools its hooks call. */
export function serversOf(
  { origin }: Install,
  programs: readonly Pick<EventProgram, 'server'>[],
): string[] {
  const addresses = [
    ...(origin?.kind === 'url' ? [origin.url] : []),
    ...programs.flatMap(({ server }) => (server && 'url' in server ? server.url : [])),
  ];
  return [...new Set(addresses.flatMap((address) => serverAt(address) ?? []))];
}
