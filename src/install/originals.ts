/**
 * Hooks that the user wrote by hand and imported: the originals of a manifest's hooks. The manifest does not refer to them. An
 * entry is an original if `import` would make exactly the same hook of it today.
 */

import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../clients/contract.ts';
import { HANDLERS } from '../clients/contract.ts';
import { EMPTY_GROUP } from '../clients/entries.ts';
import type { Places } from '../clients/places.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import type { ServerHooks } from '../declaration/declared.ts';
import type { DeclarationMessage } from '../declaration/messages.ts';
import { ANYTHING, isObject, type JsonObject, type JsonValue } from '../edit/edit.ts';
import { type Arrangement, arrange, type Options, putInto, usersPart } from '../edit/reconcile.ts';
import type { HookMarks, TakenOut } from '../edit/record.ts';
import {
  type Cut,
  groupOf,
  handlersOf,
  holds,
  type Part,
  putBack,
  takeOut,
} from '../edit/taken-out.ts';
import { eventsOf, groupAt } from '../edit/value.ts';
import { type HandEntry, handFilesOf, isUnread } from '../sources/by-hand/files.ts';
import { draftManifest, type Item, keyOf, momentOf } from '../sources/by-hand/import.ts';
import { maskWords } from '../sources/redacted.ts';
import type { Env } from '../system/env.ts';
import { type Message, UserError } from '../system/errors.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { redactor } from '../system/secrets.ts';
import type { InstallMessage } from './messages.ts';
import { commandsHere } from './ownership.ts';

/** An entry, or one of the handlers in it, and the hook that was made of it. */
export interface Original {
  readonly client: Client;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly event: string;
  /** The group, and its index among the groups of the event. */
  readonly index: number;
  readonly group: JsonObject;
  /** The original is a top-level key of the document, named by `event`; its group has nothing else. */
  readonly isKey?: true;
  /** Its index among the handlers of the group. Undefined if it is the whole group. */
  readonly item: number | undefined;
  /** The index of its hook in the declaration. */
  readonly hook: number;
}

/** What becomes of an original. */
export interface PlannedOriginal extends Pick<Original, 'client' | 'path' | 'event'> {
  /**
   * - `out`: it is removed now.
   * - `twice`: it could be removed, but the user has not agreed.
   * - `stays`: it cannot be removed, or its hook is not installed.
   * - `back`: it is put back.
   */
  readonly action: 'out' | 'twice' | 'stays' | 'back';
  /** Absent if the entry is not in the file now. */
  readonly line?: number;
  readonly column?: number;
  readonly matcher?: string;
  /** For an original without a command: the whole entry as JSON. It may contain a secret. */
  readonly command: string;
  readonly why?: InstallMessage;
}

/**
 * The originals of a manifest's hooks in the clients' files of these scopes. Other sources have no originals.
 *
 * @param changed The scope in which they are to be taken out.
 * @throws Unreadable if a file of that scope cannot be read: it may have originals. UserError for a script of an entry.
 */
export async function findOriginals(
  { source, hooks }: ServerHooks,
  clients: readonly Client[],
  scopes: readonly [Places, ...Places[]],
  {
    changed,
    ...at
  }: {
    readonly env: Env;
    readonly cwd: string;
    readonly changed?: Places['scope'] | undefined;
  },
): Promise<Original[]> {
  if (source.kind !== 'manifest') return [];
  const files = handFilesOf(clients, scopes, changed).flatMap((one) => (isUnread(one) ? [] : one));
  if (files.length === 0) return [];
  const folder = dirname(source.path);
  const { items, hooks: drafts } = await draftManifest(files, {
    ...{ ...at, folder, home: scopes[0].home, only: sharingWords(hooks) },
  });
  // An entry whose script cannot be read may be an original, too.
  const unread = items.map(({ leftOut }) => unreadScript(leftOut)).find((one) => one !== undefined);
  if (changed !== undefined && unread) throw new UserError<DeclarationMessage>(unread);
  const declared = hooks.map(keyOfDeclared);
  const known = drafts.map((draft) => declared.indexOf(keyOf(draft)));
  return items.flatMap((item) => {
    const hook = item.hook === undefined ? -1 : (known[item.hook - 1] ?? -1);
    const place = hook < 0 ? undefined : placeOf(item);
    return place ? [{ ...place, hook }] : [];
  });
}

