/** Messages on stderr during a long operation. */

import { messages } from '../../present/messages/output.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Context } from './command.ts';

/** Prints what it is waiting for if that takes longer than `patience`. */
export async function withProgressAfter<T>(
  { terminal, patience = 1000 }: Pick<Context, 'terminal' | 'patience'>,
  sentence: string,
  work: () => Promise<T>,
) {
  const timer = setTimeout(() => terminal.err(`${inLine(sentence)}\n`), patience);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Seconds between two lines about one download. */
const AGAIN = 10;

/** Reports on stderr how long a download has been running: after one second, then at intervals. */
export function tellingDownload(
  terminal: Terminal,
  name: string,
): (downloading: Downloading) => void {
  let next = 1;
  return ({ launcher, packages, seconds }) => {
    if (seconds < next) return;
    next = seconds + AGAIN;
    terminal.err(`${inLine(messages.downloading(name, launcher, packages, seconds))}\n`);
  };
}
