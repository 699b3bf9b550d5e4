/** Processes that should run, or should have ended. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';

/** The processes with this text in their command line. */
export const running = (text: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text));

export function endAll(text: string): void {
  for (const line of running(text))
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {} // it ended in the meantime
}

/** A unique number of seconds to sleep, which identifies our processes. Those that are left end with the test. */
export function token(): string {
  const mark = `86400.${String(Math.random()).slice(2, 14)}`;
  onTestFinished(() => endAll(mark));
  return mark;
}

/** Whether a process is running. A zombie is not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX] /.test(stat);
}

/** Waits for a condition, with a limit. */
export async function until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 20_000;
  while (!(await is())) {
    if (performance.now() > limit) throw new Error(`waited 20 s in vain until ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
