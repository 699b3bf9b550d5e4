/** Asking a server at an address when nobody is there who could sign in: with what is kept, or not at all. */

import type { AuthProvider } from '@modelcontextprotocol/client';
import { UserError } from '../errors.ts';
import { authorises } from '../finding/headers.ts';
import type { Target } from '../finding/target.ts';
import { messages } from '../messages.ts';
import { serverAt } from './address.ts';
import { authorized } from './authorized.ts';

/** Where one would sign in to ask it; undefined: it is not asked, is at no address, or the user has said himself what authorises him. */
export function signInAddress(target: Target): string | undefined {
  const { declared, server, launch } = target;
  if (declared || !server || !('url' in server) || authorises(target)) return undefined;
  // What is shown of a configured server's address may be masked.
  const now = launch?.();
  return now && 'url' in now ? serverAt(now.url) : undefined;
}

/**
 * Runs `read` with what sends the token that is kept, renewed when it has run out.
 *
 * @throws UserError that says where to sign in; else what `read` throws.
 */
export async function withKeptTokens<T>(
  target: Target,
  state: string,
  read: (provider?: AuthProvider) => Promise<T>,
): Promise<T> {
  const server = signInAddress(target);
  if (server === undefined) return read();
  const signIn = async () => {
    throw new UserError(messages.signInDeclined(server));
  };
  return authorized({ state, server, signIn }, read);
}
