#!/usr/bin/env node
/** The door: answers `--version` itself, because that must cost nothing, and leaves the rest to `main`. */

import { readFileSync } from 'node:fs';

const argv = process.argv.slice(2);
const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
  process.stdout.write(`${version}\n`);
else import('./main.ts').then(({ main }) => main(argv, version));
