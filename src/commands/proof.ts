/** The commands that few need often, in a bundle of their own. */

export { matrix } from './matrix.ts';
export { verifyLive } from './verify-live.ts';