/** The problem of an entry whose script cannot be read. */
function unreadScript(leftOut: Message | undefined): DeclarationMessage | undefined {
  const { problem } = (leftOut ?? {}) as { readonly problem?: DeclarationMessage };
  return problem?.code === 'command-unreadable' ? problem : undefined;
}

/**
 * Whether a handler has a word in common with the hooks, as every original does. Parsing a handler takes far longer, and a file
 * may have thousands of unrelated ones.
 */
function sharingWords(hooks: readonly HookDeclaration[]): (entry: HandEntry) => boolean {
  const wordsOf = (value: unknown): string[] => JSON.stringify(value).match(/\w+/g) ?? [];
  const ours = new Set(
    hooks.flatMap(({ command, context, context_tool }) =>
      wordsOf([command, context, context_tool]),
    ),
  );
  return ({ handler }) => {
    // All handlers share the words for their type.
    const { type: _, ...fields } = isObject(handler) ? handler : { handler };
    const theirs = Object.values(fields).flatMap(wordsOf);
    return theirs.length === 0 || theirs.some((word) => ours.has(word));
  };
}

const keyOfDeclared = ({ priority: _, ...hook }: HookDeclaration): string => keyOf(hook);

function placeOf({ client, line, column, at }: Item): Omit<Original, 'hook'> | undefined {
  const { document, layout, path } = at.settings;
  const [first = '', ...more] = at.keys;
  if (typeof first === 'string' && more.length === 0) {
    const group = { [first]: document[first] ?? null };
    return {
      client,
      path,
      line,
      column,
      event: first,
      index: 0,
      group,
      isKey: true,
      item: undefined,
    };
  }
  const place = groupAt(document, at.keys, layout);
  if (place?.index === undefined) return undefined;
  const { event, index, inside } = place;
  const group = eventsOf(document, layout).get(event)?.[index];
  const [key, item] = inside;
  if (!isObject(group) || (key !== undefined && (key !== HANDLERS || typeof item !== 'number')))
    return undefined;
  return {
    ...{ client, path, line, column, event, index, group },
    item: typeof item === 'number' ? item : undefined,
  };
}

/** How a declared hook is recognised later: by what it does or, if that was edited, by when it does it. */
export const marksOf = (hook: HookDeclaration): HookMarks => ({
  hook: fingerprint(keyOfDeclared(hook)),
  moment: fingerprint(momentOf(hook)),
});

/** What happens to the originals in one file. */
export interface Wishes {
  readonly take: readonly Original[];
  /** The marks of the hooks that run from now on. */
  readonly runs: () => readonly HookMarks[];
  readonly hooks: readonly HookDeclaration[];
}

export const NO_WISHES: Wishes = { take: [], runs: () => [], hooks: [] };

interface Around {
  readonly client: Client;
  readonly path: string;
  /** Everything taken out of the file so far, for any label. */
  readonly taken: readonly TakenOut[];
  readonly wishes: Wishes;
}

export interface Moved extends Arrangement {
  readonly originals: readonly PlannedOriginal[];
}

/**
 * Arranges a file, with or without the label's originals. Our entries, of any label, are removed first: a cut is found again by
 * the surrounding text, which must not change as entries of other labels come and go.
 */
export function arrangeAround(
  source: string | null,
  options: Options,
  { client, path, taken, wishes }: Around,
): Moved {
  const { label } = options;
  // The user deleted the file, and the originals with it.
  if (source === null) return withTaken(arrange(source, options), []);
  const leaving = leavingFrom(
    taken.filter((one) => one.label === label),
    wishes,
  );
  if (wishes.take.length + leaving.size === 0) return withTaken(arrange(source, options), taken);
  const moving = { client, path, taken, wishes, leaving };
  const users = usersPart(source, options);
  if (users) {
    const moved = moveIn(users.base, source, options, moving);
    const arranged = putInto(moved.text, users, options);
    if (arranged) return withTaken(arranged, moved.taken, moved.originals);
  }
  const bare = arrange(source, { ...options, want: [] });
  const from = bare.text ?? options.start ?? '';
  const { text, taken: next, originals } = moveIn(from, source, options, moving);
  // The fingerprint is that of the earlier text, so the other labels' entries have to be found again.
  const record = bare.record && text !== from ? { ...bare.record, after: '' } : bare.record;
  const arranged = arrange(text, { ...options, record: record ?? undefined });
  return withTaken(arranged, next, originals);
}

