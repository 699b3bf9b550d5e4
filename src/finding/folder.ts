/**
 * In which folder a server is started to be asked. Many commands run what is in the folder that they are started in
 * (`python3 -m`, `npx`, a relative path), so a server of the user's must not be started in whichever folder he is in.
 */

import { statSync } from 'node:fs';
import type { Env } from '../clients/client.ts';
import { findPlaces } from '../places.ts';
import type { Request } from './target.ts';

type Here = Pick<Request, 'env' | 'cwd'>;

export const homeOf = ({ env, cwd }: Here): string => findPlaces(env, cwd, 'user').home;

/** The folder that a server was started in when the user agreed to it; the home folder where that is gone or not known. */
export const folderAgreed = (agreed: string | undefined, here: Here): string =>
  agreed !== undefined && statSync(agreed, { throwIfNoEntry: false })?.isDirectory()
    ? agreed
    : homeOf(here);

/** The environment of a process in a folder: a shell's PWD would name another. */
export const environmentIn = (folder: string, env: Env): Env =>
  env.PWD === undefined ? env : { ...env, PWD: folder };
