/**
 * mcp-hooks: limits the time of our own evaluation of an event. Every loop over the payload, the declaration or the history
 * checks this clock. When time is up, everything undecided has failed. Tools and programs have their own deadlines.
 */

import type { Clock, Firing } from './types.cjs';
import { fault } from './values.cjs';

/** Microseconds of processor time, so a busy machine does not shorten it. */
const MOST = 250_000;
/** Small steps, such as characters, between checks. */
const STEPS = 20_000;

/** The clock of an event, shared by all callers. @param firing `until`: the deadline, as in Date.now(). */
export function clockOf(firing: Pick<Firing, 'clock'> & { readonly until?: number }): Clock {
  firing.clock ??= clock(firing.until);
  return firing.clock;
}

function clock(until = Number.POSITIVE_INFINITY): Clock {
  const parent = host?.ppid;
  let spent = 0;
  let since: number | undefined = now();
  let steps = 0;
  const used = () => spent + (since === undefined ? 0 : now() - since);
  const left = () => Math.min((MOST - used()) / 1000, until - Date.now());
  return {
    look() {
      if (!(left() > 0) || host?.ppid !== parent) throw fault('out-of-time');
    },
    step(size = 20) {
      steps += size;
      if (steps < STEPS) return;
      steps = 0;
      this.look();
    },
    left,
    async wait(something) {
      spent = used();
      since = undefined;
      try {
        return await something;
      } finally {
        since = now();
      }
    },
  };
}

function now(): number {
  if (!host) return 1000 * performance.now();
  const { user, system } = host.cpuUsage();
  return user + system;
}

/** Undefined in a browser. */
const host = typeof process === 'undefined' ? undefined : process;
