/** A server's start must not depend on the folder: its tools are called from wherever a session is. */

import { isAbsolute, resolve } from 'node:path';
import type { ServerLaunch } from '../declaration/declared.ts';
import { loadedBy } from '../declaration/loaded.ts';
import { isRegular } from '../system/regular-file.ts';

/**
 * A server with every relative path of a file in `folder` made absolute. Where code is loaded, also that of a folder and of a
 * file that is not there: it must not be one of the folder that a session is in.
 */
export function anchorAt(folder: string, server: ServerLaunch): ServerLaunch {
  if ('url' in server) return server;
  const { command, args = [] } = server;
  const { places } = loadedBy([command, ...args]);
  const placed = args.map((word, index) => {
    const { from } = places.find((one) => one.index === index + 1) ?? {};
    if (from === undefined) return fileAt(folder, word);
    const path = word.slice(from);
    const isPath = /^\.{1,2}(?:[\\/]|$)/.test(path);
    return word.slice(0, from) + (isPath ? resolve(folder, path) : fileAt(folder, path));
  });
  return {
    ...server,
    command: fileAt(folder, command),
    ...(server.args && { args: placed }),
  };
}

/** In place of a `cwd`: the home of the user who starts the server, which the file that names the server does not know. */
export const AT_HOME = '~';

/** Fills in that home. */
export function startedAt<Declared extends { readonly server?: ServerLaunch | undefined }>(
  declared: Declared,
  home: string | undefined,
): Declared {
  const { server } = declared;
  if (home === undefined || !server || !('cwd' in server) || server.cwd !== AT_HOME)
    return declared;
  return { ...declared, server: { ...server, cwd: home } };
}

/** A relative path of a file becomes absolute; any other word stays as it is. */
export function fileAt(cwd: string, word: string): string {
  if (isAbsolute(word) || !/[./]/.test(word)) return word;
  const path = resolve(cwd, word);
  // It may be no path at all, or too long for one.
  return isRegular(path) ? path : word;
}
