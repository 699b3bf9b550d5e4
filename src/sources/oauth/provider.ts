/** What the official SDK needs to know of us while somebody signs in. It is kept in one piece when all has gone well. */

import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { UserError } from '../../system/errors.ts';
import type { SourceMessage } from '../messages.ts';
import type { Redirect } from './redirect.ts';

/** What has come of it so far. */
export interface Progress {
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  readonly resource?: string;
  readonly tokens?: StoredOAuthTokens;
  /** Where the user has to go. */
  readonly page?: URL;
}

/**
 * We are registered anew each time: a registration names the port of the redirect, and one that the issuer has
 * forgotten ends on a page from which nobody comes back to us.
 */
export function signingIn(redirect: Redirect): {
  readonly provider: OAuthClientProvider;
  readonly progress: () => Progress;
} {
  let progress: Progress = {};
  let verifier: string | undefined;
  const add = (more: Progress) => {
    progress = { ...progress, ...more };
  };
  const provider: OAuthClientProvider = {
    redirectUrl: redirect.address,
    clientMetadata: {
      client_name: 'mcp-hooks',
      redirect_uris: [redirect.address],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => redirect.state,
    clientInformation: () => progress.client,
    saveClientInformation: (known) => add({ client: known }),
    tokens: () => progress.tokens,
    saveTokens: (tokens) => add({ tokens }),
    redirectToAuthorization: (page) => add({ page }),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => {
      if (verifier === undefined)
        throw new UserError<SourceMessage>({ code: 'sign-in-refused', why: 'no verifier' });
      return verifier;
    },
    saveResourceUrl: (resource) => add({ resource }),
    saveDiscoveryState: (discovery) => add({ discovery }),
    discoveryState: () => progress.discovery,
  };
  return { provider, progress: () => progress };
}
