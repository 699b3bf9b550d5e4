/** The commands that few need often, in a bundle of their own. */

export { verifyLive } from './verify-live.ts';
