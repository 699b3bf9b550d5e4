/**
 * Variables that decide what runs, and values that pass on the user's variables. Uses the runner's list
 * (templates/steering.cts), so that there is only one.
 */

import type { Env } from '../system/env.ts';
import { runnerCode } from '../system/runner-code.ts';

// Loaded only when needed.
const steering = () => runnerCode('./steering.cjs');
type Started = Parameters<ReturnType<typeof steering>['steeringIn']>[0];
type Values = Readonly<Record<string, string>>;

export const isSteering = (name: string): boolean => steering().isSteering(name);

const isEmpty = ({ env = {} }: Started): boolean => Object.keys(env).length === 0;

/** The server's variables that decide what runs, with their values, sorted by name. */
export const steeringIn = (server: Started) =>
  isEmpty(server) ? [] : steering().steeringIn(server);

/** Identifies these variables and values; undefined: there are none. */
export const steeringMark = (server: Started): string | undefined =>
  isEmpty(server) ? undefined : steering().steeringMark(server);

/** Values of `env` or `headers` that pass on variables of the user, as written. */
export const passingIn = (values: Values = {}) =>
  isPassing(values) ? steering().passingIn(values) : [];

/** Identifies these values; undefined: there are none. */
export const passingMark = (values: Values = {}): string | undefined =>
  isPassing(values) ? steering().passingMark(values) : undefined;

/** Whether an argument is code for a shell or an interpreter, which can read any variable. */
export const hasCode = (words: readonly string[]): boolean => steering().hasCode(words);

/** Identifies the current values of the user's variables; undefined: there are none. */
export const valuesMark = (names: readonly string[], environment: Env): string | undefined =>
  names.length === 0 ? undefined : steering().valuesMark(names, environment);

const isPassing = (values: Values): boolean => Object.values(values).some(mayRefer);

/** The user's variables that clients fill into the arguments of a command. References in code are left to its shell. */
export function variablesInWords(words: readonly string[]): string[] {
  const named = words.filter(mayRefer);
  if (named.length === 0) return [];
  const filled = hasCode(words)
    ? named.filter((word) => /^\$?\{[^{}]*\}$|^\$\w+$/.test(word))
    : named;
  return [...new Set(filled.flatMap(variablesNamed))];
}

/** Whether a value may refer to a variable, in the syntax of any client. */
export const mayRefer = (value: string): boolean => /\$|\{env:/.test(value);

/** The variables that a value may refer to, in the syntax of any client. */
export const variablesNamed = (value: string): string[] => [
  ...new Set(Array.from(value.matchAll(/[${](?:env:)?([A-Za-z_]\w*)/g), ([, name = '']) => name)),
];
