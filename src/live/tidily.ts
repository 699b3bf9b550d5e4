/** Ctrl-C, and whoever else ends us: what was begun is put away first. */

/** And the exit code that a shell gives for each. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Does `work`, then `tidy`, which must not wait for anything. When a signal ends us in the middle, `tidy` is done all the
 * same, after what `run` has started was ended.
 */
export async function tidily<T>(tidy: () => void, work: () => Promise<T>): Promise<T> {
  const stop = (signal: keyof typeof SIGNALS) => process.exit(SIGNALS[signal]);
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  process.once('exit', tidy);
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, stop);
    process.off('exit', tidy);
    tidy();
  }
}
