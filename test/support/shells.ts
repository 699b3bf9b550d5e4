/** The shells in which tests run what a client starts. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The shells that clients use, on macOS the third. On many systems sh is bash, which then behaves as with --posix. */
const USUAL = ['sh', 'bash', 'bash --posix', 'zsh', 'ksh', 'busybox sh'];

/** `npm run test:portable` also runs in these: sh as it is on macOS, and the shells of other systems. */
const OTHERS = ['bash-3.2', 'bash-3.2 --posix', 'dash', 'mksh', 'posh'];

const PATHS: Readonly<Record<string, string>> = Object.fromEntries(
  [...USUAL, ...(process.env.EVERY_SHELL ? OTHERS : [])].map((shell) => [shell, find(shell)]),
);

function find(shell: string): string {
  const [name = ''] = shell.split(' ');
  if (name === 'bash-3.2') return join(import.meta.dirname, 'bin', name);
  return spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
}

/** The program of a shell, as a path. */
export const pathOf = (shell: string): string => PATHS[shell] ?? find(shell);

/** The shells that are installed here. */
export const SHELLS = Object.keys(PATHS).filter(pathOf);

export const NOT_HERE = Object.keys(PATHS).filter((shell) => !pathOf(shell));
