/** Queries a server for its hooks. */

import type { ServerHooks } from '../../declaration/declared.ts';
import type { Talk } from './connection.ts';
import { type Asking, converse } from './conversation.ts';
import { declaredIn } from './declared.ts';
import type { HttpAccess } from './http.ts';
import type { Command } from './stdio.ts';

/** How a server is started or reached, and what we tell it about ourselves. */
export type AskOptions = Asking & (Command | HttpAccess);

/**
 * Starts or reaches the server, opts in to hooks, and returns its declaration. An entry that is not understood is left out with
 * a warning; an entry with an event that we do not know goes to `unsupported`. SDK clients strip `capabilities.hooks`, so the
 * answer is read as raw JSON.
 *
 * @throws UserError if the server cannot be started or reached, does not answer, or exceeds the limits.
 */
export async function askServer(options: AskOptions): Promise<ServerHooks> {
  const { answer } = await talkTo(options, (connection) => converse(connection, options.version));
  const { label } = options;
  if ('url' in options) {
    const { url } = options;
    return declaredIn(answer, { label, server: { url }, source: { kind: 'url', url } });
  }
  const { command, args } = options;
  const source = { kind: 'command', command, args } as const;
  return declaredIn(answer, { label, server: { command, args }, source });
}

/** The same for any other conversation. @throws UserError as `askServer` does. */
export async function talkTo<T>(options: AskOptions, talk: Talk<T>): Promise<T> {
  if ('url' in options) return (await import('./http.ts')).talkOverHttp(options, talk);
  return (await import('./stdio.ts')).talkOverStdio(options, talk);
}
