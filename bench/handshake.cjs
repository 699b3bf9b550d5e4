// The least that asking a server can cost: start it, send `initialize`, wait for the answer, end it. For comparison.
'use strict';
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
let said = '';
server.stdout.setEncoding('utf8').on('data', (text) => {
  said += text;
  const end = said.indexOf('\n');
  if (end === -1) return;
  if (!JSON.parse(said.slice(0, end)).result) process.exitCode = 1;
  server.kill();
});
const opt = { supported_events: ['session_start'] };
const params = {
  protocolVersion: '2025-11-25',
  capabilities: { hooks: opt, experimental: { hooks: opt } },
  clientInfo: { name: 'bench', version: '0' },
};
server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
