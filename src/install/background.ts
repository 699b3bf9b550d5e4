/**
 * Commands that hooks started in the background. There is one file per command, and it names the process that runs the command.
 * That process ends the command and itself once the file is gone (templates/background.cts). A number in a file therefore never
 * decides which process is ended.
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

/** The files of a label, in any scope. Empty if the folder cannot be read. */
export const backgroundRecords = (state: string, label: string, disk: Disk): string[] => {
  const folder = sessionsFolder(state);
  return (attempt(() => disk.list(folder)) ?? [])
    .filter((name) => RECORD.exec(name)?.[1] === label)
    .map((name) => join(folder, name));
};

/** The processes that such files name, by their marks. The files are untrusted: any program may have written one. */
export const backgroundProcesses = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => RECORD.test(basename(path)))
    .map(textOf)
    .filter((mark) => processes().isMark(mark));

/** How long we wait for background commands to end, in milliseconds. */
const WAIT = 3000;

/** Whether all of these processes end within `WAIT`, now that their files are gone. */
export async function haveEnded(marks: readonly string[]): Promise<boolean> {
  const isLeft = () => marks.some((mark) => processes().isAlive(mark));
  for (const last = Date.now() + WAIT; isLeft(); await pause(20))
    if (Date.now() > last) return false;
  return true;
}
