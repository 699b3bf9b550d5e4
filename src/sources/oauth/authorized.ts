/** A conversation with a server that may require a sign-in. */

import type { AuthProvider } from '@modelcontextprotocol/client';
import type { ServerHooks } from '../../declaration/declared.ts';
import { Unauthorized } from '../../system/errors.ts';
import { hasAuthorizationHeader } from '../headers.ts';
import { SourceError } from '../messages.ts';
import { type ReadOptions, readTarget, withMaskedErrors } from '../protocol/read.ts';
import { maskAddress } from '../redacted.ts';
import type { ResolvedServer } from '../resolved-server.ts';
import { serverAt, tokensFile } from './address.ts';
import { tokenStore } from './tokens.ts';

/** Milliseconds that renewing a token may take. */
const RENEWING = 20_000;

/** What a server says when it wants somebody to sign in. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

export interface Authorizing {
  readonly state: string;
  /** Origin and path. */
  readonly server: string;
  /** Makes the user sign in. Throws a UserError that says why they cannot. */
  readonly signIn: (challenge: Challenge) => Promise<void>;
}

/**
 * Runs `attempt` with a provider that makes the SDK's transports send the stored token, renewed if it has expired. If no stored
 * token works, asks the user to sign in and runs `attempt` once more with another transport.
 *
 * @throws UserError if the user cannot sign in, or the server still refuses them; otherwise what `attempt` throws.
 */
export async function authorized<T>(
  { state, server, signIn }: Authorizing,
  attempt: (provider: AuthProvider) => Promise<T>,
): Promise<T> {
  const first = providerFor(state, server);
  try {
    return await attempt(first.provider);
  } catch (error) {
    const challenge = first.challenge(error);
    if (!challenge) throw error;
    await signIn(challenge);
  }
  const second = providerFor(state, server);
  return attempt(second.provider).catch((error: unknown) => {
    throw second.challenge(error) ? new SourceError({ code: 'still-unauthorized', server }) : error;
  });
}

/** What the transports call. `challenge`: what the server demands, if that caused the error. */
function providerFor(state: string, server: string) {
  const file = tokensFile(state, server);
  let used: string | undefined;
  let challenge: Challenge | undefined;
  let renewed = false;
  const ask = async (refused?: string) => {
    used = await tokenStore().bearer(file, server, { until: Date.now() + RENEWING, refused });
    return used;
  };
  const provider: AuthProvider = {
    token: () => ask(),
    async onUnauthorized({ response }) {
      const sdk = await import('../protocol/mcp-client.ts');
      challenge = sdk.extractWWWAuthenticateParams(response);
      renewed = used !== undefined && (await ask(used)) !== undefined;
      if (!renewed) throw new sdk.UnauthorizedError();
    },
  };
  return {
    provider,
    // When a renewed token is refused as well, the transport does not ask us again.
    challenge: (error: unknown) => {
      const isRefused = error instanceof Unauthorized && error.status === 401;
      return !renewed || isRefused ? challenge : undefined;
    },
  };
}

/** `readTarget` with the stored token. If the server wants another sign-in, the error says what to type. */
export async function readWithKeptSignIn(
  target: ResolvedServer,
  state: string,
  options: ReadOptions,
): Promise<ServerHooks> {
  const server = signInAddress(target);
  const read = (provider?: AuthProvider) =>
    readTarget(target, { ...options, ...(provider && { provider }) });
  if (server === undefined) return withMaskedErrors(target, read);
  const signIn = async () => {
    throw new SourceError({ code: 'sign-in-first', server });
  };
  return withMaskedErrors(target, () => authorized({ state, server, signIn }, read));
}

/** Undefined if nothing is asked, if the server is not at an address, or if a header already authorises the user. */
export function signInAddress(target: ResolvedServer): string | undefined {
  const { declared, server, launch } = target;
  if (declared || !server || !('url' in server)) return undefined;
  // The address shown for a configured server may be masked, and its headers may name variables that are not set.
  const now = launch?.();
  return now && 'url' in now && !hasAuthorizationHeader(now.headers)
    ? serverAt(now.url)
    : undefined;
}

/** A configured server's address may have a secret in its path. */
export const shownOf = ({ server }: ResolvedServer, address: string): string =>
  server?.configured ? maskAddress(address) : address;
