import type { Message } from '../system/errors.ts';
import type { ConfiguredServer } from './configured-server.ts';
import type { HookDeclaration } from './declaration.ts';

export interface ServerHooks {
  /** The name chosen by the host, never the server's own `serverInfo.name`. */
  readonly label: string;
  readonly hooks: readonly HookDeclaration[];
  /** Absent if the source does not say how to start the server. */
  readonly server?: ServerLaunch;
  readonly source: Source;
  readonly problems: readonly Problem[];
  /** Hooks for events that no client has, such as future ones. */
  readonly unsupported?: readonly Unsupported[];
  /** The place in a running server's answer; absent: they are from a file. */
  readonly found?: FoundIn;
  readonly notes?: readonly Message[];
  /** The folder that the words of `command` are relative to: the manifest's folder. Present if a hook has a command. */
  readonly commandsFrom?: string | undefined;
  /** The SHA-256 of every file that such words name, by its absolute path. */
  readonly commandFiles?: CommandFiles | undefined;
  /** Set if the server could not be queried for its own hooks, so these are from the catalogue. */
  readonly unasked?: Unasked;
}

/** Why a server could not be queried, and its last output. */
export interface Unasked {
  readonly why: Message;
  readonly details: readonly Message[];
}

export type CommandFiles = Readonly<Record<string, string>>;

/** Keys and indexes from the root of a document. */
export type KeyPath = readonly PropertyKey[];

/** A hook for an unknown event. The rest of it is unchanged. */
export interface Unsupported {
  readonly event: string;
  readonly context?: string;
  readonly context_tool?: string;
  readonly path: KeyPath;
}

/** The era of the protocol that a server answered in, and the place of the hooks in its answer. */
export interface FoundIn {
  /** Standard input and output, Streamable HTTP, or HTTP+SSE. */
  readonly transport: 'stdio' | 'http' | 'sse';
  /** With `initialize`, or without it since 2026-07-28. */
  readonly era: 'legacy' | 'modern';
  readonly protocol: string;
  /** For example `capabilities.experimental.hooks`; absent: there are no hooks. */
  readonly key?: string;
  /** Other places with hooks, which are ignored because of this one. */
  readonly passedOver: readonly string[];
}

/** The source of a declaration. It is stored in the ledger, so that it can be read again. It contains no secret. */
export type Source =
  /**
   * The absolute path of a file. `onlyIn`: its hooks are only for this folder and the folders below it, as in a team's
   * manifest.
   */
  | { readonly kind: 'manifest'; readonly path: string; readonly onlyIn?: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      /** The current folder when the user typed it. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** As typed, with variables of the environment; null: a value that is not saved. */
      readonly headers?: Readonly<Record<string, string | null>>;
    }
  /** A package with its version or tag, as the user typed it: `@scope/name@1`. */
  | { readonly kind: 'npm'; readonly spec: string }
  | {
      readonly kind: 'configured';
      readonly client: string;
      readonly name: string;
      /** Absolute path of the file, and the keys of the server in it. */
      readonly file: string;
      readonly path: readonly string[];
      /** As in `ConfiguredServer`. */
      readonly tokens?: string;
    }
  /** A file of our catalogue: the server itself declares nothing, and was found in another way. */
  | { readonly kind: 'catalogue'; readonly name: string; readonly of: ServerSource };

/** Where a server was found, wherever its hooks are from. */
export type ServerSource = Exclude<Source, { readonly kind: 'catalogue' }>;

export const serverSource = (source: Source): ServerSource =>
  source.kind === 'catalogue' ? source.of : source;

/** How to reach a server: a command over stdio, or a URL. */
export type ServerLaunch = {
  /** The keys of the object in the file that contains this `env` or `headers`; absent: `server`. */
  readonly valuesAt?: readonly string[];
  /**
   * Set if the server is in a client's configuration. Its tools are then called as the configuration says at that time. The
   * values here are only for display, without the user's secrets.
   */
  readonly configured?: ConfiguredServer;
  /** Absent: the words that decide what runs contain no variable of the user. */
  readonly deciding?: DecidingVariables;
  /** Absent: hooks start it by its command. */
  readonly copy?: PackageCopy;
} & (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      /** Absent: the session's folder. `AT_HOME`: a home folder that is not known yet. */
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
);

/** The package that npx would start, pinned to a version. Hooks start it without npx. */
export interface PackageCopy {
  /** The package as npx gets it, and the number of npx's own arguments up to it. */
  readonly spec: string;
  readonly after: number;
  /** `name@1.2.3`. */
  readonly exact: string;
  /** The number of packages that it depends on. */
  readonly others: number;
  /** Absolute paths of the copy's folder, and of the modules that npx has downloaded for these arguments, or will download. */
  readonly folder: string;
  readonly npx: string;
  /**
   * npm's lock file for the copy, with a checksum for each package, and the file that starts it. Absent: the copy already
   * exists.
   */
  readonly made?: { readonly lock: string; readonly bin: string };
}

/**
 * Variables of the user in the words that decide what runs. `mark`: a hash of their values. If they change, the server is not
 * started.
 */
export interface DecidingVariables {
  readonly names: readonly string[];
  readonly mark: string;
}

export interface Problem<M extends Message = Message> {
  /** `note`: not a problem, but useful for an author. Only `validate` reports these. */
  readonly level: 'error' | 'warning' | 'note';
  readonly message: M;
  readonly path: KeyPath;
  /** 1-based, if the value was read from a file. */
  readonly line?: number;
  readonly column?: number;
  /** The hook is correct but not installed. */
  readonly leftOut?: true;
  /** Allowed but probably a mistake, such as a tool that no client has. `--strict` refuses it. */
  readonly doubtful?: true;
}

/** A definite error. */
export const error = <M extends Message>(message: M, path: KeyPath): Problem<M> => ({
  level: 'error',
  message,
  path,
});

/** A header. Its value may be a secret, so only the name is ever printed. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** The saved part of each header, by name: the value with its variables, or null for a private value. */
export type KnownHeaders = NonNullable<Extract<Source, { kind: 'url' }>['headers']>;

function headersOf(from: Source) {
  const source = serverSource(from);
  return Object.entries((source.kind === 'url' && source.headers) || {});
}

/** The only folder whose sessions have the hooks; undefined: all sessions have them. */
export const onlyIn = (source: Source | undefined): string | undefined =>
  source?.kind === 'manifest' ? source.onlyIn : undefined;

/** The names of headers whose values are not saved. */
export const unkept = (source: Source): string[] =>
  headersOf(source).flatMap(([name, value]) => (value === null ? name : []));

/** The saved headers, with variables. */
export const typedHeaders = (source: Source): Record<string, string> =>
  Object.fromEntries(
    headersOf(source).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
