/** A manifest: a JSON or JSONC file with a server's hooks. Reading is strict, and reports places. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt, type Message, reasonOf, said, UserError } from '../system/errors.ts';
import type { SystemMessage } from '../system/messages.ts';
import { nearest } from '../system/nearest.ts';
import { findFiles } from './command.ts';
import { EXTENSION, HANDLERS, type HookDeclaration, LABEL, ownEventName } from './declaration.ts';
import {
  type CommandFiles,
  error,
  type KeyPath,
  type Problem,
  type ServerHooks,
  type ServerLaunch,
  type Source,
  type Unsupported,
} from './declared.ts';
import { type Document, readDocument } from './document.ts';
import { checkExtended, checkFirst, isOfNoEvent } from './extended.ts';
import { beyondLimits, DEPTH, MANIFEST_BYTES } from './limits.ts';
import type { DeclarationMessage } from './messages.ts';
import {
  checkDeclaration,
  checkServer,
  isRecord,
  isUnknownEvent,
  typeName,
  unknownKey,
} from './schema.ts';

/**
 * Looks for things in a hook that are allowed but hardly meant, with a warning for each.
 *
 * @param path The hook's place in the document.
 * @param isPart The hook is incomplete: wrong fields are left out, and perhaps everything that it does.
 */
export type Doubts = (hook: HookDeclaration, path: KeyPath, isPart?: boolean) => Problem[];

export const readManifestText = (text: string): Document =>
  readDocument(text, {
    tooDeep: said<DeclarationMessage>({ code: 'manifest-too-deep', depth: DEPTH }),
    empty: said<DeclarationMessage>({ code: 'manifest-empty' }),
  });

/** How to start a server, as far as that is known. */
export interface ServerStart<M extends Message = Message> {
  readonly server?: ServerLaunch;
  readonly untold?: M;
  readonly problems?: readonly Problem<M>[];
}

/** Where a manifest was found, and what is known besides. */
export interface Surroundings {
  readonly source: Source;
  /** Keys from the root of the document to the manifest. */
  readonly at: readonly string[];
  /** The label if neither the user nor the manifest gives one, and its place. */
  readonly label: string;
  readonly labelAt?: readonly string[];
  readonly name?: string;
  /** The object is somebody else's: only the hooks in it are ours to judge. */
  readonly foreign?: boolean;
  /** How to start the server if the manifest does not say; only called if a tool is wanted. Absent: the manifest has to say. */
  readonly told?: () => ServerStart;
  /** Why the server that the manifest names cannot be started from where it was found. */
  readonly objection?: (server: ServerLaunch) => Message | undefined;
  readonly doubts: Doubts;
  /**
   * The folder that commands are relative to. Absent: the user has not named this file, so its commands are not used. Null: the
   * same, but they keep their places among the hooks.
   */
  readonly commandsFrom?: string | null | undefined;
}

