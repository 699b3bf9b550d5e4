/**
 * mcp-hooks: for clients that read the answer of one hook alone when several run for one event. It has the texts of all our
 * runners.
 */

import fs = require('node:fs');
import path = require('node:path');

import { execFileSync } from 'node:child_process';
import { textOf } from './files.cjs';
import { lockedNow } from './lock.cjs';
import { parentOf } from './runner/hosts.cjs';
import { attempt } from './values.cjs';

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
 *   event; `until`: when there is no more time; `append` of runner.cjs.
 */
export function withOthers(
  text: string,
  kept: string,
  {
    file,
    entry,
    until,
    append,
  }: {
    readonly file: string;
    readonly entry: string;
    readonly until: number;
    readonly append: (file: string, text: string) => void;
  },
): string {
  const folder = path.dirname(file);
  append(`${file}.${process.pid}`, kept);
  const all = lockedNow(file, () => {
    const isSoon = () => process.uptime() * 1000 < STARTED;
    while (Date.now() < until && (isSoon() || stillRuns(entry, folder))) sleep(POLL);
    return pidsOf(folder, `${path.basename(file)}.`).map((pid) => {
      const own = `${file}.${pid}`;
      const its = pid === process.pid ? text : (textOf(own) ?? '');
      fs.rmSync(own, { force: true });
      return its;
    });
  });
  return [...new Set(all)].join('\n\n').trim();
}

/** Milliseconds. */
const POLL = 5;

/** Milliseconds of this process after which the client has started all hooks of the event. */
const STARTED = 120;

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** The processes that have written down a text, in the order in which they were started. */
const pidsOf = (folder: string, beginning: string): number[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .map((name) => Number(name.slice(beginning.length)))
    .filter((pid) => pid > 1)
    .sort((a, b) => a - b);

type Processes = ReadonlyMap<number, { readonly parent: number; readonly words: string }>;

/** Whether a runner for such an event is at work that has not yet recorded whether it has a text. */
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
const processesNow = (): Processes =>
  attempt(process.platform === 'linux' ? fromProc : fromPs) ?? new Map();

const fromProc = (): Processes =>
  new Map(
    fs.readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      // It may have ended since.
      const found =
        pid > 0 &&
        attempt(() => ({
          words: fs.readFileSync(`/proc/${name}/cmdline`, 'latin1'),
          parent: parentOf(pid),
        }));
      return found ? [[pid, found] as const] : [];
    }),
  );

function fromPs(): Processes {
  // By default a BSD's `ps` cuts off what would not fit into a terminal.
  const words = ['-Aww', '-o', 'pid=,ppid=,args='];
  const listed = execFileSync('ps', words, { encoding: 'utf8', stdio: 'pipe' });
  return new Map(
    listed.split('\n').flatMap((line) => {
      const [, pid, parent, words = ''] = /^ *(\d+) +(\d+) +(.*)/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), { parent: Number(parent), words }] as const];
    }),
  );
}
