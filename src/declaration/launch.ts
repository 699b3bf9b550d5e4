/** How a server is started must not depend on where: its tools are called from wherever a session is. */

import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { attempt } from '../system/errors.ts';
import type { ServerLaunch } from './declared.ts';

/** A server with every relative path of a file in `folder` made absolute. */
export function anchorAt(folder: string, server: ServerLaunch): ServerLaunch {
  if ('url' in server) return server;
  return {
    ...server,
    command: fileAt(folder, server.command),
    ...(server.args && { args: server.args.map((word) => fileAt(folder, word)) }),
  };
}

/** In the place of a `cwd`: the home of whoever starts the server. Who that is, a file that names the server does not know. */
export const AT_HOME = '~';

/** With that filled in. */
export function startedAt<Declared extends { readonly server?: ServerLaunch | undefined }>(
  declared: Declared,
  home: string | undefined,
): Declared {
  const { server } = declared;
  if (home === undefined || !server || !('cwd' in server) || server.cwd !== AT_HOME)
    return declared;
  return { ...declared, server: { ...server, cwd: home } };
}

/** A word that is the relative path of a file, as an absolute one; any other word as it is. */
export function fileAt(cwd: string, word: string): string {
  if (isAbsolute(word) || !/[./]/.test(word)) return word;
  const path = resolve(cwd, word);
  // It may be no path at all, or too long for one.
  return attempt(() => statSync(path).isFile()) ? path : word;
}
