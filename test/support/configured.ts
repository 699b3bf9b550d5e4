/** Homes and projects in which clients have servers configured: fixtures/configured, client by client. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientId } from '../../src/clients/registry.ts';
import { documented, expected, type Servers } from '../clients/expectations.ts';
import { each } from './runner/clients.ts';
import type { World } from './world.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The clients whose servers are found. */
export type Host = ClientId;

/** What is expected of each. */
export const SERVERS = {
  ...each((id) => expected[id].servers),
  ...Object.fromEntries(Object.entries(documented).map(([id, { servers }]) => [id, servers])),
} as Readonly<Record<Host, Servers>>;

export const HOSTS = Object.keys(SERVERS) as Host[];

/** The common part of the fixtures' secrets. */
export const SECRET = /hunter2/;

/**
 * Variables that the fixtures name. The machine's own PATH has the clients' shells, and Node for everything except our own
 * servers.
 */
export const ENV = {
  PATH: `${join(import.meta.dirname, 'bin')}:${process.env.PATH}`,
  ANNAL_SECRET: 'hunter2-in-variable',
  ANNAL_TOKEN: 'hunter2-passed-on',
  TEAM: 'blue',
};

/** The user's configuration of a client. Its server is in the home and in the folder where commands run. */
export function configure(world: World, host: Host, { project = false } = {}): void {
  const from = join(ROOT, 'fixtures/configured', host);
  const options = { recursive: true };
  cpSync(join(from, 'home'), world.home, options);
  if (project && SERVERS[host].project) cpSync(join(from, 'project'), world.work, options);
  for (const folder of [world.home, world.work])
    cpSync(join(ROOT, 'test/support/servers/configured.mjs'), join(folder, 'server.mjs'));
  replace(join(world.home, SERVERS[host].home), '{project}', world.work);
}

/** Changes a configuration as its user would. */
export function replace(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
}
