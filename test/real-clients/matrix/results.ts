import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the tests of one run have seen of the clients, a file for each client and case. */
export const RESULTS = fileURLToPath(new URL('../.scratch/matrix', import.meta.url));

/** Before a run: what an earlier one has seen counts no more. */
export default function setup(): void {
  rmSync(RESULTS, { recursive: true, force: true });
}
