/**
 * What a server declares: the vocabulary of SEP-2282, word for word.
 *
 * Source: https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2282
 */

import type { GivenToServers } from '../clients/client.ts';
import type { ConfiguredEntry } from '../compile/program.ts';

export const EVENTS = [
  'session_start',
  'session_end',
  'pre_tool_use',
  'post_tool_use',
  'pre_request',
  'post_request',
] as const;
export type Event = (typeof EVENTS)[number];

/** The events that are about a tool call; a matcher means something only on these. */
export const TOOL_EVENTS: readonly Event[] = ['pre_tool_use', 'post_tool_use'];

/** Strongest first: the order in which several hooks of one event are told. */
export const PRIORITIES = ['required', 'important', 'suggestion'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** All fields that are present must match. */
export interface Matcher {
  /** Glob over the tool's name as Claude Code calls it: `Bash`, `mcp__annal__*`. */
  readonly tool_name?: string;
  /** Substring of the serialised tool input. */
  readonly input_contains?: string;
  /** Name of the MCP server whose tool is called, as the client's configuration has it. */
  readonly tool_server?: string;
}

/** One declared hook. Exactly one of `context` and `context_tool` is present. */
export interface Declaration {
  readonly event: Event;
  readonly matcher?: Matcher;
  readonly context?: string;
  readonly context_tool?: string;
  readonly context_tool_args?: Readonly<Record<string, unknown>>;
  readonly priority: Priority;
}

/** How to reach a server: a command over stdio, or a URL. */
export type ServerLaunch = {
  /** Keys of the object in the file whose `env` or `headers` these are; absent: `server`. */
  readonly valuesAt?: readonly string[];
  /** It stands in a client's configuration, and its tools are called as that says then: what is here is only shown, without secrets. */
  readonly configured?: ConfiguredServer;
} & (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      /** Absent: the folder that the session is in. */
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
);

/** What the runner needs to read a server in a client's configuration. */
export interface ConfiguredServer {
  readonly entry: ConfiguredEntry;
  /** What the client whose configuration it is makes of variables in it. */
  readonly given: GivenToServers;
  /** For one at an address: the name of the file that keeps what the user has signed in with there, if he has. */
  readonly tokens?: string;
}

/** Something about a declaration that a person should know. */
export interface Problem {
  readonly level: 'error' | 'warning';
  /** What is wrong and what is allowed, one sentence. */
  readonly message: string;
  /** Where in the value: keys and indexes from the root of the document. */
  readonly path: readonly PropertyKey[];
  /** 1-based, when the value was read from a file. */
  readonly line?: number;
  readonly column?: number;
  /** It is about a hook that is right, and is not installed all the same. */
  readonly leftOut?: true;
}

/** A declaration as it was read, and from where. */
export interface Declared {
  /** The name chosen by the host: never the server's own `serverInfo.name`. */
  readonly label: string;
  readonly hooks: readonly Declaration[];
  /** Absent when the source does not say how the server is started. */
  readonly server?: ServerLaunch;
  readonly source: Source;
  readonly problems: readonly Problem[];
  /** Hooks for events that no client has, newer ones for example. */
  readonly unsupported?: readonly Unsupported[];
  /** Where a running server has them; absent when they are written down. */
  readonly found?: Found;
  /** What else is to be said of where it was found, a sentence each. */
  readonly notes?: readonly string[];
}

/** A hook for an event that we do not know. What it says besides is as it came. */
export interface Unsupported {
  readonly event: string;
  readonly context?: string;
  readonly context_tool?: string;
  /** Where in the value, as in `Problem`. */
  readonly path: readonly PropertyKey[];
}

/** In which era of the protocol a server has answered, and where in its answer its hooks were. */
export interface Found {
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
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** As they were typed, with variables of the environment; null: a value that is kept nowhere. */
      readonly headers?: Readonly<Record<string, string | null>>;
    }
  /** A package and its version or tag, as it was asked for: `@scope/name@1`. */
  | { readonly kind: 'npm'; readonly spec: string }
  /** A server in the configuration of a client. */
  | {
      readonly kind: 'configured';
      /** Id of the client. */
      readonly client: string;
      /** Its name there. */
      readonly name: string;
      /** Absolute path of the file, and the keys under which the server stands in it. */
      readonly file: string;
      readonly path: readonly string[];
    };

/** A label becomes part of a path and of a command: nothing in it may need quoting. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The extension under which servers may declare hooks for us, beside `hooks` and `experimental.hooks`. */
export const EXTENSION = 'io.github.mcp-hooks/hooks';
