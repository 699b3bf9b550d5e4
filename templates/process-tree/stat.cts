/** What Linux says of a process. It is part of each file that asks, so that a hook loads no other file for it. */

import fs = require('node:fs');

interface Stat {
  readonly parent: number;
  readonly group: number;
  /** When it started, in ticks since the machine did. */
  readonly start: number;
  /** It stays in the list until its parent looks, which may be never. */
  readonly ended: boolean;
}

/** Undefined: there is no such process, or no `/proc`. */
export function statOf(pid: number): Stat | undefined {
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The process's name is in parentheses, and may contain some.
  const [state = '', parent, group, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = ['Z', 'X'].includes(state);
  return { parent: Number(parent), group: Number(group), start: Number(fields[16]), ended };
}
