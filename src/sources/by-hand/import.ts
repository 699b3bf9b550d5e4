/**
 * Drafts a manifest from hand-written hooks in clients' files. Every entry is accounted for: it either became a hook, or was
 * left out for a reason. Nothing in a file is run, and no secret in it is passed on.
 */

import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Notifier } from '../../clients/by-hand.ts';
import type { Client } from '../../clients/contract.ts';
import { commandsAt } from '../../clients/entries.ts';
import { faultsIn } from '../../clients/health/reading.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import { byHandOf, CLIENTS, findServerClient, healthOf } from '../../clients/registry.ts';
import { labelStartedBy } from '../../compile/command.ts';
import { commandsIn, lineIn, type Word } from '../../compile/raise/commands.ts';
import type { Difference, HandMessage, LeftOut } from '../../compile/raise/messages.ts';
import { type Draft, type HandHook, raise } from '../../compile/raise/raise.ts';
import { DECISIONS, isExtended } from '../../declaration/declaration.ts';
import type { Problem } from '../../declaration/declared.ts';
import { DECLARATIONS, MANIFEST_BYTES } from '../../declaration/limits.ts';
import type { JsonValue, Path } from '../../edit/edit.ts';
import type { Env } from '../../system/env.ts';
import { type Message, mapTexts, said } from '../../system/errors.ts';
import { canonical } from '../../system/fingerprint.ts';
import { memoize, once } from '../../system/memoize.ts';
import { holdsSecret, redactor, TELLING } from '../../system/secrets.ts';
import { toPlainJson } from '../../system/visible.ts';
import { effectiveEntry, readConfigurations } from '../configurations.ts';
import type { Parts } from '../entry.ts';
import { searchPlaceOf } from '../folder.ts';
import { checkManifestText } from '../manifests/read.ts';
import { maskAddress, maskWords } from '../redacted.ts';
import { entriesIn, type HandEntry, type HandSettings } from './files.ts';
import { switchedOffHere } from './switched-off.ts';
import { wordsIn } from './words.ts';

/** An entry of a file, and its result. */
export interface Item {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly client: Client;
  readonly native: string;
  readonly matcher?: string;
  /** The number of its hook in the draft, from 1. Equivalent entries share a hook. */
  readonly hook?: number;
  /** Why the entry has no hook. Neither this nor the differences contain a secret. */
  readonly leftOut?: Message;
  readonly differences: readonly Message[];
  /** Its place: the file, and the keys that point to the entry. */
  readonly at: { readonly settings: HandSettings; readonly keys: Path };
}

export interface Imported {
  readonly items: readonly Item[];
  /** The text of the manifest. Undefined if no entry became a hook. */
  readonly manifest?: string;
  readonly hooks: readonly Draft[];
}

interface ImportOptions {
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
  /** The folder of the manifest. */
  readonly folder: string;
  /** Its `name`, if it has one. */
  readonly name?: string | undefined;
  /** Selects the relevant entries. By default, all. */
  readonly only?: (entry: HandEntry) => boolean;
}

/** Bytes that a manifest has for its hooks. */
const BYTES = MANIFEST_BYTES - 10_000;

/** A server in the form of a manifest. */
type Server =
  | { readonly command: string; readonly args?: readonly string[] }
  | { readonly url: string };

