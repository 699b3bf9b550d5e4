/**
 * The addresses that a sign-in may use, and the requests to them, each with a deadline and a size limit. The server supplies
 * these addresses, so they must not point to hosts that only this machine can reach.
 */

import { isIP } from 'node:net';
import type { Quote, UserError } from '../../system/errors.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { tokenStore } from './tokens.ts';

/** How close a host is to this machine. A server must not name a host that is closer than itself. */
type Reach = 'public' | 'private' | 'loopback' | 'link-local';

/** @param server The address that the user knows. */
export const signInFailed = (server: string, why: SourceMessage | Quote): UserError =>
  new SourceError({ code: 'sign-in-failed', server, why });

/** @throws UserError for an address that the server must not direct us to. */
export function refuseElsewhere(server: string, address: URL): void {
  if (!isAllowed(new URL(server), address))
    throw signInFailed(server, { code: 'sign-in-elsewhere', origin: address.origin });
}

/**
 * Whether we may send something, or the user, to an address that a server names for its sign-in: over https, or over http on
 * this machine, and not in a network that is closer to us than the server.
 *
 * A public name that resolves to a close address receives nothing either, because no host there has a certificate for the name.
 */
export function isAllowed(server: URL, address: URL): boolean {
  if (!tokenStore().isSafe(address)) return false;
  const [own, asked] = [reachOf(server), reachOf(address)];
  if (asked === 'link-local') return own === asked;
  return ORDER.indexOf(asked) <= ORDER.indexOf(own);
}

const ORDER: readonly Reach[] = ['public', 'private', 'loopback'];

/** @returns For a name, public unless it means this machine. `URL` has already normalised numbers. */
function reachOf({ hostname }: URL): Reach {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) === 0) return /(?:^|\.)localhost$/i.test(host) ? 'loopback' : 'public';
  const [, high = '', low = ''] = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  const inside = high === '' ? host : dotted(Number.parseInt(high, 16), Number.parseInt(low, 16));
  return RANGES.find(([pattern]) => pattern.test(inside))?.[1] ?? 'public';
}

/** An IPv4 address that is embedded in an IPv6 address. */
const dotted = (high: number, low: number): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

const RANGES: readonly (readonly [RegExp, Reach])[] = [
  [/^(?:127|0)\./, 'loopback'],
  [/^::1?$/, 'loopback'],
  [/^169\.254\./, 'link-local'],
  [/^fe[89ab][0-9a-f]:/, 'link-local'],
  [
    /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./,
    'private',
  ],
  [/^f[cd][0-9a-f]{2}:/, 'private'],
];

/** Maximum bytes of an answer. */
const MOST = 1024 * 1024;

/** Maximum redirects of one request. */
const REDIRECTS = 5;

/** `fetch` for signing in to a server, with a deadline in milliseconds for each request and a size limit for each answer. */
export function boundedFetch(server: string, deadline: number): typeof fetch {
  return async (input, init) => {
    const late = AbortSignal.timeout(deadline);
    const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
    const address = new URL(input instanceof Request ? input.url : input);
    const response = await follow(server, address, { ...init, signal });
    let length = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        length += chunk.byteLength;
        if (length > MOST) throw new Error('its answer is too long');
        controller.enqueue(chunk);
      },
    });
    return response.body ? new Response(response.body.pipeThrough(counted), response) : response;
  };
}

/** Follows redirects only on the same host, and only for GET requests, so that nothing is sent to the new address. */
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
