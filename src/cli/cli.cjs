#!/usr/bin/env node
/**
 * The door: answers `--version` itself, because that must cost nothing, and leaves the rest to `main`. A node that is
 * too old reads this file, too, and is told so.
 */
'use strict';
const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const { refusal } = require('./old-node.cjs');

/** Those for which V8's code is kept, each on its own: no word that somebody types becomes the name of a file. */
const COMMANDS =
  /^(?:complet(?:e|ion)|conformance|diff|doctor|fire|install|list|log(?:in|out)?|man|matrix|scan|stats|trust|uninstall|update|validate|verify|version)$/;
const argv = process.argv.slice(2);
const { engines, version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
const tooOld = refusal(process.versions.node, engines.node, process.execPath);

if (tooOld !== undefined) {
  process.stderr.write(tooOld);
  process.exitCode = 2;
} else if (argv.length === 1 && ['--version', '-v', '-V'].includes(argv[0]))
  try {
    writeSync(1, `${version}\n`); // a stream costs
  } catch ({ code }) {
    if (code !== 'EPIPE') process.exitCode = 2;
  }
else {
  const command = argv.find((word) => COMMANDS.test(word)) ?? 'help';
  const { main, keep } = require('./start.cjs').start(__dirname, command);
  main(argv, version)
    .then(() => process.exitCode === 2 || keep()) // what has failed did not get far
    // All is printed and nobody is left: for node to clean up takes longer.
    .then(() => process.exit());
}
