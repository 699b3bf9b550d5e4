/**
 * mcp-hooks: a program that the user has allowed, with all that it starts. A process that leaves its group, its parent or
 * its environment is still known, and ended with the others.
 */
'use strict';
const fs = require('node:fs');
const { resolve } = require('node:path');

const isWindows = process.platform === 'win32';
const isLinux = process.platform === 'linux';

/** A variable in the environment, for shells that cannot set the limit. */
const MARK = 'MCP_HOOKS_COMMAND';

/**
 * Each program gets a number of its own as the limit of its file locks. Linux has not enforced that limit since 2.4.25, but
 * every child inherits it, and everybody can read it. It is the hard limit, too, which only root can raise again.
 * https://man7.org/linux/man-pages/man2/getrlimit.2.html
 * dash calls it `-w`, bash and busybox call it `-x`.
 */
const MARKED = '{ command ulimit -w "$0" || command ulimit -x "$0"; } 2>/dev/null; exec "$@"';
const SHELL = '/bin/sh';
/** The hard limit as `/proc/<pid>/limits` shows it. Does not match where there is no limit. */
const LIMIT = /^Max file locks +\S+ +(\d+) /m;
/** Digits of a limit: as many as there is room for. */
const DIGITS = 19;
/** Digits of the mark of a program that no other program has started. What follows is for those below it. */
const OUTER = 10;

/** Node's default without a PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** Milliseconds to chase processes that start faster than we can end them. */
const CHASE = 500;

function familyOf() {
  const mark = markWithin(LIMIT.exec(read('/proc/self/limits'))?.[1]);
  let leader;
  let since;
  return {
    mark,
    /** What to start instead of the program, and its environment. Throws when there is no such program. */
    launch(words, env, cwd) {
      const marked = { ...env, [MARK]: mark };
      if (!isLinux || !fs.existsSync(SHELL)) return { words, env: marked };
      const [program, ...args] = words;
      const place = placeOf(program, env.PATH, cwd);
      if (mark.length > DIGITS) return { words: [place, ...args], env: marked };
      return { words: [SHELL, '-c', MARKED, limitOf(mark), place, ...args], env: marked };
    },
    /** Call this right after the start, while nobody else can have its number. */
    begun(pid) {
      leader = pid;
      since = isLinux && pid !== undefined ? startOf(pid) : undefined;
    },
    /** Ends all of them. Call it when the program ends at the latest: after that, its number may belong to somebody else. */
    end() {
      if (leader === undefined) return;
      if (isWindows) return endTree(leader);
      const below = isLinux ? [] : descendantsOf(leader);
      for (const pid of [-leader, ...below]) kill(pid);
      if (since !== undefined) endMarked(mark, leader, since);
    },
  };
}

/** Variables that a shell adds to the environment of what it starts. */
const OF_SHELLS = ['PWD', 'OLDPWD', 'SHLVL'];

/**
 * The same for a server, which is gone when it was asked. Its environment is what its client would give it, so its mark is
 * the limit alone, and only Linux knows that.
 *
 * @returns What to start, and the functions of the family.
 */
function serverFamily(words, env, cwd) {
  const alone = { words, env, mark: '', begun() {}, end() {} };
  if (!isLinux) return alone;
  const family = familyOf();
  try {
    const marked = family.launch(words, env ?? process.env, cwd);
    if (marked.words.length === words.length) return alone;
    const [shell, flag, script, ...rest] = marked.words;
    const added = OF_SHELLS.filter((name) => (env ?? process.env)[name] === undefined).join(' ');
    const own = added === '' ? script : script.replace('exec', `unset ${added}; exec`);
    return { ...family, words: [shell, flag, own, ...rest], env };
  } catch {
    return alone; // there is no such program, which its start says best
  }
}

/**
 * A hook's program may start a client with hooks of its own. The mark of their programs begins with that of the outer
 * program, so they end with it, too. Its limit is lower: nobody but root can set a higher one.
 *
 * @param outer The limit of this process.
 * @returns Ten digits, or nine more below a program that has those. Below that one there is no room for another limit, so a
 *   longer mark stands only in the environment.
 */
function markWithin(outer) {
  const digits = (count, most) =>
    String(10 ** (count - 1) * (1 + Math.random() * most)).slice(0, count);
  if (outer?.length !== DIGITS) return digits(OUTER, 7);
  const isOutermost = outer === limitOf(outer.slice(0, OUTER));
  return `${isOutermost ? outer.slice(0, OUTER) : outer}${digits(DIGITS - OUTER, 8)}`;
}

/** The highest number that begins with a mark. */
function limitOf(mark) {
  return mark.padEnd(DIGITS, '9');
}

/**
 * The program's path. Without a PATH, a shell would look in folders of its own, and without a program it would return
 * nothing but a number.
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
    } catch {} // another folder may have it
  fs.accessSync(places[0], X_OK);
  return places[0];
}

/** For Linux. @param since When the program started: older processes are not its children. */
function endMarked(mark, leader, since) {
  const isOne = (pid) =>
    LIMIT.exec(read(`/proc/${pid}/limits`))?.[1].startsWith(mark) ||
    `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${MARK}=${mark}`);
  const ended = new Set();
  const last = Date.now() + CHASE;
  // Processes that start meanwhile are found the next time. A killed one may take a while to end, but starts nothing.
  for (let more = true; more && Date.now() < last; ) {
    more = false;
    for (const pid of startedAfter(leader)) {
      const start = startOf(pid);
      if (start === undefined || start < since || ended.has(`${pid} ${start}`)) continue;
      // Between the two looks its number may have gone to another process.
      if (!isOne(pid) || startOf(pid) !== start) continue;
      kill(Number(pid));
      ended.add(`${pid} ${start}`);
      more = true;
    }
  }
}

/**
 * The numbers of all processes that may have started after one. Numbers are given in order, and begin anew at some time. If few
 * have been given since, looking for each takes less than a list of all.
 */
function startedAfter(leader) {
  const newest = Number(read('/proc/loadavg').trim().split(' ').at(-1));
  if (newest < leader || newest - leader > FEW)
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = Array.from({ length: newest - leader + 1 }, (_, nth) => leader + nth);
  return all.filter((pid) => fs.existsSync(`/proc/${pid}`));
}
const FEW = 200;

/** When a process started, in ticks since the machine did, even if it has ended and is still listed; undefined: there is none. */
function startOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // The process's name is in parentheses, and may contain some.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : Number(fields[19]);
}

/** For systems that do not show what a child has inherited: the processes still below it, by their parents' numbers. */
function descendantsOf(leader) {
  const { spawnSync } = require('node:child_process');
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], {
    encoding: 'utf8',
    timeout: CHASE,
  });
  const all = (stdout ?? '').split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const found = [leader];
  // The list grows while it is read: the children of each process found are looked up, too.
  for (const parent of found)
    for (const [pid, its] of all) if (its === parent && !found.includes(pid)) found.push(pid);
  return found.slice(1);
}

/** For Windows, which has no process groups. */
function endTree(pid) {
  const { spawnSync } = require('node:child_process');
  const options = { stdio: 'ignore', windowsHide: true };
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], options);
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

module.exports = { descendantsOf, endTree, familyOf, serverFamily };
