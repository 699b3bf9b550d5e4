/** The second stage of a runner within this process, whole, but for its stdin and stdout: for thousands of firings. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

/** Absolute paths of a runner's folder and of the one that a session is in. */
export interface Place {
  readonly runner: string;
  readonly cwd: string;
}

/**
 * What the runner prints for these bytes.
 *
 * @param args What our shell gives it: the client and the event, and then whether it has read stdin.
 */
export function firedInside({ runner, cwd }: Place) {
  const file = join(runner, 'runner.cjs');
  const real = createRequire(file);
  const start = runInThisContext(
    `(function (require, module, __dirname, process) {${fs.readFileSync(file, 'utf8')}\n})`,
    { filename: file },
  );
  return (...[id, event, stdin, ...more]: [string, string, Buffer, ...string[]]): string => {
    let read = 0;
    const written: Buffer[] = [];
    const streams = {
      ...fs,
      readFileSync: (path: number | string, encoding: BufferEncoding) =>
        path === 0 ? stdin.toString(encoding) : fs.readFileSync(path, encoding),
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
    const argv = ['node', file, id, event, ...more];
    const [exit, kill, emit] = [() => {}, () => {}, () => {}];
    const own = { argv, env: {}, pid, ppid, cwd: () => cwd, exit, kill, emit };
    start(require, module, runner, own);
    return Buffer.concat(written).toString();
  };
}

/**
 * What stands in for node in a runner whose second stage is to run within this process: the first stage, in its shell,
 * starts it, and it prints what it was started with. Without the variable it is the real one.
 */
export const STAND_IN = `#!/bin/sh
[ -n "\${MCP_HOOKS_INSIDE-}" ] || exec '${process.execPath}' "$@"
printf 'second stage: %s\\n' "$*"
exec cat
`;

/** Tells a stand-in that it is one. */
export const INSIDE = { MCP_HOOKS_INSIDE: '1' };

/** What a hook says of which this is what its shell has put out. */
export function saidInside(world: Place, stdout: Buffer): string {
  const end = stdout.indexOf('\n');
  const [, id, event, given] =
    /^second stage: .* (\S+) (\S+) (whole|stream)$/.exec(stdout.toString('utf8', 0, end)) ?? [];
  if (id === undefined || event === undefined || given === undefined) return stdout.toString();
  return firedInside(world)(id, event, stdout.subarray(end + 1), given);
}
