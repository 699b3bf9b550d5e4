/** The second stage of a runner within this process, whole, but for its stdin and stdout: for thousands of firings. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type { ClientId } from './clients.ts';
import type { World } from './world.ts';

/** What the runner prints for these bytes. */
export function firedInside({ runner, cwd }: World) {
  const file = join(runner, 'runner.cjs');
  const real = createRequire(file);
  const start = runInThisContext(
    `(function (require, module, __dirname, process) {${fs.readFileSync(file, 'utf8')}\n})`,
    { filename: file },
  );
  return (id: ClientId, event: string, stdin: Buffer): string => {
    let read = 0;
    const written: Buffer[] = [];
    const streams = {
      ...fs,
      readSync(fd: number, bytes: Buffer, offset: number, length: number, at: number | null) {
        if (fd !== 0) return fs.readSync(fd, bytes, offset, length, at);
        const count = stdin.copy(bytes, offset, read, Math.min(stdin.length, read + length));
        read += count;
        return count;
      },
      writeSync(fd: number, bytes: Buffer | string, ...rest: number[]) {
        if (fd !== 1) return fs.writeSync(fd, bytes.toString());
        const part = Buffer.from(bytes).subarray(rest[0] ?? 0);
        written.push(part);
        return part.length;
      },
    };
    const module = { exports: {} };
    const require = Object.assign((name: string) => (name === 'node:fs' ? streams : real(name)), {
      main: module,
    });
    const { pid, ppid } = process;
    const argv = ['node', file, id, event];
    const own = { argv, env: {}, pid, ppid, cwd: () => cwd, exit: () => {} };
    start(require, module, runner, own);
    return Buffer.concat(written).toString();
  };
}
