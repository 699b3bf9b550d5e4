// `npm run record -- <client>`: what the real client sends to hooks on stdin, a file for each firing, in
// test/real-clients/.scratch/recorded/<client>. Choose what tests need, and copy it to fixtures/events/<client>.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_EVENTS } from '../../../src/declaration/declaration.ts';
import { CLIENTS, LAUNCH } from '../clients.ts';
import { instead, mcpHooks } from '../ours.ts';
import { scratch } from '../scratch.ts';

const HERE = import.meta.dirname;
const SERVER = join(HERE, '../fixtures/echo-server.mjs');

/** A path as a part of a file's name. */
const slug = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');

/** The events that a client may have. Programs get all of them, models only some. */
const NATIVE = ALL_EVENTS.filter((event) => event !== 'budget_exceeded');

test.each(Object.entries(CLIENTS))('%s', async (_id, client) => {
  const place = scratch();
  const recorded = join(HERE, '../.scratch/recorded', client.id);
  rmSync(recorded, { recursive: true, force: true });
  mkdirSync(recorded, { recursive: true });
  try {
    client.prepare(place);
    client.addServers(place, { echo: { command: process.execPath, args: [SERVER] } });
    const declarations = NATIVE.map((event) => ({ event, command: ['true'] }));
    const manifest = join(place.files, 'record.json');
    writeFileSync(
      manifest,
      JSON.stringify({ version: 2, name: 'record', hooks: { declarations } }),
    );
    await mcpHooks(
      place,
      'install',
      manifest,
      '--client',
      client.id,
      '--yes',
      '--allow',
      'command',
    );
    instead(place, 'record', (event) => `cat >'${recorded}/'$(date +%s%N).${event}`);
    await client.trust?.(place, LAUNCH[client.id]);

    const tools = Object.values(client.tools).flatMap(
      (calling) => calling('recorded', place.project) ?? [],
    );
    const steps = [
      ...tools,
      { shell: 'exit 7' },
      { described: 'Returns its text.', input: { text: 'recorded' } },
      { described: 'Fails with its text.', input: { text: 'recorded' } },
      { text: 'Done.' },
      { text: 'Done.' },
    ];
    const { exitCode, stderr } = await client.run({
      ...place,
      prompts: ['Record this.', 'And this.'],
      steps,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr });

    const counts: Record<string, number> = {};
    for (const file of readdirSync(recorded).toSorted()) {
      const [, event = ''] = file.split('.');
      const nth = (counts[event] ?? 0) + 1;
      counts[event] = nth;
      const stdin = readFileSync(join(recorded, file), 'utf8')
        .replaceAll(place.project, '/home/dev/shop')
        .replaceAll(slug(place.project), slug('/home/dev/shop'))
        .replaceAll(place.home, '/home/dev');
      writeFileSync(join(recorded, nth === 1 ? `${event}.json` : `${event}.${nth}.json`), stdin);
      rmSync(join(recorded, file));
    }
    process.stdout.write(
      `${recorded}\n${Object.entries(counts)
        .map(([event, count]) => `${count} ${event}\n`)
        .join('')}`,
    );
    expect(counts).not.toEqual({});
  } finally {
    place.remove();
  }
});
