/** One run of the command line: the only place that prints an error or sets the exit code. */

import { type Context, TROUBLE } from './commands/context.ts';
import { program } from './commands/program.ts';
import { UserError } from './errors.ts';
import { openTerminal } from './terminal.ts';
import { visible } from './visible.ts';

export async function main(argv: readonly string[], version: string): Promise<void> {
  const terminal = openTerminal(process.env);
  const context: Context = { terminal, env: process.env, cwd: process.cwd(), version };
  try {
    process.exitCode = await program(context, argv);
  } catch (error) {
    const dashes = argv.indexOf('--'); // what stands after it is the server's
    const own = dashes === -1 ? argv : argv.slice(0, dashes);
    terminal.err(explain(error, own.includes('--verbose')));
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
  if (verbose && stack) lines.push(stack);
  return `${lines.map((line) => visible(line, 10_000)).join('\n')}\n`;
}
