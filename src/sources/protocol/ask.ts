/** Asks a server for its hooks. */

import type { ServerHooks } from '../../declaration/declared.ts';
import type { Env } from '../../system/env.ts';
import { type Asking, converse } from './conversation.ts';
import { declaredIn } from './declared.ts';

/** How a server is started, or reached, and what it is told of us. */
export type AskOptions = Asking &
  (
    | {
        readonly command: string;
        readonly args: readonly string[];
        readonly cwd: string;
        /** The whole of its environment; ours when it is left out. */
        readonly env?: Env;
      }
    | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  );

/**
 * Starts the server, or reaches it, says with the opt-in who asks, and returns what it declares. An entry that is not
 * understood is a warning and left out; one whose event is newer than we are is in `unsupported`. A process and its
 * children are gone when this returns or throws.
 *
 * SDK clients strip `capabilities.hooks`, so the answer is read as the JSON it is.
 *
 * @returns `hooks` is empty when the server declares none; `found` says where they were, and in which era.
 * @throws UserError when it cannot be started or reached, does not answer, or says more than the limits allow.
 */
export async function askServer(options: AskOptions): Promise<ServerHooks> {
  if ('url' in options) {
    const { askOverHttp } = await import('./http.ts');
    return askOverHttp(options);
  }
  const { overStdio } = await import('./stdio.ts');
  const answer = await overStdio(options, (connection) => converse(connection, options.version));
  const { label, command, args } = options;
  return declaredIn(answer, {
    label,
    server: { command, args },
    source: { kind: 'command', command, args },
  });
}
