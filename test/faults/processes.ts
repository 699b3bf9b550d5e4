/** Runs a program with a deadline. Ends only processes started here, by their ids. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { World } from '../support/world.ts';

/** Milliseconds. A run takes a fraction of a second; on a busy machine it may take longer, but it must end. */
const DEADLINE = 20_000;

export interface Ended {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** The process ran past its deadline and was killed. */
  readonly late: boolean;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Ends the process and its children. */
  readonly end: () => void;
}

export interface Options {
  /** The program, with arguments, that runs ours: `strace`, `nsenter`, `prlimit`. */
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The absolute path of a program on this machine; undefined if it is missing. */
export function find(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export function start(
  argv: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; deadline?: number },
): Started {
  const [program = '', ...args] = argv;
  const { cwd, env, deadline = DEADLINE } = options;
  // A process group of its own, because a killed tracer would leave the traced process behind.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  const end = () => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {} // it has ended
  };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, deadline);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin.on('error', () => {}).end();
  const ended = new Promise<Ended>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, out, err, late });
    });
  });
  return { pid, ended, end };
}

/** Starts `mcp-hooks` in a world; a string is split at spaces. */
export function startOurs(world: World, line: string, { under = [], env }: Options = {}): Started {
  const argv = [...under, process.execPath, inject('cli'), ...line.split(' ')];
  return start(argv, { cwd: world.work, env: world.env(env) });
}

export const ours = (world: World, line: string, options?: Options): Promise<Ended> =>
  startOurs(world, line, options).ended;
