/** Questions in a terminal. Callers make sure that there is one. */

import type { CliMessage } from '../../present/messages/cli.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { takeInterrupts } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { codeOf, Interrupted, type Message } from '../../system/errors.ts';
import { hasWritten } from '../../system/files.ts';
import { isDumb, type Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';

type Prompt = ReturnType<typeof import('inquirer')['createPromptModule']>;

const YES = /^y(?:es)?$/i;
const DIFF = /^d(?:iff)?$/i;

/** Reads a line in a terminal that cannot move the cursor. Ctrl-C ends the process; the end of input throws Interrupted. */
async function plain(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  return new Promise((done, fail) => {
    lines.once('close', () => fail(interrupted()));
    lines.question(question, (line) => {
      done(line.trim());
      lines.close();
    });
  });
}

/** Lists the choices with numbers and returns the ones typed. Anything that is no such number is ignored. */
async function plainChoice(question: string, choices: readonly string[]): Promise<number[]> {
  const listed = choices.map((choice, index) => `  ${index + 1}. ${choice}\n`).join('');
  const typed = await plain(
    `${question}\n${listed}${choices.length > 1 ? `1-${choices.length}` : '1'}: `,
  );
  return (typed.match(/\d+/g) ?? [])
    .map((word) => Number(word) - 1)
    .filter((index) => index in choices);
}

/**
 * Whether the user says yes; Enter means no.
 *
 * @param more Shows more when the user types `d`; then the question is asked again.
 * @throws Interrupted on ctrl-C.
 */
export async function confirmed(message: string, more?: () => void): Promise<boolean> {
  if (isDumb(process.env)) {
    for (;;) {
      const key = await plain(`${message} (y/N${more ? ', d shows the diff' : ''}) `);
      if (!more || !DIFF.test(key)) return YES.test(key);
      more();
    }
  }
  if (!more) {
    const { yes } = await answered((prompt) =>
      prompt<{ yes: boolean }>([{ type: 'confirm', name: 'yes', message, default: false }]),
    );
    return yes;
  }
  for (;;) {
    const { key } = await answered((prompt) =>
      prompt<{ key: string }>([
        { type: 'input', name: 'key', message: `${message} (y/N, d shows the diff)` },
      ]),
    );
    if (!DIFF.test(key.trim())) return YES.test(key.trim());
    more();
  }
}

/** Shows a long text in the user's pager, or prints it if there is none. */
export function page({ out }: Terminal, env: Env, text: string): void {
  const pager = (env.PAGER ?? 'less').trim();
  const { spawnSync } = process.getBuiltinModule('node:child_process'); // loaded when it is needed
  // Ctrl-C is for the pager while it is there.
  const giveBack = takeInterrupts(() => {});
  try {
    const { error, status } = spawnSync('/bin/sh', ['-c', pager === '' ? 'exit 127' : pager], {
      input: `${text}\n`,
      stdio: ['pipe', 'inherit', 'inherit'],
      // A single screen is not paged, colours are shown, and the text stays on the screen.
      env: { LESS: 'FRX', ...env },
    });
    // A pager that was left early (EPIPE) has not failed.
    const isThere = error === undefined || codeOf(error) === 'EPIPE';
    if (!isThere || status === 127) out(`${text}\n`);
  } finally {
    giveBack();
  }
}

/** Lets the user choose one of several, and returns its index. Ctrl-C throws Interrupted. */
export async function chosen(question: Message, choices: readonly string[]): Promise<number> {
  if (isDumb(process.env)) {
    const shown = choices.map((choice) => inLine(choice, Number.POSITIVE_INFINITY));
    for (;;) {
      const [index] = await plainChoice(inLine(sentence(question)), shown);
      if (index !== undefined) return index;
    }
  }
  const { index } = await answered((prompt) =>
    prompt<{ index: number }>([
      {
        type: 'select',
        name: 'index',
        message: inLine(sentence(question)),
        choices: choices.map((choice, value) => ({
          name: inLine(choice, Number.POSITIVE_INFINITY),
          value,
        })),
      },
    ]),
  );
  return index;
}

/**
 * Lets the user choose some of several, and returns their indexes. Those that are `checked` start selected. Ctrl-C throws
 * Interrupted.
 */
export async function chosenSome(
  message: string,
  choices: readonly { readonly name: string; readonly checked: boolean }[],
): Promise<number[]> {
  if (isDumb(process.env)) {
    const typed = await plainChoice(
      message,
      choices.map(({ name }) => inLine(name)),
    );
    const usual = choices.flatMap(({ checked }, index) => (checked ? [index] : []));
    return typed.length > 0 ? typed : usual;
  }
  const { indexes } = await answered((prompt) =>
    prompt<{ indexes: number[] }>([
      {
        type: 'checkbox',
        name: 'indexes',
        message,
        choices: choices.map(({ name, checked }, value) => ({
          name: inLine(name),
          value,
          checked,
        })),
      },
    ]),
  );
  return indexes;
}

/** A line of input; Enter alone means `byDefault`. Ctrl-C throws Interrupted. */
export async function typedIn(message: string, byDefault?: string): Promise<string> {
  if (isDumb(process.env)) return (await plain(`${inLine(message)} `)) || (byDefault ?? '');
  const { line } = await answered((prompt) =>
    prompt<{ line: string }>([
      {
        type: 'input',
        name: 'line',
        message: inLine(message),
        ...(byDefault !== undefined && { default: byDefault }),
      },
    ]),
  );
  return line.trim();
}

const interrupted = () =>
  new Interrupted<CliMessage>({ code: 'interrupted', written: hasWritten() });

async function answered<T>(ask: (prompt: Prompt) => Promise<T>): Promise<T> {
  const { createPromptModule } = await import('inquirer');
  try {
    return await ask(createPromptModule());
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw interrupted();
    throw error;
  }
}
