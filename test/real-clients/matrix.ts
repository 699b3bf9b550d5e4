// Tests record here what they see in the clients; `matrix/seen.test.ts` compares it with what is committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from '../../src/clients/driver/model.ts';
import type { ClientId } from '../../src/clients/registry.ts';
import { requestPosition } from '../../src/diagnose/live/delivery.ts';
import { parseLog } from '../../src/diagnose/log.ts';
import type { Cell, MatrixCase } from '../../src/diagnose/matrix/matrix.ts';
import type { Client } from './clients.ts';
import { RESULTS } from './matrix/results.ts';
import type { Scratch } from './scratch.ts';

/** Records what was seen in a client in a case. */
export function record(
  { id, version }: { id: ClientId; version: string },
  name: MatrixCase,
  cell: Cell,
): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${id}.${name}.json`), JSON.stringify({ id, version, name, cell }));
}

export interface Seen {
  place: Scratch;
  client: Client;
  /** The label of the installed hooks. */
  label: string;
  conversation: Conversation;
  prompts: readonly string[];
  /** What the history was replaced with. */
  summary?: string;
}

/** Where a text is first read from a request on, and the events on which the runner reports that it showed the text. */
export function delivery(
  { place, client, label, conversation, prompts, summary }: Seen,
  text: string,
  { hook = 1, from = 1 }: Asked = {},
): Cell {
  const reading = conversation.find(text).find(({ request }) => request >= from);
  if (!reading) throw new Error(`${client.id} was not told ${text}`);
  return {
    // A text that was only kept for later was not read.
    by: shownOn(place, client, label, hook, 1).join(', '),
    place: requestPosition(conversation, reading, prompts, summary).place,
  };
}

interface Asked {
  /** Its number in the declaration, from 1. */
  hook?: number;
  /** Not before this request. */
  from?: number;
}

/** The native events for which the runner's log shows at least this many characters of a hook, or a call of its tool. */
export function shownOn(
  place: Scratch,
  { id }: { id: ClientId },
  label: string,
  hook = 1,
  least = 0,
): string[] {
  const log = readFileSync(join(place.home, '.mcp-hooks/log', `${label}.jsonl`), 'utf8');
  const own = parseLog(label, log).entries.filter(
    ({ client, hooks, characters }) => client === id && hooks.includes(hook) && characters >= least,
  );
  return [...new Set(own.map(({ event }) => event))];
}
