/** What a server is asked with after the user has signed in there. */

import { join } from 'node:path';
import { tokensFolder } from '../../clients/places.ts';
import type { ServerLaunch, Source } from '../../declaration/declared.ts';
import { areAuthorising } from '../headers.ts';
import { serverAt, tokensFile } from './address.ts';

interface Reached {
  readonly server?: ServerLaunch;
  readonly source: Source;
}

/** Whether a server is asked with what the user has signed in with, if he has. */
export function usesSignIn({ server, source }: Reached): boolean {
  if (!server || !('url' in server)) return false;
  if (server.configured) return server.configured.tokens !== undefined;
  const typed = source.kind === 'url' ? source.headers : undefined;
  return (
    serverAt(server.url) !== undefined && !areAuthorising(server.headers) && !areAuthorising(typed)
  );
}

/**
 * Absolute path of the file that keeps what the user has signed in with at a server, or will: he may do it later. Undefined
 * for one that is not asked with it.
 *
 * @param state Absolute path of our state folder.
 */
export function keptSignIn({ server, source }: Reached, state: string): string | undefined {
  if (!server || !usesSignIn({ server, source })) return undefined;
  if (server.configured?.tokens !== undefined)
    return join(tokensFolder(state), server.configured.tokens);
  const address = 'url' in server ? serverAt(server.url) : undefined;
  return address === undefined ? undefined : tokensFile(state, address);
}
