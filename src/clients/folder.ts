/**
 * The exports of a client's folder. Each part is documented at its type. Only `client` is always present. If another part is
 * missing (`null`), a command that needs it says so.
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
  /** The facts for the compiler, the planner and the runner. */
  readonly client: Client;
  /** The package in which hooks can be shipped to it. */
  readonly bundle: Bundle | null;
  /** The meaning of handwritten hooks for it. */
  readonly byHand: ByHand | null;
  /** The places of its MCP servers. */
  readonly servers: ServerClient | null;
  /** The facts for `doctor`, and the mistakes that make the client drop hooks; null: only the files with hooks are checked. */
  readonly health: Health | null;
  /** Where a machine's administrator puts hooks for all its users. */
  readonly managed: Managed | null;
  /** Runs the client headless against a scripted model. Loaded on demand, because it is rarely needed. */
  readonly driver: (() => Promise<ClientDriver>) | null;
  /** How the client asks for the user's trust, without which it runs no hooks; null: it runs what is configured. */
  readonly trust: Trust | null;
  /** Determines whether the client starts with its configuration; null: only a start would show it. Loaded on demand. */
  readonly startup: (() => Promise<Startup>) | null;
}

export type StartQuestion = Omit<TrustQuestion, 'read'> & { readonly launch: Executable };

export interface Stopped {
  readonly why: string;
  /** The command with which the user can check. */
  readonly program: string;
}

/** Undefined: the client starts, or cannot be queried. */
export type Startup = (question: StartQuestion) => Promise<Stopped | undefined>;
