/** What a process that was killed has left behind: only what has a name of ours, and whose process is gone. */

import { dirname, join } from 'node:path';
import { foldersIn, type Places, tokensFolder } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { leadsElsewhere, leftIn, list, read } from '../system/files.ts';
import { isAlive, isMark } from '../system/process-id.ts';
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
  ].filter((folder) => !leadsElsewhere(folder));
  return [
    ...[...new Set([...settings, ...elsewhere, ...own])].flatMap(leftIn),
    ...ofSignIns(tokensFolder(state)),
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

/** Temporary files of tokens and locks, as the runner names them (templates/tokens.cjs). */
function ofSignIns(folder: string): string[] {
  if (leadsElsewhere(folder)) return [];
  return names(folder).flatMap((name) => {
    const path = join(folder, name);
    const [, pid] = /\.json(?:\.lock)?\.([1-9]\d*)-[a-z0-9]+\.tmp$/.exec(name) ?? [];
    const mark = name.endsWith('.json.lock') ? holderOf(path) : pid;
    return mark !== undefined && isMark(mark) && !isAlive(mark) ? [path] : [];
  });
}

function holderOf(lock: string): string | undefined {
  try {
    return read(lock)?.toString().replaceAll(' ', '-');
  } catch {
    return undefined;
  }
}
