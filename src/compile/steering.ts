/** Variables that decide what runs. This asks the runner's own list (templates/steering.cjs), so that there is only one. */

import { runnerCode } from '../system/runner-code.ts';

/** How a server is started. A shell may fill variables into its words, so they count. */
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

/** The server's variables that decide what runs, with their values, sorted by name. */
export const steeringIn = (server: Started) =>
  isEmpty(server) ? [] : steering().steeringIn(server);

/** Tells them from any others; undefined: there are none. */
export const steeringMark = (server: Started): string | undefined =>
  isEmpty(server) ? undefined : steering().steeringMark(server);
