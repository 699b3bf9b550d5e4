/** In which folder a session is made up for what is fired by hand: a server whose tools are called is started there. */

import type { Places } from '../../clients/places.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { searchPlaceOf } from '../../sources/folder.ts';
import type { Installed } from './installed.ts';

/** The folder that we are in; where a tool is called, only if the client would call it here without a question. */
export const sessionFolder = (
  { client, events }: Installed,
  { env, home }: Places,
  cwd: string,
): string =>
  events.some(({ program }) => program?.server)
    ? folderTrusted([client.id], searchPlaceOf({ env, cwd }, home))
    : cwd;
