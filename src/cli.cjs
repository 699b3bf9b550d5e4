#!/usr/bin/env node
/** The door: answers `--version` itself, because that must cost nothing, and leaves the rest to `main`. */
'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const argv = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
  process.stdout.write(`${version}\n`);
else {
  const { main, keep } = require('./start.cjs').start(__dirname);
  main(argv, version).then(keep);
}
