/**
 * What the compiler, the planner and the runner know of a client, as data wherever data can say it. Each file of `contract` is
 * about one concern.
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
  /** The short name, for sentences in which it is not ambiguous. */
  readonly shortName: string;
  /** The version on which everything in the file was measured, or the page that says so of a client that nobody has run. */
  readonly evidence: { readonly measured: string } | { readonly documented: string };
  /**
   * The oldest version in which all that is in the file holds: `npm run test:versions`. Older ones are not supported. Null: it
   * was never run.
   */
  readonly minimum: string | null;
  readonly executable: string;
  /** Null: there is no package with which npm installs it. */
  readonly npmPackage: string | null;
  /** Folder of the user's configuration on a system; absolute if the environment's paths are. */
  readonly userFolder: (env: Env, home: string, platform: NodeJS.Platform) => string;
  /** The folder that shows that somebody uses it, where its configuration is in one of another client; absent: `userFolder`. */
  readonly foundBy?: (env: Env, home: string, platform: NodeJS.Platform) => string;
  /** Folder of a project's configuration, below the folder in which the client is started. */
  readonly projectFolder: string;
  readonly placement: Placement;
  /**
   * When a session reads its hooks: only when it starts, so that a running one has to be restarted, or again when they change.
   * Measured with the version of `evidence` (test/real-clients/reads.test.ts). Absent: nobody knows.
   */
  readonly readsHooks?: 'at start' | 'when changed';
  /** Other events of the client. If it has several files, a file holds hooks when it has some under an event that the client knows. */
  readonly otherEvents?: readonly string[];
  /** Trust depends on a group's position, so no later group may ever move. */
  readonly positional: boolean;
  /** The program that gets a hook's command as its last argument. */
  readonly hookShell: readonly [string, ...string[]];
  /** Milliseconds in one unit of a handler's `timeout`. */
  readonly hookTimeUnit: 1 | 1000;
  /** Variables that the client sets for hooks; `{cwd}`, `{session}` and `{pid}` (its own) are filled in. */
  readonly hookVariables: Readonly<Record<string, string>>;
  readonly matching: Matching;
  /** SEP-2282's names of tools, with the client's own. A name that is not here is passed through and reported. */
  readonly tools: Readonly<Record<string, string>>;
  /** The same for tools that it has on Windows only. A matcher for such a name fits both. */
  readonly windowsTools?: Readonly<Record<string, string>>;
  /** Tools of the client whose inputs are not Claude Code's. */
  readonly toolInputs?: Readonly<Record<string, ToolInput>>;
  /** The client's other tools, for which SEP-2282 has no name. Includes tools of versions before and after the measured one. */
  readonly otherTools: readonly string[];
  readonly mcpNames: McpNames;
  /** How the names of the client's own MCP servers begin, with `_` for anything but letters and digits. */
  readonly builtInServers?: readonly string[];
  readonly givenToServers: ServerEnvironment;
  readonly nativeEvents: Readonly<Record<string, NativeEvent>>;
  /** `null`: this client cannot do it at all. */
  readonly lowering: Readonly<Record<Event, EventLowering | null>>;
  /** Why it cannot, if that is not obvious: follows "no matching event". */
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

/** All events of a client that are known. */
export const knownEvents = ({ nativeEvents, otherEvents = [] }: Client): string[] => [
  ...Object.keys(nativeEvents),
  ...otherEvents,
];
