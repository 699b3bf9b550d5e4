// Runs a program in its own process group, so that a hanging program is ended together with its children.
import type { Writable } from 'node:stream';
import type { Env } from './env.ts';
import { endGroup, startGroup } from './process-group.ts';

export interface ProcessOptions {
  cwd: string;
  /** The complete environment: nothing is inherited. */
  env: Env;
  /** Milliseconds until the process group is killed. */
  deadline?: number | undefined;
  /** Called once at the start, for clients that take input over stdin. */
  onStart?(stdin: Writable): void;
  onLine?(line: string, stdin: Writable): void;
}

export interface ProcessResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

const DEADLINE = 60_000;

/** How many characters of the output, and of one line, are kept. The deadline ends a client that never stops. */
const KEPT = 16 * 1024 * 1024;

/** The words that start a program: an executable, or Node and a script. */
export type Executable = readonly [string, ...string[]];

/** The process was killed with its group. Contains the output up to that point. */
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
  [command, ...first]: Executable,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  const { cwd, env, deadline = DEADLINE, onStart, onLine } = options;
  return new Promise((resolve, reject) => {
    const group = startGroup([command, ...first, ...args], env, cwd);
    const { child } = group;
    let stdout = '';
    let stderr = '';
    let unread = '';
    const timer = setTimeout(() => {
      endGroup(group);
      reject(new TookTooLong([command, ...first, ...args].join(' '), deadline, stdout, stderr));
    }, deadline);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (stdout.length < KEPT) stdout += chunk;
      if (!onLine) return;
      const lines = (unread + chunk).split('\n');
      unread = lines.pop() ?? '';
      if (unread.length > KEPT) unread = '';
      try {
        for (const line of lines) onLine(line, child.stdin);
      } catch (error) {
        // The reader threw on an unexpected line. Without a reader, the client would only wait.
        reject(error);
        group.end();
      }
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < KEPT) stderr += chunk;
    });
    // A client that exits early closes the pipe. Its exit code is more informative than EPIPE.
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      // A shell exits like this for a program that it cannot start, for example because its interpreter is missing.
      if ((code === 126 || code === 127) && stdout === '')
        reject(
          Object.assign(new Error(stderr.trim()), { code: code === 127 ? 'ENOENT' : 'EACCES' }),
        );
      resolve({ stdout, stderr, exitCode: code ?? (signal === null ? 1 : 128) });
    });
    if (onStart === undefined) {
      child.stdin.end();
    } else {
      onStart(child.stdin);
    }
  });
}
