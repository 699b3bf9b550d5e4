/** The question before something is done. Whoever asks it has seen to it that there is a terminal. */

/** Whether the user says yes; ctrl-C is a no, and so is Enter. */
export async function confirmed(message: string): Promise<boolean> {
  const { createPromptModule } = await import('inquirer');
  try {
    const { yes } = await createPromptModule()([
      { type: 'confirm', name: 'yes', message, default: false },
    ]);
    return yes;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return false; // ctrl-C
    throw error;
  }
}
