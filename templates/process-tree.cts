/**
 * mcp-hooks: runs a program and keeps track of all its descendants. A process that leaves its group, its parent or its
 * environment is still recognised, and ended with the others.
 */

import fs = require('node:fs');
import path = require('node:path');

import type {
  ChildProcess,
  ChildProcessWithoutNullStreams,
  SpawnOptions,
} from 'node:child_process';
import type { Socket } from 'node:net';
import { onExit } from './lifetime.cjs';
import { statOf } from './process-tree/stat.cjs';
import { programFile, startedWith, variable } from './process-tree/windows.cjs';

export { programFile, statOf, variable };

/** The environment of a process. */
type Env = Readonly<Record<string, string | undefined>>;
type Words = readonly [program: string, ...args: string[]];

/** A program with all its descendants. */
type Tree = ReturnType<typeof serverTree>;
export type StartedTree = ReturnType<typeof startTree>;

const isWindows = process.platform === 'win32';
const isLinux = process.platform === 'linux';

/** An environment variable, for shells that cannot set the limit. */
const MARK = 'MCP_HOOKS_COMMAND';

/** The file descriptor of a stream that closes when this process ends. */
const LIFE = 3;

/**
 * What a shell does before it becomes the program. `$1` is the program's mark, or empty.
 *
 * A second shell waits until this process ends, and then ends the remaining processes. It is in the program's process group,
 * but not a child of the program, because the program might wait for it. Marked processes may have left the group. A process
 * that starts in the meantime is found in the next round.
 */
const WATCHED = `({ trap '' TERM HUP INT
while read -r line; do :; done
PATH=/usr/bin:/bin
[ -z "$1" ] || for round in 1 2 3; do
  grep -ls "^Max file locks  *[^ ]*  *$1[0-9]* " /proc/[0-9]*/limits | while IFS=/ read -r root proc pid rest; do kill -KILL "$pid"; done
done
kill -KILL "-$$"; } 2>/dev/null >&2 <&${LIFE} ${LIFE}<&- &)
`;

/**
 * Each program gets a unique number as its limit of file locks. Linux has not enforced that limit since 2.4.25, but every child
 * inherits it, and every process can read it. The hard limit is set, too, which only root can raise again.
 * https://man7.org/linux/man-pages/man2/getrlimit.2.html
 * dash calls it `-w`, bash and busybox call it `-x`.
 */
const MARKED = '{ command ulimit -w "$2" || command ulimit -x "$2"; } 2>/dev/null; shift\n';
const BECOMES = `shift; exec "$@" ${LIFE}<&-`;
const SHELL = '/bin/sh';
/** The hard limit as in `/proc/<pid>/limits`. Does not match if there is no limit. */
const LIMIT = /^Max file locks +\S+ +(\d+) /m;
/** Digits of a limit: the maximum that fits. */
const DIGITS = 19;
/** Digits of the mark of an outermost program. The remaining digits are for the programs below it. */
const OUTER = 10;

/** Node's default without a PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** Milliseconds to chase processes that start new ones faster than we end them. */
const CHASE = 500;

/** A program of the user. Its mark is in its environment, too. @throws If there is no such program. */
export function programTree(words: readonly string[], env: Env, cwd: string): Tree {
  const mark = newMark();
  return {
    ...launchOf(words, env, cwd, mark),
    env: { ...env, [MARK]: mark },
    ...lifeOf(mark, true),
  };
}

/** Variables that a shell adds to the environment of its children. */
const OF_SHELLS = ['PWD', 'OLDPWD', 'SHLVL'];

/** A server. Its environment is exactly what its client would give it, so its mark is only the limit. */
export function serverTree(words: readonly string[], env: Env, cwd?: string) {
  const mark = newMark();
  const added = OF_SHELLS.filter((name) => env[name] === undefined);
  const unset = added.length > 0 ? `unset ${added.join(' ')}\n` : '';
  const life = { env, ...lifeOf(mark, false) };
  try {
    return { ...launchOf(words, env, cwd, mark, unset), ...life };
  } catch (error) {
    if (isWindows) throw error;
    // There is no such program. The attempt to start it gives the best error.
    return { words: named(words), isVerbatim: false, stdio: PIPES, ...life };
  }
}

