/** Whether a client would read what is to be written into a file of its settings. */

import type { Client, ConfigFile } from '../clients/contract.ts';
import { type Parsed, stopsAt, unread } from '../clients/health/reading.ts';
import { configPath, filesIn, type Places, tilde, userPlaces } from '../clients/places.ts';
import { placeOf, Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { decode } from '../edit/text.ts';
import type { Disk } from '../system/disk.ts';
import type { InstallMessage } from './messages.ts';

type Reads = Pick<Disk, 'read'>;

/** Why the client ignores a file as it is, text or values; undefined: it reads it, or there is none. */
export function whyIgnored(
  client: Client,
  { name, format, dialect }: ConfigFile,
  places: Places,
  disk: Reads,
): Refusal | undefined {
  const path = configPath(client, { name, format, dialect }, places);
  try {
    const bytes = disk.read(path);
    if (bytes === null) return undefined;
    const text = decode(bytes);
    const [why] = unread(client, { path, text, document: FORMATS[format].read(text, dialect) });
    return why;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/**
 * A file without which the client does not start, and which it cannot use; undefined: there is none.
 *
 * @param used The path of a file that the client is known to use.
 */
export function whyStopped(
  client: Client,
  places: Places,
  disk: Reads,
  used?: string,
): { readonly path: string; readonly why: Refusal } | undefined {
  for (const scope of places.project === undefined ? [places] : [userPlaces(places), places])
    for (const file of filesIn(client, scope)) {
      const path = configPath(client, file, scope);
      const counts = path !== used && stopsAt(client, path);
      const why = counts ? whyIgnored(client, file, scope, disk) : undefined;
      if (why) return { path, why };
    }
  return undefined;
}

/**
 * Why no hook in a file would fire, because of that file or of one without which the client does not start.
 *
 * @param file As the planner has read it; undefined: it is not there yet.
 */
export function whyNoneFires(
  client: Client,
  file: Parsed | undefined,
  places: Places,
  disk: Reads,
): Refusal | undefined {
  const [own] = file ? unread(client, file) : [];
  if (own) return own;
  const stopped = whyStopped(client, places, disk, file?.path);
  return stopped && inFile(tilde(stopped.path, places.home), stopped.why);
}

/** The refusal of another file, which has to be named. */
const inFile = (path: string, refusal: Refusal): Refusal =>
  new Refusal<InstallMessage>({
    code: 'in-file',
    path,
    ...placeOf(refusal),
    problem: refusal.problem,
  });
