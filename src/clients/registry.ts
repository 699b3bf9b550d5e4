/** The registry: every client has a folder here, and its line below. A part that is missing does not compile. */

import * as claudeCode from './claude-code/index.ts';
import * as codex from './codex/index.ts';
import { type Client, SCOPES } from './contract.ts';
import * as copilotCli from './copilot-cli/index.ts';
import type { ClientDriver } from './driver/driver.ts';
import type { ClientFolder, Startup } from './folder.ts';
import * as geminiCli from './gemini-cli/index.ts';
import type { Health } from './health/health.ts';
import { CLIENTS, type ClientId } from './list.ts';
import { cursor, vsCode } from './servers/editors.ts';
import type { ServerClient } from './servers/servers.ts';
import type { Trust } from './trust.ts';

export { CLIENTS, type ClientId };

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

/** By id or alias. */
export const findClient = (name: string): Client | undefined =>
  CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/** In order of preference, if several of them have the same server. */
export const SERVER_CLIENTS: readonly ServerClient[] = [
  ...folders.flatMap(({ servers }) => servers ?? []),
  ...SERVERS_ONLY,
];

/** By id or alias. */
export const findServerClient = (name: string): ServerClient | undefined =>
  SERVER_CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/** A part of a client's folder; undefined: it has none, or the client is not registered. */
const partOf =
  <Part extends Exclude<keyof ClientFolder, 'client'>>(part: Part) =>
  ({ id }: Pick<Client, 'id'>): NonNullable<ClientFolder[Part]> | undefined =>
    byId[id]?.[part] ?? undefined;

export const bundleOf = partOf('bundle');
export const byHandOf = partOf('byHand');
export const managedOf = partOf('managed');
export const trustOf = partOf('trust');

const knownHealth = partOf('health');
const loadDriver = partOf('driver');
const loadStartup = partOf('startup');

export const healthOf = (client: Pick<Client, 'id'>): Health =>
  knownHealth(client) ?? { layers: SCOPES.map((whose) => ({ whose })), switches: [] };

export const driverOf = (client: Pick<Client, 'id'>): Promise<ClientDriver> | undefined =>
  loadDriver(client)?.();

export const startupOf = (client: Pick<Client, 'id'>): Promise<Startup> | undefined =>
  loadStartup(client)?.();

export const TRUSTING: readonly { readonly client: Client; readonly trust: Trust }[] =
  folders.flatMap(({ client, trust }) => (trust ? [{ client, trust }] : []));