/**
 * Starts a program in a process group of its own. It ends with us at the latest.
 *
 * @param atExit Registers a function to call when we end (`onExit` of lifetime.cts).
 * @returns `ended`: its exit status or the signal that ended it, once all its descendants are gone, too; `terminate` asks them
 *   to end, and `end` ends them by force.
 */
export function startTree(
  { words: [program, ...args], isVerbatim, env, stdio, begun, end: endAll }: Tree,
  cwd: string | undefined,
  { atExit = onExit }: { readonly atExit?: typeof onExit } = {},
) {
  const how: SpawnOptions = {
    cwd,
    env,
    stdio,
    detached: !isWindows,
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
  };
  const { spawn } = require('node:child_process');
  const child = spawn(program, args, how) as ChildProcessWithoutNullStreams; // each stream is a pipe
  begun(child);
  let isOver = false;
  const end = () => {
    if (!isOver) endAll();
  };
  const forget = child.pid === undefined ? undefined : atExit(end);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('exit', (code, signal) => {
      if (!isWindows) end(); // the descendants that it left behind, which may hold its streams open
      isOver = true;
      forget?.();
      resolve(code ?? signal);
    });
  });
  const terminate = () => {
    if (isWindows) end();
    else if (!isOver && child.pid !== undefined) kill(-child.pid, 'SIGTERM');
  };
  return { child, ended, terminate, end };
}

const PIPES: 'pipe'[] = ['pipe', 'pipe', 'pipe'];

const named = ([program = '', ...args]: readonly string[]): Words => [program, ...args];

/** The command to start in place of a program, and its streams. @param last The shell's last step. */
function launchOf(
  words: readonly string[],
  env: Env,
  cwd: string | undefined,
  mark: string,
  last = '',
): { readonly words: Words; readonly isVerbatim: boolean; readonly stdio: 'pipe'[] } {
  if (isWindows) return { ...startedWith(words, env, cwd), stdio: PIPES };
  const [program, ...args] = named(words);
  if (!fs.existsSync(SHELL)) return { words: [program, ...args], isVerbatim: false, stdio: PIPES };
  const isMarked = isLinux && mark.length <= DIGITS;
  const script = WATCHED + (isMarked ? MARKED : '') + last + BECOMES;
  const marks = isMarked ? [mark, limitOf(mark)] : [''];
  const place = placeOf(program, env.PATH, cwd);
  return {
    words: [SHELL, '-c', script, 'mcp-hooks', ...marks, place, ...args],
    isVerbatim: false,
    stdio: [...PIPES, 'pipe'],
  };
}

/** @param inEnvironment Whether the mark is in the environment, too. */
function lifeOf(mark: string, inEnvironment: boolean) {
  let leader: number | undefined;
  let since: number | undefined;
  let life: Socket | null | undefined;
  return {
    /** Must be called right after the start, while the process id cannot have been reused. */
    begun({
      pid,
      stdio,
    }: Pick<ChildProcess, 'pid'> & { readonly stdio: readonly unknown[] }): void {
      leader = pid;
      since = isLinux && pid !== undefined ? statOf(pid)?.start : undefined;
      life = stdio[LIFE] as Socket | null | undefined;
      life?.on('error', () => {}).unref();
    },
    /** Ends all of them. Must be called no later than the program's end: after that, its process id may be reused. */
    end() {
      if (leader === undefined) return;
      if (isWindows) return endTree(leader);
      const below = inEnvironment && !isLinux ? descendantsOf(leader) : [];
      for (const pid of [-leader, ...below]) kill(pid);
      if (since !== undefined) endMarked(mark, inEnvironment, leader, since);
      life?.destroy();
    },
  };
}

const newMark = (): string => markWithin(LIMIT.exec(read('/proc/self/limits'))?.[1]);

/**
 * A hook's program may start a client with hooks of its own. The mark of their programs begins with the mark of the outer
 * program, so they end with it. Their limit is lower, because only root can set a higher one.
 *
 * @param outer The limit of this process.
 * @returns Ten digits, or nine more below an outermost program. Below that there is no room for another limit, so a longer mark
 *   is only in the environment.
 */
function markWithin(outer: string | undefined): string {
  const digits = (count: number, most: number) =>
    String(10 ** (count - 1) * (1 + Math.random() * most)).slice(0, count);
  if (outer?.length !== DIGITS) return digits(OUTER, 7);
  const isOutermost = outer === limitOf(outer.slice(0, OUTER));
  return `${isOutermost ? outer.slice(0, OUTER) : outer}${digits(DIGITS - OUTER, 8)}`;
}

