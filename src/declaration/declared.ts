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
  /** Where a running server has them; absent when they are written down. */
  readonly found?: FoundIn;
  readonly notes?: readonly Message[];
  /** The folder from which the words of `command` are meant: that of the manifest. Present when a hook has a command. */
  readonly commandsFrom?: string | undefined;
  /** SHA-256 of every file that such words name, by its absolute path. */
  readonly commandFiles?: CommandFiles;
  /** The server could not be asked for its own, and these are from the catalogue. */
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

/** A hook for an event that we do not know. What it says besides is as it came. */
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
  /** `capabilities.experimental.hooks`, for example; absent when there are none. */
  readonly key?: string;
  /** Other places that hold hooks, which do not count beside this one. */
  readonly passedOver: readonly string[];
}

/** Where a declaration came from. It is kept in the ledger, so that it can be read again: nothing in it is a secret. */
export type Source =
  /** A file, by its absolute path. */
  | { readonly kind: 'manifest'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      /** The folder in which it was typed. */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** As they were typed, with variables of the environment; null: a value that is not saved. */
      readonly headers?: Readonly<Record<string, string | null>>;
    }
  /** A package and its version or tag, as it was asked for: `@scope/name@1`. */
  | { readonly kind: 'npm'; readonly spec: string }
  | {
      readonly kind: 'configured';
      readonly client: string;
      readonly name: string;
      /** Absolute path of the file, and the keys under which the server stands in it. */
      readonly file: string;
      readonly path: readonly string[];
      /** As in `ConfiguredServer`. */
      readonly tokens?: string;
    }
  /** A file of our catalogue: the server itself declares nothing, and was found in another way. */
  | { readonly kind: 'catalogue'; readonly name: string; readonly of: ServerSource };

/** Where a server was found, whoever has declared its hooks. */
export type ServerSource = Exclude<Source, { readonly kind: 'catalogue' }>;

export const serverSource = (source: Source): ServerSource =>
  source.kind === 'catalogue' ? source.of : source;

/** How to reach a server: a command over stdio, or a URL. */
export type ServerLaunch = {
  /** Keys of the object in the file whose `env` or `headers` these are; absent: `server`. */
  readonly valuesAt?: readonly string[];
  /** It stands in a client's configuration, and its tools are called as that says then: what is here is only shown, without secrets of the user's. */
  readonly configured?: ConfiguredServer;
} & (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      /** Absent: the folder that the session is in. `AT_HOME`, where it is not known yet whose home that is. */
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
);

export interface Problem<M extends Message = Message> {
  /** `note`: nothing is wrong, and an author may want to know it all the same. Only `validate` has those. */
  readonly level: 'error' | 'warning' | 'note';
  readonly message: M;
  readonly path: KeyPath;
  /** 1-based, when the value was read from a file. */
  readonly line?: number;
  readonly column?: number;
  /** It is about a hook that is right, and is not installed all the same. */
  readonly leftOut?: true;
  /** It is allowed and was hardly meant, such as a tool that no client has: `--strict` refuses it. */
  readonly doubtful?: true;
}

/** Something that is wrong, and not only doubtful. */
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

/** What is kept of each header, by its name: the value with its variables, or null for one that is nobody's business. */
export type KnownHeaders = NonNullable<Extract<Source, { kind: 'url' }>['headers']>;

function headersOf(from: Source) {
  const source = serverSource(from);
  return Object.entries((source.kind === 'url' && source.headers) || {});
}

/** The names of those whose values are kept nowhere. */
export const unkept = (source: Source): string[] =>
  headersOf(source).flatMap(([name, value]) => (value === null ? name : []));

/** Those that are kept, with variables in them. */
export const typedHeaders = (source: Source): Record<string, string> =>
  Object.fromEntries(
    headersOf(source).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
