/**
 * Untrusted regular expressions: only those that V8's linear-time engine accepts, which no input can keep busy. The engine
 * requires a flag of the process, which is set for the first expression.
 */

import { memoize } from './memoize.ts';

/** The flag of the engine. */
const LINEAR = 'l';

/** Whether this version of Node has the engine. */
const hasLinear = memoize((): boolean => {
  // An import would load it at every start, which takes longer than all other modules of node together.
  globalThis.process
    ?.getBuiltinModule('node:v8')
    .setFlagsFromString('--enable-experimental-regexp-engine');
  try {
    return new RegExp('', LINEAR).flags === LINEAR;
  } catch {
    return false;
  }
});

/** Compiles an expression. @throws SyntaxError when it is invalid, or when the engine cannot run it. */
export const linear = (pattern: string): RegExp => new RegExp(pattern, hasLinear() ? LINEAR : '');

/** Why V8 rejects an expression, in its own words. Undefined if it is accepted. */
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
