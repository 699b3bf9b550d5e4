/** Fires a declared event in one client: the native events it consists of, their effects, and why something does not happen. */

import { existsSync } from 'node:fs';
import { type Client, wireOf } from '../../clients/contract.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import { valueAt } from '../../clients/payload.ts';
import { configPath, type Places, tilde, usualFile } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { type ProgramHook, turnMarkOf } from '../../compile/program.ts';
import { ALL_EVENTS, type Event } from '../../declaration/declaration.ts';
import { placeOf } from '../../edit/edit.ts';
import { LeadsOut } from '../../install/config-file.ts';
import type { InstallMessage } from '../../install/messages.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { searchPlaceOf } from '../../sources/folder.ts';
import { type Message, type Said, said } from '../../system/errors.ts';
import { isInside } from '../../system/files.ts';
import type { Installed, InstalledEvent } from './installed.ts';
import { type Facts, nextOccurrence, payloadOf, tellsFailures, usualCall } from './payload.ts';
import { fireEvent, type HookRun, type Range } from './run-hook.ts';
import { withSessions } from './session-memory.ts';

/** A declared event, or a client's own event. */
export type EventSelector = { readonly event: Event } | { readonly native: string };

/** The event with a name; undefined: there is none. */
export function selectorOf(name: string): EventSelector | undefined {
  const event = ALL_EVENTS.find((one) => one === name);
  if (event) return { event };
  return nativeEvents().includes(name) ? { native: name } : undefined;
}

/** The native events of all clients. */
export const nativeEvents = (): string[] => [
  ...new Set(CLIENTS.flatMap(({ nativeEvents }) => Object.keys(nativeEvents))),
];

export const isAbout = (target: EventSelector, event: string): boolean =>
  'native' in target || target.event === event;

/** Events that are fired one after the other in a separate session. */
interface Chain {
  /** Fired once at the beginning, to begin the turn in which the others happen. */
  readonly before: readonly InstalledEvent[];
  /** Fired each time. */
  readonly events: readonly InstalledEvent[];
}

/** The events to fire. An event that only marks a hook comes before the one that shows it. */
export function chainsFor({ client, events }: Installed, target: EventSelector): Chain[] {
  const alone = (one: InstalledEvent): Chain => ({ before: [], events: [one] });
  if ('native' in target) return events.filter(({ native }) => native === target.native).map(alone);
  const { event } = target;
  const lowered = nativesOf(client, event);
  const here = events.filter(({ native, program }) =>
    program ? program.hooks.some((hook) => hook.event === event) : lowered.includes(native),
  );
  const marks = new Set(
    here.flatMap(({ program }) => program?.hooks ?? []).map(({ id }) => turnMarkOf(id)),
  );
  const ofEvent = ({ program }: InstalledEvent) =>
    program?.hooks.filter((hook) => hook.event === event) ?? [];
  const shown = (one: InstalledEvent) => ofEvent(one).filter(({ id }) => !marks.has(id));
  // Events that only begin a turn.
  const before = here.filter((one) => ofEvent(one).length > 0 && shown(one).length === 0);
  const rest = here.filter((one) => !before.includes(one));
  const marking = rest.filter((one) => shown(one).some(isEarlier));
  const marked = rest.filter((one) => shown(one).some((hook) => hook.marked));
  const others = rest.filter((one) => !marking.includes(one) && !marked.includes(one));
  const later = [...marking, ...marked];
  return [
    ...others.map((one) => ({ before, events: [one] })),
    ...(later.length > 0 ? [{ before, events: later }] : []),
  ];
}

/** Whether its effect shows only on a later event. */
export const isEarlier = ({ act }: ProgramHook): boolean => act === 'mark' || act === 'keep';

/** All native events that the client may lower an event to. */
const nativesOf = ({ lowering }: Client, event: Event): string[] =>
  bindingsOf(lowering[event]).map(({ native }) => native);

