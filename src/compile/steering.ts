/** Variables that decide what runs: the runner's own list is asked (templates/steering.cjs), so that there is one. */

import { runnerCode } from '../system/runner-code.ts';

/** A server that is started: a shell's words may have variables filled in, so they count. */
interface Started {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Steering {
  readonly isSteering: (name: string) => boolean;
  readonly steeringIn: (server: Started) => readonly (readonly [name: string, value: string])[];
  readonly steeringMark: (server: Started) => string | undefined;
}

const steering = (): Steering => runnerCode('./steering.cjs');

export const isSteering = (name: string): boolean => steering().isSteering(name);

const isEmpty = ({ env = {} }: Started): boolean => Object.keys(env).length === 0;

/** The variables of a server that decide what runs, with their values, in order of name. */
export const steeringIn = (server: Started) =>
  isEmpty(server) ? [] : steering().steeringIn(server);

/** Tells them from any others; undefined: there are none. */
export const steeringMark = (server: Started): string | undefined =>
  isEmpty(server) ? undefined : steering().steeringMark(server);
