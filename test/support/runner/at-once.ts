/** As in clients.ts, without the clients in which texts about a call wait for the next prompt. */

import { expected } from '../../clients/expectations.ts';
import {
  IDS as ALL,
  type ClientId,
  type Each,
  each as ofAll,
  eachAsync as ofAllAsync,
} from './clients.ts';

export const IDS = ALL.filter((id) => !expected[id].real.tellsLater);

export const each = <T>(make: (id: ClientId) => T, ids = IDS): Each<T> => ofAll(make, ids);

export const all = <T>(value: T): Each<T> => each(() => value);

export const eachAsync = <T>(make: (id: ClientId) => Promise<T>, ids = IDS): Promise<Each<T>> =>
  ofAllAsync(make, ids);
