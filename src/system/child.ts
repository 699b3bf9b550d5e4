// Runs a client in its own process group, so that a hanging one is ended with all its children.
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { ifEnded } from './cleanup.ts';
import type { Env } from './env.ts';
import { guard } from './guard.ts';

export interface ProcessOptions {
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Env;
  /** Milliseconds until the process group is killed. */
  deadline?: number | undefined;
  /** Called once at the start, for clients that are spoken to over stdin. */
  onStart?(stdin: Writable): void;
  /** Called with every line of stdout. */
  onLine?(line: string, stdin: Writable): void;
}

export interface ProcessResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

const DEADLINE = 60_000;

/** Characters that are kept of what it says, and of a line: one that never stops is ended by its deadline. */
const KEPT = 16 * 1024 * 1024;

/** Milliseconds between the polite signal and the other. */
const GRACE = 200;

/** What starts a program: an executable, or a node and a script. */
export type Launch = readonly [string, ...string[]];

/** It was killed with its group; what it had said by then. */
export class TookTooLong extends Error {
  readonly stdout: string;
  readonly stderr: string;

  constructor(command: string, deadline: number, stdout: string, stderr: string) {
    const last = `stdout: ${stdout.slice(-2000)}\nstderr: ${stderr.slice(-2000)}`;
    super(`${command} took over ${deadline} ms.\n${last}`);
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

export function run(
  [command, ...first]: Launch,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  const { cwd, env, deadline = DEADLINE, onStart, onLine } = options;
  return new Promise((resolve, reject) => {
    // Whoever ends us, for example with Ctrl-C, ends what we have started; also while it is being started.
    let pid: number | undefined;
    const ended = ifEnded(() => endGroup(pid));
    const child = spawn(command, [...first, ...args], { cwd, env, detached: true });
    pid = child.pid;
    const release = guard(pid);
    let stdout = '';
    let stderr = '';
    let unread = '';
    const timer = setTimeout(() => {
      endGroup(child.pid);
      reject(new TookTooLong([command, ...first, ...args].join(' '), deadline, stdout, stderr));
    }, deadline);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (stdout.length < KEPT) stdout += chunk;
      if (!onLine) return;
      const lines = (unread + chunk).split('\n');
      unread = lines.pop() ?? '';
      if (unread.length > KEPT) unread = '';
      try {
        for (const line of lines) {
          onLine(line, child.stdin);
        }
      } catch (error) {
        // A line that the reader did not expect; without it the client would only wait.
        reject(error);
        killGroup(child.pid);
      }
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < KEPT) stderr += chunk;
    });
    // A client that exits early closes the pipe; its exit code says more than EPIPE.
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      clearTimeout(timer);
      ended();
      release();
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      ended();
      // What outlives the client in its group would write into a scratch folder that is gone.
      killGroup(child.pid);
      release();
      resolve({ stdout, stderr, exitCode: code ?? (signal === null ? 1 : 128) });
    });
    if (onStart === undefined) {
      child.stdin.end();
    } else {
      onStart(child.stdin);
    }
  });
}

/** Politely at first: a runner then ends the server that it has started in a group of its own. */
function endGroup(pid: number | undefined): void {
  signalGroup(pid, 'SIGTERM');
  // We may be ending ourselves, and can do nothing later.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE);
  signalGroup(pid, 'SIGKILL');
}

const killGroup = (pid: number | undefined): void => signalGroup(pid, 'SIGKILL');

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, signal);
    }
  } catch {
    // The whole group has ended already.
  }
}
