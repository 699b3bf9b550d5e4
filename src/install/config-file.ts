/** Reads a client's settings file without following a link out of a project, and tells whether the client would read it. */

import { bytesOf } from '../clients/config-bytes.ts';
import type { Client, ConfigFile } from '../clients/contract.ts';
import { type Parsed, stopsAt, unread } from '../clients/health/reading.ts';
import {
  configPath,
  filesIn,
  type Places,
  tilde,
  userPlaces,
  type WayOut,
  wayOut,
} from '../clients/places.ts';
import { placeOf, Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { decode } from '../edit/text.ts';
import type { Disk } from '../system/disk.ts';
import { unless } from '../system/errors.ts';
import type { InstallMessage } from './messages.ts';

/** The link may have come with the project, and may belong to another user. */
export class LeadsOut extends Refusal<InstallMessage> {
  constructor({ link, target }: WayOut, { home }: Places) {
    super({ code: 'leads-out', link: tilde(link, home), target: tilde(target, home) });
  }
}

/** @throws LeadsOut when a link leads a project's file out of the project. */
export function refuseWayOut(client: Client, file: ConfigFile, places: Places): void {
  const out = wayOut(client, file, places);
  if (out) throw new LeadsOut(out, places);
}

type Reads = Pick<Disk, 'read'>;

/** @throws LeadsOut as `refuseWayOut` does. */
export function readConfig(client: Client, file: ConfigFile, places: Places, disk: Reads) {
  refuseWayOut(client, file, places);
  return bytesOf(configPath(client, file, places), disk.read);
}

/** A file as its client parses it. @throws Refusal if the client could not parse it. */
export function parsed(
  { format, dialect, layout }: ConfigFile,
  path: string,
  bytes: Buffer,
): Parsed {
  const text = decode(bytes);
  return { path, text, document: FORMATS[format].read(text, dialect, layout) };
}

/** Why the client ignores a file because of its text or values. Undefined if the client reads the file, or if there is none. */
export function whyIgnored(client: Client, file: ConfigFile, places: Places, disk: Reads) {
  const path = configPath(client, file, places);
  const why = () => {
    const bytes = bytesOf(path, disk.read);
    return bytes === null ? undefined : unread(client, parsed(file, path, bytes))[0];
  };
  return unless(Refusal, why, (error) => error);
}

/** A file other than `used` that the client cannot read and that therefore prevents it from starting. */
export function whyStopped(client: Client, places: Places, disk: Reads, used?: string) {
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
 * Why no hook in a file would fire: because of the file itself, or because another file stops the client. The file may not
 * exist.
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
  if (!stopped) return undefined;
  // The message has to name the other file.
  const { problem } = stopped.why;
  const path = tilde(stopped.path, places.home);
  return new Refusal<InstallMessage>({ code: 'in-file', path, ...placeOf(stopped.why), problem });
}
