/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { opencode as client } from './client.ts';
export { opencode as health } from './health.ts';
export { opencode as servers } from './servers.ts';
export { bundle } from './shipping.ts';

export const byHand = null;
export const managed = null;
export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const trust = null;
export const startup = null;
