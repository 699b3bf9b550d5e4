/** The worker: answers one question at a time. The page ends it when that takes too long. */

import { answer } from './answer.ts';
import { CHOICES } from './choices.ts';
import type { Message, Question } from './protocol.ts';

const send = (message: Message): void => self.postMessage(message);

self.addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  try {
    for await (const step of answer(data)) send(step);
  } catch (error) {
    send({ step: 'failed', error: error instanceof Error ? error.message : String(error) });
  }
});

send({ step: 'ready', choices: CHOICES });
