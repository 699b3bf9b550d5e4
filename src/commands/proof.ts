/** The commands that few need often: a bundle of their own has them. */

export { fire } from './fire.ts';
export { verify } from './verify.ts';
