/** The commands that show whether hooks fire: few need them often, so they are in a bundle of their own. */

export { doctor } from './doctor.ts';
export { fire } from './fire.ts';
export { verify } from './verify.ts';
