/** The registry: every client has a folder here, and its line below. A part that is missing does not compile. */

import type { Bundle } from './bundle.ts';
import type { ByHand } from './by-hand.ts';
import * as claudeCode from './claude-code/index.ts';
import * as codex from './codex/index.ts';
import type { Client } from './contract.ts';
import * as copilotCli from './copilot-cli/index.ts';
import type { ClientDriver } from './driver/driver.ts';
import type { ClientFolder, Startup } from './folder.ts';
import * as geminiCli from './gemini-cli/index.ts';
import type { Health } from './health/health.ts';
import type { Managed } from './managed.ts';
import { cursor, vsCode } from './servers/editors.ts';
import type { ServerClient } from './servers/servers.ts';
import type { Trust } from './trust.ts';

/** The id of a client that we install hooks in. */
export type ClientId = 'claude-code' | 'codex' | 'gemini-cli' | 'copilot-cli';

const FOLDERS = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
} as const satisfies Readonly<Record<ClientId, ClientFolder>>;

/** Clients that run no hooks of ours, but have configured servers to find. */
const SERVERS_ONLY: readonly ServerClient[] = [cursor, vsCode];

const folders: readonly ClientFolder[] = Object.values(FOLDERS);
const byId: Readonly<Record<string, ClientFolder>> = FOLDERS;

export const CLIENTS: readonly Client[] = folders.map(({ client }) => client);

/** By id or alias. */
export const findClient = (name: string): Client | undefined =>
  CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/** In order of preference, if several of them have the same server. */
export const SERVER_CLIENTS: readonly ServerClient[] = [
  ...folders.map(({ servers }) => servers),
  ...SERVERS_ONLY,
];

/** By id or alias. */
export const findServerClient = (name: string): ServerClient | undefined =>
  SERVER_CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/** What `doctor` and the planner know of a client and the compiler does not need; empty for one that is not registered. */
export const healthOf = ({ id }: Pick<Client, 'id'>): Health => byId[id]?.health ?? UNKNOWN;

/** The meaning of hooks that somebody wrote by hand for a client; undefined: it is not registered. */
export const byHandOf = ({ id }: Pick<Client, 'id'>): ByHand | undefined => byId[id]?.byHand;

const UNKNOWN: Health = { layers: [], switches: [] };

/** Undefined: it is not registered. */
export const managedOf = ({ id }: Pick<Client, 'id'>): Managed | undefined => byId[id]?.managed;

export async function driverOf({ id }: Pick<Client, 'id'>): Promise<ClientDriver> {
  const folder = byId[id];
  if (!folder) throw new Error(`no client has the id ${id}`);
  return folder.driver();
}

/** Every client with the package in which hooks can be shipped to it. */
export const SHIPPABLE: readonly { readonly client: Client; readonly bundle: Bundle }[] =
  folders.map(({ client, bundle }) => ({ client, bundle }));

/** How a client asks for the user's agreement; undefined: it asks for none. */
export const trustOf = ({ id }: Pick<Client, 'id'>): Trust | undefined =>
  byId[id]?.trust ?? undefined;

export const TRUSTING: readonly { readonly client: Client; readonly trust: Trust }[] =
  folders.flatMap(({ client, trust }) => (trust ? [{ client, trust }] : []));

export const startupOf = ({ id }: Pick<Client, 'id'>): Promise<Startup> | undefined =>
  byId[id]?.startup?.();
