/** How much processor time a process takes, whatever else the machine does. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './world.ts';

/** Seconds of processor time of a program with this on its stdin, and what it printed. */
export function processorTime(
  argv: readonly string[],
  input: string,
  at: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): { readonly seconds: number; readonly stdout: string } {
  const file = join(scratch('input'), 'payload');
  writeFileSync(file, input);
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', '"$@" <"$0"; times >&2', file, ...argv], {
    ...at,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(secondsIn);
  return { seconds: user + system, stdout };
}

/** `0m1.250000s` */
function secondsIn(text: string): number {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return 60 * Number(minutes) + Number(seconds);
}
