/** A manifest: a JSON or JSONC file with a server's hooks. It is read strictly, and problems have places. */

import { type Message, said } from '../system/errors.ts';
import type { Bound, CommandFolder } from './command.ts';
import {
  DEFAULT_ORDER,
  EXTENSION,
  HANDLERS,
  type HookDeclaration,
  isLabel,
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
import { checkExtended, checkOfVersion1, isOfNoEvent } from './extended.ts';
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
 * Checks a hook for parts that are allowed but probably a mistake, with a warning for each.
 *
 * @param path The hook's path in the document.
 * @param isPart The hook is incomplete: wrong fields are left out, possibly all that it does.
 */
export type Doubts = (hook: HookDeclaration, path: KeyPath, isPart?: boolean) => Problem[];

export const readManifestText = (text: string): Document =>
  readDocument(text, {
    tooDeep: said<DeclarationMessage>({ code: 'manifest-too-deep', depth: DEPTH }),
    empty: said<DeclarationMessage>({ code: 'manifest-empty' }),
  });

/** How to start a server, or why that is not known. */
export interface ServerStart<M extends Message = Message> {
  readonly server?: ServerLaunch;
  readonly reason?: M;
  readonly problems?: readonly Problem<M>[];
}

/** The place of a manifest, and related facts. */
export interface Surroundings {
  readonly source: Source;
  /** Keys from the root of the document to the manifest. */
  readonly at: readonly string[];
  /** The label if neither the user nor the manifest has one, and its path. */
  readonly label: string;
  readonly labelAt?: readonly string[];
  readonly name?: string;
  /** The object belongs to another program, so we only check the hooks in it. */
  readonly foreign?: boolean;
  /**
   * Returns how to start the server if the manifest does not say. Only called if a hook has a tool. Absent: the manifest must
   * say.
   */
  readonly serverStart?: () => ServerStart;
  /** Why the server of the manifest cannot be started from here. */
  readonly objection?: (server: ServerLaunch) => Message | undefined;
  readonly doubts: Doubts;
  /**
   * The folder that commands are relative to. Absent: the user did not pass this file by name, so its commands are not used.
   * Null: the same, but the hooks keep their numbers.
   */
  readonly commandsFrom?: CommandFolder | null | undefined;
}

/** Checks the manifest in a document. Anything around it in the file is not checked. */
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

/** Finds the manifest in a document and the hooks in it. If there are none, returns the problems. */
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
  else if (!isLabel(label)) wrong({ code: 'bad-label', label }, labelAt);

  const form = findForm(manifest);
  if (!form) return [...problems, error({ code: 'no-declarations' }, at)];
  const allowed = [...ENVELOPE, form.path[0] ?? 'declarations'];
  for (const key of foreign ? [] : Object.keys(manifest))
    if (!allowed.includes(key)) wrong(unknownKey(key, allowed), [...at, key]);
  return { manifest, label: typeof label === 'string' ? label : around.label, form, problems };
}

type Checked = Pick<ServerHooks, 'problems'> & Partial<Omit<ServerHooks, 'source'>>;

