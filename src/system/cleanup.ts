/** Cleans up unfinished work on Ctrl-C and other signals that end the process. */

/** Signals with the exit code that a shell uses for each. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const NAMES = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The pending cleanups, which run in reverse order. */
const begun = new Set<() => void>();

const stop = (signal: (typeof NAMES)[number]) => process.exit(SIGNALS[signal]);
const cleanUpAll = () => {
  for (const cleanUp of [...begun].reverse()) cleanUp();
};

/** Calls `cleanUp`, which must be synchronous, if the process ends before the returned function is called. */
export function onExit(cleanUp: () => void): () => void {
  if (begun.size === 0) {
    process.on('exit', cleanUpAll);
    for (const name of NAMES) process.on(name, stop);
  }
  const mine = () => cleanUp();
  begun.add(mine);
  return () => {
    begun.delete(mine);
    if (begun.size > 0) return;
    process.off('exit', cleanUpAll);
    for (const name of NAMES) process.off(name, stop);
  };
}

/** Until the returned function is called, `listener` replaces all other listeners for Ctrl-C. */
export function takeInterrupts(listener: () => void): () => void {
  const others = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT').on('SIGINT', listener);
  return () => {
    process.off('SIGINT', listener);
    for (const one of others) process.on('SIGINT', one);
  };
}

/** Runs `work`, then `cleanUp`, even if a signal ends the process in between. */
export async function withCleanup<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const done = onExit(cleanUp);
  try {
    return await work();
  } finally {
    done();
    cleanUp();
  }
}
