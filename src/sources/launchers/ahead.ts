/**
 * Downloads what hooks will start. A hook waits only a few seconds for its tool and then ends the server, together with a
 * launcher that is still downloading. The download would never finish, and might leave half a package.
 */

import type { ProgramServer } from '../../compile/program.ts';
import { launchOf } from '../entry.ts';
import { askServer } from '../protocol/ask.ts';
import type { Asking } from '../protocol/conversation.ts';
import { mustDownload } from './download.ts';
import type { NpxPlace } from './npx.ts';

interface Ahead extends NpxPlace, Omit<Asking, 'name'> {
  /** Also when only the launcher knows whether something has to be downloaded. */
  readonly always: boolean;
}

/**
 * Starts the server like the runner does, unless nothing has to be downloaded, and ends it once it has answered.
 *
 * @param onStart Receives the command before it starts.
 * @throws UserError if the server cannot be started, or does not answer.
 */
export async function downloadAhead(
  server: ProgramServer,
  { env, cwd, always, ...asking }: Ahead,
  onStart: (words: readonly string[]) => void,
): Promise<void> {
  const launch = launchOf(server, { env, cwd });
  if ('url' in launch || !(mustDownload(launch, launch) ?? always)) return;
  onStart([launch.command, ...launch.args]);
  await askServer({ ...launch, ...asking, name: asking.label });
}
