/** How a terminal takes part when somebody signs in. */

import type { SignInOptions } from '../../sources/oauth/sign-in.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { sentence } from '../messages/sentence.ts';

export const signInBy = (terminal: Terminal): Pick<SignInOptions, 'interactive' | 'tell'> => ({
  interactive: terminal.interactive,
  tell: (message, page) => terminal.err(`${sentence(message)}\n  ${inLine(page.href, 8000)}\n`),
});
