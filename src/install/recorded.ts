/**
 * Which hooks in a client's settings are exactly those that we write. We run no others: somebody else may have written
 * them, into a project's settings for example.
 */

import { dirname } from 'node:path';
import type { ConfiguredHook } from '../clients/entries.ts';
import { type Places, runnerFolder } from '../clients/places.ts';
import { entryCommands, runnersIn, slashed } from '../compile/command.ts';
import { equal } from '../edit/value.ts';
import { commandsIn } from './ownership.ts';

/** Whether a hook is the one that we write for a label, apart from its timeout, which does not say what runs. */
export function isOurs(
  { client, native, handler }: ConfiguredHook,
  label: string,
  places: Places,
): boolean {
  const folder = runnerFolder(places, label);
  const windows = process.platform === 'win32' ? { node: process.execPath } : undefined;
  const commands = entryCommands(folder, client.id, native, windows);
  const ours = client.entry.handler({ label, native, ...commands, timeout: 0 });
  return equal(ours, { ...handler, timeout: 0 });
}

/** The labels of this scope whose runner a hook names, whoever wrote it. */
export function labelsNamedBy({ client, handler }: ConfiguredHook, places: Places): string[] {
  const files = commandsIn(client)(handler).flatMap((one) => runnersIn(one, places.state));
  return [...new Set(files.map((file) => dirname(file).replace(/^.*\//, '')))].filter((label) =>
    files.some((file) => dirname(file) === slashed(runnerFolder(places, label), places.state)),
  );
}

/** Whether a hook holds the whole of a label's command, and more. */
export const holdsOurs = (
  { client, native, command = '' }: ConfiguredHook,
  label: string,
  places: Places,
): boolean =>
  command.includes(entryCommands(runnerFolder(places, label), client.id, native).command);
