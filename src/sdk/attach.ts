/** Makes a server declare its hooks, whatever it is connected to. */

import type { HookDeclaration } from '../declaration/declaration.ts';
import type { Connectable } from './check.ts';
import { messages } from './messages.ts';
import { declaring } from './transport.ts';

/** The hooks that each server declares. */
const declared = new WeakMap<object, readonly HookDeclaration[]>();

/**
 * From now on the server tells its clients of these hooks.
 *
 * @throws TypeError when it declares others already.
 */
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
