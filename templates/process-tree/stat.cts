/** The state of a process on Linux. This file is bundled into each file that uses it, so that a hook loads no extra file. */

import fs = require('node:fs');

interface Stat {
  readonly group: number;
  /** Its start time, in ticks since boot. */
  readonly start: number;
  /** A zombie: it stays in the list until its parent waits for it, which may be never. */
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
  // The name of the process is in parentheses, and may contain parentheses.
  const [state = '', , group, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = ['Z', 'X'].includes(state);
  return { group: Number(group), start: Number(fields[16]), ended };
}
