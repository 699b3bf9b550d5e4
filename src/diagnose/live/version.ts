/** Which version of a client an executable is, even if only the executable itself can say so. */

import type { Client } from '../../clients/contract.ts';
import { packagedVersion } from '../../clients/detect.ts';
import { atHome, type Place } from '../../clients/driver/driver.ts';
import { run } from '../../system/child.ts';
import { read } from '../../system/files.ts';

/** Milliseconds. `--version` of a client takes up to two seconds, and several times as long on a busy machine. */
const DEADLINE = 10_000;

/** Undefined if neither its package nor the executable says it. */
export async function versionOf(client: Client, executable: string, place: Omit<Place, 'project'>) {
  const packaged = packagedVersion(client, executable, read);
  if (packaged !== undefined) return packaged;
  const options = { cwd: place.home, env: atHome(place), deadline: DEADLINE };
  // The trial itself finds out what is wrong with it.
  const said = await run([executable], ['--version'], options).catch(() => undefined);
  return /(?<!\d)\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0];
}
