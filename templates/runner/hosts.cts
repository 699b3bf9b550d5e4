/** mcp-hooks: detects the client's own process, clients that also run another client's hooks, and other labels' hooks. */

import fs = require('node:fs');

import type { Firing, PackageRecords, Running } from '../types.cjs';
import { get } from './event.cjs';

/**
 * The program for the client that runs this hook: with answers in the shape of another client, too, if that runs our client's
 * hooks. Undefined if the other client has hooks of its own, which will show the text.
 */
export function forHost(program: Running, runner: string): Running | undefined {
  const { hosts } = program;
  if (!hosts) return program;
  if (hosts.never?.some((name) => process.env[name])) return undefined;
  const others = othersIn(hosts);
  if (others.some((id) => hasOwn(id, program, runner))) return undefined;
  const shapes = others.flatMap((id) => hosts.tell?.[id] ?? []);
  if (shapes.length === 0) return program;
  return {
    ...program,
    wire: { ...program.wire, tell: Object.assign({}, ...shapes, program.wire.tell) },
    // These were prepared in our client's shape.
    hooks: program.hooks.map(({ alone: _, ...hook }) => hook),
  };
}

/**
 * The other clients that may run this hook. A marker in the environment may also come from a client that merely started ours. In
 * that case, our client is the parent of our shell.
 */
function othersIn({ own, others }: NonNullable<Running['hosts']>): string[] {
  const { env } = process;
  if (own && env[own] && isAncestor(Number(env[own]))) return [];
  return Object.entries(others).flatMap(([id, markers]) =>
    markers.some((name) => env[name]) ? id : [],
  );
}

/** The same, detected by the payload. */
export const isForeign = (program: Running, { payload }: Firing, runner: string): boolean =>
  Object.entries(program.hosts?.payloads ?? {}).some(
    ([id, key]) => Object.hasOwn(payload, key) && hasOwn(id, program, runner),
  );

/** Whether the same hooks are installed for another client: with ours, or in another scope. */
const hasOwn = (id: string, program: Running, runner: string): boolean =>
  fs.readdirSync(runner).some((name) => name.startsWith(`${id}.`)) ||
  require('../installs.cjs').isInstalledFor(id, program);

/** Whether several labels have hooks for the event, by their files. @param folders Each has one folder per label. */
export const haveSeveral = (name: string, folders: readonly string[]): boolean =>
  [...new Set(folders)].flatMap((folder) => {
    try {
      return fs.readdirSync(folder).filter((label) => fs.existsSync(`${folder}/${label}/${name}`));
    } catch {
      return []; // nothing is installed there
    }
  }).length > 1;

/** The folders of all projects with hooks: the session may be in one of them. */
export function projectsIn(state: string): string[] {
  const folder = `${state}/projects`;
  try {
    return fs.readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/** The folders of the packages that the client has installed, with hooks of ours or not. */
export function packagesIn({ folder, variable, at }: PackageRecords): string[] {
  const records = `${process.env[variable] || process.env.HOME}/${folder}`;
  try {
    return fs.readdirSync(records).flatMap((name) => packageIn(`${records}/${name}`, at));
  } catch {
    return []; // it has installed none
  }
}

/** As node names it, if it is our own. */
function packageIn(record: string, at: string): string[] {
  try {
    const text = require('../files.cjs').textOf(record) ?? '';
    return [fs.realpathSync(String(get(JSON.parse(text), at)))];
  } catch {
    return [];
  }
}

/** Whether a process is an ancestor of ours, or of the shell that started us. */
function isAncestor(pid: number): boolean {
  if (pid === process.ppid) return true;
  try {
    return parentOf(process.ppid) === pid;
  } catch {
    return false;
  }
}

/** The process that started our shell. Where that is unknown, the shell itself. */
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

/** @throws If there is no `/proc` or no such process. */
export function parentOf(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}
