/**
 * mcp-hooks: ends what we have started when a signal that nobody can catch kills us. A server is in a process group of its
 * own, so that it can be ended with all its children, and a signal to our group does not reach it.
 */
'use strict';

/** The shell's program. It reads which groups begin and end until we are gone, and then ends those that are left. */
const WATCH = `trap '' TERM HUP INT
groups=' '
while read -r change group; do
  case $change in
  begun) groups="$groups$group " ;;
  ended) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for one in $groups; do
  group=\${one%%:*} mark=\${one#*:}
  kill -KILL "-$group"
  [ -n "$mark" ] || continue
  # By its mark a process is known that has left its group (family.cjs). Those that were started meanwhile are found the next time.
  for round in 1 2 3; do
    grep -ls "^Max file locks  *[^ ]*  *$mark[0-9]* " /proc/[0-9]*/limits | while IFS=/ read -r root proc pid rest; do kill -KILL "$pid"; done
  done
done`;

/** Milliseconds that the shell waits for another group before it goes. */
const REST = 1000;

/** The shell of this process, while there is one, and how many groups it watches. */
let shell;
let watched = 0;
let resting;

/**
 * A shell in a session of its own waits for our end. It starts along with the first server, and has to be there before we
 * talk to that server. It also watches the servers that come later.
 *
 * @param group The number of the process group that ends with us; undefined: it has not started.
 * @param mark Identifies processes that have left the group (family.cjs); empty: nothing does.
 * @returns A function to call when the group has ended.
 */
function guard(group, mark = '') {
  if (group === undefined || process.platform === 'win32') return () => {};
  clearTimeout(resting);
  shell ??= start();
  const { stdin } = shell;
  stdin.write(`begun ${group}:${mark}\n`);
  watched += 1;
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    stdin.write(`ended ${group}:${mark}\n`);
    watched -= 1;
    if (watched === 0) resting = setTimeout(dismiss, REST).unref();
  };
}

function start() {
  const { spawn } = require('node:child_process');
  const started = spawn('/bin/sh', ['-c', WATCH, 'mcp-hooks'], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell we run unguarded.
  started.on('error', () => {});
  started.stdin.on('error', () => {}).unref();
  started.unref();
  return started;
}

function dismiss() {
  shell.stdin.end();
  shell = undefined;
}

module.exports = { guard };
