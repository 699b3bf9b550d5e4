/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { vsCode as byHand } from './by-hand.ts';
export { vsCode as client } from './client.ts';
export { vsCode as health } from './health.ts';
export { vsCode as servers } from './servers.ts';

export const bundle = null;
export const managed = null;
export const driver = null;
export const trust = null;
export const startup = null;
