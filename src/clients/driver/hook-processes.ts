// The hooks that a client has started and does not wait for.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { attempt } from '../../system/errors.ts';

/** Milliseconds in which a client starts the hooks of a call. */
const START = 500;
/** Milliseconds for hooks that nobody can see: on other systems, and in a client that has just been started. */
const UNSEEN = 2000;
/** Milliseconds after which what still runs is taken for something else, such as a server. */
const MOST = 5000;

/** What has been started below this process since a moment. Only Linux says that. */
export class HookProcesses {
  #others: ReadonlySet<number> = new Set();

  /** What runs now is no hook that is waited for. */
  begin(): void {
    this.#others = below(process.pid);
  }

  /** Resolves when the hooks that were started since then have ended. */
  async ended(): Promise<void> {
    const running = below(process.pid);
    const isSameClient = [...this.#others].some((pid) => running.has(pid));
    await setTimeout(isSameClient ? START : UNSEEN);
    if (!isSameClient) return;
    const until = Date.now() + MOST;
    while (this.#areRunning() && Date.now() < until) await setTimeout(50);
  }

  #areRunning(): boolean {
    return [...below(process.pid)].some((pid) => !this.#others.has(pid));
  }
}

/** The ids of all processes that a process has started, and of those that these have. */
function below(top: number): ReadonlySet<number> {
  const children = new Map<number, number[]>();
  for (const name of attempt(() => readdirSync('/proc')) ?? []) {
    const stat = attempt(() => readFileSync(`/proc/${Number(name)}/stat`, 'latin1'));
    // The name of the program, in brackets, may have any characters.
    const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = new Set<number>();
  const visit = (pid: number) => {
    for (const child of children.get(pid) ?? []) {
      found.add(child);
      visit(child);
    }
  };
  visit(top);
  return found;
}