interface Moving extends Around {
  /** The handlers that are put back. */
  readonly leaving: ReadonlyMap<TakenOut, readonly number[]>;
}

/** Moves the label's originals into and out of a text. @param source The whole file, which may already contain them. */
function moveIn(
  from: string,
  source: string,
  options: Options,
  { client, path, taken, wishes, leaving }: Moving,
): { text: string; taken: TakenOut[]; originals: PlannedOriginal[] } {
  let text = from;
  const originals: PlannedOriginal[] = [];
  const next: TakenOut[] = [];
  const take = (label: string, part: Part, hooks: readonly HookMarks[]): Cut | undefined => {
    const without = takeOut(text, part, options);
    if (!without) return undefined;
    text = without.text;
    const { event, isKey, key, items, placeholder } = part;
    const group = JSON.stringify(part.group);
    const held = placeholder && { isHeld: true as const };
    const place = { event, ...(isKey && { isKey }), group, key, items };
    next.push({ label, ...place, cut: without.cut, hooks, ...held });
    return without.cut;
  };
  // Each cut was made in the text that the earlier cuts had left. All are put back, and those that stay out are cut again.
  const back: TakenOut[] = [];
  for (const one of leaving.size === 0 ? [] : taken.toReversed()) {
    // A key has a single original: the last one that was taken out.
    if (holds(one.isKey ? text : source, partOf(one), options)) continue;
    text = putBack(text, partOf(one), one.cut, options);
    back.unshift(one);
  }
  if (leaving.size === 0) next.push(...taken);
  for (const one of back) {
    const isLeaving = (at: number) => leaving.get(one)?.includes(at) === true;
    const part = partOf(one);
    const handlers = handlersOf(part);
    const stay = [...handlers.keys()].filter((at) => !isLeaving(at));
    const hooks = one.hooks.filter((_, at) => !isLeaving(at));
    for (const handler of handlers.filter((_, at) => isLeaving(at))) {
      const at = { client, path, event: one.event, action: 'back' } as const;
      originals.push({ ...at, ...inWords(client, part.group, handler) });
    }
    if (stay.length === 0) continue;
    const again = (whole: Part) => (stay.length === handlers.length ? whole : only(whole, stay));
    if (!take(one.label, again(part), hooks)) take(one.label, again(apart(part)), hooks);
  }
  const hide = redactor(withoutWords(options.format.read(source, ANYTHING), options));
  for (const { part, some } of partsOf(wishes.take, client).toReversed()) {
    const why = whyNot(text, part, client, hide, options);
    const hooks = some.flatMap(({ hook }) => wishes.hooks[hook] ?? []).map(marksOf);
    if (!why && !take(options.label, part, hooks)) continue;
    const action = why ? ({ action: 'stays', why } as const) : ({ action: 'out' } as const);
    originals.push(...some.map((one) => ({ ...plannedOf(one), ...action })));
  }
  return { text, taken: next, originals };
}

/**
 * The document without the harmless words with which its hooks start programs. Any long word of a server's `args` may be a
 * token, but `import` checks those of a hook one by one.
 */
function withoutWords(document: JsonObject, { layout }: Options): JsonValue {
  const handlers = [...eventsOf(document, layout).values()].flat().flatMap((group) => {
    const inner = isObject(group) ? group[HANDLERS] : undefined;
    return [group, ...(Array.isArray(inner) ? inner : [])];
  });
  const harmless = new Set<unknown>();
  for (const { args } of handlers.filter(isObject)) {
    if (!Array.isArray(args)) continue;
    const words = args.map(String);
    if (isDeepStrictEqual(maskWords(words), words)) harmless.add(args);
  }
  return JSON.parse(JSON.stringify(document, (_, value) => (harmless.has(value) ? [] : value)));
}

/** Why a part cannot be taken out. */
function whyNot(
  text: string,
  part: Part,
  client: Client,
  hide: (text: string) => string,
  options: Options,
): InstallMessage | undefined {
  if (movesOthers(part, client)) return { code: 'original-moves', client: client.name };
  const taken = takeOut(text, part, options);
  const kept = taken ? [around(text, taken.cut), JSON.stringify(part.group)] : [];
  return kept.some((one) => hide(one) !== one) ? { code: 'original-secret' } : undefined;
}

/** Characters on either side of a cut, which may begin or end inside a word. */
const BESIDE = 60;

