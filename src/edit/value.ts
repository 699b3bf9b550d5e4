/** Documents by value: compares them, and looks under `hooks` in them. */
import type { Dialect, Format, JsonObject, JsonValue, Placed } from './edit.ts';
import { ANYTHING, isObject, Refusal } from './edit.ts';
import type { EditMessage, Unwelcome } from './messages.ts';

interface Reading {
  readonly format: Format;
  readonly dialect: Dialect;
}

/** Keeps the groups after it in their positions. */
export const PLACEHOLDER: JsonObject = { hooks: [] };

/** The change to one group; without `group` it is removed. */
export interface Change {
  readonly event: string;
  readonly index: number;
  readonly group: JsonValue | undefined;
}

/** Keeps the last results: planning one change reads each text several times. ANYTHING has the same value as any dialect. */
export function remembering(read: Format['read']): Format['read'] {
  const recent = new Map<string, { readonly dialect: Dialect; readonly value: JsonObject }>();
  return (source, dialect) => {
    const known = recent.get(source);
    if (known && (dialect === ANYTHING || dialect === known.dialect)) return known.value;
    const value = read(source, dialect);
    if (recent.size >= 8) recent.clear();
    recent.set(source, { dialect, value });
    return value;
  };
}

/** Deep equality in which the order of keys does not count. */
export function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}

/** The events under `hooks` and their groups; whatever is not an array there is not an event. */
export function eventsOf(document: JsonObject): Map<string, readonly JsonValue[]> {
  const events = new Map<string, readonly JsonValue[]>();
  const hooks = Object.hasOwn(document, 'hooks') ? document.hooks : undefined;
  if (!isObject(hooks)) return events;
  for (const [event, groups] of Object.entries(hooks)) {
    if (Array.isArray(groups)) events.set(event, groups);
  }
  return events;
}

export const groupsOf = (document: JsonObject): readonly JsonValue[] =>
  [...eventsOf(document).values()].flat();

/** `{event: [group, ...], ...}`, in the order given. */
export function byEvent(placed: readonly Placed[]): Map<string, JsonObject[]> {
  const events = new Map<string, JsonObject[]>();
  for (const { event, group } of placed) events.set(event, [...(events.get(event) ?? []), group]);
  return events;
}

/** The document with groups changed, then others added at the end of their events. */
export function changed(
  document: JsonObject,
  changes: readonly Change[],
  added: readonly Placed[],
): JsonObject {
  const hooks = new Map(isObject(document.hooks) ? Object.entries(document.hooks) : []);
  for (const [event, groups] of eventsOf(document)) {
    const own = new Map(
      changes.filter((change) => change.event === event).map((c) => [c.index, c]),
    );
    if (own.size === 0) continue;
    const next = groups.map((group, index) => {
      const change = own.get(index);
      return change ? change.group : group;
    });
    hooks.set(
      event,
      next.filter((group) => group !== undefined),
    );
  }
  for (const [event, groups] of byEvent(added)) {
    const present = hooks.get(event);
    hooks.set(event, [...(Array.isArray(present) ? present : []), ...groups]);
  }
  if (hooks.size === 0 && document.hooks === undefined) return document;
  return { ...document, hooks: Object.fromEntries(hooks) };
}

/**
 * Whether a text, as its client reads it, has this value. Events that we emptied may also be gone. A comma that is left after a
 * last item is ours to take away, even if this client reads it.
 *
 * @param source The text that it was made from.
 */
export function says(
  text: string,
  expected: JsonObject,
  touched: readonly string[],
  source: string | null,
  { format, dialect }: Reading,
): boolean {
  try {
    const is = settled(format.read(text, dialect), touched);
    if (!equal(is, settled(expected, touched))) return false;
    const commas = format.trailingCommas(text).length;
    return commas === 0 || commas <= format.trailingCommas(source ?? '').length;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * The client's dialect, with what a text has that the client does not accept. To take our entries out of such a text, it must
 * be read, and the result may have no other mistake.
 */
export function dialectOf(text: string, { format, dialect }: Reading): Dialect {
  for (let own = dialect; ; ) {
    try {
      format.read(text, own);
      return own;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const problem = error.problem as EditMessage;
      const key = problem.code === 'not-in-dialect' && RULES[problem.what];
      if (!key) return ANYTHING;
      own = { ...own, [key]: true };
    }
  }
}

const RULES: Readonly<Partial<Record<Unwelcome, keyof Dialect>>> = {
  'byte-order-mark': 'bom',
  empty: 'empty',
  comment: 'comments',
  'bare-return': 'returns',
  'trailing comma': 'trailingCommas',
};

function settled(document: JsonObject, touched: readonly string[]): JsonObject {
  if (touched.length === 0 || !isObject(document.hooks)) return document;
  const empty = new Set(emptyEvents(document, touched));
  const hooks = Object.entries(document.hooks).filter(([event]) => !empty.has(event));
  const { hooks: _, ...rest } = document;
  return hooks.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(hooks) };
}

export function emptyEvents(document: JsonObject, events: readonly string[]): string[] {
  const present = eventsOf(document);
  return [...new Set(events)].filter((event) => present.get(event)?.length === 0);
}

export const isHooksEmpty = ({ hooks }: JsonObject): boolean =>
  isObject(hooks) && Object.keys(hooks).length === 0;

/** Nothing but white space and at most a pair of braces. */
const isHollow = (text: string): boolean => /^\s*(?:\{\s*\}\s*)?$/.test(text);

/** Whether nothing was added to a file since we began it. */
export const isAsBegun = (text: string, start = ''): boolean =>
  isHollow(text) || text.trim() === start.trim();

/** What has to be made in the document before groups can be added. */
export function newContainers(document: JsonObject, added: readonly Placed[]) {
  const present = eventsOf(document);
  return {
    hooks: added.length > 0 && !isObject(document.hooks),
    events: [...byEvent(added).keys()].filter((event) => !present.has(event)),
  };
}
