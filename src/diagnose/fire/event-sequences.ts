/** Which native events a moment is made of: for a declared event those it is lowered to, as it was installed. */

import type { Client } from '../../clients/contract.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import { CLIENTS } from '../../clients/registry.ts';
import type { ProgramHook } from '../../compile/program.ts';
import { ALL_EVENTS, type Event } from '../../declaration/declaration.ts';
import type { Installed } from './installed.ts';

/** A declared event, or a client's own. */
export type EventSelector = { readonly event: Event } | { readonly native: string };

/** By its name; undefined: there is no such event. */
export function targetOf(name: string): EventSelector | undefined {
  const event = ALL_EVENTS.find((one) => one === name);
  if (event) return { event };
  return nativeEvents().includes(name) ? { native: name } : undefined;
}

/** The native events that any client has. */
export const nativeEvents = (): string[] => [
  ...new Set(CLIENTS.flatMap(({ nativeEvents }) => Object.keys(nativeEvents))),
];

/** Whether the target is about a declared event. */
export const isAbout = (target: EventSelector, event: string): boolean =>
  'native' in target || target.event === event;

/** What has to be fired, each chain in a session of its own: what only marks a hook comes before what shows it. */
export function chainsFor({ client, events }: Installed, target: EventSelector) {
  if ('native' in target)
    return events.filter(({ native }) => native === target.native).map((one) => [one]);
  const { event } = target;
  const lowered = nativesOf(client, event);
  const here = events.filter(({ native, program }) =>
    program ? program.hooks.some((hook) => hook.event === event) : lowered.includes(native),
  );
  const has = (is: 'mark' | 'marked') =>
    here.filter(({ program }) =>
      program?.hooks.some(
        (hook) => hook.event === event && (is === 'mark' ? waitsLater(hook) : hook.marked),
      ),
    );
  const chained = [...has('mark'), ...has('marked')];
  const alone = here.filter((one) => !chained.includes(one)).map((one) => [one]);
  return chained.length > 0 ? [...alone, chained] : alone;
}

/** Nothing of it is shown yet. */
const waitsLater = ({ act }: ProgramHook): boolean => act === 'mark' || act === 'keep';

/** All to which the client may lower an event. */
const nativesOf = ({ lowering }: Client, event: Event): string[] =>
  bindingsOf(lowering[event]).map(({ native }) => native);
