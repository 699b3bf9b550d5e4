/** Makes a server declare its hooks, whatever it is connected to. */

import type { HookDeclaration } from '../declaration/declaration.ts';
import { type Connectable, connectable, messages, reported } from './check.ts';
import { declaring } from './transport.ts';

/** The hooks that each server declares. */
const declared = new WeakMap<object, readonly HookDeclaration[]>();

/** From now on the server tells its clients about these hooks. @throws TypeError when it already declares others. */
export function attach(target: Connectable, hooks: readonly HookDeclaration[]): void {
  const known = declared.get(target);
  if (known === hooks) return; // a factory has returned the same server again
  if (known) throw new TypeError(messages.twice);
  declared.set(target, hooks);
  const { connect } = target;
  Object.defineProperty(target, 'connect', {
    configurable: true,
    writable: true,
    value(this: unknown, transport: object, ...more: unknown[]) {
      return Reflect.apply(connect, this, [declaring(transport, hooks), ...more]);
    },
  });
}

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
