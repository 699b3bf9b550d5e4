/** One run of the command line: the only module that prints errors or decides the exit code. */

import type { CliMessage } from '../present/messages/cli.ts';
import { errorJson, sentence, wordingOf } from '../present/messages/sentence.ts';
import { folded } from '../present/render/lines.ts';
import { showProblems } from '../present/render/problems.ts';
import { outsideFolder } from '../system/env.ts';
import {
  Interrupted,
  type Message,
  mapTexts,
  reasonOf,
  said,
  UserError,
} from '../system/errors.ts';
import { asUserError, hasWritten } from '../system/files.ts';
import { openTerminal, type Terminal } from '../system/terminal.ts';
import { quoted, toJson } from '../system/visible.ts';
import { type Context, INTERRUPTED, TROUBLE } from './commands/command.ts';
import { program } from './commands/program.ts';

/** The environment of a command line: a process, or a test that simulates one. */
interface LineContext extends Omit<Context, 'cwd'> {
  /** Throws if the folder no longer exists. */
  readonly cwd: () => string;
}

/** Runs a command line in this process, and sets its exit code. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const { env } = process;
  const terminal = openTerminal(env, (error) => {
    const why = reasonOf(error);
    terminal.err(`${sentence(said<CliMessage>({ code: 'output-lost', why }))}\n`);
  });
  process.on('SIGINT', () => interrupted(terminal, argv));
  const code = await runLine(argv, {
    terminal,
    env,
    cwd: () => process.cwd(),
    version,
  });
  process.exitCode ||= code; // already set if the output could not be written
}

/** Commands that write files of the user. For these, the message about ctrl-C says what is written. */
const WRITING: readonly string[] = [
  ...['build', 'import', 'init', 'install', 'mute', 'uninstall', 'unmute', 'update'],
];

/** No signal interrupts the writing of files, so anything that was started is complete by now. */
function interrupted({ err, errColumns }: Terminal, argv: readonly string[]): never {
  const command = argv.find((word) => !word.startsWith('-')) ?? '';
  const written = WRITING.includes(command) ? { written: hasWritten() } : {};
  const words = sentence(said<CliMessage>({ code: 'interrupted', ...written }));
  // The terminal printed ^C after the last output.
  err(`${errColumns === undefined ? '' : '\n'}${words}\n`);
  process.exit(INTERRUPTED);
}

/** Runs a command line and returns its exit code. Reports every error on the terminal. */
export async function runLine(
  argv: readonly string[],
  { cwd, ...around }: LineContext,
): Promise<number> {
  const { terminal } = around;
  const dashes = argv.indexOf('--'); // everything after it belongs to the server
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const launch = dashes === -1 ? undefined : argv.slice(dashes + 1);
  try {
    const env = outsideFolder(around.env);
    return await program({ ...around, env, cwd: cwd(), ...(launch && { launch }) }, own);
  } catch (thrown) {
    const error = asUserError(thrown);
    const wording = wordingOf(own.find((word) => !word.startsWith('-')));
    const say = (message: Message) => wording(mapTexts(message, shortened));
    if (own.includes('--json')) terminal.out(toJson(inJson(error, say)));
    terminal.err(explain(terminal, error, say, own.includes('--verbose')));
    return error instanceof Interrupted ? INTERRUPTED : TROUBLE;
  }
}

/** Shortens a long text, such as a whole pasted page, so that the problem stays visible. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const kept = text.slice(0, LONGEST).replace(HALF, '');
  return `${kept}... (${text.length - kept.length} more characters)`;
}
const LONGEST = 1000;
/** Half of a surrogate pair at the end of a truncated text. */
const HALF = /[\uD800-\uDBFF]$/;

const inJson = (error: unknown, say: (message: Message) => string): object =>
  error instanceof UserError
    ? errorJson(error, say)
    : {
        error: error instanceof Error ? error.message : String(error),
        details: [],
        code: 'unexpected',
      };

/** An error for people, with its stack only on request. */
function explain(
  terminal: Terminal,
  error: unknown,
  say: (message: Message) => string,
  verbose: boolean,
): string {
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  const { message, stack } = error instanceof Error ? error : { message: String(error) };
  const lines =
    error instanceof UserError
      ? showProblems(terminal, errColumns, [error.problem, ...error.details], say)
      : folded(
          [
            `Unexpected error: ${message}`,
            ...(verbose ? [] : ['Run it again with --verbose for details, and please report it.']),
          ],
          errColumns,
        );
  // The error's own message is only a code.
  const trace = stack?.replace(message, () => lines[0] ?? message);
  if (verbose && trace) lines.push(...folded(quoted(trace.split('\n'), 2000), errColumns));
  return `${lines.join('\n')}\n`;
}
