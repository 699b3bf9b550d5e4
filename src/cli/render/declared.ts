/** A declaration for people: what they agree to, before anything is written. */

import type { HookDeclaration } from '../../declaration/declaration.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import type { Decision, Need } from '../../install/consent/grants.ts';
import { count, hooksInWords } from '../../system/plurals.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { messages } from '../messages/output.ts';
import { callOf, launchOf, moment, textOf, unsupportedInWords } from './words.ts';

/** Each hook in plain words, what is run for tools, and what needs a grant of its own. */
export function showDeclared(
  terminal: Terminal,
  declared: ServerHooks,
  { needs }: Decision,
): string {
  const { label, hooks } = declared;
  const folded = (text: string, indent: string, first?: string) =>
    wrap(text, terminal.columns, indent, first);
  return [
    `${paint(terminal, 'bold', label)} declares ${count(hooks.length, 'hook')}.`,
    ...hooks.flatMap((hook, index) => {
      const [head, ...others] = described(hook);
      return [
        folded(head.words, INDENT, `  ${index + 1}. `.padEnd(INDENT.length)),
        ...others.map(({ words, own }) => folded(words, own ? INDENT : `${INDENT}${QUOTE}`)),
      ];
    }),
    ...unsupportedInWords(declared).map((words) =>
      folded(words, INDENT, `  ${paint(terminal, 'yellow', '-')}  `),
    ),
    ...launchOf(declared).map((words) => folded(words, INDENT, '  ')),
    ...showNeeds(terminal, needs),
  ].join('\n');
}

/** What needs a grant of its own, what that means, and who allows it. */
export const showNeeds = (terminal: Terminal, needs: readonly Need[]): string[] =>
  needs.map(({ grant, hooks, by, lapsed }) => {
    const words = [
      messages.grantMeans[grant](hooksInWords(hooks)),
      ...(lapsed ? [messages.grantLapsed] : []),
      by === undefined ? messages.notGranted[grant] : messages.grantedBy[by],
    ].join(' ');
    const name = paint(terminal, by === undefined ? 'yellow' : 'green', grant);
    const indent = ' '.repeat(`  ${grant}: `.length);
    return wrap(words, terminal.columns, indent, `  ${name}: `);
  });

const INDENT = '     ';
/** Stands before each line of a text, so that none can pass for one of ours. */
export const QUOTE = '| ';

export interface Words {
  readonly words: string;
  readonly own: boolean;
}

/** When a hook fires, then what it says or does. */
export function described(hook: HookDeclaration): [Words, ...Words[]] {
  const ours = (words: string): Words => ({ words, own: true });
  return hook.context_tool === undefined
    ? [ours(moment(hook)), { words: textOf(hook), own: false }]
    : [ours(moment(hook)), ...callOf(hook).map(ours)];
}
