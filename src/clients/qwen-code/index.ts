/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { qwenCode as byHand } from './by-hand.ts';
export { qwenCode as client } from './client.ts';
export { qwenCode as health } from './health.ts';
export { qwenCode as servers } from './servers.ts';
export { bundle, managed } from './shipping.ts';

export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const trust = null;
export const startup = null;
