/**
 * Checks an author's declarations when the server starts, not when the first client queries it, and makes the server declare
 * them.
 */

import type { HookDeclaration } from '../declaration/declaration.ts';
import { checkDeclaration, isRecord, typeName } from '../declaration/schema.ts';
import { type SchemaMessage, schema } from '../declaration/schema-messages.ts';
import { formatKeyPath } from '../declaration/where.ts';
import type { Message } from '../system/errors.ts';
import { type Say, sentenceIn, type Words, withArticle } from '../system/words.ts';
import { declaring } from './transport.ts';

/** A copy of the declarations, as they will be sent. @throws TypeError that lists all problems. */
export function checkDeclarations(declarations: unknown): readonly HookDeclaration[] {
  if (!Array.isArray(declarations))
    throw new TypeError(sdkMessages.noArray(withArticle(typeName(declarations))));
  // Values that JSON cannot express, such as a key that is `undefined`, are not sent and therefore not checked.
  const entries: unknown[] = JSON.parse(JSON.stringify(declarations));
  const checked = entries.map((entry, index) => checkDeclaration(entry, ['declarations', index]));
  const said = (wanted: 'error' | 'warning') =>
    checked
      .flatMap(({ problems }) => problems)
      .filter(({ level }) => level === wanted)
      .map(({ path, message }) => `${formatKeyPath(path)}: ${sentence(message)}`);
  const errors = said('error');
  if (errors.length > 0) throw new TypeError(sdkMessages.refused(errors));
  said('warning').forEach(warn);
  return checked.flatMap(({ value }) => value ?? []);
}

/** Supports only the schema's messages: nothing else is checked here, and none of them contains another message. */
function sentence(message: SchemaMessage): string {
  const words: unknown = schema[message.code];
  return sentenceIn(words as Words<Message>[string], message, NO_OTHERS);
}
const none = () => '';
const NO_OTHERS: Say = Object.assign(none, { nothing: '', bare: none, hint: none });

/** The part of an SDK server that we need. */
export interface Connectable {
  connect(...args: unknown[]): unknown;
}

/**
 * The object that connects to a transport. An McpServer contains it. @throws TypeError when there is none, or when it is
 * already connected.
 */
export function connectable(server: unknown): Connectable {
  const target = isRecord(server) && isRecord(server.server) ? server.server : server;
  if (!isConnectable(target)) throw new TypeError(sdkMessages.noServer(called(server)));
  if ('transport' in target && target.transport !== undefined)
    throw new TypeError(sdkMessages.connected);
  return target;
}

/** A client has `connect`, too, but does not know any client's capabilities. */
const isConnectable = (value: unknown): value is Connectable =>
  isRecord(value) &&
  typeof value.connect === 'function' &&
  typeof value.getClientCapabilities === 'function';

/** Describes a value that an author passed as a server. */
function called(value: unknown): string {
  if (!isRecord(value)) return withArticle(typeName(value));
  const maker = value.constructor;
  return typeof maker === 'function' && maker !== Object && maker.name
    ? `an instance of ${maker.name}`
    : 'an object';
}

/**
 * Runs a function, and reports its error before throwing it again. Servers are often created inside a function that an SDK
 * calls later: the SDK answers its client with "Internal server error" and shows the author nothing.
 */
export function reported<T>(declare: () => T): T {
  try {
    return declare();
  } catch (error) {
    // The warning is not printed if the error ends the process. In that case, Node prints the error itself.
    if (error instanceof TypeError) warn(error);
    throw error;
  }
}

/** Prints on standard error, because standard output belongs to the protocol. */
function warn(warning: string | TypeError): void {
  if (typeof process !== 'object') return;
  if (typeof warning === 'string') process.emitWarning(warning, 'McpHooksWarning');
  else process.emitWarning(warning);
}

const sdkMessages = {
  refused: (errors: readonly string[]) =>
    `declareHooks: these hooks cannot be declared.\n${errors.map((error) => `  ${error}`).join('\n')}`,
  noArray: (found: string) => `declareHooks: the declarations must be an array, not ${found}.`,
  noServer: (found: string) =>
    `declareHooks: this is ${found}, and no McpServer or Server of an MCP SDK. For a framework that makes its servers itself, give it Server.prototype of the SDK that the framework uses.`,
  connected:
    'declareHooks: this server is connected already, and may have said what it can. Declare its hooks before.',
  twice: 'declareHooks: this server declares hooks already. Give all of them in one call.',
} as const;

/** The hooks that each server declares. */
const declared = new WeakMap<object, readonly HookDeclaration[]>();

/** From now on, the server declares these hooks to its clients. @throws TypeError when it already declares others. */
export function attach(target: Connectable, hooks: readonly HookDeclaration[]): void {
  const known = declared.get(target);
  if (known === hooks) return; // a factory returned the same server again
  if (known) throw new TypeError(sdkMessages.twice);
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

/** Whether a value creates servers when it is called. A class cannot be called. */
export const isFactory = (value: unknown): value is Factory =>
  typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));

/** The same factory, with servers that declare these hooks. */
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