/** The text that is cut out, completed to whole words. */
function around(text: string, { before: { length: start }, was }: Cut): string {
  const end = start + was.length;
  const [before = ''] = text
    .slice(Math.max(0, start - BESIDE), start)
    .split(/[\r\n]/)
    .slice(-1);
  const [after = ''] = text.slice(end, end + BESIDE).split(/[\r\n]/);
  return before + was + after;
}

/** A file that contains nothing of ours keeps its record for as long as something has to be put back. */
function withTaken(
  { text, record }: Arrangement,
  taken: readonly TakenOut[],
  originals: readonly PlannedOriginal[] = [],
): Moved {
  if (taken.length === 0) {
    if (record?.taken === undefined) return { text, record, originals };
    const { taken: _, ...rest } = record;
    return { text, record: rest, originals };
  }
  const own = record ?? {
    ...{ existed: true, after: fingerprint(text ?? ''), inserted: [], owned: [] },
    created: { object: false, lists: [] },
  };
  return { text, record: { ...own, taken }, originals };
}

/** The handlers that no longer have a hook that runs in their place, by their indexes in their entry. */
function leavingFrom(own: readonly TakenOut[], wishes: Wishes): Map<TakenOut, number[]> {
  const leaving = new Map<TakenOut, number[]>();
  if (own.length === 0) return leaving;
  const runs = wishes.runs();
  const known = new Set(own.flatMap(({ hooks }) => hooks.map(({ hook }) => hook)));
  const isEdited = (marks: HookMarks) =>
    runs.some(({ hook, moment }) => moment === marks.moment && !known.has(hook));
  const runsNow = (marks: HookMarks) => runs.some(({ hook }) => hook === marks.hook);
  for (const one of own) {
    const gone = one.hooks.flatMap((marks, at) => (runsNow(marks) || isEdited(marks) ? [] : at));
    if (gone.length > 0) leaving.set(one, gone);
  }
  return leaving;
}

const partOf = ({ event, isKey, group, key, items, isHeld }: TakenOut): Part => ({
  ...{ event, isKey, group: JSON.parse(group), key, items },
  ...(isHeld && { placeholder: EMPTY_GROUP }),
});

/** @param some Indexes among the handlers of the part. */
const only = (part: Part, some: readonly number[]): Part => ({
  ...part,
  items: some.map((at) => part.items?.[at] ?? at),
});

/** The same part, put back as a group of its own. */
const apart = (part: Part): Part => ({ ...part, group: groupOf(part), items: null });

/** The parts that are cut together, in file order. A group is cut as a whole if all of its handlers are originals. */
function partsOf(take: readonly Original[], { positional }: Client) {
  const groups = new Map<string, Original[]>();
  for (const one of [...take].sort((a, b) => a.index - b.index || (a.item ?? 0) - (b.item ?? 0))) {
    const key = JSON.stringify([one.event, one.index]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { event, isKey, group } = first;
    const all = group[HANDLERS];
    const isWhole = !Array.isArray(all) || all.length === some.length;
    const items = isWhole ? null : some.flatMap(({ item }) => item ?? []);
    const placeholder = isWhole && positional && !isKey ? { placeholder: EMPTY_GROUP } : {};
    return [{ part: { event, isKey, group, key: HANDLERS, items, ...placeholder }, some }];
  });
}

/** Whether another handler would move to another index, in a client whose trust depends on indexes. */
function movesOthers({ group, key, items }: Part, { positional }: Client): boolean {
  const all = group[key];
  return (
    positional && items !== null && Array.isArray(all) && items[0] !== all.length - items.length
  );
}

const handlerOf = ({ event, group, isKey, item }: Original): JsonValue => {
  const all = group[HANDLERS];
  if (isKey) return group[event] ?? null;
  return item === undefined || !Array.isArray(all) ? group : (all[item] ?? null);
};

export const plannedOf = (one: Original): Omit<PlannedOriginal, 'action'> => ({
  ...{ client: one.client, path: one.path, line: one.line, column: one.column, event: one.event },
  ...inWords(one.client, one.group, handlerOf(one)),
});

function inWords(client: Client, { matcher }: JsonObject, handler: JsonValue) {
  const [command = JSON.stringify(handler)] = commandsHere(client, handler);
  return { ...(typeof matcher === 'string' && matcher !== '' && { matcher }), command };
}
