/**
 * mcp-hooks: starts a background command. A separate process (background.cts) runs it and shares nothing with the client: no
 * pipe, no terminal, no process group. A file in the memory folder names that process, so that an uninstall can end it.
 */

import fs = require('node:fs');

import { parse } from 'node:path';
import { jsonOf } from '../json.cjs';
import { lockedNow, markOf, ownMark, temporaryFor } from '../lock.cjs';
import type { Answer, ProgramHook, Running } from '../types.cjs';
import { attempt, fault } from '../values.cjs';
import type { Evaluation } from './evaluation.cjs';

/** How many commands of one label may run at the same time, because a hook may fire in a loop. */
const AT_ONCE = 4;

/** The input of the process on stdin. */
export interface Job {
  readonly program: Pick<Running, 'client' | 'label' | 'native' | 'policy' | 'started' | 'state'>;
  readonly hook: ProgramHook;
  /** The command's stdin. */
  readonly event: string;
  readonly cwd: string;
  readonly within: Readonly<Record<string, string>>;
  /** When it is ended, as in Date.now(). */
  readonly until: number;
  /** The file that names the process. */
  readonly record: string;
}

/** Starts a hook's command without an answer to the client. Throws a code if it is not started. */
export async function inBackground(
  hook: ProgramHook,
  event: string,
  evaluation: Evaluation,
): Promise<Answer> {
  const { program, firing, stage, outcome, asking } = evaluation;
  const { client, label, native, policy, started, state } = program;
  const began = Date.now();
  const folder = ownFolder(stage.memoriesOf(state));
  const job = {
    program: { client, label, native, policy, started, state },
    hook,
    event,
    cwd: firing.cwd,
    within: stage.within([hook], program),
    until: began + (hook.extended?.deadline ?? 0),
  };
  const records = Array.from({ length: AT_ONCE }, (_, at) => `${folder}/background.${label}.${at}`);
  // From `start` on, the record belongs to the other process, which removes it.
  if (!records.some((record) => lockedNow(record, () => start({ ...job, record }))))
    throw fault('background-full', { limit: AT_ONCE });
  asking.asked.set(hook, { milliseconds: Date.now() - began, isAsync: true });
  outcome.done.push(hook);
  return { texts: [], warnings: [] };
}

/** No other user may write to it: they could read the event, or keep commands from starting and ending. */
function ownFolder(folder: string): string {
  if (!fs.existsSync(folder)) attempt(() => fs.mkdirSync(folder, { mode: 0o700 }));
  const { uid } = fs.lstatSync(folder);
  if (process.getuid && uid !== process.getuid()) throw fault('state-of-another');
  return folder;
}

/** @returns True, even if the command is no longer wanted. */
function start(job: Job): boolean {
  const { record } = job;
  const file = `${__dirname}/background.cjs`;
  // An uninstall removes the runner first and all records after it. So while the runner is there, our record will be removed,
  // too.
  if (!fs.existsSync(file)) return true;
  const stdin = unnamed(jsonOf(job), record);
  try {
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [file], {
      cwd: parse(process.execPath).root, // so that a folder of the session can still be removed
      detached: true,
      stdio: [stdin, 'ignore', 'ignore'],
      windowsHide: true,
    });
    child.on('error', () => {}); // in that case, it has no process id
    child.unref();
    if (child.pid === undefined) throw fault('error', { name: 'spawn' });
    if (!handOver(record, markOf(child.pid))) child.kill('SIGKILL');
    return true;
  } finally {
    fs.closeSync(stdin);
  }
}

/**
 * Writes another process into our record. False: the record is gone and must not come back, or another process owns it by now.
 */
function handOver(record: string, mark: string): boolean {
  const handle = attempt(() => fs.openSync(record, 'r+'));
  if (handle === undefined) return false;
  try {
    if (fs.readFileSync(handle, 'latin1') !== ownMark()) return false;
    fs.ftruncateSync(handle);
    fs.writeSync(handle, mark, 0);
    return fs.fstatSync(handle).nlink > 0;
  } finally {
    fs.closeSync(handle);
  }
}

/** An open file with the text but no name. A pipe would block us until all of it is read. */
function unnamed(text: string, beside: string): number {
  const file = temporaryFor(beside);
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return fs.openSync(file, 'r');
  } finally {
    fs.rmSync(file, { force: true });
  }
}
