/**
 * The user's sign-ins: one file per server in a folder of the state folder, readable only by the owner. The runner's own module
 * stores them, so that a single module defines the format, the lock and the renewal of tokens.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** The functions of `templates/tokens.cts`. */
export const tokenStore = () => runnerCode('./tokens.cjs');

/** The stored data of a sign-in. Its `client` and `tokens` are never printed. */
export type SignIn = NonNullable<ReturnType<ReturnType<typeof tokenStore>['read']>>;

/** Milliseconds for which another process may hold the lock while it renews a token. */
const PATIENCE = 30_000;

export const readSignIn = (state: string, server: string): SignIn | undefined =>
  tokenStore().read(tokensFile(state, server), server);

export async function saveSignIn(state: string, kept: SignIn): Promise<void> {
  const file = tokensFile(state, kept.server);
  makeFolders(missingFolders(file));
  await alone(file, () => tokenStore().write(file, kept));
}

/** Returns whether there was a sign-in. Also removes folders that become empty, if they are certainly ours. */
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
      // Writers hold the lock, so these files were left by killed processes.
      const left = leftBeside(file, readdirSync(dirname(file)));
      for (const path of left.filter((one) => one.endsWith('.tmp'))) rmSync(path, { force: true });
      return true;
    });
    if (!done) throw new SourceError({ code: 'tokens-locked', file });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}
