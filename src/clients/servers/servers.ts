/**
 * Where a client keeps the MCP servers of its configuration, and how it reads an entry: nearly all data. Clients that we
 * cannot install into have servers, too.
 */

import type { EntryFields, ServerEnvironment } from '../../declaration/configured-server.ts';
import type { JsonObject, JsonValue } from '../../edit/edit.ts';
import type { Env } from '../../system/env.ts';
import type { Client } from '../contract.ts';

/** The machine, and the folder in which the client would be started. */
export interface SearchPlace {
  readonly env: Env;
  readonly home: string;
  /** Absolute, without links. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** Whose a file is. What is `project`'s may come from a stranger's repository. */
export type ServerScope = 'local' | 'project' | 'user';

export interface ServerFile {
  readonly scope: ServerScope;
  /** Absolute path. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The keys under which the servers are, one in the other. */
  readonly keys: readonly string[];
  /** Until it is approved, the client uses the next file: measured. Absent: this one counts all the same. */
  readonly onlyApproved?: true;
}

/** What there is to know beside the files themselves. */
export interface ServerLook extends SearchPlace {
  /** A JSON or TOML file by value; an empty object when there is none, or none that can be read. */
  readonly document: (path: string, format: ServerFile['format']) => JsonObject;
}

export interface ServerClient {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  /** Strongest first. */
  readonly files: (at: SearchPlace) => readonly ServerFile[];
  readonly fields: EntryFields;
  /** An entry that is in several files is put together key by key; absent: the strongest file has all of it. */
  readonly merges?: true;
  /** What makes headers at run time, which is the client's own to run: its key. */
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
  /** Whether the client starts the user's own servers in the folder; absent: that cannot be seen from outside. */
  readonly trusted?: (look: ServerLook) => boolean;
  readonly given: ServerEnvironment;
  /** The words of the command that adds a server to the user's configuration; absent: it has none, or none that was tried. */
  readonly add?: (server: AddedServer) => readonly string[];
}

/** A server as a client is to start or reach it; of its variables and headers only the names are known. */
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
