/** The hooks in a client's settings, as the client reads them: ours and all others. */

import type { Client } from '../clients/contract.ts';
import type { ConfiguredHook } from '../clients/entries.ts';
import { handlersIn, type WrittenHandler } from '../clients/entries.ts';
import { droppedIn, unread } from '../clients/health/reading.ts';
import { configPath, filesIn, type Places } from '../clients/places.ts';
import { byHandOf } from '../clients/registry.ts';
import { Refusal } from '../edit/edit.ts';
import { eventsOf } from '../edit/value.ts';
import type { Disk } from '../system/disk.ts';
import { parsed, readConfig, whyStopped } from './config-file.ts';
import { labelsIn, ownership } from './ownership.ts';

export interface Written {
  readonly hooks: readonly ConfiguredHook[];
  readonly refused: readonly { readonly path: string; readonly why: Refusal }[];
}

/** Every hook that the client reads from its settings for one scope. A missing file has no hooks. */
export function readWritten(client: Client, places: Places, disk: Pick<Disk, 'read'>): Written {
  const hooks: ConfiguredHook[] = [];
  const refused: { path: string; why: Refusal }[] = [];
  const { placement } = client;
  const hidden = new Set<string>();
  for (const file of filesIn(client, places)) {
    const path = configPath(client, file, places);
    try {
      const bytes = readConfig(client, file, places, disk);
      if (bytes === null) continue;
      const written = parsed(file, path, bytes);
      const [why] = unread(client, written);
      if (why) throw why;
      const isDropped = droppedIn(client, written, file.layout);
      const ownerOf = ownership(client, places);
      const labelOf = labelsIn(client, file, places);
      for (const [native, groups] of eventsOf(written.document, file.layout)) {
        if (hidden.has(native)) continue;
        if (placement.kind === 'shared-file' && placement.firstFileWins) hidden.add(native);
        for (const [index, group] of groups.entries()) {
          const label = labelOf(group);
          // The hook is for another client that also reads this file.
          if (label === undefined && ownerOf(group) !== undefined) continue;
          const at = { client, path, native, index, ...(label !== undefined && { label }) };
          const handlers = handlersIn(client, group).filter(
            ({ handlerIndex }) => !isDropped(native, index, handlerIndex),
          );
          hooks.push(...handlers.map((handler) => ({ ...at, ...read(client, handler) })));
        }
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ path, why: error });
    }
  }
  const stopped = whyStopped(client, places, disk);
  if (!stopped) return { hooks, refused };
  return { hooks: [], refused: [stopped, ...refused.filter(({ path }) => path !== stopped.path)] };
}

/** Adds the command that the client runs on this system, and the timeout. */
function read(client: Client, written: WrittenHandler) {
  const { handler } = written;
  const { otherShells = [] } = (process.platform === 'win32' && byHandOf(client)) || {};
  const command = [...otherShells, 'command'].map((key) => handler[key]).find(isString);
  const { timeout } = handler;
  return {
    ...written,
    ...(command !== undefined && { command }),
    ...(typeof timeout === 'number' && { timeout: timeout * client.hookTimeUnit }),
  };
}

const isString = (value: unknown) => typeof value === 'string';
