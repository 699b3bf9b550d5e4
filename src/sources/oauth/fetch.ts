/** The requests of a sign-in: each with an end, to nowhere it must not go, and no answer longer than such answers are. */

import { withBoundedBody } from '../../system/bounded-body.ts';
import { refuseElsewhere } from './hosts.ts';

/** Bytes of an answer. */
const MOST = 1024 * 1024;

/** Redirects of one request. */
const REDIRECTS = 5;

/**
 * `fetch` for signing in to a server, with a deadline in milliseconds for each request and a bound for each answer.
 *
 * @throws UserError for an address to which that server must not lead us.
 */
export function boundedFetch(server: string, deadline: number): typeof fetch {
  return async (input, init) => {
    const late = AbortSignal.timeout(deadline);
    const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
    const address = new URL(input instanceof Request ? input.url : input);
    const response = await follow(server, address, { ...init, signal });
    let length = 0;
    return withBoundedBody(response, (bytes) => {
      length += bytes;
      if (length > MOST) throw new Error('its answer is too long');
      return true;
    });
  };
}

/** A redirect is followed on the same host, and only for what is looked up: nothing is sent to where it leads. */
async function follow(server: string, address: URL, init: RequestInit): Promise<Response> {
  const isLookup = (init.method ?? 'GET') === 'GET';
  let at = address;
  for (let left = REDIRECTS; ; left -= 1) {
    refuseElsewhere(server, at);
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    const isMoved = response.status >= 300 && response.status < 400 && location !== null;
    if (!isMoved || !isLookup || left === 0 || !URL.canParse(location, at.href)) return response;
    const next = new URL(location, at);
    if (next.origin !== at.origin) return response;
    await response.body?.cancel();
    at = next;
  }
}
