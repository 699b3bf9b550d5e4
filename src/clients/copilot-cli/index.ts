/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { copilotCli as byHand } from './by-hand.ts';
export { copilotCli as client } from './client.ts';
export { copilotCli as health } from './health.ts';
export { copilotCli as servers } from './servers.ts';
export { bundle, managed } from './shipping.ts';

export const driver = () => import('./driver.ts').then(({ driver }) => driver);
export const trust = null;
export const startup = null;
