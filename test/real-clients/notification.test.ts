// A client in a terminal without a user: it asks for a permission, gets one, and waits for the next prompt.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { atHome } from '../../src/clients/driver/driver.ts';
import { Model } from '../../src/clients/driver/model.ts';
import { expected } from '../clients/expectations.ts';
import { CLIENTS, LAUNCH } from './clients.ts';
import { install } from './ours.ts';
import { scratch } from './scratch.ts';

const ALL = Object.values(CLIENTS).flatMap((client) => {
  const { waiting } = expected[client.id].real;
  return waiting ? [{ client, id: client.id, waiting }] : [];
});

test.each(ALL)(
  '$id: a hook runs when the client waits for its user',
  async ({ client, id, waiting }) => {
    const place = scratch();
    onTestFinished(place.remove);
    const steps = [{ shell: 'touch made' }, { text: 'Done.' }];
    const model = await Model.start(client.api, { steps });
    onTestFinished(() => model.close());
    client.prepare(place);
    for (const [file, settings] of Object.entries(waiting.settings?.(place.project) ?? {}))
      writeFileSync(join(place.home, file), JSON.stringify(settings));
    const env = client.env({ ...place, launch: LAUNCH[id], prompts: [], steps: [] }, model);
    const told = join(place.files, 'told');
    const script = join(place.files, 'tell.sh');
    writeFileSync(script, `cat >>'${told}'; echo >>'${told}'\n`);
    const declarations = [{ event: 'notification', command: ['sh', './tell.sh'] }];
    const manifest = { version: 2, name: 'waiting', hooks: { declarations } };
    await install(place, client, manifest, '--allow', 'command');

    const words = [...LAUNCH[id], ...waiting.args].map((word) => `'${word}'`).join(' ');
    const running = execa(
      'script',
      ['-qefc', `stty cols 120 rows 40; exec ${words}`, '/dev/null'],
      {
        cwd: place.project,
        extendEnv: false,
        env: { ...atHome({ home: place.home, outer: process.env }), SHELL: '/bin/sh', ...env },
        reject: false,
        timeout: 90_000,
        forceKillAfterDelay: 2000,
      },
    );
    onTestFinished(async () => {
      running.kill();
      await running;
    });
    let seen = '';
    running.stdout?.on('data', (part) => {
      seen += part;
    });
    // A question that has just appeared may not accept a key yet.
    const trusting = setInterval(() => {
      const isAsking = waiting.trust !== undefined && seen.includes(waiting.trust);
      if (isAsking && model.conversation.requests.length === 0) running.stdin?.write('\r');
    }, 1000);
    onTestFinished(() => clearInterval(trusting));
    const kinds = (): string[] =>
      (existsSync(told) ? readFileSync(told, 'utf8') : '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).waits_for);
    await expect.poll(kinds, { timeout: 60_000, interval: 200 }).toEqual(['permission']);
    // The hook gave no answer, so the question is still there.
    expect(existsSync(join(place.project, 'made'))).toBe(false);
    // Some clients show it only after the hook has ended. A key after the turn would show that a user is present.
    const isMade = () => {
      const made = existsSync(join(place.project, 'made'));
      if (!made) running.stdin?.write('\r');
      return made;
    };
    await expect.poll(isMade, { timeout: 30_000, interval: 1000 }).toBe(true);
    await expect.poll(kinds, { timeout: 30_000, interval: 200 }).toEqual(['permission', 'prompt']);
  },
);
