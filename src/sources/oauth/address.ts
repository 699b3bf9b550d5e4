/**
 * The server that a user signs in to: its address without the parts that vary between requests, and whether the user may sign
 * in.
 */

import { basename, dirname, join } from 'node:path';
import { tokensFolder } from '../../clients/places.ts';
import { type ServerHooks, serverSource } from '../../declaration/declared.ts';
import { fingerprint } from '../../system/fingerprint.ts';
import { inLine } from '../../system/visible.ts';
import { hasAuthorizationHeader } from '../headers.ts';
import { SourceError } from '../messages.ts';

/**
 * Origin and path. Undefined for anything that is not an HTTP address, and for an address with variables, which differs between
 * users.
 */
export function serverAt(address: string): string | undefined {
  if (address.includes('$') || !URL.canParse(address)) return undefined;
  const { origin, pathname, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin + pathname : undefined;
}

/** The file that stores a sign-in. Its name shows which server it is for. */
export const tokensFile = (state: string, server: string): string =>
  join(tokensFolder(state), tokensName(server));

export function tokensName(server: string): string {
  const host = new URL(server).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  return `${host}.${fingerprint(server)}.json`;
}

/** Files that a killed process left next to such a file, possibly with tokens in them. `names`: the files in its folder. */
export const leftBeside = (file: string, names: readonly string[]): string[] =>
  names
    .filter((name) => name.startsWith(`${basename(file)}.`))
    .map((name) => join(dirname(file), name));

/** The server at an address that the user typed. @throws UserError if sign-in is not possible there. */
export function typedAddress(typed: string): string {
  const server = serverAt(typed);
  if (server === undefined)
    throw new SourceError({ code: 'not-an-address', typed: inLine(typed, 200) });
  const { username, password } = new URL(typed);
  if (username || password) throw new SourceError({ code: 'password-in-address' });
  return server;
}

type Reached = Pick<ServerHooks, 'server' | 'source'>;

/** Whether the server receives the user's sign-in, if there is one. */
export const usesSignIn = (reached: Reached): boolean => nameFor(reached) !== undefined;

/** The file that stores the user's sign-in, now or later. Undefined if the server does not receive it. */
export function savedSignIn(reached: Reached, state: string): string | undefined {
  const name = nameFor(reached);
  return name === undefined ? undefined : join(tokensFolder(state), name);
}

function nameFor({ server, source: from }: Reached): string | undefined {
  const source = serverSource(from);
  if (!server || !('url' in server)) return undefined;
  if (server.configured) return server.configured.tokens;
  const typed = source.kind === 'url' ? source.headers : undefined;
  const address = serverAt(server.url);
  return address === undefined ||
    hasAuthorizationHeader(server.headers) ||
    hasAuthorizationHeader(typed)
    ? undefined
    : tokensName(address);
}
