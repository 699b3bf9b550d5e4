/**
 * The user's sign-ins: one file per server in a folder of the state folder, readable only by the owner. The runner's own module
 * stores them, so one place knows the format, the lock and how to renew a token.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { isDefault, type Places } from '../../clients/places.ts';
import {
  cannotWrite,
  makeFolders,
  missingFolders,
  removeEmptyFolders,
} from '../../system/files.ts';
import { processes } from '../../system/process-id.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { SourceError } from '../messages.ts';
import { leftBeside, tokensFile } from './address.ts';

/** What is stored of a sign-in. `client` and `tokens` are never printed. */
export interface SignIn {
  readonly version: 1;
  /** Origin and path. */
  readonly server: string;
  /** What the token is for, in the server's words. */
  readonly resource?: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How we identify ourselves there. */
  readonly method: string;
  /** Our registration with the issuer. */
  readonly client: { readonly client_id: string; readonly client_secret?: string };
  /** Empty when they were refused for good. */
  readonly tokens: SavedTokens;
}

/** `expiresAt`: on the scale of Date.now(); absent if nobody has said. */
type SavedTokens = Readonly<
  Partial<Pick<OAuthTokens, 'access_token' | 'refresh_token' | 'scope'>> & { expiresAt?: number }
>;

/** What we use of `templates/tokens.cts`. */
interface TokenStore {
  /** Undefined if nothing valid is stored, or it belongs to another server. */
  readonly read: (file: string, server: string) => SignIn | undefined;
  readonly write: (file: string, kept: SignIn) => void;
  readonly isUsable: (kept: SignIn) => boolean;
  readonly isRenewable: (kept: SignIn) => boolean;
  readonly isSafe: (url: URL) => boolean;
  /** Turns the lifetime of tokens into the time when they expire. */
  readonly tokensOf: (answered: Omit<OAuthTokens, 'token_type'>) => SavedTokens;
  /** The token, renewed under the lock if it has expired or was `refused`. */
  readonly bearer: (
    file: string,
    server: string,
    at: { readonly until: number; readonly refused?: string | undefined },
  ) => Promise<string | undefined>;
}

export const tokenStore = (): TokenStore => runnerCode('./tokens.cjs');

/** How many milliseconds another process may hold the lock while it renews a token. */
const PATIENCE = 30_000;

export const readSignIn = (state: string, server: string): SignIn | undefined =>
  tokenStore().read(tokensFile(state, server), server);

export async function saveSignIn(state: string, kept: SignIn): Promise<void> {
  const file = tokensFile(state, kept.server);
  makeFolders(missingFolders(file));
  await alone(file, () => tokenStore().write(file, kept));
}

/** Whether there was one. Also removes folders that it leaves empty, if they are certainly ours. */
export async function forgetSignIn(places: Places, server: string): Promise<boolean> {
  const file = tokensFile(places.state, server);
  if (!existsSync(file)) return false;
  await alone(file, () => rmSync(file, { force: true }));
  removeEmptyFolders([...(isDefault(places) ? [places.state] : []), dirname(file)]);
  return true;
}

async function alone(file: string, action: () => void): Promise<void> {
  try {
    const done = await processes().locked(`${file}.lock`, Date.now() + PATIENCE, () => {
      action();
      // Whoever writes one holds the lock, so these were left by killed processes.
      const left = leftBeside(file, readdirSync(dirname(file)));
      for (const path of left.filter((one) => one.endsWith('.tmp'))) rmSync(path, { force: true });
      return true;
    });
    if (!done) throw new SourceError({ code: 'tokens-locked', file });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}
