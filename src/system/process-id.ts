/** Who wrote a lock or a temporary file, and whether that process still lives. */

import { readFileSync } from 'node:fs';
import { codeOf } from './errors.ts';

/**
 * This process, in a form that can be part of a file's name: its number, and when it started, because numbers are
 * given again. Where the system has no /proc the number has to do.
 */
export function ownMark(): string {
  own ??= markOf(process.pid);
  return own;
}
let own: string | undefined;

/** Whether a text can be the mark of a process. */
export const isMark = (text: string): boolean => /^[1-9]\d*(-[0-9a-f]{8}-\d+)?$/.test(text);

/** Whether the process with that mark is still there. */
export function isAlive(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  const now = markOf(pid);
  return now === mark || !now.includes('-') || !mark.includes('-');
}

function markOf(pid: number): string {
  try {
    // The name, in parentheses, may hold anything; the start is field 22, in ticks since the machine started.
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return `${pid}-${boot}-${rest.split(' ')[19]}`;
  } catch {
    return String(pid);
  }
}
