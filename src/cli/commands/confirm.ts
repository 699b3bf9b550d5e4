/** Questions in a terminal. Callers make sure that there is a terminal. */

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { takeInterrupts } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { Interrupted, type Message } from '../../system/errors.ts';
import { hasWritten } from '../../system/files.ts';
import { isDumb, type Terminal } from '../../system/terminal.ts';
import { fullLine, inLine } from '../../system/visible.ts';
import { INTERRUPTED } from './command.ts';

type Prompt = ReturnType<typeof import('inquirer')['createPromptModule']>;

const YES = /^y(?:es)?$/i;
const NO = /^(?:no?)?$/i;
const DIFF = /^d(?:iff)?$/i;

/** Reads a line in a terminal without cursor movement. Ctrl-C ends the process; the end of input throws Interrupted. */
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

/** Lists numbered choices and returns the ones typed, or none on Enter. Asks again if a number is out of range. */
async function plainChoice(question: string, choices: readonly string[]): Promise<number[]> {
  const listed = choices.map((choice, index) => `  ${index + 1}. ${choice}\n`).join('');
  const numbers = choices.length > 1 ? `1-${choices.length}` : '1';
  let prompt = `${question}\n${listed}${numbers}: `;
  for (;;) {
    const typed = await plain(prompt);
    const chosen = (typed.match(/\d+/g) ?? [])
      .map((word) => Number(word) - 1)
      .filter((index) => index in choices);
    if (chosen.length > 0 || typed === '') return chosen;
    prompt = `${messages.notAnAnswer(asTyped(typed), [numbers])}\n${numbers}: `;
  }
}

/** The user's input, shortened to what helps to see a typo. */
const asTyped = (typed: string): string => inLine(typed, 20);

/** Asks one question. Ctrl-C throws Interrupted. */
async function asked<T>(ask: (prompt: Prompt) => Promise<{ readonly answer: T }>): Promise<T> {
  const { createPromptModule } = await import('inquirer');
  try {
    return (await ask(createPromptModule())).answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw interrupted();
    throw error;
  }
}

const line = (message: string): Promise<string> =>
  asked((prompt) => prompt<{ answer: string }>([{ type: 'input', name: 'answer', message }]));

/**
 * Whether the user answers yes. Enter means no. Any other input may be a typo, so the question is repeated with the valid keys.
 *
 * @param more Shows more when the user types `d`; the question is then repeated.
 * @throws Interrupted on ctrl-C.
 */
export async function confirmed(message: string, more?: () => Promise<void>): Promise<boolean> {
  const question = `${message} (y/N${more ? ', d shows the diff' : ''})`;
  const keys = ['y', 'n', ...(more ? ['d'] : [])];
  let why: string | undefined;
  for (;;) {
    const answer = await typedIn(question, why);
    if (YES.test(answer)) return true;
    if (NO.test(answer)) return false;
    const isDiff = more && DIFF.test(answer);
    if (isDiff) await more();
    why = isDiff ? undefined : messages.notAnAnswer(asTyped(answer), keys);
  }
}

/** Milliseconds in which we may still receive a ctrl-C that the pager already handled. */
const MOMENT = 1000;

/** Shows a long text in the user's pager, or prints it if there is none. */
export async function page({ out }: Terminal, env: Env, text: string): Promise<void> {
  const pager = (env.PAGER ?? 'less').trim();
  const { spawn } = process.getBuiltinModule('node:child_process'); // loaded only when needed
  // While the pager runs, ctrl-C belongs to it.
  const interrupts = new AbortController();
  const giveBack = takeInterrupts(() => interrupts.abort());
  try {
    const child = spawn('/bin/sh', ['-c', pager === '' ? 'exit 127' : pager], {
      stdio: ['pipe', 'inherit', 'inherit'],
      // Does not page a single screen, shows colours, and leaves the text on the screen.
      env: { LESS: 'FRX', ...env },
    });
    child.stdin.on('error', () => {}); // leaving the pager early is not a failure
    child.stdin.end(`${text}\n`);
    const [code, signal] = await once(child, 'close').catch(() => [127]);
    // The terminal sends us the same ctrl-C that ended the pager, but not at the same moment. Giving the handler back too early
    // would end us as well.
    if (signal === 'SIGINT' || code === INTERRUPTED)
      await wait(MOMENT, undefined, { signal: interrupts.signal }).catch(() => {});
    if (code === 127) out(`${text}\n`);
  } finally {
    giveBack();
  }
}

/** Lets the user choose one option, and returns its index. Ctrl-C throws Interrupted. */
export async function chosen(question: Message, choices: readonly string[]): Promise<number> {
  const message = inLine(sentence(question));
  const shown = choices.map(fullLine);
  while (isDumb(process.env)) {
    const [index] = await plainChoice(message, shown);
    if (index !== undefined) return index;
  }
  return asked((prompt) =>
    prompt<{ answer: number }>([
      {
        ...{ type: 'select', name: 'answer', message },
        choices: shown.map((name, value) => ({ name, value })),
      },
    ]),
  );
}

/**
 * Lets the user choose any number of options, and returns their indexes. `checked` options start selected. Ctrl-C throws
 * Interrupted.
 */
export async function chosenSome(
  message: string,
  choices: readonly { readonly name: string; readonly checked: boolean }[],
): Promise<number[]> {
  const shown = choices.map(({ name, checked }, value) => ({ name: inLine(name), value, checked }));
  if (!isDumb(process.env))
    return asked((prompt) =>
      prompt<{ answer: number[] }>([{ type: 'checkbox', name: 'answer', message, choices: shown }]),
    );
  const typed = await plainChoice(
    message,
    shown.map(({ name }) => name),
  );
  if (typed.length > 0) return typed;
  return shown.filter(({ checked }) => checked).map(({ value }) => value);
}

/** A line of input. Ctrl-C throws Interrupted. @param above A line that is printed first. */
export const typedIn = async (message: string, above?: string): Promise<string> => {
  const shown = inLine(message);
  const first = above === undefined ? '' : `${inLine(above)}\n`;
  if (isDumb(process.env)) return (await plain(`${first}${shown} `)).trim();
  process.stdout.write(first);
  return (await line(shown)).trim();
};

const interrupted = () =>
  new Interrupted<CliMessage>({ code: 'interrupted', written: hasWritten() });
