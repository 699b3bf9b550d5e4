/** Files that follow other conventions for hooks, and their translation to ours. */

import * as z from 'zod/mini';
import type { CommandFolder } from '../../declaration/command.ts';
import {
  BASE_COAT_EVENTS,
  DECIDABLE,
  DECISIONS,
  DEFAULT_ORDER,
  type Event,
  isLabel,
} from '../../declaration/declaration.ts';
import {
  error,
  type KeyPath,
  type Problem,
  type ServerHooks,
  type ServerLaunch,
  type Source,
} from '../../declaration/declared.ts';
import type { Document } from '../../declaration/document.ts';
import { beyondLimits, DEADLINE_MS, LIST_ENTRIES, ORDER } from '../../declaration/limits.ts';
import { type Doubts, readDeclarations } from '../../declaration/manifest.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { checkBy, checkServer, isRecord, unknownKey } from '../../declaration/schema.ts';
import { memoize } from '../../system/memoize.ts';
import type { SourceMessage } from '../messages.ts';
import type { Contents } from './kind.ts';
import { splitWords } from './split-words.ts';

export interface Convention {
  readonly is: (value: unknown) => boolean;
  readonly read: (value: unknown) => Translation;
}

interface Translation {
  readonly entries: readonly Translated[];
  readonly problems: readonly Problem[];
  /** How the servers of the tools are started, if the file specifies it. */
  readonly servers?: Readonly<Record<string, ServerLaunch>>;
}

interface Translated {
  /** A hook in the form of a manifest of version 2. */
  readonly hook: Readonly<Record<string, unknown>>;
  /** Its place in the document. */
  readonly path: KeyPath;
  /** The server that provides the hook's tool. */
  readonly server?: string;
}

/** The declaration that was read, and what is still to be found or chosen. */
export interface ByConvention {
  readonly declared: ServerHooks;
  /** The configured server whose tools are called, if the file does not specify how it is started. */
  readonly named?: string;
  /** Servers of which the user must choose one by name. */
  readonly several?: readonly string[];
}

interface ConventionOptions {
  readonly source: Source;
  readonly name?: string | undefined;
  /** The label if the user passes none and no server's tools are called. */
  readonly label: string;
  readonly commandsFrom?: CommandFolder | undefined;
  readonly doubts: Doubts;
}

export function readByConvention(
  document: Document,
  convention: Convention,
  around: ConventionOptions,
): ByConvention {
  const { entries, problems: wrong, servers = {} } = convention.read(document.value);
  const known = [...new Set(entries.flatMap(({ server }) => server ?? []))];
  const several = known.length > 1 && !known.includes(around.name ?? '') ? known : undefined;
  // A label belongs to one server, so of several servers only the one with that name counts.
  const chosen = known.length > 1 && !several ? around.name : undefined;
  const own = chosen === undefined ? entries : entries.filter(({ server }) => server === chosen);
  const server = chosen ?? (known.length === 1 ? known[0] : undefined);
  const label = around.name ?? server ?? around.label;

  const problems: Problem[] = [...document.problems, ...wrong];
  if (!isLabel(label)) problems.push(error<DeclarationMessage>({ code: 'bad-label', label }, []));
  const hooks = { declarations: own.map(({ hook }) => hook) };
  /** Maps a position in the translated hooks to the position in the original. */
  const back = (one: Problem): Problem => {
    const entry = own[Number(one.path[1])];
    return { ...one, path: entry?.path ?? [] };
  };
  const beyond = beyondLimits(hooks, []);
  const read =
    beyond.length > 0
      ? { declarations: [], problems: [], unsupported: [] }
      : readDeclarations(hooks, [], around.doubts, [], {
          version: 2,
          commandsFrom: around.commandsFrom,
        });
  const { declarations, problems: found, unsupported: _, ...bound } = read;
  problems.push(...[...beyond, ...found].map(back));
  const launch = server === undefined ? undefined : servers[server];
  const others = known.filter((one) => one !== server);
  const note: SourceMessage | undefined =
    chosen === undefined ? undefined : { code: 'of-one-server', name: chosen, others };
  return {
    declared: {
      label,
      hooks: declarations,
      ...(launch && { server: launch }),
      source: around.source,
      problems: document.place(problems),
      unsupported: [],
      ...(note && { notes: [note] }),
      ...bound,
    },
    ...(server !== undefined && !launch && { named: server }),
    ...(several && { several }),
  };
}

const NAMES = Object.keys(BASE_COAT_EVENTS);

export const baseCoat: Convention = {
  // Settings of clients use the same event names, but different entries: with "type", or with "hooks" inside.
  is: (value) => {
    const { events } = eventsIn(value);
    if ('declarations' in events) return false;
    const lists = Object.values(events);
    return (
      Object.keys(events).some((name) => NAMES.includes(name)) &&
      lists.every(Array.isArray) &&
      !lists.flat().some((entry) => isRecord(entry) && ('hooks' in entry || 'type' in entry))
    );
  },
  read: readBaseCoat,
};

const schema = memoize(() => {
  const named = z.optional(z.string().check(z.minLength(1)));
  const priority = z.optional(z.int().check(z.minimum(-ORDER), z.maximum(ORDER)));
  return z.strictObject({ command: named, tool: named, priority });
});

/** Tokens. Entries have no budget of their own, and this is the effective limit in the specification. */
const BUDGET = 160_000;

const KEYS = ['$schema', 'version', 'hooks', 'mcpServers'];

