/** A server is read with the sign-in that is kept for it, where nobody is to be asked for one. */

import type { AuthProvider } from '@modelcontextprotocol/client';
import { UserError } from '../errors.ts';
import { areAuthorising } from '../finding/headers.ts';
import { maskAddress } from '../finding/masked.ts';
import type { Target } from '../finding/target.ts';
import { messages } from '../messages.ts';
import { hidingIn } from '../reading/read.ts';
import { serverAt } from './address.ts';
import { authorized } from './authorized.ts';

/**
 * Runs `read` with what sends the token that is kept.
 *
 * @param state Absolute path of our state folder.
 * @throws UserError when the server wants a sign-in that is not there, and says what to type; else what `read` throws.
 */
export async function withKeptSignIn<T>(
  target: Target,
  state: string,
  read: (provider?: AuthProvider) => Promise<T>,
): Promise<T> {
  const server = signInAddress(target);
  if (server === undefined) return read();
  const signIn = async () => {
    throw new UserError(messages.signInFirst(server));
  };
  return hidingIn(target, () => authorized({ state, server, signIn }, read));
}

/**
 * What there may be a sign-in for: undefined where nothing is asked, it is no server at an address, or a header says what
 * authorises the user.
 */
export function signInAddress(target: Target): string | undefined {
  const { declared, server, launch } = target;
  if (declared || !server || !('url' in server)) return undefined;
  // What is shown of a configured server may be masked, and names headers of which the variable is not set.
  const now = launch?.();
  return now && 'url' in now && !areAuthorising(now.headers) ? serverAt(now.url) : undefined;
}

/** A configured server's address may have a secret in its path. */
export const shownOf = ({ server }: Target, address: string): string =>
  server?.configured ? maskAddress(address) : address;
