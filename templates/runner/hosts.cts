/** mcp-hooks: the client's own process, clients that also run the hooks of another client, and other labels' hooks. */

import fs = require('node:fs');

import type { Firing, Running } from '../types.cjs';

/**
 * Whether this is another client that also runs our client's hooks, and has hooks of its own, which will show it. A marker in
 * the environment may also come from a client that only started ours; then ours is the parent of our shell.
 */
export function standsDown({ hosts }: Running, runner: string): boolean {
  const { env } = process;
  if (hosts?.never?.some((name) => env[name])) return true;
  if (!hosts || (hosts.own && env[hosts.own] && isAncestor(Number(env[hosts.own])))) return false;
  return Object.entries(hosts.others).some(
    ([id, markers]) => markers.some((name) => env[name]) && hasOwn(id, runner),
  );
}

/** The same by what it has sent. */
export const isForeign = ({ hosts }: Running, { payload }: Firing, runner: string): boolean =>
  Object.entries(hosts?.payloads ?? {}).some(
    ([id, key]) => Object.hasOwn(payload, key) && hasOwn(id, runner),
  );

/** Whether a client has hooks of its own. */
const hasOwn = (id: string, runner: string): boolean =>
  fs.readdirSync(runner).some((name) => name.startsWith(`${id}.`));

/** Whether several labels have a file, so they have hooks for the event. @param folders Each has a folder for each label. */
export const haveSeveral = (name: string, folders: readonly string[]): boolean =>
  [...new Set(folders)].flatMap((folder) => {
    try {
      return fs.readdirSync(folder).filter((label) => fs.existsSync(`${folder}/${label}/${name}`));
    } catch {
      return []; // nothing is installed there
    }
  }).length > 1;

/** An ancestor of us, or of the shell that started us. */
function isAncestor(pid: number): boolean {
  if (pid === process.ppid) return true;
  try {
    return parentOf(process.ppid) === pid;
  } catch {
    return false;
  }
}

/** What has started our shell. Where nobody says so, our shell stands for it. */
export function clientProcess(): number {
  const shell = process.ppid;
  try {
    return parentOf(shell);
  } catch {}
  try {
    const { execFileSync } = require('node:child_process');
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(shell)], { stdio: 'pipe' }));
  } catch {
    return shell;
  }
}

/** @throws Where there is no `/proc`, or no such process. */
export function parentOf(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}
