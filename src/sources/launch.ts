/** Makes a server's start independent of the current folder, because its tools are called from the folder of each session. */

import { isAbsolute, resolve } from 'node:path';
import type { ServerLaunch } from '../declaration/declared.ts';
import { loadedBy } from '../declaration/loaded.ts';
import { isRegular } from '../system/regular-file.ts';

/**
 * A server with every relative path of a file in `folder` made absolute. Where code is loaded, this includes folders and
 * missing files: they must not resolve to the session's folder.
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

/** Placeholder for `cwd`: the home of the user who starts the server, which is unknown to the file that names the server. */
export const AT_HOME = '~';

/** Replaces that placeholder. */
export function startedAt<Declared extends { readonly server?: ServerLaunch | undefined }>(
  declared: Declared,
  home: string | undefined,
): Declared {
  const { server } = declared;
  if (home === undefined || !server || !('cwd' in server) || server.cwd !== AT_HOME)
    return declared;
  return { ...declared, server: { ...server, cwd: home } };
}

/** Makes the relative path of a file absolute. Any other word is unchanged. */
export function fileAt(cwd: string, word: string): string {
  if (isAbsolute(word) || !/[./]/.test(word)) return word;
  const path = resolve(cwd, word);
  // The word may not be a path at all, or may be too long for one.
  return isRegular(path) ? path : word;
}
