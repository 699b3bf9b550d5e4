/** Questions in a terminal. Whoever asks one has seen to it that there is one. */

import { Interrupted, type Message } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { sentence } from '../messages/sentence.ts';

type Prompt = ReturnType<typeof import('inquirer')['createPromptModule']>;

/** Whether the user says yes; Enter is a no, and ctrl-C throws Interrupted. */
export async function confirmed(message: string): Promise<boolean> {
  const { yes } = await answered((prompt) =>
    prompt<{ yes: boolean }>([{ type: 'confirm', name: 'yes', message, default: false }]),
  );
  return yes;
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
