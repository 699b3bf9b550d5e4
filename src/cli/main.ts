/** One run of the command line: the only place that prints an error or decides the exit code. */

import { Interrupted, UserError } from '../system/errors.ts';
import { openTerminal } from '../system/terminal.ts';
import { asUserError } from '../system/user-error.ts';
import { quoted, toJson } from '../system/visible.ts';
import { type Context, INTERRUPTED, TROUBLE } from './commands/context.ts';
import { program } from './commands/program.ts';
import { errorJson, speakerOf } from './messages/sentence.ts';
import { folded } from './render/lines.ts';

/** What a command line is run in: a process, or a test in place of one. */
export interface Surroundings extends Omit<Context, 'cwd'> {
  /** The folder may be gone: asking for it can throw. */
  readonly cwd: () => string;
}

/** Runs a command line in this process, and sets its exit code. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const { env } = process;
  const code = await run(argv, {
    terminal: openTerminal(env),
    env,
    cwd: () => process.cwd(),
    version,
  });
  process.exitCode ||= code; // it is set already when what was printed could not be written
}

/** Runs a command line and returns its exit code; whatever goes wrong is reported on the terminal. */
export async function run(
  argv: readonly string[],
  { cwd, ...around }: Surroundings,
): Promise<number> {
  const { terminal } = around;
  const dashes = argv.indexOf('--'); // what comes after it is the server's
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const launch = dashes === -1 ? undefined : argv.slice(dashes + 1);
  try {
    return await program({ ...around, cwd: cwd(), ...(launch && { launch }) }, own);
  } catch (thrown) {
    const error = asUserError(thrown);
    const say = speakerOf(own.find((word) => !word.startsWith('-')));
    if (own.includes('--json')) terminal.out(toJson(inJson(error, say)));
    const { errColumns = Number.POSITIVE_INFINITY } = terminal;
    terminal.err(explain(error, say, own.includes('--verbose'), errColumns));
    return error instanceof Interrupted ? INTERRUPTED : TROUBLE;
  }
}

type Speak = ReturnType<typeof speakerOf>;

const inJson = (error: unknown, say: Speak): object =>
  error instanceof UserError
    ? errorJson(error, say)
    : {
        error: error instanceof Error ? error.message : String(error),
        details: [],
        code: 'unexpected',
      };

/** An error for a person; where in the code it arose only when asked for. */
function explain(error: unknown, say: Speak, verbose: boolean, columns: number): string {
  const { message, stack } = error instanceof Error ? error : { message: String(error) };
  const lines =
    error instanceof UserError
      ? [error.problem, ...error.details].map((one) => say(one))
      : [
          `Unexpected error: ${message}`,
          ...(verbose ? [] : ['Run it again with --verbose for details, and please report it.']),
        ];
  // Its own message is a code.
  const told = stack?.replace(message, () => lines[0] ?? message);
  if (verbose && told) lines.push(...quoted(told.split('\n'), 2000));
  return `${folded(lines, columns).join('\n')}\n`;
}
