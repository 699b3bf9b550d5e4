/** Functions that make servers. SDK 2.x calls them when a client connects or asks, and keeps to itself what they throw. */

import type { HookDeclaration } from '../declaration/declaration.ts';
import { attach } from './attach.ts';
import { connectable, reported } from './check.ts';

type Factory = (...args: unknown[]) => unknown;

/** Whether this makes servers; a class does not, because it cannot be called. */
export const isFactory = (value: unknown): value is Factory =>
  typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));

/** The same factory, whose servers declare these hooks. */
export function declaringFactory(make: Factory, hooks: readonly HookDeclaration[]): Factory {
  const declare = <Server>(server: Server): Server => {
    reported(() => attach(connectable(server), hooks));
    return server;
  };
  return function (this: unknown, ...args) {
    const made = Reflect.apply(make, this, args);
    return made instanceof Promise ? made.then(declare) : declare(made);
  };
}
