#!/usr/bin/env node
// npx example-notes                   the MCP server, over standard input and output
// npx example-notes install-hooks     shows what would be installed, and asks; --yes does not ask
//                                     --allow context-tool also allows the hook that calls a tool of the server
// npx example-notes uninstall-hooks   removes all of it again; --yes does not ask
const [command] = process.argv.slice(2);

if (command === undefined) await import('./server.mjs');
else if (command === 'install-hooks' || command === 'uninstall-hooks') await import('./hooks.mjs');
else {
  console.error(`There is no command ${command}; known: install-hooks, uninstall-hooks.`);
  process.exitCode = 2;
}
