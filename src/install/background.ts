/**
 * Commands that hooks have started in the background. A file for each names the process that runs it, which ends the command, and
 * itself, once the file is gone (templates/background.cts). So no number in a file ever decides what is ended.
 */

import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sessionsFolder } from '../clients/places.ts';
import type { Disk } from '../system/disk.ts';
import { attempt } from '../system/errors.ts';
import { processes } from '../system/process-id.ts';
import { textOf } from '../system/regular-file.ts';

/** Matches the files' names. */
const RECORD = /^background\.(.+)\.\d+$/;

/** The files of a label, in whatever scope it is installed. None if the folder cannot be read. */
export const backgroundRecords = (state: string, label: string, disk: Disk): string[] => {
  const folder = sessionsFolder(state);
  return (attempt(() => disk.list(folder)) ?? [])
    .filter((name) => RECORD.exec(name)?.[1] === label)
    .map((name) => join(folder, name));
};

/** The processes that such files name, by their marks. Anybody may have written one. */
export const backgroundProcesses = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => RECORD.test(basename(path)))
    .map(textOf)
    .filter((mark) => processes().isMark(mark));

/** Milliseconds that we wait for the end of what runs in the background. */
const WAIT = 3000;

/** Whether all of these processes have ended, or do so soon, now that their files are gone. */
export async function haveEnded(marks: readonly string[]): Promise<boolean> {
  const isLeft = () => marks.some((mark) => processes().isAlive(mark));
  for (const last = Date.now() + WAIT; isLeft(); await pause(20))
    if (Date.now() > last) return false;
  return true;
}
