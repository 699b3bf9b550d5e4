#!/usr/bin/env node
/**
 * The door: answers `--version` itself, because that must cost nothing, and leaves the rest to `main`: the one with all
 * commands when one of those may be meant that few need often.
 */
'use strict';
const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const RARE =
  /^(?:complet(?:e|ion)|doctor|fire|install|list|log(?:in|out)|man|matrix|scan|trust|update|verify)$/;
const argv = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));

if (argv.length === 1 && ['--version', '-v', '-V'].includes(argv[0]))
  try {
    writeSync(1, `${version}\n`); // a stream costs
  } catch ({ code }) {
    if (code !== 'EPIPE') process.exitCode = 2;
  }
else {
  const all = argv.some((word) => RARE.test(word));
  const { main, keep } = require('./start.cjs').start(__dirname, all ? 'all' : 'main');
  // All is printed and nobody is left: for node to clean up takes longer.
  main(argv, version)
    .then(keep)
    .then(() => process.exit());
}