/** Checks the hooks, and determines how to start the server whose tools they call. */
function check({ manifest, label, form, ...parsed }: Parsed, around: Surroundings): Checked {
  const { at, foreign, serverStart } = around;
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
  const start = isOwn
    ? ownServer(manifest.server, around)
    : tools.length > 0
      ? serverStart?.()
      : {};
  // If something is too long, that is the only problem to report for it.
  const isTooLong = ({ path }: Problem) => beyond.some((one) => isSamePath(one.path, path));
  problems.push(
    ...[...stated.problems, ...(start?.problems ?? [])],
    ...found.filter((one) => !isTooLong(one)),
  );
  const why = start?.reason;
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

/** The vocabulary of a document: 1 is SEP-2282, and also applies to documents that cannot declare a version. */
export const VERSIONS = [1, 2] as const;
export type Version = (typeof VERSIONS)[number];

interface Versioned {
  /** Absent: it cannot declare a version. */
  readonly version?: Version;
  readonly problems: readonly Problem<DeclarationMessage>[];
}

const SAYS_NOTHING: Versioned = { problems: [] };

/** The version that an object declares. `form`: the place of its hooks, if only the SEP is allowed there. */
function versionIn(value: Record<string, unknown>, at: KeyPath, form?: Form): Versioned {
  const path = [...at, 'version'];
  const version = VERSIONS.find((one) => one === value.version);
  if (value.version !== undefined && version === undefined) {
    const [found, allowed] = [JSON.stringify(value.version), VERSIONS.map(String)];
    // Its problems are reported as for the latest version.
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

/** Hooks that a server sends to any host may use only the SEP. */
const isOfHost = ({ path }: Form): boolean => path.length > 1 && !isOurs(path);

const isOurs = (form: KeyPath): boolean => form.at(-1) === EXTENSION;
const isSamePath = (one: KeyPath, other: KeyPath): boolean =>
  one.length === other.length && one.every((key, index) => key === other[index]);

function ownServer(entry: unknown, { at, objection }: Surroundings): ServerStart {
  const { value, problems } = checkServer(entry, [...at, 'server']);
  if (!value) return { problems };
  const reason = objection?.(value);
  if (reason !== undefined) return { reason };
  return { problems, server: at.length > 0 ? { ...value, valuesAt: [...at, 'server'] } : value };
}

/** The tools that entries call, including entries with other mistakes. */
function toolsIn(hooks: unknown): { tool: string; index: number }[] {
  const entries = isRecord(hooks) && Array.isArray(hooks.declarations) ? hooks.declarations : [];
  return entries.flatMap((entry: unknown, index) => {
    const tool = isRecord(entry) ? entry.context_tool : undefined;
    return typeof tool === 'string' ? [{ tool, index }] : [];
  });
}

export const ENVELOPE: readonly string[] = ['$schema', 'version', 'name', 'server'];

/** Facts about hooks from their surroundings. */
interface Context {
  /** The version of the document; absent: it cannot declare one. */
  readonly version?: Version | undefined;
  /** The folder that commands are relative to; null: they are kept unchanged. Absent: commands are not used. */
  readonly commandsFrom?: CommandFolder | null | undefined;
}

/** The folder and the files of commands are set if there are commands. */
interface ReadHooks extends Bound {
  readonly declarations: HookDeclaration[];
  readonly problems: Problem[];
  readonly unsupported: Unsupported[];
}

/** All correct entries of the hooks at `form` of the manifest at `at`, all problems, and the entries for unknown events. */
export function readDeclarations(
  hooks: unknown,
  form: KeyPath,
  doubts: Doubts,
  at: KeyPath = [],
  { version: around, commandsFrom }: Context = {},
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
  // In a bare `{ "declarations": [...] }`, the other keys belong to the document.
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
  // With an unknown version, no hooks are used.
  if (own && own.problems.length > 0) return { declarations: [], problems, unsupported: [] };
  const ordered = version === 2 ? inOrder(declarations) : declarations;
  return { declarations: ordered, problems, unsupported, ...bound };
}

/** Whether these are hooks of a client's settings: lists of handlers, by event. */
const isOfClient = (hooks: Record<string, unknown>): boolean => {
  const lists = Object.values(hooks);
  const isEntry = (entry: unknown) =>
    isRecord(entry) &&
    (Array.isArray(entry.hooks) || ['command', 'bash', 'powershell'].some((key) => key in entry));
  const isFull = (list: unknown) => Array.isArray(list) && list.length > 0 && list.every(isEntry);
  return !('declarations' in hooks) && lists.length > 0 && lists.every(isFull);
};

/** Hooks of version 2. Unlike in SEP-2282, their priorities do not define their order, so it is set explicitly. */
const inOrder = (hooks: readonly HookDeclaration[]): HookDeclaration[] =>
  hooks.map((hook) =>
    hooks.some(({ event, priority }) => event === hook.event && priority !== hook.priority)
      ? { order: DEFAULT_ORDER, ...hook }
      : hook,
  );

/**
 * A hook without its wrong fields, so that doubts about the other fields are reported right away. Undefined: its event is
 * unknown. A matcher without one of its fields matches more calls, so if it still matches none, neither does the whole.
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
    // It is not known which of them will be kept.
    if (SEVERAL.includes(message.code)) for (const key of HANDLERS) delete fields[key];
    const [field, inner] = path.slice(at.length).map(String);
    if (level !== 'error' || field === undefined) continue;
    if (field === 'event' || (field === 'matcher' && inner === undefined)) return undefined;
    if (field === 'matcher' && within) delete within[inner ?? ''];
    else delete fields[field];
  }
  // Without its arguments, it would be a different call.
  if ('context_tool_args' in entry && !('context_tool_args' in fields)) delete fields.context_tool;
  const right = {
    priority: 'suggestion',
    ...fields,
    event: ownEventName(entry.event),
    ...(within && { matcher: within }),
  };
  return right as unknown as HookDeclaration;
}

/** The codes for a hook with several actions. */
const SEVERAL: readonly string[] = ['context-and-tool', 'handlers-several'];

/** By version; 0: it cannot declare one. */
const CHECKS = [checkDeclaration, checkOfVersion1, checkExtended] as const;

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

/** The places of a hooks capability, most trusted first. */
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

/** The place of the hooks in a manifest, or in a server's capabilities wrapped as a manifest. */
export const findForm = (document: Record<string, unknown>): Form | undefined =>
  formsIn(document)[0];

/** All places with hooks. Only the first one counts. */
export function formsIn(document: Record<string, unknown>): Form[] {
  const found = FORMS.flatMap((path) => {
    let here: unknown = document;
    for (const key of path) here = isRecord(here) ? here[key] : undefined;
    const bare = path.length === 0 && !('declarations' in document);
    return bare || here === undefined ? [] : [{ path, hooks: here }];
  });
  // An empty object may only announce the extension.
  const declares = ({ hooks }: Form) => isRecord(hooks) && 'declarations' in hooks;
  return [...found.filter(declares), ...found.filter((form) => !declares(form))];
}
