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

/** A word that is the relative path of a file, as an absolute one; any other word as it is. */
export function fileAt(cwd: string, word: string): string {
  if (isAbsolute(word) || !/[./]/.test(word)) return word;
  const path = resolve(cwd, word);
  // It may be no path at all, or too long for one.
  return attempt(() => statSync(path).isFile()) ? path : word;
}
