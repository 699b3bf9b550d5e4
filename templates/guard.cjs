/**
 * mcp-hooks: ends what we have started when we are killed by a signal that nobody can catch. A server is in a process
 * group of its own, so that it can be ended with all its children; what ends our group then passes it by.
 */
'use strict';

/** Is told a group, and reads on until we are gone. */
const WATCH = `trap '' TERM HUP INT; read -r group && { read -r line; kill -KILL "-$group"; }`;

/**
 * A shell in a session of its own that waits for our end. It is started before what it is there for, which is so alone
 * only until we can say its number.
 *
 * @returns `over`: the process group that ends with us; `release`: it has ended.
 */
function guard() {
  if (process.platform === 'win32') return { over: () => {}, release: () => {} };
  const { spawn } = require('node:child_process');
  const shell = spawn('/bin/sh', ['-c', WATCH, 'mcp-hooks'], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Where there is no shell, all is as without it.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {}).unref();
  shell.unref();
  return {
    over: (pid) => pid !== undefined && shell.stdin.write(`${pid}\n`),
    release: () => shell.kill('SIGKILL'),
  };
}

module.exports = { guard };
