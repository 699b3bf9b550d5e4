import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the tests of one run have seen in the clients, with a file for each client and case. */
export const RESULTS = fileURLToPath(new URL('../.scratch/matrix', import.meta.url));

/** Removes the results of an earlier run. */
export default function setup(): void {
  rmSync(RESULTS, { recursive: true, force: true });
}
