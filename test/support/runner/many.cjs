// Makes many calls of tools of one server side by side: node many.cjs <JSON of { call, server, times, width, deadline,
// started, cwd }>. Prints the reason of each. Where no server comes so far as to write the file `started` within the
// deadline, the next ones get longer.
'use strict';
const { existsSync } = require('node:fs');
const { call, server, times, width, deadline, started, cwd } = JSON.parse(process.argv[2]);
const { callTools } = require(call);

const tool = [{ name: 'recall', arguments: {} }];
let left = times;
let patience = deadline;
async function one() {
  while (left > 0) {
    left -= 1;
    const at = { cwd, until: Date.now() + patience };
    const [{ reason }] = await callTools(server, tool, at);
    process.stdout.write(`${reason}\n`);
    if (!existsSync(started)) patience += deadline;
  }
}
for (let index = 0; index < width; index += 1) one();
