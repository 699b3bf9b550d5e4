/** A manifest: a JSON or JSONC file with a server's hooks. Reading is strict, and reports places. */

import { type Message, said } from '../system/errors.ts';
import type { Bound, CommandFolder } from './command.ts';
import {
  DEFAULT_ORDER,
  EXTENSION,
  HANDLERS,
  type HookDeclaration,
  LABEL,
  ownEventName,
} from './declaration.ts';
import {
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
import { beyondLimits, DEPTH } from './limits.ts';
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
  readonly commandsFrom?: CommandFolder | null | undefined;
}

/** Checks the manifest in a document. Only what is in the manifest is judged: a file around it has rules of its own. */
export function checkManifest(document: Document, around: Surroundings): ServerHooks {
  const { name, label, source } = around;
  const parsed = document.value === undefined ? [] : parse(document.value, around);
  const { problems, ...checked } = 'form' in parsed ? check(parsed, around) : { problems: parsed };
  return {
    ...{ label: name ?? label, hooks: [], unsupported: [] },
    ...checked,
    source,
    problems: document.place([...document.problems, ...problems]),
  };
}

interface Parsed {
  readonly manifest: Record<string, unknown>;
  readonly label: string;
  readonly form: Form;
  readonly problems: readonly Problem[];
}

/** Finds the manifest in a document, and the hooks in it; or what is wrong, if there are none. */
function parse(document: unknown, around: Surroundings): Parsed | readonly Problem[] {
  const { at, name, foreign } = around;
  const manifest = valueAt(document, at);
  if (!isRecord(manifest))
    return [error({ code: 'manifest-no-object', found: typeName(manifest) }, at)];
  const problems: Problem[] = [];
  const wrong = (message: DeclarationMessage, path: KeyPath) => problems.push(error(message, path));

  const isNamed = !foreign && manifest.name !== undefined;
  const label = name ?? (isNamed ? manifest.name : around.label);
  const labelAt = name !== undefined ? at : isNamed ? [...at, 'name'] : (around.labelAt ?? at);
  if (typeof label !== 'string') wrong({ code: 'name-no-string' }, labelAt);
  else if (!LABEL.test(label)) wrong({ code: 'bad-label', label }, labelAt);

  const form = findForm(manifest);
  if (!form) return [...problems, error({ code: 'no-declarations' }, at)];
  const allowed = [...ENVELOPE, form.path[0] ?? 'declarations'];
  for (const key of foreign ? [] : Object.keys(manifest))
    if (!allowed.includes(key)) wrong(unknownKey(key, allowed), [...at, key]);
  return { manifest, label: typeof label === 'string' ? label : around.label, form, problems };
}

type Checked = Pick<ServerHooks, 'problems'> & Partial<Omit<ServerHooks, 'source'>>;

/** Checks the hooks, and finds out how the server is started whose tools they call. */
function check({ manifest, label, form, ...parsed }: Parsed, around: Surroundings): Checked {
  const { at, foreign, told } = around;
  const problems = [...parsed.problems];
  const beyond = beyondLimits(form.hooks, [...at, ...form.path]);
  problems.push(...beyond);
  if (beyond.some(({ message }) => message.code === 'too-many-declarations')) return { problems };
  const { version, ...stated } = foreign
    ? SAYS_NOTHING
    : versionIn(manifest, at, isOfHost(form) ? form : undefined);
  const read = readDeclarations(form.hooks, form.path, around.doubts, at, {
    version,
    commandsFrom: around.commandsFrom,
  });
  const { declarations, problems: found, ...known } = read;
  const tools = toolsIn(form.hooks);
  const isOwn = !foreign && 'server' in manifest;
  const start = isOwn ? ownServer(manifest.server, around) : tools.length > 0 ? told?.() : {};
  // For something too long, that is the only problem to report.
  const isTooLong = ({ path }: Problem) => beyond.some((one) => isSamePath(one.path, path));
  problems.push(
    ...[...stated.problems, ...(start?.problems ?? [])],
    ...found.filter((one) => !isTooLong(one)),
  );
  const why = start?.untold;
  if (why !== undefined) {
    for (const { tool, index } of tools)
      problems.push({
        level: 'warning',
        message: said<DeclarationMessage>({ code: 'tool-left-out', tool, why }),
        path: [...at, ...form.path, 'declarations', index, 'context_tool'],
        leftOut: true,
      });
    const hooks = declarations.filter(({ context_tool }) => context_tool === undefined);
    return { ...known, label, hooks, problems };
  }
  const [first] = tools;
  if (first && !start) problems.push(error({ code: 'tool-needs-server', tool: first.tool }, at));
  const server = start?.server && { server: start.server };
  return { ...known, label, hooks: declarations, problems, ...server };
}

const valueAt = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((here, key) => (isRecord(here) ? here[key] : undefined), document);

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
  readonly commandsFrom?: CommandFolder | null | undefined;
}

/** The folder and files of commands are there when there are commands. */
interface ReadHooks extends Bound {
  readonly declarations: HookDeclaration[];
  readonly problems: Problem[];
  readonly unsupported: Unsupported[];
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
  if (isOfClient(hooks)) {
    wrong({ code: 'hooks-of-client' }, path);
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
  let bound: Bound = {};
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
      const found = commandsFrom?.find(value.command, [...at, 'command']);
      problems.push(...(found?.problems ?? []));
      bound = {
        commandsFrom: commandsFrom?.path,
        commandFiles: { ...bound.commandFiles, ...found?.files },
      };
    }
    declarations.push(value);
    problems.push(...doubts(value, at));
  });
  // With an unknown version, nothing is used.
  if (own && own.problems.length > 0) return { declarations: [], problems, unsupported: [] };
  const ordered = version === 2 ? inOrder(declarations) : declarations;
  return { declarations: ordered, problems, unsupported, ...bound };
}

/** Whether these are the hooks of a client's settings: lists of what it runs, by its events. */
const isOfClient = (hooks: Record<string, unknown>): boolean => {
  const lists = Object.values(hooks);
  const isEntry = (entry: unknown) =>
    isRecord(entry) &&
    (Array.isArray(entry.hooks) || ['command', 'bash', 'powershell'].some((key) => key in entry));
  const isFull = (list: unknown) => Array.isArray(list) && list.length > 0 && list.every(isEntry);
  return !('declarations' in hooks) && lists.length > 0 && lists.every(isFull);
};

/** Hooks of version 2. Their priorities say nothing about their order, as those of SEP-2282 do, so it is said in full. */
const inOrder = (hooks: readonly HookDeclaration[]): HookDeclaration[] =>
  hooks.map((hook) =>
    hooks.some(({ event, priority }) => event === hook.event && priority !== hook.priority)
      ? { order: DEFAULT_ORDER, ...hook }
      : hook,
  );

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
