// Makes many calls of one server's tools in parallel: node many.cjs <JSON of { call, server, times, width, deadline, started,
// cwd }>. Prints the reason of each. If no server writes the file `started` within the deadline, the next calls get more time.
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
