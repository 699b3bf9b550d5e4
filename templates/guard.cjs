/**
 * mcp-hooks: ends what we have started when we are killed by a signal that nobody can catch. A server is in a process
 * group of its own, so that it can be ended with all its children; what ends our group then passes it by.
 */
'use strict';

/** Reads which groups have started (+) and which have ended (-) until we are gone, and ends the rest. */
const WATCH = `trap '' TERM HUP INT
groups=' '
while read -r what group; do
  case $what$groups in
  +*) groups="$groups$group " ;;
  *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group"; done`;

/** Milliseconds for which the shell stays when all have ended: often the next one is started at once. */
const LINGER = 1000;

/** The shell that waits, and for how many groups. */
let watching;

/** A shell in a session of its own that waits for our end; one for all groups. */
function watch() {
  const { spawn } = require('node:child_process');
  const shell = spawn('/bin/sh', ['-c', WATCH], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Where there is no shell, all is as without it.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {}).unref();
  shell.unref();
  return { stdin: shell.stdin, groups: 0, ending: undefined };
}

/**
 * The shell starts while the server does, and has to be there before the server is spoken to.
 *
 * @param group The number of the process group that ends with us; undefined: it has not started.
 * @returns What to call when the group has ended.
 */
function guard(group) {
  if (group === undefined || process.platform === 'win32') return () => {};
  watching ??= watch();
  const shell = watching;
  clearTimeout(shell.ending);
  shell.groups += 1;
  shell.stdin.write(`+ ${group}\n`);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    shell.stdin.write(`- ${group}\n`);
    shell.groups -= 1;
    if (shell.groups > 0) return;
    const end = () => {
      watching = undefined;
      shell.stdin.end();
    };
    shell.ending = setTimeout(end, LINGER).unref();
  };
}

module.exports = { guard };
