/** Everything that an event causes in one client, and why something does not happen. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import { valueAt } from '../../clients/payload.ts';
import { configPath, type Places, tilde, usualFile } from '../../clients/places.ts';
import type { Event } from '../../declaration/declaration.ts';
import { placeOf } from '../../edit/edit.ts';
import { LeadsOut } from '../../install/config-file.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { searchPlaceOf } from '../../sources/folder.ts';
import { withCleanup } from '../../system/cleanup.ts';
import { type Message, type Said, said } from '../../system/errors.ts';
import { type Chain, chainsFor, type EventSelector } from './event-sequences.ts';
import type { Installed, InstalledEvent } from './installed.ts';
import { type Facts, nextOccurrence, payloadOf, tellsFailures, usualCall } from './payload.ts';
import { fireMoment, type HookRun, type Range } from './run-hook.ts';
import { snapshotMemory } from './session-memory.ts';

/** What keeps the client or the runner from saying anything at all. */
export type Obstacle =
  | Said<'not run' | 'file refused' | 'link', { native: string; what: Message }>
  /** `what`: a file, or an event. */
  | Said<'entry missing' | 'program unread', { native: string; what: string }>
  | Said<'no hook' | 'other payload' | 'no failures', { native?: undefined; what: string }>;

/** A firing, and which one in its session, from 1. */
export interface Firing extends HookRun {
  readonly time: number;
}

export interface FiredClient {
  readonly client: Client;
  readonly moments: readonly Firing[];
  readonly obstacles: readonly Obstacle[];
  readonly drift?: InstallMessage;
}

/**
 * Fires an event for a label in one client. Afterwards, it removes what its own sessions left in memory.
 *
 * @param rounds The known facts of each firing, one after the other in the same session.
 */
export async function fireClient(
  installed: Installed,
  target: EventSelector,
  rounds: readonly [Facts, ...Facts[]],
  range: Omit<Range, 'session'>,
): Promise<FiredClient> {
  const { client, label, drift } = installed;
  const [facts] = rounds;
  const wires = [client.wire, ...installed.events.map(({ native }) => wireOf(client, native))];
  const inPayload = (key: 'session' | 'cwd' | 'event') =>
    wires
      .map((wire) => valueAt(facts.payload ?? {}, wire[key]))
      .find((value) => value !== undefined);
  const given = inPayload('session');
  const there = inPayload('cwd');
  // The payload may name a folder of another machine.
  const cwd = typeof there === 'string' && existsSync(there) ? there : range.cwd;
  const chains = chainsFor(installed, target);
  const about = inPayload('event');
  const isMeant = ({ native }: InstalledEvent) => about === undefined || about === native;
  const here = chains
    .map(({ before, events }) => {
      return { before: before.filter(isMeant), events: events.filter(isMeant) };
    })
    .filter(({ before, events }) => before.length + events.length > 0);
  const isFailure = facts.failed === true || ('event' in target && target.event === 'tool_error');
  const tells = ({ events }: Chain) => events.some(({ native }) => tellsFailures(client, native));
  const telling = isFailure ? here.filter(tells) : [];
  const fitting = telling.length > 0 ? telling : here;
  const all = fitting.flatMap(({ before, events }) => [...before, ...events]);

  // Several events report one call, so they all get the same one.
  const [first] = 'event' in target ? fitting.flatMap(({ events }) => events) : [];
  const failed = isFailure ? ({ failed: true } as const) : {};
  const isOpen = facts.tool === undefined && facts.payload === undefined;
  const own = 'event' in target && first ? toolFor(client, target.event, first.native) : undefined;
  const call = own === undefined ? first && usualCall(client, first.native, failed) : { tool: own };
  const usual = (isOpen && call) || {};

  const moments: Firing[] = [];
  const sessions: string[] = [];
  const forget = snapshotMemory(range.places.state, label);
  await withCleanup(
    () => forget(sessions),
    async () => {
      for (const { before, events } of fitting) {
        const session = given === undefined ? randomUUID() : String(given);
        if (given === undefined) sessions.push(session);
        const scene = { cwd, home: range.places.home, session };
        for (const [index, round] of rounds.entries())
          for (const event of index === 0 ? [...before, ...events] : events) {
            const { native } = event;
            const time = index + 1;
            const known = { ...usual, ...round, ...failed };
            const usually = payloadOf(client, native, known, scene);
            const payload = nextOccurrence(wireOf(client, native), usually, time);
            for (const entry of event.entries) {
              const run = await fireMoment(entry, event, payload, { ...range, ...scene });
              moments.push({ ...run, time });
            }
          }
      }
    },
  );
  const obstacles = all.flatMap((event) => obstaclesOf(installed, event, range));
  if (chains.length === 0)
    obstacles.push({ code: 'no hook', what: 'event' in target ? target.event : target.native });
  else if (fitting.length === 0)
    obstacles.push({ code: 'other payload', what: String(about ?? '') });
  if (facts.failed && fitting.length > 0 && telling.length === 0)
    obstacles.push({ code: 'no failures', what: client.name });
  return { client, moments, obstacles, drift };
}

/** The tool whose calls stand for a declared event in the client; undefined: an event of its own does. */
const toolFor = ({ lowering }: Client, event: Event, native: string): string | undefined =>
  bindingsOf(lowering[event]).find((one) => one.native === native)?.tool;

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

/** The current folder. If a tool is called, only if the client would call it here without asking. */
export const sessionFolder = ({ client, events }: Installed, { env, home }: Places, cwd: string) =>
  events.some(({ program }) => program?.server)
    ? folderTrusted([client.id], searchPlaceOf({ env, cwd }, home))
    : cwd;
