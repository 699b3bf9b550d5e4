/** The sign-ins of a user: a file for each server in a folder of the state folder, for its owner alone. */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDefault, type Places } from '../../clients/places.ts';
import { reasonOf, UserError } from '../../system/errors.ts';
import { makeFolders, missingFolders, removeEmptyFolders } from '../../system/files.ts';
import type { SystemMessage } from '../../system/messages.ts';
import { processes } from '../../system/process-id.ts';
import type { SourceMessage } from '../messages.ts';
import { leftBeside, tokensFile } from './address.ts';
import { keeper, type SignIn } from './token-store.ts';

/** Milliseconds for which another process may hold the lock: it renews a token meanwhile. */
const PATIENCE = 30_000;

export const readSignIn = (state: string, server: string): SignIn | undefined =>
  keeper().read(tokensFile(state, server), server);

/** @throws UserError when it cannot be written. */
export async function keepSignIn(state: string, kept: SignIn): Promise<void> {
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
    if (!done) throw new UserError<SourceMessage>({ code: 'tokens-locked', file });
  } catch (error) {
    throw error instanceof UserError
      ? error
      : new UserError<SystemMessage>({ code: 'cannot-write', path: file, why: reasonOf(error) });
  }
}
