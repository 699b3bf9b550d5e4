/**
 * mcp-hooks: a server that is defined in a client's configuration. Its entry is read whenever one of its tools is called, so it
 * is not stored anywhere else. `install` uses the same functions to find out how to start it (src/sources/entry.ts).
 */

import { textOf } from './files.cjs';
import type { Started } from './steering.cjs';
import type {
  ConfiguredEntry,
  EntryFields,
  JsonObject,
  PlaceInFile,
  ValuesInFile,
} from './types.cjs';
import { fault, isObject, parse } from './values.cjs';

/** Values by the names of variables or headers. */
type Values = Readonly<Record<string, string>>;

/** An entry as written. */
export type Parts =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly env: Values;
      readonly envFile?: string;
      readonly passedOn: readonly string[];
    }
  | {
      readonly url: string;
      readonly type?: string;
      readonly headers: Values;
      readonly headersFromVariables: Values;
      readonly bearer?: string;
    };

type StdioParts = Extract<Parts, { command: string }>;

/** The variables that a client would fill in now (`variablesFor` in call.cjs). */
export interface Variables {
  /** The part of our environment that the server gets. */
  readonly inherited: Values;
  /** The client's own. */
  readonly environment: Values;
  /** The folder in which the server starts. */
  readonly folder: string | undefined;
  /** Fills variables into a text, and into a value of `env` or `headers`. */
  expand(text: string): string;
  expandValue(text: string): string;
  /** Whether a name is one that `env` cannot set. */
  refused(name: string): boolean;
}

/** How a server is started or reached, with everything filled in. `own`: the variables that are not the user's. */
export type Launch =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string | undefined;
      readonly env: Values;
      readonly own: Values;
    }
  | { readonly url: string; readonly headers: Values };

/** The value at a place in a file (`PlaceInFile` in src/declaration/configured-server.ts); undefined: there is none. */
export function readAt({ file, format, path }: PlaceInFile): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    format === 'toml' ? tomlIn(file) : jsonIn(file),
  );
}

function written(file: string): string {
  const text = textOf(file);
  if (text === undefined) throw new Error('it is no file, or too large');
  return text;
}

function jsonIn(file: string): unknown {
  const text = written(file);
  // Most files are strict JSON, and some are long.
  return parse(text) ?? JSON.parse(require('./policy.cjs').withoutComments(text));
}

const tomlIn = (file: string): unknown => require('./toml.cjs').parseToml(written(file));

/** The parts of an entry as written, read by its client's keys (`fields` in src/clients/servers/servers.ts). */
export function partsOf(entry: unknown, fields: EntryFields): Parts | undefined {
  const at = (key?: string) => (key === undefined || !isObject(entry) ? undefined : entry[key]);
  const text = (key?: string) => {
    const value = at(key);
    return typeof value === 'string' ? value : undefined;
  };
  const list = (key?: string): readonly unknown[] => {
    const value = at(key);
    return Array.isArray(value) ? value : [];
  };
  const values = (key?: string): Values =>
    Object.fromEntries(
      Object.entries(Object(isObject(at(key)) ? at(key) : {}))
        .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
        .map(([name, value]) => [name, String(value)]),
    );
  const type = text('type');
  // In some clients, this is a list of words.
  const [command = text('command'), ...words] = list('command').map(String);
  const url = fields.url.map(text).find((one) => one !== undefined);
  if (command !== undefined && (type === undefined || type === 'stdio' || !url))
    return {
      command,
      args: [...words, ...list('args').map(String)],
      cwd: text(fields.cwd),
      env: values(fields.env ?? 'env'),
      envFile: text(fields.envFile),
      passedOn: list(fields.passedOn)
        .map((one) => (isObject(one) ? one.name : one))
        .filter((name) => typeof name === 'string'),
    };
  if (url === undefined) return undefined;
  return {
    url,
    type,
    headers: values(fields.headers),
    headersFromVariables: values(fields.headersFromVariables),
    bearer: text(fields.bearer),
  };
}

/**
 * Identifies how an entry is started or reached. It covers everything but the values of variables and headers, which may be
 * renewed. Variables that decide what runs have a separate mark (steering.cjs).
 */
