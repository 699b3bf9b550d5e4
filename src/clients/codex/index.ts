/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { codex as byHand } from './by-hand.ts';
export { codex as client } from './client.ts';
export { codex as health } from './health.ts';
export { codex as servers } from './servers.ts';
export { bundle, managed } from './shipping.ts';
export { trust } from './trust.ts';

export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const startup = () => import('./startup.ts').then(({ startup }) => startup);
