#!/usr/bin/env node
/** argv to command: the only place that prints an error or sets the exit code. */

import { readFileSync } from 'node:fs';
import { TROUBLE } from './commands/context.ts';
import { UserError } from './errors.ts';
import type { Terminal } from './terminal.ts';
import { visible } from './visible.ts';

const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 100,
};

// `mcp-hooks list | head` closes our stdout: not an error.
process.stdout.on('error', () => process.exit());

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
  terminal.out(`${version}\n`);
else process.exitCode = await run();

async function run(): Promise<number> {
  const { program } = await import('./program.ts');
  const context = { terminal, env: process.env, cwd: process.cwd(), version };
  try {
    return await program(context, argv);
  } catch (error) {
    const verbose = argv.includes('--verbose');
    if (error instanceof UserError) {
      terminal.err(
        `${[error.message, ...error.details].map((line) => visible(line, 4000)).join('\n')}\n`,
      );
      if (verbose && error.stack) terminal.err(`${error.stack}\n`);
    } else {
      const { message, stack } = error instanceof Error ? error : { message: String(error) };
      terminal.err(
        `mcp-hooks met something it was not made for: ${visible(message)}\n${verbose ? `${stack}\n` : 'Run it again with --verbose for where, and please tell its authors.\n'}`,
      );
    }
    return TROUBLE;
  }
}
