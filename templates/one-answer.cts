/**
 * mcp-hooks: for clients that read only one hook's answer when several run for an event. That answer combines the texts of all
 * our runners.
 */

import fs = require('node:fs');
import path = require('node:path');

import { performance } from 'node:perf_hooks';
import { textOf } from './files.cjs';
import { lockedNow } from './lock.cjs';
import { parentOf } from './runner/hosts.cjs';
import { attempt } from './values.cjs';

/**
 * For clients that run hooks one after the other and read the last answer: the others' texts, followed by our own, which is
 * saved for the runners after us.
 *
 * @param kept The text in the saved form.
 * @param at `file`: absolute path of this event's texts so far; `former`: the prefix of the paths for the session's earlier
 *   events; `open` of runner.cjs.
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

/** Removes the texts of the session's earlier events, which are no longer needed. */
function forget(former: string): void {
  const [folder, beginning] = [path.dirname(former), path.basename(former)];
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(beginning)) fs.rmSync(path.join(folder, name), { force: true });
}

/**
 * For clients that run hooks at the same time and read the first answer that has a text: all of the texts, or none if another
 * of our runners prints them. The first runner with a text waits for all that still run, and for a moment for those not started
 * yet, because the client starts one after the other.
 *
 * @param kept The text in the form that is saved for a moment.
 * @param at `file`: absolute path prefix for this event; `entry`: how the name begins of each file that runs for such an event;
 *   `until`: the deadline; `append` of runner.cjs.
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
    const isSoon = () => process.uptime() * 1000 < started;
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

/** Milliseconds between checks. */
const POLL = 5;

/**
 * The age of this process, in milliseconds, at which the client has started all hooks of the event. On a busy machine, where
 * node itself starts slowly, that takes longer.
 */
const started = Math.max(120, 3 * performance.nodeTiming.bootstrapComplete);

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** The processes that have saved a text, in the order of their start. */
const pidsOf = (folder: string, beginning: string): number[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .map((name) => Number(name.slice(beginning.length)))
    .filter((pid) => pid > 1)
    .sort((a, b) => a - b);

type Processes = ReadonlyMap<number, { readonly parent: number; readonly words: string }>;

/** Whether another runner for such an event still works and has not yet recorded whether it has a text. */
function stillRuns(entry: string, folder: string): boolean {
  const processes = processesNow();
  const settled = new Set<number>();
  const known = fs
    .readdirSync(folder)
    .flatMap((name) => /\.said-[^.]*\.(\d+)$/.exec(name)?.[1] ?? []);
  // The shells between the runner and the client belong to it.
  for (const pid of [process.pid, ...known.map(Number)])
    for (let at = pid; at > 1 && !settled.has(at); at = processes.get(at)?.parent ?? 0)
      settled.add(at);
  return [...processes].some(
    ([pid, { words }]) => !settled.has(pid) && OURS.test(words) && words.includes(`/${entry}`),
  );
}

/**
 * A shell that runs the command of an entry of ours (src/compile/command.ts). Other processes with the same file or command
 * among their words may run for hours: an editor, or what watches over the shell or started it.
 */
const OURS =
  /^(?:\S*busybox )?\S*sh(?: [-\w]+)*? -\w*c (?:\w+="[^"]*"; )?\{ \\trap '\\exit 0' EXIT; \\\. /;

/** All processes by their ids. Empty where they cannot be listed; then we do not wait for others. */
const processesNow = (): Processes =>
  attempt(process.platform === 'linux' ? fromProc : fromPs) ?? new Map();

const fromProc = (): Processes =>
  new Map(
    fs.readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      // It may have ended in the meantime.
      const found =
        pid > 0 &&
        attempt(() => ({
          words: fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' '),
          parent: parentOf(pid),
        }));
      return found ? [[pid, found] as const] : [];
    }),
  );

function fromPs(): Processes {
  const { execFileSync } = require('node:child_process');
  // By default, `ps` of a BSD cuts lines at the terminal's width.
  const words = ['-Aww', '-o', 'pid=,ppid=,args='];
  const listed = execFileSync('ps', words, { encoding: 'utf8', stdio: 'pipe' });
  return new Map(
    listed.split('\n').flatMap((line) => {
      const [, pid, parent, words = ''] = /^ *(\d+) +(\d+) +(.*)/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), { parent: Number(parent), words }] as const];
    }),
  );
}
