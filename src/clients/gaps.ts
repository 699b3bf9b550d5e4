/** What a version of a client lacks, and how that affects our hooks. */

import { ALL_EVENTS } from '../declaration/declaration.ts';
import type { JsonObject } from '../edit/edit.ts';
import { equal } from '../edit/value.ts';
import type {
  Binding,
  CapabilityGap,
  Client,
  EventGap,
  EventLowering,
  Gap,
  Lowering,
  Wire,
} from './contract.ts';
import type { ClientMessage, Lacking, LacksEvent } from './messages.ts';
import { compareVersions } from './version.ts';

/** A version of a client; undefined: it is not known, and is taken for the newest. */
export type Version = string | undefined;

export const isTooOld = ({ hooksSince }: Client, version: Version): version is string =>
  version !== undefined && compareVersions(version, hooksSince) < 0;

export const lacks = (
  client: Client,
  capability: CapabilityGap['lacks'],
  version: Version,
): CapabilityGap | undefined =>
  gapsOf(client, version).find(
    (gap): gap is CapabilityGap => 'lacks' in gap && gap.lacks === capability,
  );

/** Why a binding has no effect in a version; undefined: it has one. */
export const gapAt = (
  client: Client,
  version: Version,
  { native, act }: Pick<Binding, 'native' | 'act'>,
  { ask }: Pick<Wire, 'ask'>,
): EventGap | undefined =>
  gapsOf(client, version).find((gap): gap is EventGap => {
    if ('lacks' in gap || !isAt(gap, { native, act })) return false;
    const { instead } = gap;
    return !(instead && 'ask' in instead && equal(ask, instead.ask));
  });

export function gapMessage(client: Client, version: Version, gap: Gap): ClientMessage {
  const facts = factsOf(client, version, gap);
  if ('lacks' in gap) return { code: 'lacks-server-names', ...facts };
  const code = gap.act === undefined ? 'lacks-event' : 'lacks-context';
  return { code, ...facts, native: gap.native };
}

export function hasNot(client: Client, version: Version, native: string): LacksEvent | undefined {
  const gap = gapsOf(client, version).find(
    (one): one is EventGap => 'native' in one && one.native === native && one.act === undefined,
  );
  return gap && { code: 'lacks-event', ...factsOf(client, version, gap), native };
}

const factsOf = ({ name }: Client, version: Version, { until }: Gap): Lacking => ({
  client: name,
  ...(version !== undefined && { version }),
  until,
});

/** Every form in which one of our hooks may `ask`: the current one, and those for older versions. */
export const asksOf = ({ wire, gaps }: Client): readonly JsonObject[] => [
  wire.ask,
  ...gaps.map(otherAsk).filter((ask) => ask !== undefined),
];

/** Whether these bindings say anything or call their tool, if some of them have no effect. */
export const acts = <B extends Pick<Binding, 'act' | 'marked'>>(
  bindings: readonly B[],
  hasEffect: (binding: B) => boolean,
): boolean => {
  const left = bindings.filter(hasEffect);
  const isMarked = left.some(({ act }) => act === 'mark' || act === 'keep');
  return left.some(({ act, marked }) => act !== 'mark' && (marked !== true || isMarked));
};

/** The client as one of its versions is: uses another way, if there is one, where that version lacks the usual one. */
export function asOf(client: Client, version: Version): Client {
  const gaps = gapsOf(client, version);
  if (gaps.length === 0) return client;
  const lowering = { ...client.lowering };
  for (const event of ALL_EVENTS) lowering[event] = reroutedCell(lowering[event], gaps);
  const ask = gaps.map(otherAsk).find((one) => one !== undefined);
  const last = gaps.toSorted((a, b) => compareVersions(b.until, a.until))[0];
  return {
    ...client,
    lowering,
    ...(last && { untried: factsOf(client, version, last) }),
    mcpNames: {
      ...client.mcpNames,
      ...(lacks(client, 'mcp-names', version) && { bare: true as const }),
    },
    wire: { ...client.wire, ...(ask && { ask }) },
  };
}

const gapsOf = ({ gaps }: Client, version: Version): readonly Gap[] =>
  version === undefined ? [] : gaps.filter(({ until }) => compareVersions(version, until) < 0);

const otherAsk = (gap: Gap): JsonObject | undefined =>
  'native' in gap && gap.instead && 'ask' in gap.instead ? gap.instead.ask : undefined;

const reroutedCell = (cell: EventLowering | null, gaps: readonly Gap[]): EventLowering | null =>
  cell && {
    text: rerouted(cell.text, gaps),
    ...(cell.tool && { tool: rerouted(cell.tool, gaps) }),
    ...(cell.actNow && { actNow: rerouted(cell.actNow, gaps) }),
  };

/** The lowering, working around each gap that has another way. */
function rerouted(lowering: Lowering, gaps: readonly Gap[]): Lowering {
  const instead: EventGap[] = [];
  const on = lowering.on.flatMap((binding): Binding[] => {
    const gap = gaps.find((one): one is EventGap => 'native' in one && isAt(one, binding));
    if (!gap?.instead) return [binding];
    instead.push(gap);
    if ('ask' in gap.instead) return [binding];
    return gap.instead.on.map((native) => ({ ...binding, native }));
  });
  if (instead.length === 0) return lowering;
  const grade = lowering.grade === 'exact' ? 'adapted' : lowering.grade;
  return { ...lowering, grade, on, instead };
}

const isAt = ({ native, act }: EventGap, binding: Pick<Binding, 'native' | 'act'>): boolean =>
  native === binding.native && (act === undefined || act === binding.act);
