/** Everything that an event makes happen in one client, and what of it cannot. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { configPath, type Places, tilde, usualFile } from '../../clients/places.ts';
import { placeOf } from '../../edit/edit.ts';
import { LeadsOut } from '../../install/config-file.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { searchPlaceOf } from '../../sources/folder.ts';
import { withCleanup } from '../../system/cleanup.ts';
import { type Message, type Said, said } from '../../system/errors.ts';
import { chainsFor, type EventSelector } from './event-sequences.ts';
import type { Installed, InstalledEvent } from './installed.ts';
import { type Facts, payloadOf, usualCall } from './payload.ts';
import { fireMoment, type HookRun, type Range } from './run-hook.ts';
import { remembering } from './session-memory.ts';

/** Something because of which the client or the runner cannot say anything, whatever happens. */
export type Obstacle =
  | Said<'not run' | 'file refused' | 'link', { native: string; what: Message }>
  /** `what`: a file, or an event. */
  | Said<'entry missing' | 'program unread', { native: string; what: string }>
  | Said<'no hook' | 'other payload', { native?: undefined; what: string }>;

export interface FiredClient {
  readonly client: Client;
  readonly moments: readonly HookRun[];
  readonly obstacles: readonly Obstacle[];
  readonly drift?: InstallMessage;
}

/** Fires an event for a label in one client. What it leaves in the memory of a session of its own is taken away again. */
export async function fireClient(
  installed: Installed,
  target: EventSelector,
  facts: Facts,
  range: Omit<Range, 'session'>,
): Promise<FiredClient> {
  const { client, label, drift } = installed;
  const { wire } = client;
  const given = [wire, ...installed.events.map(({ native }) => wireOf(client, native))]
    .map(({ session }) => facts.payload?.[session])
    .find((session) => session !== undefined);
  const there = facts.payload?.[wire.cwd];
  // One of another machine is only spoken of.
  const cwd = typeof there === 'string' && existsSync(there) ? there : range.cwd;
  const chains = chainsFor(installed, target);
  const about = facts.payload?.[wire.event];
  const fitting = chains
    .map((chain) => chain.filter(({ native }) => about === undefined || about === native))
    .filter((chain) => chain.length > 0);

  // One call is reported on several events: they are all given the same.
  const [first] = 'event' in target ? fitting.flat() : [];
  const isOpen = facts.tool === undefined && facts.payload === undefined;
  const known = first && isOpen ? { ...usualCall(client, first.native), ...facts } : facts;

  const moments: HookRun[] = [];
  const sessions: string[] = [];
  const forget = remembering(range.places.state, label);
  await withCleanup(
    () => forget(sessions),
    async () => {
      for (const chain of fitting) {
        const session = given === undefined ? randomUUID() : String(given);
        if (given === undefined) sessions.push(session);
        for (const event of chain)
          for (const entry of event.entries) {
            const scene = { cwd, home: range.places.home, session };
            const payload = payloadOf(client, event.native, known, scene);
            moments.push(await fireMoment(entry, event, payload, { ...range, ...scene }));
          }
      }
    },
  );
  const obstacles = fitting.flat().flatMap((event) => obstaclesOf(installed, event, range));
  if (chains.length === 0)
    obstacles.push({ code: 'no hook', what: 'event' in target ? target.event : target.native });
  else if (fitting.length === 0)
    obstacles.push({ code: 'other payload', what: String(about ?? '') });
  return { client, moments, obstacles, drift };
}

/** Why an event of an installed label shows nothing at all. */
export function obstaclesOf(
  { client, label, refused }: Installed,
  { native, program, entries, notRun }: InstalledEvent,
  { places }: Pick<Range, 'places'>,
): Obstacle[] {
  const short = (path: string) => tilde(path, places.home);
  const found: Obstacle[] = notRun.map((what): Obstacle => ({ code: 'not run', native, what }));
  if (!program) found.push({ code: 'program unread', native, what: `${client.id}.${native}.json` });
  if (found.length === 0 && entries.length === 0) {
    found.push(
      ...refused.map(({ path, why }): Obstacle => {
        if (why instanceof LeadsOut) return { code: 'link', native, what: why.problem };
        const what = said<InstallMessage>({
          code: 'in-file',
          path: short(path),
          ...placeOf(why),
          problem: why.problem,
        });
        return { code: 'file refused', native, what };
      }),
    );
    if (found.length === 0) {
      const file = configPath(client, usualFile(client, label, places), places);
      found.push({ code: 'entry missing', native, what: short(file) });
    }
  }
  return found;
}

/** The folder that we are in; where a tool is called, only if the client would call it here without a question. */
export const sessionFolder = ({ client, events }: Installed, { env, home }: Places, cwd: string) =>
  events.some(({ program }) => program?.server)
    ? folderTrusted([client.id], searchPlaceOf({ env, cwd }, home))
    : cwd;