/** Checks the manifest in a document. Only what is in the manifest is judged: a file around it has rules of its own. */
export function checkManifest(document: Document, around: Surroundings): ServerHooks {
  const { at, name, source, label, told } = around;
  const found: Problem[] = [...document.problems];
  const done = (
    hooks: readonly HookDeclaration[] = [],
    server?: ServerLaunch,
    own = name ?? label,
    unsupported: readonly Unsupported[] = [],
    commandFiles?: CommandFiles,
  ): ServerHooks => ({
    label: own,
    hooks,
    ...(server && { server }),
    source,
    problems: document.place(found),
    unsupported,
    ...(commandFiles && { commandsFrom: around.commandsFrom ?? undefined, commandFiles }),
  });
  if (document.value === undefined) return done();

  const wrong = (message: DeclarationMessage, path: KeyPath) => found.push(error(message, path));
  const value = at.reduce<unknown>(
    (here, key) => (isRecord(here) ? here[key] : undefined),
    document.value,
  );
  if (!isRecord(value)) {
    wrong({ code: 'manifest-no-object', found: typeName(value) }, at);
    return done();
  }

  const says = !around.foreign && value.name !== undefined;
  const own = name ?? (says ? value.name : label);
  const ownAt = name !== undefined ? at : says ? [...at, 'name'] : (around.labelAt ?? at);
  if (typeof own !== 'string') wrong({ code: 'name-no-string' }, ownAt);
  else if (!LABEL.test(own)) wrong({ code: 'bad-label', label: own }, ownAt);

  const form = findForm(value);
  if (!form) {
    wrong({ code: 'no-declarations' }, at);
    return done();
  }
  const allowed = [...ENVELOPE, form.path[0] ?? 'declarations'];
  for (const key of around.foreign ? [] : Object.keys(value))
    if (!allowed.includes(key)) wrong(unknownKey(key, allowed), [...at, key]);

  const beyond = beyondLimits(form.hooks, [...at, ...form.path]);
  found.push(...beyond);
  if (beyond.some(({ message }) => message.code === 'too-many-declarations')) return done();
  const version = around.foreign
    ? SAYS_NOTHING
    : versionIn(value, at, isOfHost(form) ? form : undefined);
  found.push(...version.problems);
  const { declarations, problems, unsupported, commandFiles } = readDeclarations(
    form.hooks,
    form.path,
    around.doubts,
    at,
    { version: version.version, commandsFrom: around.commandsFrom },
  );
  const ownLabel = typeof own === 'string' ? own : label;
  const tools = toolsIn(form.hooks);
  const server = !around.foreign && 'server' in value;
  const known = server ? ownServer(value.server, around) : tools.length > 0 ? told?.() : {};
  // For something too long, that is the only problem to report.
  const isTooLong = ({ path }: Problem) => beyond.some((one) => isSamePath(one.path, path));
  found.push(...(known?.problems ?? []), ...problems.filter((one) => !isTooLong(one)));
  if (known?.untold === undefined) {
    const [first] = tools;
    if (first && !known) wrong({ code: 'tool-needs-server', tool: first.tool }, at);
    return done(declarations, known?.server, ownLabel, unsupported, commandFiles);
  }
  for (const { tool, index } of tools)
    found.push({
      level: 'warning',
      message: said<DeclarationMessage>({ code: 'tool-left-out', tool, why: known.untold }),
      path: [...at, ...form.path, 'declarations', index, 'context_tool'],
      leftOut: true,
    });
  const texts = declarations.filter(({ context_tool }) => context_tool === undefined);
  return done(texts, undefined, ownLabel, unsupported, commandFiles);
}

/** A document's vocabulary: 1 is SEP-2282, and also holds for documents that cannot say a version. */
export const VERSIONS = [1, 2] as const;
export type Version = (typeof VERSIONS)[number];

interface Versioned {
  /** Absent: it cannot say one. */
  readonly version?: Version;
  readonly problems: readonly Problem<DeclarationMessage>[];
}

const SAYS_NOTHING: Versioned = { problems: [] };

/** The version that an object states. `form`: where its hooks are, if that place only allows the SEP. */
function versionIn(value: Record<string, unknown>, at: KeyPath, form?: Form): Versioned {
  const said = value.version;
  const path = [...at, 'version'];
  const version = VERSIONS.find((one) => one === said);
  if (said !== undefined && version === undefined) {
    const [found, allowed] = [JSON.stringify(said), VERSIONS.map(String)];
    // Report its problems as for the latest version.
    const problems = [
      error({ code: 'value-unknown', key: 'version', found, allowed } as const, path),
    ];
    return { ...(form ? {} : { version: 2 }), problems };
  }
  if (!form) return { version: version ?? 1, problems: [] };
  if (version !== 2) return SAYS_NOTHING;
  const message = { code: 'version-elsewhere', form: form.path.join('.'), version } as const;
  return { problems: [error(message, path)] };
}

/** Hooks that a server sends to any host, which may use only the SEP. */
const isOfHost = ({ path }: Form): boolean => path.length > 1 && !isOurs(path);

const isOurs = (form: KeyPath): boolean => form.at(-1) === EXTENSION;
const isSamePath = (one: KeyPath, other: KeyPath): boolean =>
  one.length === other.length && one.every((key, index) => key === other[index]);

function ownServer(entry: unknown, { at, objection }: Surroundings): ServerStart {
  const { value, problems } = checkServer(entry, [...at, 'server']);
  if (!value) return { problems };
  const untold = objection?.(value);
  if (untold !== undefined) return { untold };
  return { problems, server: at.length > 0 ? { ...value, valuesAt: [...at, 'server'] } : value };
}

