/** A server is read with the sign-in that is kept for it, where nobody is to be asked for one. */

import type { ServerHooks } from '../../declaration/declared.ts';
import { UserError } from '../../system/errors.ts';
import { areAuthorising } from '../headers.ts';
import type { SourceMessage } from '../messages.ts';
import { hidingIn, type ReadOptions, readTarget } from '../protocol/read.ts';
import { maskAddress } from '../redacted.ts';
import type { ResolvedServer } from '../resolved-server.ts';
import { serverAt } from './address.ts';
import { authorized } from './authorized.ts';

/**
 * `readTarget` with what sends the token that is kept.
 *
 * @param state Absolute path of our state folder.
 * @throws UserError when the server wants a sign-in that is not there, and says what to type; else as `readTarget` does.
 */
export async function readWithKeptSignIn(
  target: ResolvedServer,
  state: string,
  options: ReadOptions,
): Promise<ServerHooks> {
  const server = signInAddress(target);
  if (server === undefined) return readTarget(target, options);
  const signIn = async () => {
    throw new UserError<SourceMessage>({ code: 'sign-in-first', server });
  };
  return hidingIn(target, () =>
    authorized({ state, server, signIn }, (provider) =>
      readTarget(target, { ...options, provider }),
    ),
  );
}

/**
 * What there may be a sign-in for: undefined where nothing is asked, it is no server at an address, or a header says what
 * authorises the user.
 */
export function signInAddress(target: ResolvedServer): string | undefined {
  const { declared, server, launch } = target;
  if (declared || !server || !('url' in server)) return undefined;
  // What is shown of a configured server may be masked, and names headers of which the variable is not set.
  const now = launch?.();
  return now && 'url' in now && !areAuthorising(now.headers) ? serverAt(now.url) : undefined;
}

/** A configured server's address may have a secret in its path. */
export const shownOf = ({ server }: ResolvedServer, address: string): string =>
  server?.configured ? maskAddress(address) : address;
