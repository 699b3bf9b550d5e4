/** Signs the user in to a server in a browser, and stores the result. */

import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Env } from '../../system/env.ts';
import { UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import type { Challenge } from './authorized.ts';
import { errorCode, listen, openBrowser, type Redirect } from './browser.ts';
import { boundedFetch, refuseElsewhere, signInFailed } from './fetch.ts';
import { saveSignIn, tokenStore } from './tokens.ts';

/** Milliseconds for the user to sign in, by default. */
const PATIENCE = 5 * 60 * 1000;
/** Milliseconds for each request to the token's issuer. */
const REQUEST = 20_000;

export interface SignInOptions {
  readonly interactive: boolean;
  readonly tell: (message: SourceMessage, page: URL) => void;
  readonly env: Env;
  readonly state: string;
  /** False to only print the address. */
  readonly browser: boolean;
  readonly patience?: number;
}

/** Opens the sign-in page of the server's token issuer, waits for the answer and stores the token. */
export async function signIn(
  server: string,
  challenge: Challenge,
  { interactive, tell, env, state, browser, patience = PATIENCE }: SignInOptions,
): Promise<void> {
  if (!tokenStore().isSafe(new URL(server)))
    throw new SourceError({ code: 'insecure-address', server });
  if (!interactive) throw new SourceError({ code: 'sign-in-needs-terminal', server });
  const { auth, selectClientAuthMethod } = await import('./mcp-client.ts');
  const redirect = await listen();
  const progress: Progress = {};
  const provider = providerFor(redirect, progress);
  const fetchFn = boundedFetch(server, REQUEST);
  const options = { serverUrl: server, fetchFn, ...ownIn(challenge, server) };
  try {
    await auth(provider, options);
    const { page } = progress;
    if (!page) throw signInFailed(server, { code: 'no-page' });
    refuseElsewhere(server, page);
    // The address is printed whether or not a browser opens.
    tell({ code: 'sign-in-page', server, opened: browser && (await openBrowser(page, env)) }, page);
    const answer = await redirect.answer(patience);
    const [code, iss] = [answer.get('code'), answer.get('iss')];
    if (code === null) throw new SourceError({ code: 'sign-in-refused', why: 'no code' });
    await auth(provider, { ...options, authorizationCode: code, ...(iss !== null && { iss }) });
  } catch (error) {
    throw await signInError(server, error);
  } finally {
    redirect.close();
  }
  const { client, tokens, discovery, resource } = progress;
  const metadata = discovery?.authorizationServerMetadata;
  if (!client || !tokens || !discovery) throw signInFailed(server, { code: 'no-token' });
  const issuer = metadata?.issuer ?? String(discovery.authorizationServerUrl);
  const { client_id, client_secret } = client;
  await saveSignIn(state, {
    version: 1,
    server,
    ...(resource !== undefined && { resource }),
    issuer,
    tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', issuer).href,
    method: selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []),
    client: { client_id, ...(client_secret !== undefined && { client_secret }) },
    tokens: tokenStore().tokensOf(tokens),
  });
}

/** The results so far. They are stored together once every step has succeeded. */
interface Progress {
  client?: StoredOAuthClientInformation;
  discovery?: OAuthDiscoveryState;
  resource?: string;
  tokens?: StoredOAuthTokens;
  page?: URL;
}

/**
 * What the official SDK needs to know about us. We register again for each sign-in: a registration contains the port of the
 * redirect, and one that the issuer has forgotten ends on a page that never returns to us.
 */
function providerFor({ address, state }: Redirect, progress: Progress): OAuthClientProvider {
  let verifier = '';
  const add = (more: Progress): void => {
    Object.assign(progress, more);
  };
  return {
    redirectUrl: address,
    clientMetadata: {
      client_name: 'mcp-hooks',
      redirect_uris: [address],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => progress.client,
    saveClientInformation: (client) => add({ client }),
    tokens: () => progress.tokens,
    saveTokens: (tokens) => add({ tokens }),
    redirectToAuthorization: (page) => add({ page }),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveResourceUrl: (resource) => add({ resource }),
    saveDiscoveryState: (discovery) => add({ discovery }),
    discoveryState: () => progress.discovery,
  };
}

/** Only the server itself may specify where its metadata is. If it points to another origin, the default location is used. */
function ownIn({ resourceMetadataUrl, scope }: Challenge, server: string): Challenge {
  const isOwn = resourceMetadataUrl?.origin === new URL(server).origin;
  return isOwn ? { scope, resourceMetadataUrl } : { scope };
}

/** The error in our own words, because the server's text is untrusted. */
async function signInError(server: string, error: unknown): Promise<unknown> {
  if (error instanceof UserError) return error;
  const { OAuthError, RegistrationRejectedError } = await import('./mcp-client.ts');
  if (error instanceof RegistrationRejectedError)
    return new SourceError({ code: 'no-registration', server });
  if (error instanceof OAuthError)
    return new SourceError({ code: 'sign-in-refused', why: errorCode(error.code) });
  const why = error instanceof Error ? error.message : String(error);
  if (/dynamic client registration/.test(why))
    return new SourceError({ code: 'no-registration', server });
  return signInFailed(server, { code: 'quote', text: inLine(why, 200) });
}
