/** All there is to know of one client: the parts of the contract (../folder.ts), a file each. */

import type { ClientFolder } from '../folder.ts';
import { geminiCli as client } from './client.ts';
import { geminiCli as health } from './health.ts';
import { geminiCli as servers } from './servers.ts';

export const geminiCli: ClientFolder = {
  client,
  servers,
  health,
  driver: () => import('./driver.ts').then(({ driver }) => driver),
  trust: null,
  startup: null,
};
