/** mcp-hooks: the answer of a hook that is shown alone, with the words prepared by the install (`alone` in words.cts). */

import type { ToShow, Worded } from '../words.cjs';
import { host } from './event.cjs';

export type Foreseen = Omit<Worded, 'text'> & { readonly text?: string };

/** Undefined: the words must be made now. */
export function foreseen({
  due,
  leftOut,
  replies,
  firing,
  program,
  rules,
}: ToShow): Foreseen | undefined {
  const { tool, isName } = firing;
  const [hook] = due;
  if (!hook) return undefined;
  const { alone, call } = hook;
  if (!alone || due.length > 1 || leftOut.length > 0 || rules !== program.policy.rules)
    return undefined;
  const isNamed = alone.answer.length > 1;
  if (host?.env.MCP_HOOKS_DEBUG === '1' || (isNamed && !isName)) return undefined;
  const name = isNamed ? (tool ?? '') : '';
  const answer = alone.answer.join(name);
  const characters = alone.characters + name.length;
  const { reply } = alone;
  if (!call || !reply) return { shown: due, lengths: [characters], answer, characters };
  const { text = '' } = replies.get(hook) ?? {};
  // Only such a text is certain to need no changes.
  if (!/^[\t\n -;=-~]*$/.test(text) || text.trim() === '') return undefined;
  const { mark, most } = reply;
  const lines = text.replaceAll('\n', `\n${mark}`);
  const length = characters + lines.length;
  if (text.length > rules.charactersPerHook || length > most) return undefined;
  const inside = JSON.stringify(lines).slice(1, -1);
  const filled = answer.replaceAll('\0', () => inside);
  return { shown: due, lengths: [length], answer: filled, characters: length };
}
