// Preloaded into a command (`node -r`): appends to the file MCP_HOOKS_PARTS the processor time of each part of its run, in
// milliseconds. Node's own start comes first, and its end is not measured.
'use strict';
const { appendFileSync } = require('node:fs');
const vm = require('node:vm');

const parts = {};
let spent = 0;
function end(part) {
  const { user, system } = process.cpuUsage();
  parts[part] = (user + system) / 1000 - spent;
  spent += parts[part];
}
end('node');

// The program's text has been read when its script is made, and its modules are loaded when it listens for the first signal.
vm.Script = class extends vm.Script {
  constructor(...given) {
    end('reading');
    super(...given);
    end('functions');
  }
};
process.on('newListener', function loaded(event) {
  if (event !== 'SIGINT') return;
  process.off('newListener', loaded);
  end('modules');
});
process.on('exit', () => {
  end('work');
  appendFileSync(process.env.MCP_HOOKS_PARTS, `${JSON.stringify(parts)}\n`);
});
