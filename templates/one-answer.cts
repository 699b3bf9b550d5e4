/**
 * mcp-hooks: for clients that read the answer of one hook alone when several run for one event. It has the texts of all our
 * runners.
 */

import fs = require('node:fs');
import path = require('node:path');

import { execFileSync } from 'node:child_process';
import { textOf } from './files.cjs';

/**
 * Where a client runs its hooks one after the other, and reads the last: the others' texts, followed by our own, which is
 * written down for the runners that come after us.
 *
 * @param kept The text as it is written down.
 * @param at `file`: absolute path of the texts for this event so far; `former`: how the paths for the session's earlier
 *   events begin; `open` of runner.cjs.
 */
export function withEarlier(
  text: string,
  kept: string,
  {
    file,
    former,
    open,
  }: {
    readonly file: string;
    readonly former: string;
    readonly open: (file: string, how: 'a') => number;
  },
): string {
  if (!fs.existsSync(file)) forget(former);
  const said = open(file, 'a');
  const others = textOf(file) ?? '';
  fs.writeSync(said, `${kept}\n\n`);
  fs.closeSync(said);
  return `${others}${text}`.trimEnd();
}

/** Removes the texts of the session's earlier events, which nobody needs any more. */
function forget(former: string): void {
  const [folder, beginning] = [path.dirname(former), path.basename(former)];
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(beginning)) fs.rmSync(path.join(folder, name), { force: true });
}

/**
 * Where a client runs its hooks at the same time, and reads the first that has a text: all of the texts, or none where another
 * of our runners has them. The first with a text waits for all that still run, and for a moment for those that the client has
 * not started yet: it starts one after the other.
 *
 * @param kept The text as it is written down for a moment.
 * @param at `file`: absolute path for what is about this event; `entry`: how the name begins of each file that runs for such an
 *   event; `folders`: absolute paths of the folders with a folder for each label; `until`: when there is no more time; `open` of
 *   runner.cjs.
 */
export function withOthers(
  text: string,
  kept: string,
  {
    file,
    entry,
    folders,
    until,
    open,
  }: {
    readonly file: string;
    readonly entry: string;
    readonly folders: readonly string[];
    readonly until: number;
    readonly open: (file: string, how: 'a') => number;
  },
): string {
  if (!hasOthers(entry, folders)) return text;
  const said = open(`${file}.${process.pid}`, 'a');
  fs.writeSync(said, kept);
  fs.closeSync(said);
  if (!isFirst(file)) return '';
  const isSoon = () => process.uptime() * 1000 < STARTED;
  while (Date.now() < until && (isSoon() || stillRuns(entry, path.dirname(file)))) sleep(POLL);
  const texts = pidsOf(path.dirname(file), `${path.basename(file)}.`).map((pid) => {
    const own = `${file}.${pid}`;
    const its = pid === process.pid ? text : (textOf(own) ?? '');
    fs.rmSync(own, { force: true });
    return its;
  });
  fs.rmSync(file, { force: true });
  return [...new Set(texts)].join('\n\n').trim();
}

/** Milliseconds. */
const POLL = 5;

/** Milliseconds of this process after which the client has started all hooks of the event. */
const STARTED = 120;

/** Whether another label has hooks for such an event. */
const hasOthers = (entry: string, folders: readonly string[]): boolean =>
  [...new Set(folders)]
    .flatMap((folder) => labelsIn(folder).map((label) => path.join(folder, label, `${entry}json`)))
    .filter((program) => fs.existsSync(program)).length > 1;

function labelsIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // nothing is installed there
  }
}

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** Whether no other living process says it for all. */
function isFirst(file: string): boolean {
  for (const _ of [1, 2])
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      if (isAlive(Number(textOf(file)))) return false;
      fs.rmSync(file, { force: true });
    }
  return false;
}

function isAlive(pid: number): boolean {
  if (!(pid > 1)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The processes that have written down a text, in the order in which they were started. */
const pidsOf = (folder: string, beginning: string): number[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .map((name) => Number(name.slice(beginning.length)))
    .filter((pid) => pid > 1)
    .sort((a, b) => a - b);

/** Whether a runner for such an event is at work that has not yet said whether it has a text. */
function stillRuns(entry: string, folder: string): boolean {
  const processes = processesNow();
  const settled = new Set<number>();
  const known = fs
    .readdirSync(folder)
    .flatMap((name) => /\.said-[^.]*\.(\d+)$/.exec(name)?.[1] ?? []);
  // The shells between it and the client run for it.
  for (const pid of [process.pid, ...known.map(Number)])
    for (let at = pid; at > 1 && !settled.has(at); at = processes.get(at)?.parent ?? 0)
      settled.add(at);
  return [...processes].some(
    ([pid, { words }]) => !settled.has(pid) && words.includes(`/${entry}`),
  );
}

/** All processes by their ids. None where they cannot be seen, so nobody waits for others there. */
function processesNow(): Map<number, { readonly parent: number; readonly words: string }> {
  try {
    return process.platform === 'linux' ? fromProc() : fromPs();
  } catch {
    return new Map();
  }
}

function fromProc() {
  const found = new Map<number, { parent: number; words: string }>();
  for (const name of fs.readdirSync('/proc'))
    if (/^\d+$/.test(name))
      try {
        const words = fs.readFileSync(`/proc/${name}/cmdline`, 'latin1');
        const stat = fs.readFileSync(`/proc/${name}/stat`, 'latin1');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        found.set(Number(name), { parent, words });
      } catch {
        // It has ended.
      }
  return found;
}

function fromPs() {
  const listed = execFileSync('ps', ['-Ao', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return new Map(
    listed.split('\n').flatMap((line) => {
      const [, pid, parent, words = ''] = /^ *(\d+) +(\d+) +(.*)/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), { parent: Number(parent), words }] as const];
    }),
  );
}
