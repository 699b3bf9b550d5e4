/**
 * The facts about a client for the compiler, the planner and the runner, as data wherever possible. Each file of `contract`
 * covers one topic.
 */

import type { ServerEnvironment } from '../declaration/configured-server.ts';
import type { Event } from '../declaration/declaration.ts';
import type { Env } from '../system/env.ts';
import type { EventLowering } from './contract/lowering.ts';
import type { Hosts, NativeEvent, Wire } from './contract/payload.ts';
import type { Entry, Placement } from './contract/placement.ts';
import type { Matching, McpNames, ToolInput } from './contract/tools.ts';

export * from './contract/lowering.ts';
export * from './contract/payload.ts';
export * from './contract/placement.ts';
export * from './contract/tools.ts';

export interface Client {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  /** The short name, for sentences in which it is unambiguous. */
  readonly shortName: string;
  /** The version with which everything in the file was measured, or the documentation page for a client that was never run. */
  readonly evidence: { readonly measured: string } | { readonly documented: string };
  /**
   * The oldest version for which the whole file is correct (`npm run test:versions`). Older ones are not supported. Null: the
   * client was never run.
   */
  readonly minimum: string | null;
  readonly executable: string;
  /** Null: it cannot be installed as an npm package. */
  readonly npmPackage: string | null;
  /** Folder of the user's configuration on a system; absolute if the environment's paths are. */
  readonly userFolder: (env: Env, home: string, platform: NodeJS.Platform) => string;
  /**
   * The folder whose presence shows that the client is used, if its configuration is in another client's folder; absent:
   * `userFolder`.
   */
  readonly foundBy?: (env: Env, home: string, platform: NodeJS.Platform) => string;
  /** Folder of a project's configuration, relative to the folder in which the client is started. */
  readonly projectFolder: string;
  readonly placement: Placement;
  /**
   * When a session reads its hooks: only at its start, so that a running session must be restarted, or again when they change.
   * Measured with the version of `evidence` (test/real-clients/reads.test.ts). Absent: unknown.
   */
  readonly readsHooks?: 'at start' | 'when changed';
  /** How an editor starts it, and the native events for which it runs no hooks there. Measured with the version of `evidence`. */
  readonly inEditor?: { readonly command: string; readonly lacks: readonly string[] };
  /**
   * The client's other events. If it has several files, a file contains hooks if it has some under an event known to the
   * client.
   */
  readonly otherEvents?: readonly string[];
  /** Set if trust depends on a group's position, so that no later group may ever move. */
  readonly positional: boolean;
  /** The program that gets a hook's command as its last argument. */
  readonly hookShell: readonly [string, ...string[]];
  /** Milliseconds in one unit of a handler's `timeout`. */
  readonly hookTimeUnit: 1 | 1000;
  /** Variables that the client sets for hooks, with `{cwd}`, `{session}` and `{pid}` (the client's own) filled in. */
  readonly hookVariables: Readonly<Record<string, string>>;
  readonly matching: Matching;
  /** SEP-2282's tool names, each with the client's own name. A missing name is passed through and reported. */
  readonly tools: Readonly<Record<string, string>>;
  /** The same for tools that only exist on Windows. A matcher for such a name matches both. */
  readonly windowsTools?: Readonly<Record<string, string>>;
  /** The client's tools whose inputs differ from Claude Code's. */
  readonly toolInputs?: Readonly<Record<string, ToolInput>>;
  /** The client's other tools, which have no name in SEP-2282. Includes tools of versions before and after the measured one. */
  readonly otherTools: readonly string[];
  readonly mcpNames: McpNames;
  /** Name prefixes of the client's own MCP servers, with `_` for anything but letters and digits. */
  readonly builtInServers?: readonly string[];
  readonly givenToServers: ServerEnvironment;
  readonly nativeEvents: Readonly<Record<string, NativeEvent>>;
  /** `null`: this client cannot do it at all. */
  readonly lowering: Readonly<Record<Event, EventLowering | null>>;
  /** Why it cannot, if that is not obvious. Comes after "no matching event". */
  readonly cannot?: Readonly<Partial<Record<Event, string>>>;
  readonly wire: Wire;
  readonly hosts?: Hosts;
  readonly entry: Entry;
}

/** The payloads and answers of one native event: the client's, with the event's own differences. */
export const wireOf = (
  { wire, nativeEvents }: Pick<Client, 'wire' | 'nativeEvents'>,
  native: string,
): Wire => ({ ...wire, ...nativeEvents[native]?.wire });

/** All known events of a client. */
export const knownEvents = ({ nativeEvents, otherEvents = [] }: Client): string[] => [
  ...Object.keys(nativeEvents),
  ...otherEvents,
];
