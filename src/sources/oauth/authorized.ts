/** A conversation with a server that may require a sign-in. */

import type { ServerHooks } from '../../declaration/declared.ts';
import { Unauthorized } from '../../system/errors.ts';
import { hasAuthorizationHeader } from '../headers.ts';
import { SourceError } from '../messages.ts';
import { type ReadOptions, readTarget, withMaskedErrors } from '../protocol/read.ts';
import { maskAddress } from '../redacted.ts';
import type { ResolvedServer } from '../resolved-server.ts';
import { serverAt, tokensFile } from './address.ts';

/** A server's request to sign in. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

interface Authorizing {
  readonly state: string;
  /** Origin and path. */
  readonly server: string;
  /** Makes the user sign in. @throws UserError with the reason if that is not possible. */
  readonly signIn: (challenge: Challenge) => Promise<void>;
}

/**
 * Runs `attempt` with the file of the stored token, which is renewed if it has expired. If no stored token works, asks the user
 * to sign in and runs `attempt` once more.
 *
 * @throws UserError if the user cannot sign in or is still rejected by the server; otherwise what `attempt` throws.
 */
export async function authorized<T>(
  { state, server, signIn }: Authorizing,
  attempt: (tokens: string) => Promise<T>,
): Promise<T> {
  const tokens = tokensFile(state, server);
  try {
    return await attempt(tokens);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await signIn(await challengeIn(error));
  }
  return attempt(tokens).catch((error: unknown) => {
    throw isRefused(error) ? new SourceError({ code: 'still-unauthorized', server }) : error;
  });
}

const isRefused = (error: unknown): error is Unauthorized =>
  error instanceof Unauthorized && error.status === 401;

async function challengeIn({ challenge = '' }: Unauthorized): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import('./mcp-client.ts');
  return extractWWWAuthenticateParams(
    new Response(null, { headers: { 'www-authenticate': challenge } }),
  );
}

/** `readTarget` with the stored token. If the server requires another sign-in, the error names the command to run. */
export async function readWithKeptSignIn(
  target: ResolvedServer,
  state: string,
  options: ReadOptions,
): Promise<ServerHooks> {
  const server = signInAddress(target);
  const read = (tokens?: string) =>
    readTarget(target, { ...options, ...(tokens !== undefined && { tokens }) });
  if (server === undefined) return read();
  const signIn = async () => {
    throw new SourceError({ code: 'sign-in-first', server });
  };
  return withMaskedErrors(target, () => authorized({ state, server, signIn }, read));
}

/** Undefined if the server is not queried, if it has no address, or if a header already authorises the user. */
export function signInAddress(target: ResolvedServer): string | undefined {
  const { declared, server, launch } = target;
  if (declared || !server || !('url' in server)) return undefined;
  // The address shown for a configured server may be masked, and its headers may refer to variables that are not set.
  const now = launch?.();
  return now && 'url' in now && !hasAuthorizationHeader(now.headers)
    ? serverAt(now.url)
    : undefined;
}

/** A configured server's address may contain a secret in its path. */
export const shownOf = ({ server }: ResolvedServer, address: string): string =>
  server?.configured ? maskAddress(address) : address;
