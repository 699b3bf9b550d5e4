/** The server that somebody signs in to: by its address, without what varies from request to request; and whether he may. */

import { basename, dirname, join } from 'node:path';
import { tokensFolder } from '../../clients/places.ts';
import { type ServerHooks, serverSource } from '../../declaration/declared.ts';
import { fingerprint } from '../../system/fingerprint.ts';
import { inLine } from '../../system/visible.ts';
import { areAuthorising } from '../headers.ts';
import { SourceError } from '../messages.ts';

/** Origin and path, or undefined: that is no address, or one with variables in it, which is another one for each user. */
export function serverAt(address: string): string | undefined {
  if (address.includes('$') || !URL.canParse(address)) return undefined;
  const { origin, pathname, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin + pathname : undefined;
}

/** The file that keeps what somebody has signed in with. Its name tells people which server it is about. */
export const tokensFile = (state: string, server: string): string =>
  join(tokensFolder(state), tokensName(server));

export function tokensName(server: string): string {
  const host = new URL(server).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  return `${host}.${fingerprint(server)}.json`;
}

/** What a process that was killed has left beside such a file, which may have tokens in it; `names`: those in its folder. */
export const leftBeside = (file: string, names: readonly string[]): string[] =>
  names
    .filter((name) => name.startsWith(`${basename(file)}.`))
    .map((name) => join(dirname(file), name));

/** The server at an address that was typed. Throws a UserError for one that cannot be signed in to. */
export function typedAddress(typed: string): string {
  const server = serverAt(typed);
  if (server === undefined)
    throw new SourceError({ code: 'not-an-address', typed: inLine(typed, 200) });
  const { username, password } = new URL(typed);
  if (username || password) throw new SourceError({ code: 'password-in-address' });
  return server;
}

type Reached = Pick<ServerHooks, 'server' | 'source'>;

/** Whether a server is asked with what the user has signed in with, if he has. */
export const usesSignIn = (reached: Reached): boolean => nameFor(reached) !== undefined;

/** The file that keeps what the user has signed in with, or will: he may do it later. Undefined: it is not asked with it. */
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
  return address === undefined || areAuthorising(server.headers) || areAuthorising(typed)
    ? undefined
    : tokensName(address);
}
