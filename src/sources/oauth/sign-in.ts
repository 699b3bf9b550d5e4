/** Somebody signs in to a server with a browser, and what comes of it is kept. */

import type { Env } from '../../system/env.ts';
import { type Quote, said, UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { SourceMessage } from '../messages.ts';
import { openBrowser } from './browser.ts';
import type { Challenge } from './challenge.ts';
import { signInElsewhere } from './elsewhere.ts';
import { boundedFetch } from './fetch.ts';
import { isAllowed } from './hosts.ts';
import { type Progress, signingIn } from './provider.ts';
import { errorCode, listen } from './redirect.ts';
import { keepSignIn } from './token-file.ts';
import { keeper } from './token-store.ts';

/** Milliseconds that a person has. */
export const PATIENCE = 5 * 60 * 1000;
/** Milliseconds for each request to whoever issues the token. */
const REQUEST = 20_000;

export interface SignInOptions {
  /** Somebody sits at the terminal. */
  readonly interactive: boolean;
  /** Tells the user where to sign in. */
  readonly tell: (message: SourceMessage, page: URL) => void;
  readonly env: Env;
  /** Absolute path of our state folder. */
  readonly state: string;
  /** False: the address is only printed. */
  readonly browser: boolean;
  /** Milliseconds. */
  readonly patience: number;
}

/**
 * Takes the user to the page of whoever issues tokens for the server, waits for the answer and keeps the token.
 *
 * @param server Origin and path.
 * @throws UserError when nobody is there, when it is refused, or when there is no answer in time; nothing is kept then.
 */
export async function signIn(
  server: string,
  challenge: Challenge,
  { interactive, tell, env, state, browser, patience }: SignInOptions,
): Promise<void> {
  if (!keeper().isSafe(new URL(server)))
    throw new UserError<SourceMessage>({ code: 'insecure-address', server });
  if (!interactive) throw new UserError<SourceMessage>({ code: 'sign-in-needs-terminal', server });
  const { auth, selectClientAuthMethod } = await import('../protocol/mcp-client.ts');
  const redirect = await listen();
  const { provider, progress } = signingIn(redirect);
  const options = {
    serverUrl: server,
    fetchFn: boundedFetch(server, REQUEST),
    ...ownIn(challenge, server),
  };
  try {
    await auth(provider, options);
    await showPage(progress().page, { tell, env, browser, server });
    const answer = await redirect.answer(patience);
    const [code, iss] = [answer.get('code'), answer.get('iss')];
    if (code === null)
      throw new UserError<SourceMessage>({ code: 'sign-in-refused', why: 'no code' });
    await auth(provider, { ...options, authorizationCode: code, ...(iss !== null && { iss }) });
  } catch (error) {
    throw await inWords(server, error);
  } finally {
    redirect.close();
  }
  const { client, tokens, discovery, resource }: Progress = progress();
  const metadata = discovery?.authorizationServerMetadata;
  if (!client || !tokens || !discovery)
    throw new UserError<SourceMessage>({
      code: 'sign-in-failed',
      server,
      why: said<SourceMessage>({ code: 'no-token' }),
    });
  const issuer = metadata?.issuer ?? String(discovery.authorizationServerUrl);
  await keepSignIn(state, {
    version: 1,
    server,
    ...(resource !== undefined && { resource }),
    issuer,
    tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', issuer).href,
    method: selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []),
    client: {
      client_id: client.client_id,
      ...(client.client_secret !== undefined && { client_secret: client.client_secret }),
    },
    tokens: keeper().tokensOf(tokens),
  });
}

/**
 * What the server says of itself it says itself: metadata elsewhere is not looked at, and then looked for where it is by
 * default.
 */
function ownIn({ resourceMetadataUrl, ...challenge }: Challenge, server: string): Challenge {
  const isOwn = resourceMetadataUrl?.origin === new URL(server).origin;
  return isOwn ? { ...challenge, resourceMetadataUrl } : challenge;
}

/** Opens it where that is wanted and possible; the address is printed in any case. */
async function showPage(
  page: URL | undefined,
  {
    tell,
    env,
    browser,
    server,
  }: Pick<SignInOptions, 'tell' | 'env' | 'browser'> & { readonly server: string },
): Promise<void> {
  if (page && !isAllowed(new URL(server), page)) throw signInElsewhere(server, page);
  if (!page)
    throw new UserError<SourceMessage>({
      code: 'sign-in-failed',
      server,
      why: said<SourceMessage>({ code: 'no-page' }),
    });
  const opened = browser && (await openBrowser(page, env));
  tell({ code: 'sign-in-page', server, opened }, page);
}

/** What has gone wrong, in our own words: those of a server may be anything. */
async function inWords(server: string, error: unknown): Promise<unknown> {
  if (error instanceof UserError) return error;
  const { OAuthError, RegistrationRejectedError } = await import('../protocol/mcp-client.ts');
  if (error instanceof RegistrationRejectedError)
    return new UserError<SourceMessage>({ code: 'no-registration', server });
  if (error instanceof OAuthError)
    return new UserError<SourceMessage>({ code: 'sign-in-refused', why: errorCode(error.code) });
  const why = error instanceof Error ? error.message : String(error);
  if (/dynamic client registration/.test(why))
    return new UserError<SourceMessage>({ code: 'no-registration', server });
  return new UserError<SourceMessage>({
    code: 'sign-in-failed',
    server,
    why: said<Quote>({ code: 'quote', text: inLine(why, 200) }),
  });
}
