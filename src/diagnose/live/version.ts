/** Which version of a client an executable is, also where only it itself can say so. */

import type { Client } from '../../clients/contract.ts';
import { atHome, type Place } from '../../clients/driver/driver.ts';
import { packagedVersion } from '../../clients/version.ts';
import { run } from '../../system/child.ts';
import { read } from '../../system/files.ts';

/** Milliseconds. `--version` of a client takes up to two seconds, and several times as long on a busy machine. */
const DEADLINE = 10_000;

/** Undefined when neither its package nor it says it. */
export async function versionOf(client: Client, executable: string, place: Omit<Place, 'project'>) {
  const packaged = packagedVersion(client, executable, read);
  if (packaged !== undefined) return packaged;
  const options = { cwd: place.home, env: atHome(place), deadline: DEADLINE };
  // Whoever runs it learns what is wrong with it.
  const said = await run([executable], ['--version'], options).catch(() => undefined);
  return /\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0];
}
