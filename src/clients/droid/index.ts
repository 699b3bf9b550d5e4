/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { droid as byHand } from './by-hand.ts';
export { droid as client } from './client.ts';
export { droid as health } from './health.ts';
export { droid as servers } from './servers.ts';
export { bundle } from './shipping.ts';

export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const managed = null;
export const trust = null;
export const startup = null;