export async function draftManifest(
  files: readonly HandSettings[],
  options: ImportOptions,
): Promise<Imported> {
  const tools = toolServers(options);
  const offIn = switchedOffHere(options);
  const drafts: { key: string; hook: Draft }[] = [];
  const items: Item[] = [];
  let bytes = 0;
  for (const file of files) {
    const ignored = ignoredIn(file);
    const off = offIn(file);
    for (const found of entriesIn(file).filter(options.only ?? (() => true))) {
      const drafted = await draftOf(found, file, options, tools);
      const why = 'leftOut' in drafted ? undefined : off(found);
      const made = why ? { leftOut: why } : drafted;
      const item = itemOf(found, file);
      if ('leftOut' in made) {
        items.push({ ...item, leftOut: shown(made.leftOut), differences: [] });
        continue;
      }
      const key = keyOf(made.hook);
      const known = drafts.findIndex((one) => one.key === key);
      const size = known < 0 ? Buffer.byteLength(JSON.stringify(made.hook, null, 6)) + 10 : 0;
      if (known < 0 && (drafts.length >= DECLARATIONS || bytes + size > BYTES)) {
        const leftOut: LeftOut = { code: 'hand-too-many', limit: DECLARATIONS, bytes: BYTES };
        items.push({ ...item, leftOut, differences: [] });
        continue;
      }
      bytes += size;
      const same = drafts[known];
      if (same) same.hook = merged(same.hook, made.hook);
      else {
        drafts.push({ key, hook: made.hook });
        if (made.server && isValid(made.hook, made.server, options)) tools.choose(made.server);
      }
      const hook = known < 0 ? drafts.length : known + 1;
      const differences = [...made.differences, ...ignored(found)].map(shown);
      items.push({ ...item, hook, differences });
    }
  }
  return accepted(
    items,
    drafts.map(({ hook }) => hook),
    tools.chosen(),
    options,
  );
}

/** Matches the variables of all clients that contain the session's folder. */
const foldersOf = memoize(() => {
  const files = CLIENTS.flatMap((client) => byHandOf(client)?.files ?? []);
  const names = files.flatMap(({ isPackage, variables }) => (isPackage ? [] : variables));
  return new RegExp(`\\b(?:${[...new Set(names)].join('|')})\\b`, 'g');
});

/** A key that is equal for hooks that do the same: files of several clients each have their own copy of a hook. */
export function keyOf({ may: _, deadline: __, command, matcher, ...rest }: Draft): string {
  const words = command?.map((word) => word.replace(foldersOf(), 'FOLDER'));
  return canonical([rest, momentOf({ matcher }), words]);
}

/** A key that is equal for hooks that fire at the same moments. */
export function momentOf({ event, matcher }: Partial<Pick<Draft, 'event' | 'matcher'>>): string {
  const { tool_name, ...more } = matcher ?? {};
  const tools = tool_name === undefined ? [] : namesIn(tool_name).sort();
  return canonical([event, tools, more]);
}

/** The globs of a brace list. */
const namesIn = (glob: string): string[] =>
  /^\{[^{}]*\}$/.test(glob) ? glob.slice(1, -1).split(',') : [glob];

/** Merges two equivalent hooks: the decisions of both, and the longer deadline. */
function merged(one: Draft, other: Draft): Draft {
  const may = DECISIONS.filter((own) => [one, other].some((hook) => hook.may?.includes(own)));
  const deadline = Math.max(one.deadline ?? 0, other.deadline ?? 0);
  return { ...one, ...(may.length > 0 && { may }), ...(deadline > 0 && { deadline }) };
}

/** Keeps only hooks that `validate` accepts. The others are left out with a reason. */
function accepted(
  items: readonly Item[],
  hooks: readonly Draft[],
  server: Server | undefined,
  options: ImportOptions,
): Imported {
  if (hooks.length === 0) return { items, hooks };
  const text = manifestOf(hooks, server, options.name);
  const problems = problemsIn(text, options);
  const of = (number: number, level: Problem['level']) =>
    problems.filter(
      ({ path, level: own }) =>
        own === level && path[1] === 'declarations' && path[2] === number - 1,
    );
  const wrong = hooks.map((_, index) => of(index + 1, 'error')[0]?.message);
  const next = hooks.filter((_, index) => wrong[index] === undefined);
  const place = (number: number) => wrong.slice(0, number).filter((one) => !one).length;
  const judged = items.map((item): Item => {
    if (item.hook === undefined) return item;
    const problem = wrong[item.hook - 1];
    const { hook: _, ...rest } = item;
    const leftOut = problem && said<LeftOut>({ code: 'hand-refused', problem });
    if (leftOut) return { ...rest, leftOut, differences: [] };
    return { ...item, hook: place(item.hook) };
  });
  if (next.length < hooks.length) return accepted(judged, next, server, options);
  const doubted = judged.map((item): Item => {
    const doubts = item.hook === undefined ? [] : of(item.hook, 'warning');
    const more = doubts.map(
      ({ message: problem }): Difference => ({ code: 'hand-doubtful', problem }),
    );
    return { ...item, differences: [...item.differences, ...more] };
  });
  return { items: doubted, manifest: text, hooks };
}

