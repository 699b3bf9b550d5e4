/** Variables that decide what runs: the runner's own list is asked (templates/steering.cjs), so that there is one. */

import { runnerCode } from './runner-code.ts';

type Values = Readonly<Record<string, string>>;

interface Steering {
  readonly isSteering: (name: string) => boolean;
  readonly steeringIn: (values: Values) => readonly (readonly [name: string, value: string])[];
  readonly steeringMark: (values: Values) => string | undefined;
}

const steering = (): Steering => runnerCode('./steering.cjs');

export const isSteering = (name: string): boolean => steering().isSteering(name);

/** Those among some variables, with their values, in order of name. */
export const steeringIn = (values: Values = {}) =>
  Object.keys(values).length === 0 ? [] : steering().steeringIn(values);

/** Tells them from any others; undefined: there are none. */
export const steeringMark = (values: Values = {}): string | undefined =>
  Object.keys(values).length === 0 ? undefined : steering().steeringMark(values);
