/** Asks a server for its hooks. */

import type { ServerHooks } from '../../declaration/declared.ts';
import type { Asking } from './conversation.ts';
import type { HttpAccess } from './http.ts';
import type { Command } from './stdio.ts';

/** How a server is started, or reached, and what it is told of us. */
export type AskOptions = Asking &
  (Command | { readonly url: string; readonly headers?: Readonly<Record<string, string>> });

/**
 * Starts the server, or reaches it, says with the opt-in who asks, and returns what it declares. An entry that is not
 * understood is a warning and left out; one whose event is newer than we are is in `unsupported`. SDK clients strip
 * `capabilities.hooks`, so the answer is read as the JSON it is.
 *
 * @throws UserError when it cannot be started or reached, does not answer, or says more than the limits allow.
 */
export async function askServer(
  options: AskOptions & Pick<HttpAccess, 'provider'>,
): Promise<ServerHooks> {
  if ('url' in options) return (await import('./http.ts')).askOverHttp(options);
  return (await import('./stdio.ts')).askOverStdio(options);
}
