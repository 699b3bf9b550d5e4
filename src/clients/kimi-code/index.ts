/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { kimiCode as byHand } from './by-hand.ts';
export { kimiCode as client } from './client.ts';
export { kimiCode as health } from './health.ts';
export { kimiCode as servers } from './servers.ts';
export { bundle } from './shipping.ts';

export const managed = null;
export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const trust = null;
export const startup = null;
