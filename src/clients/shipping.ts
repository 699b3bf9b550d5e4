/**
 * How hooks are given to others: in a client's own package, such as a plugin, or by a machine's administrator to everybody on
 * it. `build` makes both from a manifest.
 */

import { isObject, type JsonObject, type JsonValue, type Layout } from '../edit/edit.ts';
import type { ConfigFile, Entry } from './contract.ts';
import type { Machine } from './health/health.ts';

/** A package of hooks. */
export interface Bundle {
  /** What the client calls such a package, in a sentence. */
  readonly noun: string;
  /** The variable that holds the package's folder for a hook's command. */
  readonly variable: string;
  /** Files next to the runner's, by their paths with slashes below the client's part of the output. */
  readonly files: (contents: BundleContents) => readonly BundleFile[];
  /** The arguments with which the client checks the package; absent: it has no such command. Paths are as in `files`. */
  readonly validate?: (name: string) => readonly string[];
  /** Commands with which a user gets the package from the output, one line each; `{out}` is the client's part of the output. */
  readonly load: (name: string) => readonly string[];
  /** According to its documentation, a hook may have a second command for PowerShell. */
  readonly besidePowerShell?: true;
  /** What the client does differently with hooks from a package than with a user's, in a sentence; absent: nothing. */
  readonly note?: string;
}

/** An object is written as JSON. */
export type BundleFile = readonly [path: string, contents: JsonObject | string];

export interface BundleContents {
  /** A name that clients accept: small letters, digits and dashes. It is also the name of the package's folder. */
  readonly name: string;
  readonly label: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  /** Native events, each with its entries. */
  readonly hooks: JsonObject;
  /** How to start or reach the server; absent: the manifest does not say, or only says it for its own machine. */
  readonly server?: BundleServer;
}

export type BundleServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** `mcpServers` as most clients write it; `type` is their word for a server at an address. */
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

/** Events with groups of handlers, and each handler changed. */
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

/** Where a machine's administrator puts hooks, and how a client wants them there. */
export interface Managed {
  /**
   * Absolute path on each system:
   * - `folder`: a folder in which the client reads every file, so that a label can have its own.
   * - `block`: the only file, in which our hooks can stand between two comment lines.
   * - `whole`: the only file, in which nothing can be marked: it is all ours or not ours at all.
   */
  readonly kind: 'folder' | 'block' | 'whole';
  readonly at: Readonly<Record<System, string>>;
  readonly format: ConfigFile['format'];
  readonly layout: Layout;
  /** How our file begins; absent: it holds nothing but hooks. */
  readonly start?: string;
  /** Set if entries are written differently than in the user's own settings. */
  readonly entry?: Entry;
}

/** The name of a label's own file. */
export const managedFileOf = (label: string): string => `mcp-hooks.${label}.json`;

/** The path on this system, or in a folder that stands for a machine like it. */
export const managedHere = ({ at }: Managed, { root }: Pick<Machine, 'root'>): string =>
  `${root}${at[process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux']}`;

/** Where the hooks of a label are on a system. */
export const managedPath = ({ kind, at }: Managed, label: string, system: System): string =>
  kind === 'folder'
    ? [at[system], managedFileOf(label)].join(system === 'win32' ? '\\' : '/')
    : at[system];
