/** Which version of a client an executable is, also where only it itself can say so. */

import type { Client } from '../../clients/contract.ts';
import { atHome } from '../../clients/driver/driver.ts';
import { packagedVersion } from '../../clients/version.ts';
import { run } from '../../system/child.ts';
import { read } from '../../system/files.ts';

/** `--version` of a client takes up to two seconds. */
const DEADLINE = 4_000;

/** Undefined when neither its package nor it says it. */
export async function versionOf(client: Client, executable: string, home: string) {
  const packaged = packagedVersion(client, executable, read);
  if (packaged !== undefined) return packaged;
  const options = { cwd: home, env: atHome(home), deadline: DEADLINE };
  // Whoever runs it learns what is wrong with it.
  const said = await run([executable], ['--version'], options).catch(() => undefined);
  return /\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0];
}
