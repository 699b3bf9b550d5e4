/** Problems in hand-written files, in the single format that all commands use. */

import type { Problem } from '../../declaration/declared.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import type { Message } from '../../system/errors.ts';
import { paint, type Style, type Terminal } from '../../system/terminal.ts';
import { sentence } from '../messages/sentence.ts';
import { folded } from './lines.ts';

type Level = Problem['level'];

const STYLES: Readonly<Record<Level, Style>> = { error: 'red', warning: 'yellow', note: 'cyan' };

const isInFile = (
  message: Message,
): message is Extract<DeclarationMessage, { readonly code: 'problem-in-file' }> =>
  message.code === 'problem-in-file';

/** Each sentence on its own lines. A problem in a file is coloured and includes its code, which can be looked up. */
export const showProblems = (
  terminal: Terminal,
  columns: number,
  messages: readonly Message[],
  say: (message: Message) => string = sentence,
): string[] =>
  messages.flatMap((message) => {
    if (!isInFile(message)) return folded([say(message)], columns);
    const { level, problem } = message;
    const head = `: ${level}: `;
    return folded([`${say(message)} [${problem.code}]`], columns).map((line) =>
      line.replace(head, () => `: ${paint(terminal, STYLES[level], level)}: `),
    );
  });
