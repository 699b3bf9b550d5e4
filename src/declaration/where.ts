/** Places in values, in words. */

import type { KeyPath } from './declared.ts';

/** A path as in source code: `matcher.exclude.tools[0]`. */
export const formatKeyPath = (path: KeyPath): string =>
  path
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      return /^[A-Za-z_]\w*$/.test(String(key))
        ? `.${String(key)}`
        : `[${JSON.stringify(String(key))}]`;
    })
    .join('')
    .replace(/^\./, '');

/** The number, from 1, of the hook that contains a path; undefined: no hook does. */
export function hookAt(path: KeyPath): number | undefined {
  const index = path[path.indexOf('declarations') + 1];
  return path.includes('declarations') && typeof index === 'number' ? index + 1 : undefined;
}
