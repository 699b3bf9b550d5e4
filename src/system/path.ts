/** Paths of the current system, as `node:path` computes them, for code that also runs without Node. */

const onWindows = globalThis.process?.platform === 'win32';

/** The path of an entry in a folder. @param folder An absolute path without `.` and `..`. */
export const within = (folder: string, name: string, windows = onWindows): string =>
  `${folder}${/[\\/]$/.test(folder) ? '' : windows ? '\\' : '/'}${name}`;

/** A drive, or a network share. */
const ROOT = /^(?:[a-z]:(?=[\\/])|[\\/]{2}[^\\/]+[\\/][^\\/]+)/i;

/** Resolves a path against an absolute folder. The result is an absolute path without `.` and `..`. */
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
