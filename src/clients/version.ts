/** Compares versions. */

import type { Client } from './contract.ts';

/** A version of a client; undefined: it is unknown, and is treated as the newest. */
export type Version = string | undefined;

export const isTooOld = (
  { minimum }: Pick<Client, 'minimum'>,
  version: Version,
): version is string =>
  version !== undefined && minimum !== null && compareVersions(version, minimum) < 0;

/** The version with which a client was measured; undefined: it was never run. */
export const measuredIn = ({ evidence }: Pick<Client, 'evidence'>): Version =>
  'measured' in evidence ? evidence.measured : undefined;

/** Whether our hooks were run in it. Otherwise, only its documentation is known. */
export const isRun = (client: Pick<Client, 'evidence'>): boolean =>
  measuredIn(client) !== undefined;

/** Below 0: the first is older. Anything after the third number is ignored. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const at = [0, 1, 2].find((i) => left?.[i] !== right?.[i]) ?? 0;
  return (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
