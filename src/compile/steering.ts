/** Variables that decide what runs, and values that pass on the user's. This asks the runner's own list (templates/steering.cts), so that there is only one. */

import type { Env } from '../system/env.ts';
import { runnerCode } from '../system/runner-code.ts';

// It is loaded only where there is something to look at.
const steering = () => runnerCode('./steering.cjs');
type Started = Parameters<ReturnType<typeof steering>['steeringIn']>[0];
type Values = Readonly<Record<string, string>>;

export const isSteering = (name: string): boolean => steering().isSteering(name);

const isEmpty = ({ env = {} }: Started): boolean => Object.keys(env).length === 0;

/** The server's variables that decide what runs, with their values, sorted by name. */
export const steeringIn = (server: Started) =>
  isEmpty(server) ? [] : steering().steeringIn(server);

/** Tells them from any others; undefined: there are none. */
export const steeringMark = (server: Started): string | undefined =>
  isEmpty(server) ? undefined : steering().steeringMark(server);

/** Values of `env` or `headers` that pass on variables of the user, as they are written. */
export const passingIn = (values: Values = {}) =>
  isPassing(values) ? steering().passingIn(values) : [];

/** Tells them from any others; undefined: there are none. */
export const passingMark = (values: Values = {}): string | undefined =>
  isPassing(values) ? steering().passingMark(values) : undefined;

/** Whether a word is code of a shell or an interpreter, which can read any variable. */
export const hasCode = (words: readonly string[]): boolean => steering().hasCode(words);

/** Tells the values that variables of the user have from any others; undefined: there are none. */
export const valuesMark = (names: readonly string[], environment: Env): string | undefined =>
  names.length === 0 ? undefined : steering().valuesMark(names, environment);

const isPassing = (values: Values): boolean => Object.values(values).some(mayRefer);

/** The variables of the user that clients fill into the words of a command. What code refers to, its shell fills in. */
export function variablesInWords(words: readonly string[]): string[] {
  const named = words.filter(mayRefer);
  if (named.length === 0) return [];
  const filled = hasCode(words)
    ? named.filter((word) => /^\$?\{[^{}]*\}$|^\$\w+$/.test(word))
    : named;
  return [...new Set(filled.flatMap(variablesNamed))];
}

/** Whether a value may name a variable, in the form of any client. */
export const mayRefer = (value: string): boolean => /\$|\{env:/.test(value);

/** The variables that a value may name, in the form of any client. */
export const variablesNamed = (value: string): string[] => [
  ...new Set(Array.from(value.matchAll(/[${](?:env:)?([A-Za-z_]\w*)/g), ([, name = '']) => name)),
];
