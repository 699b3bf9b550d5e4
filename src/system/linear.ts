/**
 * Other people's regular expressions: only those that V8's linear-time engine accepts, which no input can keep busy. The
 * engine is behind a switch of the process, which is set for the first expression.
 */

import { memoize } from './memoize.ts';

/** The flag of the engine. */
const LINEAR = 'l';

/** Whether this node has the engine. */
export const hasLinear = memoize((): boolean => {
  // An import would load it whenever we start, which takes longer than all other modules of node together.
  globalThis.process
    ?.getBuiltinModule('node:v8')
    .setFlagsFromString('--enable-experimental-regexp-engine');
  try {
    return new RegExp('', LINEAR).flags === LINEAR;
  } catch {
    return false;
  }
});

/** The expression. @throws SyntaxError when it is invalid, or the engine cannot run it. */
export const linear = (pattern: string): RegExp => new RegExp(pattern, hasLinear() ? LINEAR : '');

/** Why an expression is refused, in the words of V8; undefined: it is not. */
export function refusalOf(pattern: string): string | undefined {
  try {
    linear(pattern);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    // `Invalid regular expression: /(?=a)/l: Cannot be executed in linear time`
    return message.slice(message.lastIndexOf('/') + 1).replace(/^\w*: /, '');
  }
}