/** The highest number that begins with a mark. */
const limitOf = (mark: string): string => mark.padEnd(DIGITS, '9');

/**
 * The program's path. Without a PATH, a shell would search folders of its own, and for a missing program it would only return a
 * status.
 */
function placeOf(program: string, folders: string | undefined, cwd = ''): string {
  const places = program.includes('/')
    ? [path.resolve(cwd, program)]
    : (folders || DEFAULT_PATH).split(':').map((folder) => `${folder}/${program}`);
  const { X_OK } = fs.constants;
  for (const place of places)
    try {
      fs.accessSync(place, X_OK);
      if (fs.statSync(place).isFile()) return place;
    } catch {} // it may be in another folder
  const [first = program] = places;
  fs.accessSync(first, X_OK);
  return first;
}

/** For Linux. @param since When the program started. Older processes are not its children. */
function endMarked(mark: string, inEnvironment: boolean, leader: number, since: number): void {
  const isMarked = (pid: number) =>
    LIMIT.exec(read(`/proc/${pid}/limits`))?.[1]?.startsWith(mark) ||
    (inEnvironment && `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${MARK}=${mark}`));
  const ended = new Set<string>();
  const last = Date.now() + CHASE;
  // Processes that start in the meantime are found in the next round. A killed one may take a while to end, but starts nothing.
  for (let more = true; more && Date.now() < last; ) {
    more = false;
    kill(-leader);
    for (const pid of startedAfter(leader)) {
      if (!isMarked(pid)) continue;
      const { start = 0, group } = statOf(pid) ?? {};
      if (start < since || group === leader || ended.has(`${pid} ${start}`)) continue;
      // Between the two checks, the process id may have been reused.
      if (!isMarked(pid)) continue;
      kill(pid);
      ended.add(`${pid} ${start}`);
      more = true;
    }
  }
}

/**
 * The ids of all processes that may have started after the given one. Ids are assigned in ascending order and wrap around. If
 * few have been assigned since, checking each is cheaper than a full list, but threads have such ids, too.
 */
function startedAfter(leader: number): number[] {
  const newest = Number(read('/proc/loadavg').trim().split(' ').at(-1));
  const isAnew = newest < leader;
  if (isAnew || newest - leader > FEW)
    return fs
      .readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > (isAnew ? 0 : leader));
  const all = Array.from({ length: newest - leader }, (_, nth) => leader + nth + 1);
  return all.filter((pid) => fs.existsSync(`/proc/${pid}`));
}
const FEW = 40;

/** Whether all processes of a group have ended. The init process of a container may not reap them for a long time. */
export function haveEnded(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch {
    return true;
  }
  if (process.platform !== 'linux') return false;
  return startedAfter(leader).every((pid) => {
    const { group, ended } = statOf(pid) ?? {};
    return group !== leader || ended;
  });
}

/** For systems that do not show what a child inherited: the remaining descendants, by their parents' ids. */
export function descendantsOf(leader: number): number[] {
  const { spawnSync } = require('node:child_process');
  const { pid: own, stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    timeout: CHASE,
  });
  const all = (stdout ?? '').split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const found = [leader];
  // The list grows during the loop: the children of each process found are looked up, too.
  for (const parent of found)
    for (const [pid = 0, its] of all)
      if (its === parent && pid !== own && !found.includes(pid)) found.push(pid);
  return found.slice(1);
}

/** For Windows, which has no process groups. */
function endTree(pid: number): void {
  const { spawnSync } = require('node:child_process');
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {} // it has ended, or belongs to another user
}

/** A file in /proc. The system does not know its length in advance, which node's own function asks for. */
function read(file: string): string {
  try {
    const handle = fs.openSync(file, 'r');
    try {
      for (let text = ''; ; ) {
        const length = fs.readSync(handle, page);
        text += page.toString('latin1', 0, length);
        if (length < page.length) return text;
      }
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return ''; // it has ended, or belongs to another user
  }
}
const page = Buffer.allocUnsafe(4096);

/**
 * Whether a process is the shell that waits for our end, by its command line, of which some systems show only the first line.
 */
export const isWaiting = (command: string): boolean =>
  command.includes(WATCHED.slice(0, WATCHED.indexOf('\n')));
