/** As in clients.ts, without the clients in which texts about a call wait for the next prompt. */

import { expected } from '../../clients/expectations.ts';
import { IDS as ALL, type ClientId, type Each } from './clients.ts';

export const IDS = ALL.filter((id) => !expected[id].real.tellsLater);

export const each = <T>(make: (id: ClientId) => T): Each<T> =>
  Object.fromEntries(IDS.map((id) => [id, make(id)])) as Each<T>;

export const all = <T>(value: T): Each<T> => each(() => value);

export async function eachAsync<T>(make: (id: ClientId) => Promise<T>): Promise<Each<T>> {
  const made = await Promise.all(IDS.map(async (id) => [id, await make(id)]));
  return Object.fromEntries(made) as Each<T>;
}
