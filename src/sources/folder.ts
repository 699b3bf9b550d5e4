/**
 * In which folder a server is started to be asked. Many commands run what is in the folder that they are started in
 * (`python3 -m`, `npx`, a relative path), so a server of the user's must not be started in whichever folder he is in.
 */

import { realpathSync, statSync } from 'node:fs';
import { findPlaces } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import type { SearchPlace } from '../clients/servers/servers.ts';
import type { Env } from '../system/env.ts';
import type { Request } from './resolved-server.ts';

export type Here = Pick<Request, 'env' | 'cwd'>;

export const homeOf = ({ env, cwd }: Here): string => findPlaces(env, cwd, 'user').home;

/** The folder that a server was started in when the user agreed to it; the home folder where that is gone or not known. */
export const folderAgreed = (agreed: string | undefined, here: Here): string =>
  agreed !== undefined && statSync(agreed, { throwIfNoEntry: false })?.isDirectory()
    ? agreed
    : homeOf(here);

/** Variables with which a shell or a client says which folder it is in. */
const SAYING = [
  'PWD',
  ...new Set(
    CLIENTS.flatMap(({ hookVariables }) =>
      Object.keys(hookVariables).filter((name) => hookVariables[name] === '{cwd}'),
    ),
  ),
];

export const environmentIn = (folder: string, env: Env): Env => ({
  ...env,
  ...Object.fromEntries(
    SAYING.filter((name) => env[name] !== undefined).map((name) => [name, folder]),
  ),
});

/** Where a client would be started, for those that look for its configuration. */
export const searchPlaceOf = ({ env, cwd }: Here, home: string): SearchPlace => ({
  env,
  home,
  cwd: realpathSync.native(cwd),
  platform: process.platform,
});
