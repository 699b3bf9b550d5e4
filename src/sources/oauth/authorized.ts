/** A conversation with a server that may want to know who asks. */

import type { AuthProvider } from '@modelcontextprotocol/client';
import { UserError } from '../../system/errors.ts';
import type { SourceMessage } from '../messages.ts';
import { tokensFile } from './address.ts';
import { type Challenge, challengeIn } from './challenge.ts';
import { keeper } from './token-store.ts';

/** Milliseconds that renewing a token may take. */
const RENEWING = 20_000;

export interface Authorizing {
  /** Absolute path of our state folder. */
  readonly state: string;
  /** Origin and path. */
  readonly server: string;
  /** Has the user sign in, or throws a UserError that says why he cannot. */
  readonly signIn: (challenge: Challenge) => Promise<void>;
}

/**
 * Runs `attempt` with what makes the transports of the SDK send the token that is kept, renewed when it has run out.
 * When the server wants somebody to sign in, and nothing that is kept will do, that is done and `attempt` run once more,
 * for which it has to make a transport anew.
 *
 * @throws UserError when the user cannot sign in, or the server refuses him all the same; else what `attempt` throws.
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
  try {
    return await attempt(second.provider);
  } catch (error) {
    throw second.challenge(error)
      ? new UserError<SourceMessage>({ code: 'still-unauthorized', server })
      : error;
  }
}

/** What the transports ask; `challenge`: what the server wants, if that is what has failed. */
function providerFor(state: string, server: string) {
  const file = tokensFile(state, server);
  let used: string | undefined;
  let challenge: Challenge | undefined;
  let renewed = false;
  const ask = async (refused?: string) => {
    used = await keeper().bearer(file, server, { until: Date.now() + RENEWING, refused });
    return used;
  };
  const provider: AuthProvider = {
    token: () => ask(),
    async onUnauthorized(refusal) {
      challenge = await challengeIn(refusal);
      renewed = used !== undefined && (await ask(used)) !== undefined;
      if (renewed) return;
      const { UnauthorizedError } = await import('../protocol/mcp-client.ts');
      throw new UnauthorizedError();
    },
  };
  return {
    provider,
    // When a renewed token is refused as well, the transport does not ask us again.
    challenge: (error: unknown) => (!renewed || isUnauthorized(error) ? challenge : undefined),
  };
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 401;
