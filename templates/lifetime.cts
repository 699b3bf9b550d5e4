/** mcp-hooks: when our process ends, everything that we have started ends, too. */

import type { Running } from './types.cjs';

let guest = false;
/** In another program's process (src/sdk/engine/engine.ts), signals and the exit are not ours to handle. */
export function beGuest(): void {
  guest = true;
}
export const isGuest = (): boolean => guest;

const begun = new Set<() => void>();
let isHandled = false;

/** Calls `end`, which must be synchronous, if we end before the returned function is called. */
export function onExit(end: () => void): () => void {
  begun.add(end);
  if (!isHandled) {
    isHandled = true;
    process.on('exit', () => {
      for (const one of begun) one();
    });
    if (!guest)
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
        process.once(signal, () => process.exit(0));
  }
  return () => void begun.delete(end);
}

/** Milliseconds between checks of our parent. */
const LOOK = 100;
let isWatched = false;

/**
 * Ends us and everything we have started when the client kills the shell between us, because it no longer reads our answer.
 * There is no other signal for that. @param program `shell`: there is such a shell.
 */
export function endWithShell({ shell }: Pick<Running, 'shell'>): void {
  if (shell === undefined || isWatched) return;
  isWatched = true;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  }, LOOK).unref();
}
