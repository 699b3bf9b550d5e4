/**
 * The sign-ins of a user: a file for each server in a folder of the state folder, for its owner alone. The runner's own
 * file keeps them, so that one place knows the form of what is kept, the lock and how to renew.
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

/** What is kept of a sign-in. Nothing of `client` and `tokens` is ever printed. */
export interface SignIn {
  readonly version: 1;
  /** Origin and path. */
  readonly server: string;
  /** For whom the token is, in the words of the server. */
  readonly resource?: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How we say there who we are. */
  readonly method: string;
  /** As who we are registered with the issuer. */
  readonly client: { readonly client_id: string; readonly client_secret?: string };
  /** Empty when they were refused for good. */
  readonly tokens: SavedTokens;
}

/** `expiresAt`: as Date.now() has it; absent: nobody has said. */
type SavedTokens = Readonly<
  Partial<Pick<OAuthTokens, 'access_token' | 'refresh_token' | 'scope'>> & { expiresAt?: number }
>;

/** What of `templates/tokens.cjs` is asked. */
interface Keeper {
  /** Undefined: nothing that is right is kept, or it is another server's. */
  readonly read: (file: string, server: string) => SignIn | undefined;
  readonly write: (file: string, kept: SignIn) => void;
  readonly isUsable: (kept: SignIn) => boolean;
  readonly isRenewable: (kept: SignIn) => boolean;
  readonly isSafe: (url: URL) => boolean;
  /** From how long they last to when they run out. */
  readonly tokensOf: (answered: Omit<OAuthTokens, 'token_type'>) => SavedTokens;
  /** The token, renewed under the lock if it has run out or is the one that was `refused`. */
  readonly bearer: (
    file: string,
    server: string,
    at: { readonly until: number; readonly refused?: string | undefined },
  ) => Promise<string | undefined>;
}

export const keeper = (): Keeper => runnerCode('./tokens.cjs');

/** Milliseconds for which another process may hold the lock: it renews a token meanwhile. */
const PATIENCE = 30_000;

export const readSignIn = (state: string, server: string): SignIn | undefined =>
  keeper().read(tokensFile(state, server), server);

export async function saveSignIn(state: string, kept: SignIn): Promise<void> {
  const file = tokensFile(state, kept.server);
  makeFolders(missingFolders(file));
  await alone(file, () => keeper().write(file, kept));
}

/** Whether there was one. The folders that it leaves empty go with it, where they are certain to be ours. */
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
      // Whoever writes one has the lock: these are of processes that were killed.
      const left = leftBeside(file, readdirSync(dirname(file)));
      for (const path of left.filter((one) => one.endsWith('.tmp'))) rmSync(path, { force: true });
      return true;
    });
    if (!done) throw new SourceError({ code: 'tokens-locked', file });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}
