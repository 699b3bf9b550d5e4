/** Paths of the system that we run on, as `node:path` makes them, for code that also runs where there is no Node. */

const onWindows = globalThis.process?.platform === 'win32';

/** The path of what has this name in a folder. @param folder An absolute path without `.` and `..`. */
export const within = (folder: string, name: string, windows = onWindows): string =>
  `${folder}${/[\\/]$/.test(folder) ? '' : windows ? '\\' : '/'}${name}`;

/** A drive, or a server's share. */
const ROOT = /^(?:[a-z]:(?=[\\/])|[\\/]{2}[^\\/]+[\\/][^\\/]+)/i;

/** What a path means in a folder, which is absolute: an absolute path without `.` and `..`. */
export function resolve(folder: string, path: string, windows = onWindows): string {
  const [root = ''] = (windows && (ROOT.exec(path) ?? ROOT.exec(folder))) || [];
  const isAbsolute = /^\//.test(path) || (windows && (ROOT.test(path) || path.startsWith('\\')));
  const all = isAbsolute ? path : `${folder}/${path}`;
  const names: string[] = [];
  for (const name of (all.startsWith(root) ? all.slice(root.length) : all).split(
    windows ? /[\\/]/ : '/',
  ))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  const between = windows ? '\\' : '/';
  return root + between + names.join(between);
}
