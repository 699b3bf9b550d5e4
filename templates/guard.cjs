/**
 * mcp-hooks: ends what we have started when we are killed by a signal that nobody can catch. A server is in a process
 * group of its own, so that it can be ended with all its children; what ends our group then passes it by.
 */
'use strict';

/** Reads on until we are gone. */
const WATCH = `trap '' TERM HUP INT; read -r line; kill -KILL "-$1"`;

/** Has a shell in a session of its own wait for our end, before the server is spoken to. @returns What ends the shell. */
function guard(group) {
  if (group === undefined || process.platform === 'win32') return () => {};
  const { spawn } = require('node:child_process');
  const shell = spawn('/bin/sh', ['-c', WATCH, 'mcp-hooks', `${group}`], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Where there is no shell, all is as without it.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {}).unref();
  shell.unref();
  return () => shell.kill('SIGKILL');
}

module.exports = { guard };
