/** What killed processes left behind: only files with our names whose process is gone. */

import { dirname, join } from 'node:path';
import {
  foldersIn,
  logFolder,
  type Places,
  sessionsFolder,
  tokensFolder,
} from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { attempt } from '../system/errors.ts';
import { isGone, leadsElsewhere, leftIn, list, read } from '../system/files.ts';
import { textOf } from '../system/regular-file.ts';
import { readLedger } from './ledger.ts';
import { BACKUPS } from './ledger-change.ts';

/** Temporary files in the folders that we write to: those of the clients' files, and our own. */
export function leftovers(places: Places): string[] {
  const { state } = places;
  const settings = CLIENTS.flatMap((client) => foldersIn(client, places));
  const { files, installs } = readLedger(state, read).ledger;
  const servers = installs.flatMap(({ added = [] }) => added.map(({ file }) => file));
  const elsewhere = [...Object.keys(files), ...servers].map((path) => dirname(path));
  const own = [
    state,
    join(state, BACKUPS),
    ...inside(join(state, 'servers')),
    ...inside(join(state, 'projects')).flatMap(inside),
    sessionsFolder(state),
    logFolder(state),
    tokensFolder(state),
  ].filter((folder) => !leadsElsewhere(folder));
  return [
    ...[...new Set([...settings, ...elsewhere, ...own])].flatMap(leftIn),
    ...deadLocks(tokensFolder(state)),
  ];
}

/** The paths in a folder. A folder that cannot be listed is not ours. */
const inside = (folder: string): string[] =>
  (attempt(() => list(folder)) ?? []).map((name) => join(folder, name));

/** Sign-in locks that killed processes left. */
const deadLocks = (folder: string): string[] =>
  leadsElsewhere(folder)
    ? []
    : inside(folder).filter((path) => path.endsWith('.json.lock') && isGone(textOf(path)));
