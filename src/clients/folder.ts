/** What the folder of a client exports. The parts are described where their types are. */

import type { Executable } from '../system/child.ts';
import type { Bundle } from './bundle.ts';
import type { ByHand } from './by-hand.ts';
import type { Client } from './contract.ts';
import type { ClientDriver } from './driver/driver.ts';
import type { Health } from './health/health.ts';
import type { Managed } from './managed.ts';
import type { ServerClient } from './servers/servers.ts';
import type { Trust, TrustQuestion } from './trust.ts';

export interface ClientFolder {
  /** What the compiler, the planner and the runner know of it. */
  readonly client: Client;
  /** The package in which hooks can be shipped to it. */
  readonly bundle: Bundle;
  /** What hooks mean that somebody wrote by hand for it. */
  readonly byHand: ByHand;
  /** Where it keeps its MCP servers. */
  readonly servers: ServerClient;
  /** What `doctor` looks at, and what makes the client drop hooks. */
  readonly health: Health;
  /** Where the administrator of a machine puts hooks for everybody on it. */
  readonly managed: Managed;
  /** Runs it headless against a scripted model. Loaded when it is needed, which is rarely. */
  readonly driver: () => Promise<ClientDriver>;
  /** How it is asked for the user's agreement, without which it runs no hooks; null: it runs what is configured. */
  readonly trust: Trust | null;
  /** Says whether it starts with its configuration; null: only starting it would show. Loaded when it is needed. */
  readonly startup: (() => Promise<Startup>) | null;
}

export type StartQuestion = Omit<TrustQuestion, 'read'> & { readonly launch: Executable };

export interface Stopped {
  readonly why: string;
  /** The command with which the user can check. */
  readonly program: string;
}

/** Undefined: the client starts, or cannot be asked. */
export type Startup = (question: StartQuestion) => Promise<Stopped | undefined>;
