/** One run of the command line: the only place that prints an error or sets the exit code. */

import { type Context, TROUBLE } from './commands/context.ts';
import { program } from './commands/program.ts';
import { UserError } from './errors.ts';
import type { Terminal } from './terminal.ts';
import { visible } from './visible.ts';

export async function main(argv: readonly string[], version: string): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  const terminal: Terminal = {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    colour: stdout.isTTY === true && !env.NO_COLOR,
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    columns: stdout.columns ?? 100,
  };
  stdout.on('error', () => process.exit()); // `mcp-hooks list | head`: nobody reads any more
  const context: Context = { terminal, env, cwd: process.cwd(), version };
  try {
    process.exitCode = await program(context, argv);
  } catch (error) {
    terminal.err(explain(error, argv.includes('--verbose')));
    process.exitCode = TROUBLE;
  }
}

/** An error for a person; where in the code it arose only when asked for. */
function explain(error: unknown, verbose: boolean): string {
  const { message, stack } = error instanceof Error ? error : { message: String(error) };
  const lines =
    error instanceof UserError
      ? [message, ...error.details]
      : [
          `mcp-hooks met something it was not made for: ${message}`,
          ...(verbose
            ? []
            : ['Run it again with --verbose for where, and please tell its authors.']),
        ];
  const shown = lines.map((line) => visible(line, 4000));
  return `${[...shown, ...(verbose && stack ? [stack] : [])].join('\n')}\n`;
}
