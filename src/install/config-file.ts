/** A client's file of settings: the one way to read it, which follows no link out of a project. */

import type { Client, ConfigFile } from '../clients/contract.ts';
import { configPath, type Places, tilde, type WayOut, wayOut } from '../clients/places.ts';
import { Refusal } from '../edit/edit.ts';
import type { Disk } from '../system/disk.ts';
import type { InstallMessage } from './messages.ts';

/** Somebody else may have put the link there, with the project. */
export class LeadsOut extends Refusal<InstallMessage> {
  constructor({ link, target }: WayOut, { home }: Places) {
    super({ code: 'leads-out', link: tilde(link, home), target: tilde(target, home) });
  }
}

/** @throws LeadsOut when it is a project's, and a link leads out of that. */
export function readConfig(
  client: Client,
  file: ConfigFile,
  places: Places,
  disk: Pick<Disk, 'read'>,
): Buffer | null {
  refuseWayOut(client, file, places);
  return disk.read(configPath(client, file, places));
}

/** @throws LeadsOut as `readConfig` does. */
export function refuseWayOut(client: Client, file: ConfigFile, places: Places): void {
  const out = wayOut(client, file, places);
  if (out) throw new LeadsOut(out, places);
}
