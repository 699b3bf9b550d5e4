/**
 * How hooks are distributed: in a client's own package format, such as a plugin, or by a machine's administrator to all its
 * users. `build` makes both from a manifest.
 */

import { isObject, type JsonObject, type JsonValue, type Layout } from '../edit/edit.ts';
import type { ConfigFile, Entry } from './contract.ts';
import type { Machine } from './health/health.ts';

/** A package of hooks. */
export interface Bundle {
  /** The client's word for such a package, in a sentence. */
  readonly noun: string;
  /** The variable with the package's folder for a hook's command. */
  readonly variable: string;
  /** Files next to the runner's. Their paths have slashes and are relative to the client's part of the output. */
  readonly files: (contents: BundleContents) => readonly BundleFile[];
  /** The arguments with which the client checks the package; absent: it has no such command. Paths are as in `files`. */
  readonly validate?: (name: string) => readonly string[];
  /** Commands with which a user loads the package from the output, one per line; `{out}` is the client's part of the output. */
  readonly load: (name: string) => readonly string[];
  /** According to the documentation, a hook may have a second command for PowerShell. */
  readonly besidePowerShell?: true;
  /** How the client treats hooks from a package differently from a user's, in a sentence; absent: in no way. */
  readonly note?: string;
}

/** An object is written as JSON. */
type BundleFile = readonly [path: string, contents: JsonObject | string];

export interface BundleContents {
  /** A name that clients accept: lower-case letters, digits and dashes. It is also the name of the package's folder. */
  readonly name: string;
  readonly label: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  /** Native events, each with its entries. */
  readonly hooks: JsonObject;
  /** How to start or reach the server; absent: the manifest does not say, or only for its own machine. */
  readonly server?: BundleServer;
}

export type BundleServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** `mcpServers` in the form of most clients; `type` is their word for a server at a URL. */
export const mcpServers = (
  { label, server }: BundleContents,
  type?: string,
): JsonObject | undefined => {
  if (!server) return undefined;
  const { env, headers, ...rest } = { env: undefined, headers: undefined, ...server };
  const entry: JsonObject =
    'url' in rest
      ? { ...(type !== undefined && { type }), url: rest.url, ...(headers && { headers }) }
      : { command: rest.command, args: [...rest.args], ...(env && { env }) };
  return { [label]: entry };
};

/** What a client that fills in no variables can be told of a server's variables or headers. */
interface Values {
  /** Those without a variable. */
  readonly fixed: Readonly<Record<string, string>> | undefined;
  /** The variable of each that is one and nothing else. */
  readonly variables: Readonly<Record<string, string>>;
  /** The variable whose value is the token of the header `Authorization`. */
  readonly bearer: string | undefined;
}

/** Any other value that contains a variable is left out: the client would pass the variable's name on. */
export function valuesOf(given: Readonly<Record<string, string>> = {}): Values {
  const all = Object.entries(given);
  const fixed = all.filter(([, value]) => !value.includes('${'));
  const variables = all.flatMap(([name, value]) => {
    const [, variable] = VARIABLE.exec(value) ?? [];
    return variable === undefined ? [] : [[name, variable] as const];
  });
  const [, token] = all.find(([name]) => /^authorization$/i.test(name)) ?? [];
  return {
    fixed: fixed.length > 0 ? Object.fromEntries(fixed) : undefined,
    variables: Object.fromEntries(variables),
    bearer: token?.startsWith(BEARER) ? VARIABLE.exec(token.slice(BEARER.length))?.[1] : undefined,
  };
}

const VARIABLE = /^\$\{(\w+)\}$/;
const BEARER = 'Bearer ';

/** Events with groups of handlers, after a change of each handler. */
export function withHandlers(
  events: JsonObject,
  change: (handler: JsonObject) => JsonObject,
): JsonObject {
  const handled = (handler: JsonValue) => (isObject(handler) ? change(handler) : handler);
  const grouped = (group: JsonValue) =>
    isObject(group) && Array.isArray(group.hooks)
      ? { ...group, hooks: group.hooks.map(handled) }
      : group;
  return Object.fromEntries(
    Object.entries(events).map(([event, groups]) => [
      event,
      Array.isArray(groups) ? groups.map(grouped) : groups,
    ]),
  );
}

/** The names that Node uses. */
export type System = 'linux' | 'darwin' | 'win32';

/** Where a machine's administrator puts hooks, and their form in a client. */
export interface Managed {
  /**
   * Absolute path on each system:
   * - `folder`: a folder in which the client reads every file, so that each label can have its own.
   * - `block`: the only file, in which our hooks can be put between two comment lines.
   * - `whole`: the only file, in which nothing can be marked: it is entirely ours or not ours at all.
   */
  readonly kind: 'folder' | 'block' | 'whole';
  readonly at: Readonly<Record<System, string>>;
  readonly format: ConfigFile['format'];
  readonly layout: Layout;
  /** The beginning of our file; absent: it contains only hooks. */
  readonly start?: string;
  /** Set if the form of entries differs from the user's own settings. */
  readonly entry?: Entry;
}

/** The name of a label's own file. */
export const managedFileOf = (label: string): string => `mcp-hooks.${label}.json`;

/** The path on this system, or in a folder with a machine's image. */
export const managedHere = ({ at }: Managed, { root }: Pick<Machine, 'root'>): string =>
  `${root}${at[process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux']}`;

/** The path of a label's hooks on a system. */
export const managedPath = ({ kind, at }: Managed, label: string, system: System): string =>
  kind === 'folder'
    ? [at[system], managedFileOf(label)].join(system === 'win32' ? '\\' : '/')
    : at[system];