function manifestOf(
  hooks: readonly Draft[],
  server: Server | undefined,
  name: string | undefined,
): string {
  const isPlain = !hooks.some((hook) => isExtended({ ...hook, priority: 'suggestion' }));
  const called = hooks.some(({ context_tool }) => context_tool !== undefined);
  const manifest = {
    ...(isPlain ? {} : { version: 2 }),
    ...(name !== undefined && { name }),
    ...(called && server && { server }),
    hooks: {
      declarations: hooks.map((hook) => (isPlain ? { ...hook, priority: 'suggestion' } : hook)),
    },
  };
  return toPlainJson(manifest);
}

/** Whether `validate` accepts a hook on its own. */
const isValid = (hook: Draft, server: Server, options: ImportOptions): boolean =>
  problemsIn(manifestOf([hook], server, options.name), options).every(
    ({ level }) => level !== 'error',
  );

/** The problems that `validate` would report for the draft in its folder. */
function problemsIn(text: string, { folder, name = 'draft' }: ImportOptions): readonly Problem[] {
  const shown = 'draft.json';
  const file = join(folder, shown);
  const { declared } = checkManifestText({
    text,
    shown,
    file,
    source: { kind: 'manifest', path: file },
    where: { folder },
    name,
    isNamed: true,
  });
  return declared.problems;
}

interface Tools {
  /** How a client's server is started, or why no hook of the draft can call its tools. */
  readonly serverOf: (client: Client, name: string) => Server | LeftOut;
  /** Records that the draft contains a hook that calls a tool of this server. */
  readonly choose: (server: Server) => void;
  readonly chosen: () => Server | undefined;
}

/**
 * The one server whose tools are called, because a manifest has only one. Clients may have different servers under the same
 * name.
 */
function toolServers({ env, cwd, home }: ImportOptions): Tools {
  let chosen: Server | undefined;
  const entriesOf = once((client: Client) => {
    const known = findServerClient(client.id);
    return readConfigurations(searchPlaceOf({ env, cwd }, home), known ? [known] : []).entries;
  });
  return {
    chosen: () => chosen,
    choose: (server) => {
      chosen = server;
    },
    serverOf: (client, name) => {
      const parts = effectiveEntry(entriesOf(client).filter((entry) => entry.name === name))?.parts;
      if (!parts) return { code: 'hand-tool-unknown', server: name };
      const server = serverIn(parts);
      if (!server) return { code: 'hand-tool-values', server: name };
      const isOther = chosen !== undefined && !isDeepStrictEqual(server, chosen);
      return isOther ? { code: 'hand-tool-other', server: name } : server;
    },
  };
}

/** Undefined if the server needs more than its command line or address, or if one of these may be a secret. */
function serverIn(parts: Parts): Server | undefined {
  const isPlain = (words: readonly string[], hidden: readonly string[]) =>
    words.every((word, index) => word === hidden[index] && !word.includes('$'));
  if ('url' in parts) {
    const { url, headers, headersFromVariables, bearer } = parts;
    const given = Object.keys({ ...headers, ...headersFromVariables }).length > 0;
    return given || bearer !== undefined || !isPlain([url], [maskAddress(url)])
      ? undefined
      : { url };
  }
  const { command, args, env, envFile, cwd, passedOn } = parts;
  const given = Object.keys(env).length + passedOn.length > 0;
  const words = [command, ...args];
  if (given || envFile !== undefined || cwd !== undefined) return undefined;
  if (!isPlain(words, maskWords(words))) return undefined;
  return { command, ...(args.length > 0 && { args }) };
}

