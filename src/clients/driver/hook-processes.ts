// Hooks that a client has started and does not wait for.
import { setTimeout } from 'node:timers/promises';
import { descendants } from '../../system/process-group.ts';

/** Milliseconds in which a client starts the hooks of a call. */
const START = 500;
/** Milliseconds for hooks that we cannot observe: on Windows, and in a client that was just started. */
const UNSEEN = 2000;
/** Milliseconds after which a process that still runs counts as something else, such as a server. */
const MOST = 5000;

/** The processes that were started below this one since a given time. */
export class HookProcesses {
  #others: readonly number[] = [];

  /** Processes that run now are not hooks to wait for. */
  begin(): void {
    this.#others = descendants();
  }

  /** Resolves when the hooks that were started since then have ended. */
  async ended(): Promise<void> {
    const running = descendants();
    const isSameClient = this.#others.some((pid) => running.includes(pid));
    await setTimeout(isSameClient ? START : UNSEEN);
    if (!isSameClient) return;
    const until = Date.now() + MOST;
    while (this.#areRunning() && Date.now() < until) await setTimeout(50);
  }

  #areRunning(): boolean {
    const running = descendants();
    // The client itself runs. If not even that is visible, the system was too busy to list processes.
    return running.length === 0 || running.some((pid) => !this.#others.includes(pid));
  }
}
