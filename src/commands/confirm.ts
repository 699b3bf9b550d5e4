/** Questions in a terminal. Whoever asks one has seen to it that there is one. */

import { inLine } from '../visible.ts';

type Prompt = ReturnType<typeof import('inquirer')['createPromptModule']>;

/** Whether the user says yes; ctrl-C is a no, and so is Enter. */
export async function confirmed(message: string): Promise<boolean> {
  const answer = await unlessLeft((prompt) =>
    prompt<{ yes: boolean }>([{ type: 'confirm', name: 'yes', message, default: false }]),
  );
  return answer?.yes ?? false;
}

/** One of several, by its index; undefined for ctrl-C. */
export async function chosen(
  question: string,
  choices: readonly string[],
): Promise<number | undefined> {
  const answer = await unlessLeft((prompt) =>
    prompt<{ index: number }>([
      {
        type: 'select',
        name: 'index',
        message: inLine(question),
        choices: choices.map((choice, value) => ({
          name: inLine(choice, Number.POSITIVE_INFINITY),
          value,
        })),
      },
    ]),
  );
  return answer?.index;
}

/** Undefined: the user has left with ctrl-C. */
async function unlessLeft<T>(ask: (prompt: Prompt) => Promise<T>): Promise<T | undefined> {
  const { createPromptModule } = await import('inquirer');
  try {
    return await ask(createPromptModule());
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return undefined;
    throw error;
  }
}