/** The tools that entries want to call, including entries that are otherwise wrong. */
function toolsIn(hooks: unknown): { tool: string; index: number }[] {
  const entries = isRecord(hooks) && Array.isArray(hooks.declarations) ? hooks.declarations : [];
  return entries.flatMap((entry: unknown, index) => {
    const tool = isRecord(entry) ? entry.context_tool : undefined;
    return typeof tool === 'string' ? [{ tool, index }] : [];
  });
}

export const ENVELOPE: readonly string[] = ['$schema', 'version', 'name', 'server'];

/** What is known of hooks from outside. */
export interface Reading {
  /** The version of the document around them; absent: it cannot say one. */
  readonly version?: Version | undefined;
  /** The folder that commands are relative to; null: they stay as they are. Absent: commands are not used. */
  readonly commandsFrom?: string | null | undefined;
}

export interface ReadHooks {
  readonly declarations: HookDeclaration[];
  readonly problems: Problem[];
  readonly unsupported: Unsupported[];
  /** Present when there are commands. */
  readonly commandFiles?: CommandFiles;
}

/** All correct entries of the hooks at `form` of the manifest at `at`, all problems, and the entries for other events. */
export function readDeclarations(
  hooks: unknown,
  form: KeyPath,
  doubts: Doubts,
  at: KeyPath = [],
  { version: around, commandsFrom }: Reading = {},
): ReadHooks {
  const path = [...at, ...form];
  const problems: Problem[] = [];
  const unsupported: Unsupported[] = [];
  const declarations: HookDeclaration[] = [];
  const wrong = (message: DeclarationMessage, where: KeyPath) =>
    problems.push(error(message, where));
  if (!isRecord(hooks)) {
    wrong({ code: 'hooks-no-object', found: typeName(hooks) }, path);
    return { declarations, problems, unsupported };
  }
  // A bare `{ "declarations": [...] }` is the whole document: its other keys are the envelope's.
  const known = isOurs(form) ? ['version', 'declarations'] : ['declarations'];
  for (const key of Object.keys(hooks))
    if (!known.includes(key) && form.length > 0) wrong(unknownKey(key, known), [...path, key]);
  const own = isOurs(form) && 'version' in hooks ? versionIn(hooks, path) : undefined;
  problems.push(...(own?.problems ?? []));
  const version = own ? own.version : (around ?? (isOurs(form) ? 1 : undefined));
  if (!Array.isArray(hooks.declarations)) {
    wrong(
      'declarations' in hooks
        ? { code: 'declarations-no-array', found: typeName(hooks.declarations) }
        : { code: 'declarations-missing' },
      'declarations' in hooks ? [...path, 'declarations'] : path,
    );
    return { declarations, problems, unsupported };
  }
  let commandFiles: CommandFiles | undefined;
  hooks.declarations.forEach((entry: unknown, index) => {
    const at = [...path, 'declarations', index];
    const { value, problems: found } = CHECKS[version ?? 0](entry, at);
    problems.push(...found);
    if (isUnknownEvent(entry) && (version !== 2 || isOfNoEvent(entry)))
      unsupported.push(unsupportedAt(entry, at));
    if (!value) {
      const right = rightOf(entry, found, at);
      if (right) problems.push(...doubts(right, at, true));
      return;
    }
    if (value.command) {
      if (commandsFrom === undefined) {
        problems.push(commandLeftOut(at));
        return;
      }
      const files =
        commandsFrom === null
          ? NO_FILES
          : findFiles(value.command, commandsFrom, [...at, 'command']);
      problems.push(...files.problems);
      commandFiles = { ...commandFiles, ...files.files };
    }
    declarations.push(value);
    problems.push(...doubts(value, at));
  });
  // With an unknown version, nothing is used.
  if (own && own.problems.length > 0) return { declarations: [], problems, unsupported: [] };
  return { declarations, problems, unsupported, ...(commandFiles && { commandFiles }) };
}

/**
 * A hook without its wrong fields, so that doubts about the others are reported right away. Undefined: it is not known when
 * it fires. A matcher without one of its parts matches more calls, so if it still matches none, neither does the whole.
 */
