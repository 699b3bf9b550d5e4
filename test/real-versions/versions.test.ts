// What each version of each client does with our hooks must match its file in src/clients. `npm run test:versions`.
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { Client } from '../../src/clients/contract.ts';
import { CLIENTS, type ClientId, findClient } from '../../src/clients/registry.ts';
import { measure } from './measure.ts';
import { record } from './table.ts';

/** Milliseconds for a session: the older versions of Gemini CLI take a second for each prompt, and many to start. */
const DEADLINE = 90_000;
const VERSION = 1_200_000;

/** Those in which something came, each with the one before it, and the newest. */
const BOUNDARIES: Readonly<Record<ClientId, readonly string[]>> = {
  'claude-code': ['2.0.76', '2.1.8', '2.1.9', '2.1.162', '2.1.163', 'latest'],
  codex: [
    '0.124.0',
    '0.128.0',
    '0.129.0',
    '0.132.0',
    '0.133.0',
    '0.134.0',
    '0.135.0',
    '0.144.6',
    '0.145.0',
    'latest',
  ],
  'gemini-cli': ['0.25.0', '0.26.0', '0.32.1', '0.33.0', '0.43.0', '0.44.0', 'latest'],
  // Before the first, of several hooks at a start only the last one's text arrives: one label alone would not show it.
  'copilot-cli': ['1.0.88', 'latest'],
};

interface Subject {
  readonly client: Client;
  readonly version: string;
}

/** `codex@0.128.0`, or a client alone for all its boundaries. */
function subjects(asked: readonly string[]): Subject[] {
  const names = asked.length > 0 ? asked : CLIENTS.map(({ id }) => id);
  return names.flatMap((word) => {
    const [name = '', version] = word.split('@');
    const client = findClient(name);
    if (!client) throw new Error(`There is no client ${name}.`);
    const versions = version === undefined ? BOUNDARIES[client.id as ClientId] : [version];
    return versions.map((one) => ({ client, version: one }));
  });
}

const ASKED = (process.env.MCP_HOOKS_VERSIONS ?? '').split(' ').filter(Boolean);

test.for(subjects(ASKED))('$client.id@$version', { timeout: VERSION }, async (subject) => {
  const { client } = subject;
  const { stdout: version } = await execa('npm', [
    'view',
    `${client.npmPackage}@${subject.version}`,
    'version',
  ]);
  const measured = await measure(client, version, DEADLINE);
  record(client.name, version, measured);
  expect(measured.wrong).toEqual([]);
});
