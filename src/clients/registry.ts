/** The registry: every client has a folder here, and its line below. A part that is missing does not compile. */

import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import type { Client } from './contract.ts';
import { cursor } from './cursor/servers.ts';
import type { ClientDriver } from './driver/driver.ts';
import type { ClientFolder } from './folder.ts';
import { geminiCli } from './gemini-cli/index.ts';
import type { Health } from './health/health.ts';
import type { ServerClient } from './servers/servers.ts';
import { vsCode } from './vs-code/servers.ts';

/** Clients that hooks are installed into. */
const FOLDERS = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
} as const satisfies Readonly<Record<string, ClientFolder>>;

/** Clients whose configured servers are found, and that run no hooks of ours. */
const SERVERS_ONLY: readonly ServerClient[] = [cursor, vsCode];

export type ClientId = keyof typeof FOLDERS;

const folders: readonly ClientFolder[] = Object.values(FOLDERS);
const byId: Readonly<Record<string, ClientFolder>> = FOLDERS;

export const CLIENTS: readonly Client[] = folders.map(({ client }) => client);

/** By id or alias. */
export const findClient = (name: string): Client | undefined =>
  CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/** In the order in which the same server is taken from them. */
export const SERVER_CLIENTS: readonly ServerClient[] = [
  ...folders.map(({ servers }) => servers),
  ...SERVERS_ONLY,
];

/** By id or alias. */
export const findServerClient = (name: string): ServerClient | undefined =>
  SERVER_CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));

/** What `doctor` and the planner know of a client beside what the compiler needs. */
export const healthOf = ({ id }: Pick<Client, 'id'>): Health => folderOf(id).health;

/** What runs the client for `verify --live` and for tests. */
export const driverOf = ({ id }: Pick<Client, 'id'>): Promise<ClientDriver> =>
  folderOf(id).driver();

function folderOf(id: string): ClientFolder {
  const folder = byId[id];
  if (!folder) throw new Error(`no client has the id ${id}`);
  return folder;
}