/** The lists of hooks by event, and their place. The specification also shows a file that consists of nothing else. */
function eventsIn(value: unknown): { readonly events: Contents; readonly at: KeyPath } {
  const contents: Contents = isRecord(value) ? value : {};
  const { hooks } = contents;
  const isBare = Object.keys(contents).every((key) => NAMES.includes(key));
  if (isBare) return { events: contents, at: [] };
  return { events: isRecord(hooks) ? hooks : {}, at: ['hooks'] };
}

function readBaseCoat(value: unknown): Translation {
  const contents: Contents = isRecord(value) ? value : {};
  const problems: Problem[] = [];
  const wrong = (message: DeclarationMessage | SourceMessage, path: KeyPath) =>
    problems.push(error(message, path));
  const { version, mcpServers: configured } = contents;
  const { events, at } = eventsIn(value);
  if (version !== undefined && version !== 1) {
    const [found, allowed] = [JSON.stringify(version), ['1']];
    wrong({ code: 'value-unknown', key: 'version', found, allowed }, ['version']);
  }
  // A file with servers is the user's configuration, so its other keys are not checked.
  if (at.length > 0 && !('mcpServers' in contents))
    for (const key of Object.keys(contents))
      if (!KEYS.includes(key)) wrong(unknownKey(key, KEYS), [key]);
  const servers = isRecord(configured) ? configured : {};
  const entries = Object.entries(events).flatMap(([name, list]) => {
    const event = Object.entries(BASE_COAT_EVENTS).find(([theirs]) => theirs === name)?.[1];
    if (!event) {
      wrong(unknownKey(name, NAMES), [...at, name]);
      return [];
    }
    const may = DECISIONS.filter((decision) => DECIDABLE[decision].includes(event));
    return (Array.isArray(list) ? list : []).flatMap((entry: unknown, index): Translated[] => {
      const path = [...at, name, index];
      const { value: own, problems: found } = checkBy(schema(), entry, path);
      problems.push(...found);
      if (!own) return [];
      const made = handler(own, path, Object.keys(servers));
      if ('message' in made) {
        wrong(made.message, made.at);
        return [];
      }
      const { server, ...does } = made;
      const order = own.priority ?? DEFAULT_ORDER;
      const budget = event === 'budget_exceeded' ? { budget: { tokens: BUDGET } } : {};
      const hook = { event, ...does, order, ...(may.length > 0 && { may }), ...budget };
      return [{ hook, path, ...(server !== undefined && { server }) }];
    });
  });
  return { entries, problems, servers: startsOf(servers) };
}

type Handler =
  | { readonly command: readonly string[]; readonly server?: undefined }
  | { readonly context_tool: string; readonly server: string }
  | { readonly message: DeclarationMessage | SourceMessage; readonly at: KeyPath };

function handler(
  { command, tool }: { command?: string | undefined; tool?: string | undefined },
  path: KeyPath,
  servers: readonly string[],
): Handler {
  if (command !== undefined && tool !== undefined)
    return { message: { code: 'handlers-several', keys: ['command', 'tool'] }, at: path };
  if (command !== undefined) {
    const at = [...path, 'command'];
    const split = splitWords(command);
    if ('needs' in split) return { message: { code: 'needs-shell', part: split.needs }, at };
    if (split.words.length === 0) return { message: { code: 'value-empty', key: 'command' }, at };
    return { command: split.words };
  }
  if (tool === undefined)
    return { message: { code: 'handler-missing', allowed: ['command', 'tool'] }, at: path };
  // A server name may contain a dot.
  const [longest] = servers
    .filter((name) => tool.startsWith(`${name}.`) && tool.length > name.length + 1)
    .sort((a, b) => b.length - a.length);
  const [, first = ''] = /^([^.]+)\../s.exec(tool) ?? [];
  const server = longest ?? first;
  if (server === '')
    return { message: { code: 'tool-without-server', tool }, at: [...path, 'tool'] };
  return { context_tool: tool.slice(server.length + 1), server };
}

/** How a file starts its servers. An entry with unknown keys is ignored. */
function startsOf(servers: Contents): Record<string, ServerLaunch> {
  const known = ['type', 'command', 'args', 'env', 'url', 'headers'];
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, entry]) => {
      if (!isRecord(entry) || !Object.keys(entry).every((key) => known.includes(key))) return [];
      const { type: _, ...own } = entry;
      const { value } = checkServer(own, []);
      return value ? [[name, { ...value, valuesAt: ['mcpServers', name] }]] : [];
    }),
  );
}

/** In this convention, "Stop" means the end of a session, whatever the name means in clients. */
const EVENTS = {
  ...BASE_COAT_EVENTS,
  UserPromptSubmit: 'pre_request',
  Stop: 'session_end',
} as const satisfies Readonly<Record<string, Event>>;

const entrySchema = memoize(() =>
  z.strictObject({
    event: z.enum(Object.keys(EVENTS) as (keyof typeof EVENTS)[]),
    command: z
      .array(z.string().check(z.minLength(1)))
      .check(z.minLength(1), z.maxLength(LIST_ENTRIES)),
    timeout: z.optional(z.int().check(z.minimum(1), z.maximum(DEADLINE_MS))),
  }),
);

export const commandList: Convention = {
  is: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => isRecord(entry) && 'event' in entry && 'command' in entry),
  read: readCommandList,
};

function readCommandList(value: unknown): Translation {
  const problems: Problem[] = [];
  const entries = (Array.isArray(value) ? value : []).flatMap((entry: unknown, index) => {
    const path = [index];
    const { value: own, problems: found } = checkBy(entrySchema(), entry, path);
    problems.push(...found);
    if (!own) return [];
    const { event, command, timeout } = own;
    const deadline = timeout === undefined ? {} : { deadline: timeout };
    return [{ hook: { event: EVENTS[event], command, ...deadline }, path }];
  });
  return { entries, problems };
}
