/** Runs a hook exactly as it is written in a client's settings: its command, in the shell that the client uses. */

import type { ConfiguredHook } from '../../clients/entries.ts';
import { type ProcessResult, run, TookTooLong } from '../../system/child.ts';
import type { Env } from '../../system/env.ts';

/** Milliseconds after which a client gives up when the hook does not say. */
const TIMEOUT = 60_000;

export interface Fired extends ProcessResult {
  readonly milliseconds: number;
  /** The client would have given up on it. */
  readonly timedOut: boolean;
}

/**
 * @param payload What the client gives it on stdin.
 * @param at Where the session is, and the environment that the client has.
 */
export async function fireWritten(
  { client, command = '', timeout = TIMEOUT }: ConfiguredHook,
  payload: string,
  { cwd, env }: { readonly cwd: string; readonly env: Env },
): Promise<Fired> {
  const started = performance.now();
  const result = await run(client.hookShell, [command], {
    cwd,
    env,
    deadline: timeout,
    onStart: (stdin) => stdin.end(payload),
  }).catch((error: unknown) => {
    if (!(error instanceof TookTooLong)) throw error;
    return { stdout: error.stdout, stderr: error.stderr, exitCode: undefined };
  });
  const timedOut = result.exitCode === undefined;
  const milliseconds = performance.now() - started;
  return { ...result, exitCode: result.exitCode ?? 0, timedOut, milliseconds };
}
