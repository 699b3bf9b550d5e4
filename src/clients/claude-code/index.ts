/** All there is to know of one client: the parts of the contract (../folder.ts), a file each. */

import type { ClientFolder } from '../folder.ts';
import { claudeCode as client } from './client.ts';
import { claudeCode as health } from './health.ts';
import { claudeCode as servers } from './servers.ts';

export const claudeCode: ClientFolder = {
  client,
  servers,
  health,
  driver: () => import('./driver.ts').then(({ driver }) => driver),
  trust: null,
  startup: null,
};
