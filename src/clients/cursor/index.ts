/** Everything about one client: a `ClientFolder` (../folder.ts), with each part in a file. */

export { cursor as byHand } from './by-hand.ts';
export { cursor as client } from './client.ts';
export { cursor as health } from './health.ts';
export { cursor as servers } from './servers.ts';

export const bundle = null;
export const managed = null;
export const driver = null;
export const trust = null;
export const startup = null;
