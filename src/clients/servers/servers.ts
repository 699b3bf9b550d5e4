/**
 * Where a client keeps its configured MCP servers, and how it reads an entry: nearly all of it is data. This includes
 * clients that we cannot install into.
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

/** Who owns a file. A `project` file may come from a stranger's repository. */
export type ServerScope = 'local' | 'project' | 'user';

export interface ServerFile {
  readonly scope: ServerScope;
  /** Absolute path. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The nested keys under which the servers are. */
  readonly keys: readonly string[];
  /** The client uses the next file until this one is approved: measured. Absent: this one always counts. */
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
  /** Strongest first. */
  readonly files: (at: SearchPlace) => readonly ServerFile[];
  readonly fields: EntryFields;
  /** Entries of the same name in several files are merged key by key; absent: the strongest file has all of it. */
  readonly merges?: true;
  /** The key of a program that makes headers at run time. Only the client runs it. */
  readonly helper?: string;
  /** Why the client does not use an entry, in words; undefined: it does. */
  readonly switchedOff: (
    entry: JsonObject,
    name: string,
    file: ServerFile,
    look: ServerLook,
  ) => string | undefined;
  /** Whether the user, and not the folder itself, has approved a server of a project's file; absent: that is not known. */
  readonly approved?: (name: string, file: ServerFile, look: ServerLook) => boolean;
  /** Whether the client starts the user's own servers in the folder; absent: not visible from outside. */
  readonly trusted?: (look: ServerLook) => boolean;
  readonly given: ServerEnvironment;
  /** The words of the command that adds a server to the user's configuration; absent: there is none, or we have tried none. */
  readonly add?: (server: AddedServer) => readonly string[];
  /** How a server is written into one of the files; absent: nobody has looked. */
  readonly written?: {
    /** Whose files may get one. */
    readonly scopes: readonly ServerScope[];
    readonly entry: (server: BundleServer) => JsonObject;
    /** What stands before and after the name of a variable that `given.expansion` fills in; absent: it fills in none. */
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

/** An option once for each name, with a place for its value. */
export const optionEach = (option: string, names: readonly string[], between: string): string[] =>
  names.flatMap((name) => [option, `${name}${between}<value>`]);

export const ofClient = ({ id, aliases, name, givenToServers: given }: Client) => ({
  id,
  aliases,
  name,
  given,
});

export const jsonFile = (
  scope: ServerScope,
  path: string,
  keys: readonly string[] = ['mcpServers'],
): ServerFile => ({ scope, path, format: 'json', keys });

/** Whether a setting is a list with a value in it. */
export const includes = (list: JsonValue | undefined, value: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => one === value);
