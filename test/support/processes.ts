/** Whether a process is running. A zombie is not. */
import { readFile } from 'node:fs/promises';

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
