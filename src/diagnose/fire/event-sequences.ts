/** The native events that make up a moment. For a declared event, those that it is lowered to, as installed. */

import type { Client } from '../../clients/contract.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { type ProgramHook, turnMarkOf } from '../../compile/program.ts';
import { ALL_EVENTS, type Event } from '../../declaration/declaration.ts';
import type { Installed, InstalledEvent } from './installed.ts';

/** A declared event, or a client's own. */
export type EventSelector = { readonly event: Event } | { readonly native: string };

/** Looks an event up by name; undefined if there is none. */
export function targetOf(name: string): EventSelector | undefined {
  const event = ALL_EVENTS.find((one) => one === name);
  if (event) return { event };
  return nativeEvents().includes(name) ? { native: name } : undefined;
}

/** The native events that any client has. */
export const nativeEvents = (): string[] => [
  ...new Set(CLIENTS.flatMap(({ nativeEvents }) => Object.keys(nativeEvents))),
];

export const isAbout = (target: EventSelector, event: string): boolean =>
  'native' in target || target.event === event;

/** Events that are fired one after the other in a session of their own. */
export interface Chain {
  /** Once, before everything else: it begins the turn in which the others happen. */
  readonly before: readonly InstalledEvent[];
  /** Each time. */
  readonly events: readonly InstalledEvent[];
}

/** What has to be fired. An event that only marks a hook comes before the one that shows it. */
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
  const speaking = (one: InstalledEvent) => ofEvent(one).filter(({ id }) => !marks.has(id));
  // Events that only begin a turn.
  const before = here.filter((one) => ofEvent(one).length > 0 && speaking(one).length === 0);
  const rest = here.filter((one) => !before.includes(one));
  const marking = rest.filter((one) => speaking(one).some(waitsLater));
  const marked = rest.filter((one) => speaking(one).some((hook) => hook.marked));
  const others = rest.filter((one) => !marking.includes(one) && !marked.includes(one));
  const later = [...marking, ...marked];
  return [
    ...others.map((one) => ({ before, events: [one] })),
    ...(later.length > 0 ? [{ before, events: later }] : []),
  ];
}

/** Nothing of it is shown yet. */
const waitsLater = ({ act }: ProgramHook): boolean => act === 'mark' || act === 'keep';

/** All native events that the client may lower an event to. */
const nativesOf = ({ lowering }: Client, event: Event): string[] =>
  bindingsOf(lowering[event]).map(({ native }) => native);
