/** The whole second stage of a runner within this process, except for its streams and its end. */
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Script } from 'node:vm';
import type { RunHook } from '../../../src/diagnose/fire/run-hook.ts';
import { run } from '../../../src/system/child.ts';
import { canStart, startSmall } from '../starter.ts';

/** Absolute paths of a runner's folder and of the session's folder, and the variables that its client sets for hooks. */
export interface Place {
  readonly runner: string;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The client, the event, the input, and what our shell adds: whether it has read stdin. */
type Given = [id: string, event: string, stdin: Buffer, ...more: string[]];

/** What the runner prints for these bytes, if its hooks call no tools. */
export function firedInside(place: Place) {
  return (...given: Given): string => begin(place, given).printed();
}

/** The same for any hooks, once it has finished. */
async function overInside(place: Place, ...given: Given): Promise<string> {
  const { over, printed } = begin(place, given);
  await over;
  return printed();
}

/** Starts it. Without tools, it has finished when this returns. */
function begin({ runner, cwd, env = {} }: Place, [id, event, stdin, ...more]: Given) {
  let read = 0;
  const written: Buffer[] = [];
  const streams = {
    ...fs,
    readFileSync: (path: number | string, encoding: BufferEncoding) =>
      path === 0 ? stdin.toString(encoding) : fs.readFileSync(path, encoding),
    readSync(fd: number, bytes: Buffer, ...range: [number, number, number | null]) {
      // Without a range, Node reads as much as the buffer can hold.
      if (fd !== 0) return fs.readSync(fd, bytes, ...range);
      const [offset, length] = range;
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
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { pid, platform, cpuUsage, execPath } = process;
  const ppid = pid; // this process starts the shells
  const argv = ['node', join(runner, 'runner.cjs'), id, event, ...more];
  const kill = (whom: number, signal: NodeJS.Signals | 0) =>
    whom === pid && signal !== 0 ? end() : process.kill(whom, signal);
  const own = {
    argv,
    env,
    pid,
    ppid,
    platform,
    cpuUsage,
    execPath,
    cwd: () => cwd,
    exit: end,
    kill,
  };
  const globals = Object.assign(new EventEmitter(), own);
  const loaded = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const file = join(runner, name);
    const module = { exports: {} };
    loaded.set(name, module);
    const real = createRequire(file);
    const inner = (other: string): unknown => {
      if (other === 'node:fs') return streams;
      return other.startsWith('./') ? load(other) : real(other);
    };
    const main = loaded.values().next().value;
    const require = Object.assign(inner, { main });
    compiled(file)(require, module, module.exports, runner, globals);
    return module.exports;
  };
  load('./runner.cjs');
  if (!['./call.cjs', './chain.cjs'].some((one) => loaded.has(one))) end();
  return { over, printed: () => Buffer.concat(written).toString() };
}

const functions = new Map<string, (...given: unknown[]) => void>();

/** All runners have the same files, so each text is compiled once. */
function compiled(filename: string) {
  // The modules that it requires are loaded here.
  const text = fs
    .readFileSync(filename, 'utf8')
    .replace('require = quickly(require, __dirname);', '');
  const wrapped = `(function (require, module, exports, __dirname, process) {${text}\n})`;
  const made = functions.get(text) ?? new Script(wrapped, { filename }).runInThisContext();
  functions.set(text, made);
  return made;
}

/**
 * Replaces Node in a runner whose second stage should run within this process. The first stage starts it in its shell, and it
 * prints its arguments. Without the variable, it starts the real Node.
 */
export const STAND_IN = `#!/bin/sh
[ -n "\${MCP_HOOKS_INSIDE-}" ] || exec '${process.execPath}' "$@"
printf 'second stage: %s\\n' "$*"
exec /bin/cat
`;

/** Keeps the replacement from starting the real Node. */
export const INSIDE = { MCP_HOOKS_INSIDE: '1' };

/** Runs the command of a hook in its shell. If its runner has the replacement for Node, runs the second stage here. */
export const runHook: RunHook = async (shell, args, options) => {
  const { cwd, env } = options;
  const ran = await ranInShell(shell, args, { ...options, env: { ...env, ...INSIDE } });
  return { ...ran, stdout: await saidInside({ cwd, env }, Buffer.from(ran.stdout)) };
};

/** A command of ours, unchanged. It ends on its own, so the small process may start it; no other command may. */
const OWN = /^\{ \\trap '\\exit 0' EXIT; \\\. [^;]+; \} 2>\/dev\/null # mcp-hooks: [\w-]+$/;

/** The least milliseconds that an entry of ours has. An entry with fewer is there to time out. */
const LEAST = 5_000;

const ranInShell: RunHook = async (shell, args, options) => {
  const { cwd, env, deadline = LEAST, onStart } = options;
  const given: Buffer[] = [];
  if (!OWN.test(args.at(-1) ?? '') || deadline < LEAST || !onStart)
    return run(shell, args, options);
  const stdin = new PassThrough().on('data', (chunk) => given.push(chunk));
  onStart(stdin);
  await once(stdin, 'end');
  const start = { argv: [...shell, ...args], cwd, env, input: Buffer.concat(given) };
  if (!canStart(start))
    return run(shell, args, { ...options, onStart: (real) => real.end(start.input) });
  const { stdout, stderr, code } = await startSmall(start);
  return { stdout: stdout.toString(), stderr, exitCode: code };
};

/** The output of a hook, from the output of its shell. */
export async function saidInside(place: Omit<Place, 'runner'>, stdout: Buffer): Promise<string> {
  const end = stdout.indexOf('\n');
  const [, file, id, event, given] =
    /^second stage: [^/]*(.*) (\S+) (\S+) (whole|stream)$/.exec(stdout.toString('utf8', 0, end)) ??
    [];
  if (file === undefined || id === undefined || event === undefined || given === undefined)
    return stdout.toString();
  const at = { ...place, runner: dirname(file) };
  return overInside(at, id, event, stdout.subarray(end + 1), given);
}
