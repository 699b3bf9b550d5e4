/**
 * mcp-hooks: a program that the user has allowed, with all that it starts. Whatever of these leaves its process group, its
 * parent or its environment is still known, and ended with the others.
 */
'use strict';
const fs = require('node:fs');
const { resolve } = require('node:path');
const { endTree } = require('./call.cjs');

const isWindows = process.platform === 'win32';
const isLinux = process.platform === 'linux';

/** In the environment, for shells that do not know the limit. */
const MARK = 'MCP_HOOKS_COMMAND';

/**
 * Each program has a number of its own as the soft limit of its file locks. Linux has not enforced that limit since 2.4.25, but
 * every child inherits it, and it is there for all to see. https://man7.org/linux/man-pages/man2/getrlimit.2.html
 * To dash and busybox it is `-w`, to bash `-x`.
 */
const MARKED = '{ command ulimit -S -w "$0" || command ulimit -S -x "$0"; } 2>/dev/null; exec "$@"';
const SHELL = '/bin/sh';
/** As it is shown in `/proc/<pid>/limits`; not where there is none. */
const LIMIT = /^Max file locks +(\d+) /m;

/** As node has it without a PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** Milliseconds for which those are looked for that are started faster than they can be ended. */
const CHASE = 500;

function familyOf() {
  const mark = markWithin(LIMIT.exec(read('/proc/self/limits'))?.[1]);
  let leader;
  let since;
  return {
    mark,
    /** What to start instead of the program, and in which environment. Fails when there is no such program. */
    launch(words, env, cwd) {
      const marked = { ...env, [MARK]: mark };
      if (!isLinux || !fs.existsSync(SHELL)) return { words, env: marked };
      const [program, ...args] = words;
      const place = placeOf(program, env.PATH, cwd);
      return { words: [SHELL, '-c', MARKED, mark, place, ...args], env: marked };
    },
    /** It has started; to be called at once, while nobody else can have its number. */
    begun(pid) {
      leader = pid;
      since = isLinux && pid !== undefined ? startOf(pid) : undefined;
    },
    /** Ends all of them. Not for later than when the program has just ended: then somebody else may have its number. */
    end() {
      if (leader === undefined) return;
      if (isWindows) return endTree(leader);
      const below = isLinux ? [] : descendantsOf(leader);
      for (const pid of [-leader, ...below]) kill(pid);
      if (since !== undefined) endMarked(mark, since);
    },
  };
}

/**
 * Ten digits, and nine more for a program that one with such a mark has started by hooks of its own: it is ended with that one, too.
 * A limit has no room for more: within that, a mark begins anew.
 */
function markWithin(outer) {
  const digits = (count, most) =>
    String(10 ** (count - 1) * (1 + Math.random() * most)).slice(0, count);
  return outer?.length === 10 ? `${outer}${digits(9, 9)}` : digits(10, 7);
}

/**
 * The program, by its path: a shell would look for it in folders of its own where there is no PATH, and say nothing but a number
 * where there is no program.
 */
function placeOf(program, path, cwd) {
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : (path || DEFAULT_PATH).split(':').map((folder) => `${folder}/${program}`);
  const { X_OK } = fs.constants;
  for (const place of places)
    try {
      fs.accessSync(place, X_OK);
      if (fs.statSync(place).isFile()) return place;
    } catch {} // another one may have it
  fs.accessSync(places[0], X_OK);
  return places[0];
}

/** On Linux. @param since When the program has started: what was there before is none of its children. */
function endMarked(mark, since) {
  const isOne = (pid) =>
    LIMIT.exec(read(`/proc/${pid}/limits`))?.[1].startsWith(mark) ||
    `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${MARK}=${mark}`);
  const ended = new Set();
  const last = Date.now() + CHASE;
  // Those that are started meanwhile are found the next time. Who has been ended once may take a while, but starts nothing.
  for (let more = true; more && Date.now() < last; ) {
    more = false;
    for (const pid of fs.readdirSync('/proc')) {
      const start = /^\d+$/.test(pid) ? startOf(pid) : undefined;
      if (start === undefined || start < since || ended.has(`${pid} ${start}`)) continue;
      // Between the two looks its number may have become that of somebody else.
      if (!isOne(pid) || startOf(pid) !== start) continue;
      kill(Number(pid));
      ended.add(`${pid} ${start}`);
      more = true;
    }
  }
}

/** When a process has started, in ticks since the machine has, also of one that has ended and is still listed; undefined: there is none. */
function startOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // Its name is in parentheses, and may have some.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : Number(fields[19]);
}

/** Where the system does not show what a child has inherited: who is still below it, by the numbers of parents. */
function descendantsOf(leader) {
  const { spawnSync } = require('node:child_process');
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    timeout: CHASE,
  });
  const all = (stdout ?? '').split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const found = [leader];
  // Each that is found is asked for its children in turn.
  for (const parent of found)
    for (const [pid, its] of all) if (its === parent && !found.includes(pid)) found.push(pid);
  return found.slice(1);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {} // it has ended, or is not ours to end
}

function read(file) {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return ''; // it has ended, or is somebody else's
  }
}

module.exports = { descendantsOf, familyOf };
