// How a test sees whether a real client reads a settings file.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigFile } from '../../src/clients/contract.ts';
import type { Scratch } from './scratch.ts';

export interface Reader {
  readonly file: Pick<ConfigFile, 'format' | 'dialect' | 'layout'>;
  readonly positional: boolean;
  readonly path: string;
  /** The native event of a hook that shows that the file was read. */
  readonly event: string;
  /** Its group; the command leaves the mark. */
  group(command: string): Record<string, unknown>;
  /** All texts are read by one process. */
  readonly isFast?: true;
  /** Whether the client's own schema lets it use such a text. */
  takes?(text: string): boolean;
  /** The client reads more than we do; we write nothing new there. */
  readonly isLaxer?: true;
  /** Asks the client about each text, after it was written to the file; `null` is a file that does not exist. */
  reads(place: Scratch, write: (next: () => Promise<boolean>) => Promise<void>): Promise<void>;
}

export const marked = (place: Scratch): string => join(place.files, 'ours');

export async function isMarked(place: Scratch, start: () => Promise<unknown>): Promise<boolean> {
  rmSync(marked(place), { force: true });
  await start();
  return existsSync(marked(place));
}
