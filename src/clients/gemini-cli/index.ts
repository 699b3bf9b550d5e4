/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { geminiCli as byHand } from './by-hand.ts';
export { geminiCli as client } from './client.ts';
export { geminiCli as health } from './health.ts';
export { geminiCli as servers } from './servers.ts';
export { bundle, managed } from './shipping.ts';

export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const trust = null;
export const startup = null;
