/**
 * mcp-hooks: the time that our own evaluation of an event may take. Every loop over the payload, the declaration or the history
 * looks at this clock. When time is up, what is undecided has failed. Tools and programs have deadlines of their own.
 */

import type { Clock, Firing, Running } from './types.cjs';
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
  const parent = process.ppid;
  let spent = 0;
  let since: number | undefined = now();
  let steps = 0;
  const used = () => spent + (since === undefined ? 0 : now() - since);
  const left = () => Math.min((MOST - used()) / 1000, until - Date.now());
  return {
    look() {
      if (!(left() > 0) || process.ppid !== parent) throw fault('out-of-time');
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
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Milliseconds between two looks at our parent. */
const LOOK = 100;
let watched = false;

/**
 * Ends us, and all that we have started, when the client kills the shell between us: it listens no more. Nothing else tells us
 * so. @param at `given`: there is such a shell.
 */
export function endWithShell({ given }: Pick<Running, 'given'>): void {
  if (given === undefined || watched) return;
  watched = true;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  }, LOOK).unref();
}
