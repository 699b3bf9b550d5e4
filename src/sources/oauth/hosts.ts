/** Where a sign-in may lead. A server says it, so it is not to lead us to where only this machine can get. */

import { isIP } from 'node:net';
import type { Quote, UserError } from '../../system/errors.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { keeper } from './tokens.ts';

/** How near a host is to this machine: what a server names is not nearer than it is itself. */
type Reach = 'public' | 'private' | 'loopback' | 'link-local';

/** @param server Its address, as the user knows it. */
export const signInFailed = (server: string, why: SourceMessage | Quote): UserError =>
  new SourceError({ code: 'sign-in-failed', server, why });

/** @throws UserError for an address to which that server must not lead us. */
export function refuseElsewhere(server: string, address: URL): void {
  if (!isAllowed(new URL(server), address))
    throw signInFailed(server, { code: 'sign-in-elsewhere', origin: address.origin });
}

/**
 * Whether we may send something to an address, or the user, that a server names for signing in to it: by https, or
 * without it on this machine, and into no network that is nearer to us than the server.
 *
 * A name that resolves to a near address gets nothing either: behind it nobody has a certificate for that name.
 */
export function isAllowed(server: URL, address: URL): boolean {
  if (!keeper().isSafe(address)) return false;
  const [own, asked] = [reachOf(server), reachOf(address)];
  if (asked === 'link-local') return own === asked;
  return ORDER.indexOf(asked) <= ORDER.indexOf(own);
}

const ORDER: readonly Reach[] = ['public', 'private', 'loopback'];

/** @returns Of a name: public, unless it is one for this machine. `URL` has put numbers into their usual form. */
function reachOf({ hostname }: URL): Reach {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) === 0) return /(?:^|\.)localhost$/i.test(host) ? 'loopback' : 'public';
  const [, high = '', low = ''] = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  const inside = high === '' ? host : dotted(Number.parseInt(high, 16), Number.parseInt(low, 16));
  return RANGES.find(([pattern]) => pattern.test(inside))?.[1] ?? 'public';
}

/** An IPv4 address that is written as a part of an IPv6 address. */
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
