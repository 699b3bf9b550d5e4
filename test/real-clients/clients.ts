// The real clients at the versions that this folder's package.json pins, or those in the folder that MCP_HOOKS_CLIENTS names.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFailed } from 'vitest';
import type {
  ClientDriver,
  Session as DriverSession,
  SessionResult,
} from '../../src/clients/driver/driver.ts';
import { driverOf } from '../../src/clients/registry.ts';
import type { Executable } from '../../src/system/child.ts';
import { expected } from '../clients/expectations.ts';
import { type ClientId, clientOf, each, eachAsync, IDS } from '../support/runner/clients.ts';

const HERE = process.env.MCP_HOOKS_CLIENTS ?? dirname(fileURLToPath(import.meta.url));

/** The Node that starts a client: the one that it needs, or this one. */
function nodeFor(id: ClientId): string {
  const { node } = expected[id].real;
  const own = node && join(dirname(fileURLToPath(import.meta.url)), 'node_modules', node);
  return own && existsSync(own) ? own : process.execPath;
}

/** Each client's own program, or its JavaScript entry: no `.bin` link, no install script needed. */
export const LAUNCH = each((id): Executable => {
  const program = join(HERE, 'node_modules', expected[id].real.program);
  return program.endsWith('js') ? [nodeFor(id), program] : [program];
});

/** A line of a shell script that becomes the client, with the script's arguments. */
export const startLine = (id: ClientId): string =>
  `exec ${LAUNCH[id].map((word) => `'${word}'`).join(' ')} "$@"`;

/** Variables that name the folders into which clients unpack themselves: all homes share them. */
export const CACHES: Readonly<Record<string, string>> = Object.fromEntries(
  IDS.flatMap((id) => {
    const { cache } = expected[id].real;
    return cache === undefined ? [] : [[cache, join(HERE, '.scratch', id)]];
  }),
);
Object.assign(process.env, { ...CACHES, ...process.env });

/** A session without its program, which is known unless something wraps it. */
export type Session = Omit<DriverSession, 'launch'> & { readonly launch?: Executable };

export interface Client extends Omit<ClientDriver, 'run'> {
  id: ClientId;
  /** The pinned version. */
  version: string;
  run(session: Session): Promise<SessionResult>;
}

/** A session whose history is compacted. */
export function compacted({ id }: Client): Omit<Session, 'home' | 'project' | 'outer'> {
  const { session, command } = expected[id].real.compaction;
  return command ? { ...session, launch: ['/bin/sh', '-c', command, ...LAUNCH[id]] } : session;
}

async function pinned(id: ClientId): Promise<Client> {
  const manifest = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const version = manifest.dependencies[clientOf(id).npmPackage ?? ''] ?? 'not installed';
  const launch = LAUNCH[id];
  const driver = await driverOf({ id });
  if (!driver) throw new Error(id);
  const run: Client['run'] = async (session) => {
    const result = await driver.run({ launch, ...session });
    const { exitCode, stdout, stderr } = result;
    const last = (text: string) => text.slice(-4000);
    if (exitCode !== 0)
      onTestFailed(() =>
        console.error(`${id} ended with ${exitCode}\n${last(stdout)}\n${last(stderr)}`),
      );
    return result;
  };
  return { ...driver, id, version, run };
}

export const CLIENTS = await eachAsync(pinned);
export const { 'claude-code': claude, codex, 'gemini-cli': gemini } = CLIENTS;