function rightOf(
  entry: unknown,
  problems: readonly Problem[],
  at: KeyPath,
): HookDeclaration | undefined {
  if (!isRecord(entry)) return undefined;
  const { matcher, ...fields } = entry;
  const within = isRecord(matcher) ? { ...matcher } : undefined;
  for (const { level, path, message } of problems) {
    // It is not known which of them stays.
    if (SEVERAL.includes(message.code)) for (const key of HANDLERS) delete fields[key];
    const [field, inner] = path.slice(at.length).map(String);
    if (level !== 'error' || field === undefined) continue;
    if (field === 'event' || (field === 'matcher' && inner === undefined)) return undefined;
    if (field === 'matcher' && within) delete within[inner ?? ''];
    else delete fields[field];
  }
  // Without its arguments it is a different call.
  if ('context_tool_args' in entry && !('context_tool_args' in fields)) delete fields.context_tool;
  const right = {
    priority: 'suggestion',
    ...fields,
    event: ownEventName(entry.event),
    ...(within && { matcher: within }),
  };
  return right as unknown as HookDeclaration;
}

/** The codes for a hook that does several things. */
const SEVERAL: readonly string[] = ['context-and-tool', 'handlers-several'];

/** By version; 0: it cannot say one. */
const CHECKS = [checkDeclaration, checkFirst, checkExtended] as const;

const NO_FILES = { files: {}, problems: [] };

const commandLeftOut = (at: KeyPath): Problem<DeclarationMessage> => ({
  level: 'warning',
  message: { code: 'command-not-taken' },
  path: [...at, 'command'],
  leftOut: true,
});

const unsupportedAt = (
  { event, context, context_tool }: Record<string, unknown> & { readonly event: string },
  path: KeyPath,
): Unsupported => ({
  event,
  ...(typeof context === 'string' && { context }),
  ...(typeof context_tool === 'string' && { context_tool }),
  path,
});

/** The places where a hooks capability may be, the most trusted first. */
const FORMS: readonly (readonly string[])[] = [
  ['hooks'],
  [],
  ['capabilities', 'extensions', EXTENSION],
  ['capabilities', 'hooks'],
  ['capabilities', 'experimental', 'hooks'],
  ['experimental', 'hooks'],
];

interface Form {
  readonly path: readonly string[];
  readonly hooks: unknown;
}

/** Where the hooks are in a manifest, or in a server's capabilities wrapped as one. */
export const findForm = (document: Record<string, unknown>): Form | undefined =>
  formsIn(document)[0];

/** All the places with hooks; only the first one counts. */
export function formsIn(document: Record<string, unknown>): Form[] {
  const found = FORMS.flatMap((path) => {
    let here: unknown = document;
    for (const key of path) here = isRecord(here) ? here[key] : undefined;
    const bare = path.length === 0 && !('declarations' in document);
    return bare || here === undefined ? [] : [{ path, hooks: here }];
  });
  // An empty object may only say that the extension is known.
  const declares = ({ hooks }: Form) => isRecord(hooks) && 'declarations' in hooks;
  return [...found.filter(declares), ...found.filter((form) => !declares(form))];
}

/** The text of a manifest. @throws UserError when there is none, or it is too large. */
export const loadManifest = (file: string, path: string): string =>
  decode(loadBytes(file, path, MANIFEST_BYTES, 'manifest-too-large'), path);

/** The bytes of a file that somebody named. A file of more than `limitBytes` is not read; `tooLarge` is its code. */
export function loadBytes(
  file: string,
  path: string,
  limitBytes: number,
  tooLarge: 'manifest-too-large' | 'bundle-too-large',
): Buffer {
  try {
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory())
      throw new UserError<SystemMessage>({ code: 'not-a-file', path });
    const { size } = found;
    if (size > limitBytes)
      throw new UserError<DeclarationMessage>({ code: tooLarge, path, bytes: size, limitBytes });
    return readFileSync(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError<SystemMessage | DeclarationMessage>(
      { code: 'cannot-read', path, why: reasonOf(error) },
      meantFile(file, path),
    );
  }
}

/** The nearest name in the folder of a missing file, among those that may hold hooks. */
function meantFile(file: string, path: string): DeclarationMessage[] {
  if (existsSync(file)) return [];
  const beside = attempt(() => readdirSync(dirname(file))) ?? []; // the folder may be missing, too
  const names = beside.filter((name) => /\.(?:jsonc?|mcpb|dxt)$/i.test(name));
  const [name] = nearest(basename(file), names);
  return name === undefined ? [] : [{ code: 'did-you-mean', name: join(dirname(path), name) }];
}

export function decode(bytes: Uint8Array, path: string): string {
  const text = Buffer.from(bytes).toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    throw new UserError<DeclarationMessage>({ code: 'not-utf8', path });
  return text;
}
