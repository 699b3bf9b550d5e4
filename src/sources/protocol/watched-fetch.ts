/** `fetch` that reads no more than is allowed, and remembers what the SDK's errors do not tell. */

import { withBoundedBody } from '../../system/bounded-body.ts';

/** What was answered last. */
export interface Answered {
  readonly status: number;
  /** `WWW-Authenticate`. */
  readonly challenge: string | null;
  /** Where a redirect leads. */
  readonly location: string | null;
}

export interface Watched {
  readonly fetch: typeof fetch;
  readonly last: () => Answered | undefined;
}

/**
 * @param most Bytes of all bodies together, as they are once they are decompressed.
 * @param onFlood There is more; what is left of it is not read.
 */
export function watchedFetch(most: number, onFlood: () => void): Watched {
  let bytes = 0;
  let last: Answered | undefined;
  const allows = (more: number): boolean => {
    bytes += more;
    if (bytes > most) onFlood();
    return bytes <= most;
  };
  return {
    last: () => last,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const { headers, status } = response;
      const moved = status >= 300 && status < 400;
      last = {
        status,
        challenge: headers.get('www-authenticate'),
        location: moved ? headers.get('location') : null,
      };
      return withBoundedBody(response, allows);
    },
  };
}
