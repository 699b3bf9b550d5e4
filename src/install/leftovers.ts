/** What a process that was killed has left behind: only what has a name of ours, and whose process is gone. */

import { dirname, join } from 'node:path';
import { foldersIn, type Places, tokensFolder } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { isGone, leadsElsewhere, leftIn, list, read } from '../system/files.ts';
import { textOf } from '../system/regular-file.ts';
import { readLedger } from './ledger.ts';
import { BACKUPS } from './ledger-change.ts';

/** Temporary files wherever we write: beside the settings of clients, and in our own folder. */
export function leftovers(places: Places): string[] {
  const { state } = places;
  const settings = CLIENTS.flatMap((client) => foldersIn(client, places));
  const elsewhere = Object.keys(readLedger(state, read).ledger.files).map((path) => dirname(path));
  const own = [
    state,
    join(state, BACKUPS),
    ...inside(join(state, 'servers')),
    ...inside(join(state, 'projects')).flatMap(inside),
    tokensFolder(state),
  ].filter((folder) => !leadsElsewhere(folder));
  return [
    ...[...new Set([...settings, ...elsewhere, ...own])].flatMap(leftIn),
    ...deadLocks(tokensFolder(state)),
  ];
}

const inside = (folder: string): string[] => names(folder).map((name) => join(folder, name));

/** What cannot be listed is no folder of ours. */
function names(folder: string): string[] {
  try {
    return list(folder);
  } catch {
    return [];
  }
}

/** The locks of sign-ins that processes left which were killed. */
function deadLocks(folder: string): string[] {
  if (leadsElsewhere(folder)) return [];
  return names(folder)
    .filter((name) => name.endsWith('.json.lock'))
    .map((name) => join(folder, name))
    .filter((lock) => isGone(textOf(lock)));
}
