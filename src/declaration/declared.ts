import type { Message } from '../system/errors.ts';
import type { ConfiguredServer } from './configured-server.ts';
import type { HookDeclaration } from './declaration.ts';

export interface ServerHooks {
  /** The name chosen by the host: never the server's own `serverInfo.name`. */
  readonly label: string;
  readonly hooks: readonly HookDeclaration[];
  /** Absent when the source does not say how the server is started. */
  readonly server?: ServerLaunch;
  readonly source: Source;
  readonly problems: readonly Problem[];
  /** Hooks for events that no client has, newer ones for example. */
  readonly unsupported?: readonly Unsupported[];
  /** Where a running server has them; absent: they are from a file. */
  readonly found?: FoundIn;
  readonly notes?: readonly Message[];
  /** The folder that the words of `command` are relative to: the manifest's. Present if a hook has a command. */
  readonly commandsFrom?: string | undefined;
  /** SHA-256 of every file that such words name, by its absolute path. */
  readonly commandFiles?: CommandFiles | undefined;
  /** Set if the server could not be asked for its own hooks, so these are from the catalogue. */
  readonly unasked?: Unasked;
}

/** Why a server could not be asked, and its last words. */
export interface Unasked {
  readonly why: Message;
  readonly details: readonly Message[];
}

export type CommandFiles = Readonly<Record<string, string>>;

/** Keys and indexes from the root of a document. */
export type KeyPath = readonly PropertyKey[];

/** A hook for an event that we do not know. Everything else in it is as it came. */
export interface Unsupported {
  readonly event: string;
  readonly context?: string;
  readonly context_tool?: string;
  readonly path: KeyPath;
}

/** In which era of the protocol a server has answered, and where in its answer its hooks were. */
export interface FoundIn {
  /** Standard input and output, Streamable HTTP, or HTTP+SSE. */
  readonly transport: 'stdio' | 'http' | 'sse';
  /** With `initialize`, or, since 2026-07-28, without. */
  readonly era: 'legacy' | 'modern';
  readonly protocol: string;
  /** `capabilities.experimental.hooks`, for example; absent: there are no hooks. */
  readonly key?: string;
  /** Other places with hooks, which do not count because of this one. */
  readonly passedOver: readonly string[];
}

/** Where a declaration came from. The ledger keeps it, so that it can be read again. It contains no secret. */
export type Source =
  /** The absolute path of a file. `onlyIn`: its hooks are for this folder and those below it: a team's manifest. */
  | { readonly kind: 'manifest'; readonly path: string; readonly onlyIn?: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      /** The folder in which the user typed it. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** As they were typed, with variables of the environment; null: a value that is not saved. */
      readonly headers?: Readonly<Record<string, string | null>>;
    }
  /** A package with its version or tag, as the user typed it: `@scope/name@1`. */
  | { readonly kind: 'npm'; readonly spec: string }
  | {
      readonly kind: 'configured';
      readonly client: string;
      readonly name: string;
      /** Absolute path of the file, and the keys under which it has the server. */
      readonly file: string;
      readonly path: readonly string[];
      /** As in `ConfiguredServer`. */
      readonly tokens?: string;
    }
  /** A file of our catalogue: the server itself declares nothing, and was found in another way. */
  | { readonly kind: 'catalogue'; readonly name: string; readonly of: ServerSource };

/** Where a server was found, no matter who declared its hooks. */
export type ServerSource = Exclude<Source, { readonly kind: 'catalogue' }>;

export const serverSource = (source: Source): ServerSource =>
  source.kind === 'catalogue' ? source.of : source;

/** How to reach a server: a command over stdio, or a URL. */
export type ServerLaunch = {
  /** Keys of the object in the file whose `env` or `headers` these are; absent: `server`. */
  readonly valuesAt?: readonly string[];
  /**
   * Set if a client's configuration has it. Its tools are called as that configuration says at the time. The values here are
   * only for display, without the user's secrets.
   */
  readonly configured?: ConfiguredServer;
  /** Absent: no word that decides what runs names a variable of the user. */
  readonly deciding?: DecidingVariables;
  /** Absent: hooks start it by its command. */
  readonly copy?: PackageCopy;
} & (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      /** Absent: the session's folder. `AT_HOME`: a home that is not known yet. */
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
);

/** The package that npx would start, in a version of its own: hooks start it without npx. */
export interface PackageCopy {
  /** As npx gets it, and the number of words of npx's own up to there. */
  readonly spec: string;
  readonly after: number;
  /** `name@1.2.3`. */
  readonly exact: string;
  /** How many packages it needs. */
  readonly others: number;
  /** Absolute paths of the folder that it is copied to, and of the modules that npx has downloaded for these words, or will. */
  readonly folder: string;
  readonly npx: string;
  /** npm's record of all that is copied, each with its checksum, and the file that starts it. Absent: it is there already. */
  readonly made?: { readonly lock: string; readonly bin: string };
}

/** Variables of the user in the words that decide what runs. `mark`: a hash of their values. With others, no server is started. */
export interface DecidingVariables {
  readonly names: readonly string[];
  readonly mark: string;
}

export interface Problem<M extends Message = Message> {
  /** `note`: nothing is wrong, but an author may want to know. Only `validate` has these. */
  readonly level: 'error' | 'warning' | 'note';
  readonly message: M;
  readonly path: KeyPath;
  /** 1-based, when the value was read from a file. */
  readonly line?: number;
  readonly column?: number;
  /** It is about a hook that is correct but not installed. */
  readonly leftOut?: true;
  /** It is allowed but hardly meant, such as a tool that no client has. `--strict` refuses it. */
  readonly doubtful?: true;
}

/** Something wrong, not just doubtful. */
export const error = <M extends Message>(message: M, path: KeyPath): Problem<M> => ({
  level: 'error',
  message,
  path,
});

/** One header. Its value may be a secret: only the name is ever printed. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What is kept of each header, by its name: the value with its variables, or null for one that is private. */
export type KnownHeaders = NonNullable<Extract<Source, { kind: 'url' }>['headers']>;

function headersOf(from: Source) {
  const source = serverSource(from);
  return Object.entries((source.kind === 'url' && source.headers) || {});
}

/** The only folder whose sessions have the hooks; undefined: all have them. */
export const onlyIn = (source: Source | undefined): string | undefined =>
  source?.kind === 'manifest' ? source.onlyIn : undefined;

/** The names of headers whose values are stored nowhere. */
export const unkept = (source: Source): string[] =>
  headersOf(source).flatMap(([name, value]) => (value === null ? name : []));

/** The headers that are kept, with variables in them. */
export const typedHeaders = (source: Source): Record<string, string> =>
  Object.fromEntries(
    headersOf(source).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
