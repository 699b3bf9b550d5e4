/**
 * The folder in which a server is started to be queried. Many commands run files of the folder that they start in (`python3
 * -m`, `npx`, a relative path), so the user's own server must not start in an arbitrary current folder.
 */

import { realpathSync, statSync } from 'node:fs';
import { findPlaces } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import type { SearchPlace } from '../clients/servers/servers.ts';
import type { Env } from '../system/env.ts';
import type { Request } from './resolved-server.ts';

export type Here = Pick<Request, 'env' | 'cwd'>;

export const homeOf = ({ env, cwd }: Here): string => findPlaces(env, cwd, 'user').home;

/** The folder in which the user agreed to start the server. The home folder if that folder is gone or unknown. */
export const folderAgreed = (agreed: string | undefined, here: Here): string =>
  agreed !== undefined && statSync(agreed, { throwIfNoEntry: false })?.isDirectory()
    ? agreed
    : homeOf(here);

/** Variables in which a shell or a client passes on its current folder. */
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

/** Where a client would start, for finding its configuration. */
export const searchPlaceOf = ({ env, cwd }: Here, home: string): SearchPlace => ({
  env,
  home,
  cwd: realpathSync.native(cwd),
  platform: process.platform,
});
