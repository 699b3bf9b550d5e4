#!/usr/bin/env node
/**
 * The entry point. Answers `--version` itself, because that has to be fast, and leaves everything else to `main`. A Node that
 * is too old also runs this file, and reports an error.
 */
'use strict';
const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const { refusal } = require('./old-node.cjs');

/**
 * Commands whose compiled code is cached, in a file for each. Only these words become part of a file name, never the user's
 * input.
 */
const COMMANDS =
  /^(?:build|complet(?:e|ion)|conformance|diff|doctor|fire|import|init|install|list|log(?:in|out)?|man|matrix|(?:un)?mute|scan|schema|stats|trust|uninstall|update|validate|verify|version)$/;
const argv = process.argv.slice(2);
const { engines, version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
const tooOld = refusal(process.versions.node, engines.node, process.execPath);

if (tooOld !== undefined) {
  process.stderr.write(tooOld);
  process.exitCode = 2;
} else if (argv.length === 1 && ['--version', '-v', '-V'].includes(argv[0]))
  try {
    writeSync(1, `${version}\n`); // creating a stream is slow
  } catch ({ code }) {
    if (code !== 'EPIPE') process.exitCode = 2;
  }
else {
  const first = argv.find((word) => !word.startsWith('-')) ?? '';
  const command = COMMANDS.test(first) ? first : 'help';
  const { main, keep } = require('./start.cjs').start(__dirname, command);
  main(argv, version)
    .then(() => process.exitCode === 2 || keep()) // a failed command has not loaded all of its code
    // All output is written and no process is left, so exit now: Node's own cleanup takes longer.
    .then(() => process.exit());
}
