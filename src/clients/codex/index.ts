/** All there is to know of one client: the parts of the contract (../folder.ts), a file each. */

import type { ClientFolder } from '../folder.ts';
import { codex as client } from './client.ts';
import { codex as health } from './health.ts';
import { codex as servers } from './servers.ts';
import { trust } from './trust.ts';

export const codex: ClientFolder = {
  client,
  servers,
  health,
  driver: () => import('./driver.ts').then(({ driver }) => driver),
  trust,
  startup: () => import('./startup.ts').then(({ startup }) => startup),
};
