/**
 * Where a client stores its configured MCP servers, and how it reads an entry. Nearly all of it is data. This includes clients
 * that we cannot install into.
 */

import type { EntryFields, ServerEnvironment } from '../../declaration/configured-server.ts';
import type { JsonObject, JsonValue } from '../../edit/edit.ts';
import type { Env } from '../../system/env.ts';
import type { Client } from '../contract.ts';
import type { BundleServer } from '../shipping.ts';

/** The machine, and the folder in which the client would be started. */
export interface SearchPlace {
  readonly env: Env;
  readonly home: string;
  /** Absolute, without links. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** The owner of a file. A `project` file may be from an untrusted repository. */
export type ServerScope = 'local' | 'project' | 'user';

export interface ServerFile {
  readonly scope: ServerScope;
  /** Absolute path. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The nested keys of the object with the servers. */
  readonly keys: readonly string[];
  /** The client uses the next file until this one is approved (measured). Absent: this one always counts. */
  readonly onlyApproved?: true;
}

/** Everything besides the files themselves. */
export interface ServerLook extends SearchPlace {
  /** A JSON or TOML file by value; an empty object if it is missing or cannot be read. */
  readonly document: (path: string, format: ServerFile['format']) => JsonObject;
}

export interface ServerClient {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  /** Highest precedence first. */
  readonly files: (at: SearchPlace) => readonly ServerFile[];
  readonly fields: EntryFields;
  /** Entries of the same name in several files are merged key by key; absent: the file with the highest precedence counts. */
  readonly merges?: true;
  /** The key of a program that makes headers at run time. Only the client runs it. */
  readonly helper?: string;
  /** Why the client does not use an entry, in words; undefined: it uses it. */
  readonly switchedOff: (
    entry: JsonObject,
    name: string,
    file: ServerFile,
    look: ServerLook,
  ) => string | undefined;
  /** Whether the user, and not the folder itself, has approved a server of a project's file; absent: unknown. */
  readonly approved?: (name: string, file: ServerFile, look: ServerLook) => boolean;
  /** Whether the client starts the user's own servers in the folder; absent: not visible from outside. */
  readonly trusted?: (look: ServerLook) => boolean;
  readonly given: ServerEnvironment;
  /** The words of the command that adds a server to the user's configuration; absent: there is none, or it was not tested. */
  readonly add?: (server: AddedServer) => readonly string[];
  /** The form of a server in one of the files; absent: unknown. */
  readonly written?: {
    /** The scopes whose files may get a server. */
    readonly scopes: readonly ServerScope[];
    readonly entry: (server: BundleServer) => JsonObject;
    /** The text before and after a variable's name that `given.expansion` fills in; absent: variables are not filled in. */
    readonly reference?: readonly [string, string];
  };
}

/** A server that a client should start or reach. Only the names of its variables and headers are known. */
export type AddedServer = { readonly name: string } & (
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly variables: readonly string[];
    }
  | { readonly url: string; readonly headers: readonly string[] }
);

/** An option once for each name, with a placeholder for its value. */
export const optionEach = (option: string, names: readonly string[], between: string): string[] =>
  names.flatMap((name) => [option, `${name}${between}<value>`]);

export const ofClient = ({ id, aliases, name, givenToServers: given }: Client) => ({
  id,
  aliases,
  name,
  given,
});

/** The folder of the user's configuration. */
export const userFolderOf = (
  { userFolder }: Client,
  { env, home, platform }: SearchPlace,
): string => userFolder(env, home, platform);

export const jsonFile = (
  scope: ServerScope,
  path: string,
  keys: readonly string[] = ['mcpServers'],
): ServerFile => ({ scope, path, format: 'json', keys });

/** Whether a setting is a list that contains a value. */
export const includes = (list: JsonValue | undefined, value: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => one === value);
