/**
 * mcp-hooks: ends what we have started when we are killed by a signal that nobody can catch. A server is in a process
 * group of its own, so that it can be ended with all its children; what ends our group then passes it by.
 */
'use strict';

/** Is told which groups there are; reads on until we are gone, and ends those that are left. */
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
    grep -ls "^Max file locks  *$mark[0-9]* " /proc/[0-9]*/limits | while IFS=/ read -r root proc pid rest; do kill -KILL "$pid"; done
  done
done`;

/** Milliseconds for which the shell waits for another group; then it goes. */
const REST = 1000;

/** The shell of this process, while there is one, and how many groups it watches. */
let shell;
let watched = 0;
let resting;

/**
 * A shell in a session of its own waits for our end. It starts while the first server does, and has to be there before
 * the server is spoken to. Those that come later are watched by the same one.
 *
 * @param group The number of the process group that ends with us; undefined: it has not started.
 * @param mark By which those are known that have left it (family.cjs); empty: they are not.
 * @returns What to call when the group has ended.
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
  // Where there is no shell, all is as without it.
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
