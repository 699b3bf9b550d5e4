/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { cline as client } from './client.ts';
export { cline as health } from './health.ts';
export { cline as servers } from './servers.ts';
export { bundle } from './shipping.ts';

// A handwritten program may be in any language.
export const byHand = null;
export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const managed = null;
export const trust = null;
export const startup = null;
