/** Where a client would be started, for those that look for its configuration. */

import { realpathSync } from 'node:fs';
import type { SearchPlace } from '../clients/servers/servers.ts';
import type { Request } from './resolved-server.ts';

export const searchPlaceOf = (
  { env, cwd }: Pick<Request, 'env' | 'cwd'>,
  home: string,
): SearchPlace => ({
  env,
  home,
  cwd: realpathSync.native(cwd),
  platform: process.platform,
});