export function seenAs(parts: Parts): string {
  const { command, args, cwd, envFile, url, type, headersFromVariables, bearer }: JsonObject = {
    ...parts,
  };
  const how = [command, args, cwd, envFile, url, type, headersFromVariables, bearer];
  const { createHash } = require('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify(how.map((part) => part ?? null)))
    .digest('hex');
}

/** An entry with all variables that it sets for its server, as written, including those in its file. */
const withFile = (parts: StdioParts, inFile: Values): StdioParts => ({
  ...parts,
  env: { ...inFile, ...parts.env },
});

export function namesIn(parts: Parts, variables: Variables): string[] {
  if ('url' in parts)
    return [
      ...Object.keys(parts.headers),
      ...Object.keys(parts.headersFromVariables),
      ...(parts.bearer === undefined ? [] : ['Authorization']),
    ];
  const { env } = withFile(parts, fromFile(parts, variables));
  return [...new Set([...Object.keys(env), ...parts.passedOn])];
}

/** The variables of an entry that decide what runs, as `[name, value]` pairs. */
export const steering = (
  parts: StdioParts,
  variables: Variables,
): [name: string, value: string][] =>
  require('./steering.cjs').steeringIn(withFile(parts, fromFile(parts, variables)));

/**
 * How to start or reach the server now, with everything filled in. Uses only `names`, which the user has seen. `inFile`, its
 * file of variables, is read only once, so that the checked values are the ones used.
 */
export function launchOf(
  parts: Parts,
  names: readonly string[],
  variables: Variables,
  inFile = fromFile(parts, variables),
): Launch {
  const { expand, expandValue, environment, folder, refused } = variables;
  const seen = (values: Values) => Object.entries(values).filter(([name]) => names.includes(name));
  const filled = (values: Values) =>
    seen(values).map(([name, value]) => [name, expandValue(value)]);
  const named = (of: Values) =>
    seen(of).flatMap(([name, variable]) => {
      const value = environment[variable];
      return value === undefined ? [] : [[name, value] as const];
    });
  if ('url' in parts) {
    if (
      parts.type !== undefined &&
      !/^(?:https?|remote|sse|streamable[-_]?https?)$/i.test(parts.type)
    )
      throw fault('type-unknown', { type: parts.type });
    const token = environment[parts.bearer ?? ''];
    return {
      url: expand(parts.url),
      headers: Object.fromEntries([
        ...filled(parts.headers),
        ...named(parts.headersFromVariables),
        ...(token && names.includes('Authorization') ? [['Authorization', `Bearer ${token}`]] : []),
      ]),
    };
  }
  const own = Object.fromEntries(
    [
      ...seen(inFile),
      ...named(Object.fromEntries(parts.passedOn.map((name) => [name, name]))),
      ...filled(parts.env),
    ].filter(([name]) => !refused(name)),
  );
  return {
    command: expand(parts.command),
    args: parts.args.map(expand),
    cwd: parts.cwd === undefined ? folder : within(folder, expand(parts.cwd)),
    env: { ...variables.inherited, ...own },
    own,
  };
}

function fromFile(parts: Parts, { expand, folder }: Variables): Values {
  if ('url' in parts || parts.envFile === undefined) return {};
  try {
    return variablesIn(written(within(folder, expand(parts.envFile))));
  } catch (error) {
    throw Object(error).why ? error : fault('env-file-unread');
  }
}

/** Lines of `NAME=value`. A value may be quoted, and a comment may come after it. */
export function variablesIn(text: string): Values {
  const line = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|[^\n]*)/gm;
  const value = (raw: string) => {
    if (raw.startsWith("'")) return raw.slice(1, -1);
    if (raw.startsWith('"')) return raw.slice(1, -1).replaceAll('\\n', '\n').replaceAll('\\"', '"');
    return raw.replace(/\s#[\s\S]*$/, '').trim();
  };
  return Object.fromEntries(
    [...text.matchAll(line)].map(([, name = '', raw = '']) => [name, value(raw)]),
  );
}

const within = (folder = '', path: string): string => require('node:path').resolve(folder, path);

/** How to start or reach a program's server now. @throws The reason if it is no longer what the user saw. */
export function launchNow(entry: ConfiguredEntry, variables: Variables): Launch {
  let parts: Parts | undefined;
  try {
    parts = partsOf(readAt(entry), entry.fields);
  } catch {
    throw fault('entry-unread');
  }
  if (!parts) throw fault('entry-gone');
  if (seenAs(parts) !== entry.seen) throw fault('entry-changed');
  const inFile = fromFile(parts, variables);
  if ('url' in parts) checkPassing(parts.headers, entry);
  else {
    checkSteering(withFile(parts, inFile), entry);
    checkPassing(parts.env, entry);
  }
  return launchOf(parts, entry.names, variables, inFile);
}

/** @throws If a variable that decides what runs is not the one that the user saw. */
export function checkSteering(server: Started, seen: Pick<ValuesInFile, 'steering'>): void {
  if (seen.steering === undefined && Object.keys(server.env ?? {}).length === 0) return;
  if (require('./steering.cjs').steeringMark(server) !== seen.steering)
    throw fault('variable-changed');
}

/** @throws If the user's variables that are passed on, or their destination, differ from those that the user saw. */
export function checkPassing(values: Values, seen: Pick<ValuesInFile, 'passing'>): void {
  const isPassing = Object.values(values).some((value) => /\$|\{env:/.test(value));
  if (!isPassing && seen.passing === undefined) return;
  if (require('./steering.cjs').passingMark(values) !== seen.passing)
    throw fault('passing-changed');
}