async function draftOf(
  found: HandEntry,
  file: HandSettings,
  { home, folder }: ImportOptions,
  tools: Tools,
): Promise<ReturnType<typeof raise> & { readonly server?: Server }> {
  const { client, root, variables, isPackage, path } = file;
  const label = labelStartedIn(found.handler, client);
  if (label !== undefined) return { leftOut: { code: 'hand-ours', label } };
  const byHand = byHandOf(client);
  if (!byHand) return { leftOut: { code: 'hand-unknown-client', client: client.name } };
  const beside = root ?? dirname(path);
  const words = wordsIn({ root, isPackage, beside, home, manifest: folder, variables, byHand });
  let server: Server | undefined;
  const serverOf = (name: string): LeftOut | undefined => {
    const known = tools.serverOf(client, name);
    if ('code' in known) return known;
    server = known;
    return undefined;
  };
  const hook = found.notifier ? hookLike(found.handler, found.notifier) : found;
  if (!hook) return { leftOut: { code: 'hand-no-hook' } };
  const raised = raise(hook, { client, byHand, ...words, serverOf });
  if ('leftOut' in raised) return raised;
  const made = found.notifier ? withNotifier(raised, found.notifier) : raised;
  const { command = [] } = made.hook;
  if (namesSecret(command) || (await holdsSecret(made.hook)))
    return { leftOut: { code: 'hand-secret' } };
  return { ...made, ...(server && { server }) };
}

/**
 * A hook that starts a client's notifier with the argument that the client would pass. Undefined if the notifier is not a list
 * of words.
 */
function hookLike(handler: JsonValue, { native, word }: Notifier): HandHook | undefined {
  const words = Array.isArray(handler) ? handler : [];
  if (words.length === 0 || words.some((one) => typeof one !== 'string')) return undefined;
  const line = `exec "$@" "$(jq -c '${word}')"`;
  return { native, handler: { command: 'sh', args: ['-c', line, 'sh', ...words], async: true } };
}

/** The differences for a notifier, whose client has never read its output. */
function withNotifier<R extends { readonly differences: readonly Difference[] }>(
  raised: R,
  { lacks }: Notifier,
): R {
  const others = raised.differences.filter(({ code }) => code !== 'hand-not-read');
  return { ...raised, differences: [{ code: 'hand-notifier', lacks }, ...others] };
}

/** Whether one of the words is likely to be a secret. For a shell line, the words of each of its commands. */
function namesSecret(words: readonly string[]): boolean {
  const line = lineIn(words);
  // Assignments of variables are checked below.
  const wordsOf = (some: readonly Word[]) =>
    some.map(({ text }) => text ?? '$VALUE').filter((word) => !/^\w+=/.test(word));
  const others = line === undefined ? [words] : commandsIn(line).commands.map(wordsOf);
  const isSet = [...(line ?? '').matchAll(SET)].some(([, name = '']) => TELLING.test(name));
  return isSet || others.some((some) => !isDeepStrictEqual(some, maskWords(some)));
}

/** A variable that is set to a literal value. */
const SET = /(?<!\w)([A-Za-z_]\w{0,100})=["']?[\w./+~-]{4}/g;

/** The label whose runner an entry starts. The entry belongs to an install or to a package. */
const labelStartedIn = (handler: JsonValue, { entry }: Client): string | undefined =>
  commandsAt(entry.commands, handler)
    .map((command) => labelStartedBy(command))
    .find((label) => label !== undefined);

function itemOf(
  { native, keys, matcher }: HandEntry,
  file: HandSettings,
): Omit<Item, 'differences'> {
  const hide = redactor({});
  return {
    file: file.shown,
    ...file.at(keys),
    client: file.client,
    at: { settings: file, keys },
    native: hide(native),
    ...(typeof matcher === 'string' && matcher !== '' && { matcher: hide(matcher) }),
  };
}

/** Whether the client itself drops an entry as it is written, and why. */
function ignoredIn({
  client,
  path,
  text,
  document,
  refused,
}: HandSettings): (found: HandEntry) => Difference[] {
  if (refused) return () => [{ code: 'hand-ignored-there', problem: refused }];
  const faults = faultsIn(client, { path, text, document });
  const whole = healthOf(client).faulty?.(path) ?? '';
  return ({ keys }) => {
    const about = faults.find(({ path: own }) =>
      own.every((key, index) => index >= keys.length || keys[index] === key),
    );
    if (!about) return [];
    const { what, lost = 'file' } = about;
    const at = about.path.join('.');
    const problem: ClientMessage = {
      code: 'settings-fault',
      ...{ client: client.name, path: at, what, lost, whole },
    };
    return [{ code: 'hand-ignored-there', problem }];
  };
}

/** Removes possible secrets: some messages contain words of commands, others contain names from the file. */
const shown = (message: HandMessage): Message => mapTexts(message, redactor({}));
