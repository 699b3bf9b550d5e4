/** The registry: every client has a folder here, listed below and in list.ts. A missing part does not compile. */

import * as claudeCode from './claude-code/index.ts';
import * as cline from './cline/index.ts';
import * as codex from './codex/index.ts';
import { type Client, SCOPES } from './contract.ts';
import * as copilotCli from './copilot-cli/index.ts';
import * as cursor from './cursor/index.ts';
import * as droid from './droid/index.ts';
import type { ClientFolder } from './folder.ts';
import * as geminiCli from './gemini-cli/index.ts';
import type { Health } from './health/health.ts';
import * as kimiCode from './kimi-code/index.ts';
import { CLIENTS } from './list.ts';
import * as opencode from './opencode/index.ts';
import * as qwenCode from './qwen-code/index.ts';
import type { ServerClient } from './servers/servers.ts';
import type { Trust } from './trust.ts';
import * as vsCode from './vs-code/index.ts';

export { CLIENTS, type ClientId } from './list.ts';

const FOLDERS: readonly ClientFolder[] = [
  claudeCode,
  codex,
  geminiCli,
  copilotCli,
  qwenCode,
  droid,
  kimiCode,
  opencode,
  cline,
  cursor,
  vsCode,
];

/** By id or alias. */
export const findClient = (name: string): Client | undefined =>
  CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/**
 * The name of a client as users know it. The id may be of no client, because it comes from a file that may have been edited.
 */
export const nameOfClient = (id: string): string => findClient(id)?.name ?? id;

/** In order of preference, if several of them have the same server. */
export const SERVER_CLIENTS: readonly ServerClient[] = FOLDERS.flatMap(
  ({ servers }) => servers ?? [],
);

/** By id or alias. */
export const findServerClient = (name: string): ServerClient | undefined =>
  SERVER_CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

type Id = Pick<Client, 'id'>;

/** Empty for a client that is not registered. */
const folderOf = ({ id }: Id): Partial<ClientFolder> =>
  FOLDERS.find(({ client }) => client.id === id) ?? {};

// A part of a client's folder; undefined: it has none.
export const bundleOf = (client: Id) => folderOf(client).bundle ?? undefined;
export const byHandOf = (client: Id) => folderOf(client).byHand ?? undefined;
export const managedOf = (client: Id) => folderOf(client).managed ?? undefined;
export const trustOf = (client: Id) => folderOf(client).trust ?? undefined;
export const driverOf = (client: Id) => folderOf(client).driver?.();
export const startupOf = (client: Id) => folderOf(client).startup?.();

export const healthOf = (client: Id): Health =>
  folderOf(client).health ?? { layers: SCOPES.map((whose) => ({ whose })), switches: [] };

export const TRUSTING: readonly { readonly client: Client; readonly trust: Trust }[] =
  FOLDERS.flatMap(({ client, trust }) => (trust ? [{ client, trust }] : []));
