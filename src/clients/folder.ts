/**
 * The exports of a client's folder. Each part is described where its type is. Only `client` is always there: without one of
 * the others (`null`), a command that needs it says so.
 */

import type { Executable } from '../system/child.ts';
import type { ByHand } from './by-hand.ts';
import type { Client } from './contract.ts';
import type { ClientDriver } from './driver/driver.ts';
import type { Health } from './health/health.ts';
import type { ServerClient } from './servers/servers.ts';
import type { Bundle, Managed } from './shipping.ts';
import type { Trust, TrustQuestion } from './trust.ts';

export interface ClientFolder {
  /** What the compiler, the planner and the runner know of it. */
  readonly client: Client;
  /** The package in which hooks can be shipped to it. */
  readonly bundle: Bundle | null;
  /** The meaning of hooks that somebody wrote by hand for it. */
  readonly byHand: ByHand | null;
  /** Where it keeps its MCP servers. */
  readonly servers: ServerClient | null;
  /** What `doctor` looks at, and what makes the client drop hooks; null: only at the files with hooks. */
  readonly health: Health | null;
  /** Where a machine's administrator puts hooks for everybody on it. */
  readonly managed: Managed | null;
  /** Runs the client headless against a scripted model. Rarely needed, so loaded on demand. */
  readonly driver: (() => Promise<ClientDriver>) | null;
  /** How the client asks for the user's agreement, without which it runs no hooks; null: it runs what is configured. */
  readonly trust: Trust | null;
  /** Tells whether the client starts with its configuration; null: only starting it would show. Loaded on demand. */
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