/** A reason why the client or the runner shows nothing at all. */
export type Obstacle =
  | Said<'not-run' | 'file-refused' | 'link', { native: string; what: Message }>
  /** `what`: a file or an event. */
  | Said<'entry-missing' | 'program-unread', { native: string; what: string }>
  /** `why`: why the client cannot do the hooks that are declared. */
  | Said<'no-hook', { native?: undefined; what: string; why?: Message }>
  | Said<'other-payload' | 'no-failures', { native?: undefined; what: string }>;

/** A firing with its number in the session, from 1. */
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
 * Fires an event for a label in one client, and then removes its own sessions from the memory.
 *
 * @param rounds The facts of each firing, one after the other in the same session.
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
  // The payload may have a folder of another machine.
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

  // Several events report one call, so all get the same call.
  const [first] = 'event' in target ? fitting.flatMap(({ events }) => events) : [];
  const failed = isFailure ? ({ failed: true } as const) : {};
  const isOpen = facts.tool === undefined && facts.payload === undefined;
  const own = 'event' in target && first ? toolFor(client, target.event, first.native) : undefined;
  const call = own === undefined ? first && usualCall(client, first.native, failed) : { tool: own };
  const usual = (isOpen && call) || {};

  const moments: Firing[] = [];
  await withSessions(label, { ...range, cwd }, async (begin) => {
    for (const { before, events } of fitting) {
      const scene =
        given === undefined ? begin() : { cwd, home: range.places.home, session: String(given) };
      for (const [index, round] of rounds.entries())
        for (const event of index === 0 ? [...before, ...events] : events) {
          const { native } = event;
          const time = index + 1;
          const known = { ...usual, ...round, ...failed };
          const usually = payloadOf(client, native, known, scene);
          const payload = nextOccurrence(wireOf(client, native), usually, time);
          const runs = await fireEvent(event, payload, { ...range, ...scene });
          moments.push(...runs.map((run) => ({ ...run, time })));
        }
    }
  });
  const obstacles = all.flatMap((event) => obstaclesOf(installed, event, range));
  if (chains.length === 0)
    obstacles.push({ code: 'no-hook', what: 'event' in target ? target.event : target.native });
  else if (fitting.length === 0)
    obstacles.push({ code: 'other-payload', what: String(about ?? '') });
  if (facts.failed && fitting.length > 0 && telling.length === 0)
    obstacles.push({ code: 'no-failures', what: client.name });
  return { client, moments, obstacles, drift };
}

/** The client's tool whose calls count as a declared event; undefined: the event exists in the client. */
const toolFor = ({ lowering }: Client, event: Event, native: string): string | undefined =>
  bindingsOf(lowering[event]).find((one) => one.native === native)?.tool;

/** Why an event of an installed label shows nothing at all. */
export function obstaclesOf(
  { client, label, refused }: Installed,
  { native, program, entries, notRun }: InstalledEvent,
  { places }: Pick<Range, 'places'>,
): Obstacle[] {
  const short = (path: string) => tilde(path, places.home);
  const found: Obstacle[] = notRun.map((what): Obstacle => ({ code: 'not-run', native, what }));
  if (!program) found.push({ code: 'program-unread', native, what: `${client.id}.${native}.json` });
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
        return { code: 'file-refused', native, what };
      }),
    );
    if (found.length === 0) {
      const file = configPath(client, usualFile(client, label, places), places);
      found.push({ code: 'entry-missing', native, what: short(file) });
    }
  }
  return found;
}

/**
 * The current folder, or the only folder that the hooks are for. If a tool is called, only if the client would call it there
 * without a prompt.
 */
export function sessionFolder({ client, events }: Installed, { env, home }: Places, here: string) {
  const programs = events.flatMap(({ program }) => program ?? []);
  const own = programs.find(({ onlyIn }) => onlyIn !== undefined)?.onlyIn;
  const cwd = own !== undefined && !isInside(here, own) && existsSync(own) ? own : here;
  return programs.some(({ server }) => server)
    ? folderTrusted([client.id], searchPlaceOf({ env, cwd }, home))
    : cwd;
}
