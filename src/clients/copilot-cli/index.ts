/** All there is to know of one client: the parts of the contract (../folder.ts), a file each. */

import type { ClientFolder } from '../folder.ts';
import { copilotCli as client } from './client.ts';
import { copilotCli as health } from './health.ts';
import { copilotCli as servers } from './servers.ts';

export const copilotCli: ClientFolder = {
  client,
  servers,
  health,
  driver: () => import('./driver.ts').then(({ driver }) => driver),
  trust: null,
  startup: null,
};
