/** Questions in a terminal. Whoever asks one has seen to it that there is one. */

import { spawnSync } from 'node:child_process';
import { codeOf, Interrupted, type Message } from '../../system/errors.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { sentence } from '../messages/sentence.ts';

type Prompt = ReturnType<typeof import('inquirer')['createPromptModule']>;

/**
 * Whether the user says yes; Enter is a no.
 *
 * @param more Shows more, for whoever asks for it with `d`; then the question is asked again.
 * @throws Interrupted on ctrl-C.
 */
export async function confirmed(message: string, more?: () => void): Promise<boolean> {
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
    if (!/^d(?:iff)?$/i.test(key.trim())) return /^y(?:es)?$/i.test(key.trim());
    more();
  }
}

/** Shows a long text in the user's pager, or as it is where there is none. */
export function page({ out }: Terminal, text: string): void {
  const pager = (process.env.PAGER ?? 'less').trim();
  // Ctrl-C is for the pager while it is there.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    const { error, status } = spawnSync('/bin/sh', ['-c', pager === '' ? 'exit 127' : pager], {
      input: `${text}\n`,
      stdio: ['pipe', 'inherit', 'inherit'],
      // One screen is not paged, colours are shown, and what was shown stays.
      env: { LESS: 'FRX', ...process.env },
    });
    // One that was left before its end has been read is no pager that failed.
    const isThere = error === undefined || codeOf(error) === 'EPIPE';
    if (!isThere || status === 127) out(`${text}\n`);
  } finally {
    process.off('SIGINT', ignore);
  }
}

/** One of several, by its index; ctrl-C throws Interrupted. */
export async function chosen(question: Message, choices: readonly string[]): Promise<number> {
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

/** Some of several, by their indexes; all that are `checked` to begin with. Ctrl-C throws Interrupted. */
export async function chosenSome(
  message: string,
  choices: readonly { readonly name: string; readonly checked: boolean }[],
): Promise<number[]> {
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

/** A line that is typed; Enter alone gives `byDefault`. Ctrl-C throws Interrupted. */
export async function typedIn(message: string, byDefault?: string): Promise<string> {
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

async function answered<T>(ask: (prompt: Prompt) => Promise<T>): Promise<T> {
  const { createPromptModule } = await import('inquirer');
  try {
    return await ask(createPromptModule());
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Interrupted<CliMessage>({ code: 'declined' });
    throw error;
  }
}
