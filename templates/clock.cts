/**
 * mcp-hooks: the time that our own evaluation of an event may take. Every loop over the payload, the declaration or the history
 * looks at this clock. When time is up, what is undecided has failed. Tools and programs have deadlines of their own.
 */

import type { Clock, Firing } from './types.cjs';
import { fault } from './values.cjs';

/** Microseconds of processor time. A busy machine takes nothing from it. */
const MOST = 250_000;
/** Small steps, such as characters, between two looks. */
const STEPS = 20_000;

/** The clock of an event, the same for all who ask. @param firing `until`: when it has to be over, as in Date.now(). */
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

/** A browser has none. */
const host = typeof process === 'undefined' ? undefined : process;
