/**
 * `mcp-hooks conformance`: runs the conformance suite on the engine or on another implementation, with a process for each case.
 */

import { messages } from '../../present/messages/output.ts';
import { sentence, sentences } from '../../present/messages/sentence.ts';
import {
  byEngine,
  type Case,
  type Evaluate,
  readCases,
  tryCase,
} from '../../sdk/engine/conformance.ts';
import type { EngineMessage } from '../../sdk/engine/messages.ts';
import { type Executable, type ProcessOptions, run, TookTooLong } from '../../system/child.ts';
import { attempt, reasonOf, UserError } from '../../system/errors.ts';
import { type Column, table } from '../../system/table.ts';
import { inLine, toJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  DIFFERENT,
  type Flags,
  OK,
  option,
  timeoutOption,
} from './command.ts';

/** Cases that run at the same time. */
const AT_ONCE = 4;

export const conformance: Command = {
  name: 'conformance',
  group: 'Author',
  summary: 'run the conformance suite on an implementation of hooks',
  operandsBeforeLaunch: '',
  usage: ['[options]', '[options] -- <command> [args...]'],
  options: [
    timeoutOption('how long a case may take', 30),
    option('--topic <name>', 'only the cases of this topic'),
  ],
  about:
    'Without a command, the engine of mcp-hooks is tested. The command runs once for each case and once for its counterpart (docs/engine.md). It reads JSON with "label", "manifest", "policy", "allow", "session" (what has happened before) and "event" from standard input, and prints the response envelope. The cases are in the folder conformance of the package.',
  examples: ['conformance', 'conformance --topic decisions -- node my-hooks.mjs'],
  run: runSuite,
};

async function runSuite(
  { terminal, env, cwd, launch }: Context,
  { json, timeout, topic }: Flags,
): Promise<number> {
  const all = readCases();
  const topics = [...new Set(all.map((one) => one.topic))];
  if (topic !== undefined && !topics.includes(topic))
    throw new UserError<EngineMessage>({ code: 'topic-unknown', topic, allowed: topics });
  const cases = all.filter((one) => topic === undefined || one.topic === topic);
  const [program, ...args] = launch ?? [];
  const evaluate =
    program === undefined
      ? byEngine
      : byCommand([program], args, { cwd, env, deadline: 1000 * timeout });

  const found = new Map<Case, readonly string[]>();
  const waiting = [...cases];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift())
      found.set(one, await differencesOf(one, evaluate));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const failures = cases.flatMap((one): Failure[] => {
    const { topic, name, isTwin: twin } = one;
    const differences = found.get(one) ?? [];
    return differences.length > 0 ? [{ topic, name, twin, differences }] : [];
  });
  const failed = new Set(failures.map(({ topic, name }) => `${topic}: ${name}`));
  const total = cases.filter(({ isTwin }) => !isTwin).length;
  const passed = total - failed.size;
  if (json) terminal.out(toJson({ cases: total, passed, failures }));
  else {
    const rows = failures.length > 0 ? [...table(terminal, FAILURE_COLUMNS, failures), ''] : [];
    terminal.out(`${[...rows, messages.conforming(passed, total)].join('\n')}\n`);
  }
  return failures.length === 0 ? OK : DIFFERENT;
}

async function differencesOf(one: Case, evaluate: Evaluate): Promise<readonly string[]> {
  try {
    return sentences(await tryCase(one, evaluate));
  } catch (error) {
    if (error instanceof NoAnswer) return [sentence(error.problem)];
    throw error;
  }
}

/** The implementation failed on a case. */
class NoAnswer extends UserError<EngineMessage> {}

/** Runs another implementation as a program, in our own environment. */
const byCommand =
  (program: Executable, args: readonly string[], options: ProcessOptions): Evaluate =>
  async (request) => {
    const { stdout, stderr, exitCode } = await run(program, args, {
      ...options,
      onStart: (stdin) => stdin.end(JSON.stringify(request)),
    }).catch((error) => {
      if (error instanceof TookTooLong)
        throw new NoAnswer({ code: 'case-too-long', seconds: (options.deadline ?? 0) / 1000 });
      const [command] = program;
      throw new UserError<EngineMessage>({
        code: 'implementation-not-started',
        command,
        why: reasonOf(error),
      });
    });
    if (exitCode !== 0) throw new NoAnswer({ code: 'case-exit', exitCode, text: errorIn(stderr) });
    return attempt(() => JSON.parse(stdout)) ?? stdout.trim();
  };

/** The most informative line. Node's last line is its version, Python's is the error. */
function errorIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.findLast((line) => /error|panic/i.test(line)) ?? lines.at(-1) ?? '';
}

/** A case, or its twin, that failed. */
interface Failure {
  readonly topic: string;
  readonly name: string;
  readonly twin: boolean;
  readonly differences: readonly string[];
}

const FAILURE_COLUMNS: readonly Column<Failure>[] = [
  { head: 'topic', cell: ({ topic }) => topic, style: 'bold' },
  { head: 'case', cell: ({ name, twin }) => inLine(twin ? `${name} (twin)` : name) },
  { head: 'what is different', cell: ({ differences }) => inLine(differences.join('; '), 300) },
];
