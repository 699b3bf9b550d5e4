// What only the terminal interface of a client does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { atHome } from '../../src/clients/driver/driver.ts';
import { expected } from '../clients/expectations.ts';
import { CLIENTS, LAUNCH } from './clients.ts';
import { record, shownOn } from './matrix.ts';
import { install } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const WITNESS = join(import.meta.dirname, 'fixtures/witness-server.mjs');

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const ALL = Object.values(CLIENTS).flatMap((client) => {
  const { terminal } = expected[client.id].real;
  return terminal ? [{ client, id: client.id, terminal }] : [];
});

test.each(ALL)(
  '$id: the tool is called when its session ends',
  async ({ client, id, terminal }) => {
    client.prepare(place);
    const log = join(place.files, 'witness.log');
    const tool = { context_tool: 'say', context_tool_args: { text: 'AT-END' } };
    await install(place, client, {
      name: 'witness',
      server: { command: process.execPath, args: [WITNESS, log] },
      hooks: { declarations: [{ event: 'session_end', ...tool, priority: 'important' }] },
    });

    const command = [...LAUNCH[id], ...terminal.args].map((word) => `'${word}'`).join(' ');
    const running = execa('script', ['-qefc', command, '/dev/null'], {
      cwd: place.project,
      extendEnv: false,
      env: {
        ...atHome({ home: place.home, outer: process.env }),
        SHELL: '/bin/sh',
        ...terminal.env,
      },
      // A client that does not understand what is typed would wait forever.
      timeout: 60_000,
    });
    let seen = '';
    const waiting = [...terminal.types];
    running.stdout?.on('data', (part) => {
      seen += part;
      const next = waiting[0];
      if (next === undefined || !seen.includes(next.after)) return;
      waiting.shift();
      seen = '';
      running.stdin?.write(next.keys);
    });
    await running;
    expect(waiting).toEqual([]);
    expect(readFileSync(log, 'utf8').trim()).toBe('AT-END');
    const by = shownOn(place, client, 'witness', 1).join(', ');
    record(client, 'session_end, tool', { by, place: 'nowhere: the tool is called' });
  },
);
