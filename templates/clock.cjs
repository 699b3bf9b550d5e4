/**
 * mcp-hooks: the time that our own evaluation of an event may take. Every loop over the payload, the declaration or the history
 * looks at this clock. When time is up, what is undecided has failed. Tools and programs have deadlines of their own.
 */
'use strict';
const { fault } = require('./values.cjs');

/** Microseconds of processor time. A busy machine takes nothing from it. */
const MOST = 250_000;
/** Small steps, such as characters, between two looks. */
const STEPS = 20_000;

/** The clock of an event, the same for all who ask. @param firing `until`: when it has to be over, as in Date.now(). */
function clockOf(firing) {
  firing.clock ??= clock(firing.until);
  return firing.clock;
}

function clock(until = Number.POSITIVE_INFINITY) {
  const parent = process.ppid;
  let spent = 0;
  let since = now();
  let steps = 0;
  const used = () => spent + (since === undefined ? 0 : now() - since);
  const left = () => Math.min((MOST - used()) / 1000, until - Date.now());
  return {
    /** Throws when time is up, or when the client has killed our shell and nobody hears us any more. */
    look() {
      if (!(left() > 0) || process.ppid !== parent) throw fault('out-of-time');
    },
    /** The same, for a loop in which looking each time would cost more than the rest. @param size How much has been done. */
    step(size = 20) {
      steps += size;
      if (steps < STEPS) return;
      steps = 0;
      this.look();
    },
    /** Milliseconds. */
    left,
    /** What this waits for is not counted: somebody else works, who has a deadline. */
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

function now() {
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
function endWithShell({ given }) {
  if (given === undefined || watched) return;
  watched = true;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    process.emit('exit');
    process.kill(process.pid, 'SIGKILL');
  }, LOOK).unref();
}

module.exports = { clockOf, endWithShell };
