/** What Node has as globals, for every file of the bundle that names one. */

export { Buffer } from 'buffer/';
export { process } from './process.ts';
