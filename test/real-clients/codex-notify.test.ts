// Codex's `notify`, which is not a hook: its program runs once before an install removes it, once while its import runs
// instead, and once again after the uninstall.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { atHome } from '../../src/clients/driver/driver.ts';
import { Model } from '../../src/clients/driver/model.ts';
import { codex, LAUNCH } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { install, mcpHooks } from './ours.ts';
import { scratch } from './scratch.ts';

test('the program of notify runs once for each turn, with the same input', async () => {
  const place = scratch();
  onTestFinished(place.remove);
  codex.prepare(place);
  const at = (name: string) => join(place.files, name);
  writeFileSync(at('own.sh'), `printf '%s\\n' "$1" >>'${at('fired')}'\n`);
  const config = join(place.home, '.codex', 'config.toml');
  const notify = `notify = ["sh", ${JSON.stringify(at('own.sh'))}]\n`;
  writeFileSync(config, notify + readFileSync(config, 'utf8'));
  // Codex does not wait for a notifier, and a session's processes are killed at its end here. So it takes a moment to end.
  const stop = [{ hooks: [{ type: 'command', command: 'sleep 3' }] }];
  const hooks = join(place.home, '.codex', 'hooks.json');
  writeFileSync(hooks, JSON.stringify({ hooks: { Stop: stop } }));
  await trustHooks(place.home, place.project);
  const before = readFileSync(config, 'utf8');
  const fired = async () => {
    writeFileSync(at('fired'), '');
    await codex.run({ ...place, prompts: ['PROMPT-ONE'], steps: [{ text: 'done' }] });
    const words = () => readFileSync(at('fired'), 'utf8').split('\n').filter(Boolean);
    await expect.poll(words, { timeout: 20_000, interval: 100 }).toHaveLength(1);
    await sleep(1000);
    expect(words()).toHaveLength(1);
    return JSON.parse(words()[0] ?? '');
  };
  const own = { type: 'agent-turn-complete', cwd: place.project, 'thread-id': expect.any(String) };
  expect(await fired()).toMatchObject(own);

  await mcpHooks(place, 'import', config, '--out', at('own.json'));
  const words = ['install', at('own.json'), '--client', 'codex', '--allow', 'command,project-code'];
  expect(await mcpHooks(place, ...words, '--yes', '--replace-originals')).toContain(
    'They are taken out',
  );
  await trustHooks(place.home, place.project);
  expect(await fired()).toMatchObject(own);

  await mcpHooks(place, 'uninstall', 'own', '--yes');
  expect(readFileSync(config, 'utf8')).toBe(before);
  expect(await fired()).toMatchObject(own);
});

test('a command in the background at the end of the last turn outlives codex exec', async () => {
  const place = scratch();
  onTestFinished(place.remove);
  codex.prepare(place);
  const at = (name: string) => join(place.files, name);
  const waits = `until [ -e '${at('go')}' ]; do sleep 0.1; done`;
  writeFileSync(at('work.sh'), `echo >'${at('began')}'; ${waits}; echo >'${at('done')}'\n`);
  const hook = { event: 'post_request', command: ['sh', './work.sh'], async: true };
  const manifest = { version: 2, name: 'annal', hooks: { declarations: [hook] } };
  await install(place, codex, manifest, '--allow', 'command');
  const model = await Model.start(codex.api, { steps: [{ text: 'done' }] });
  onTestFinished(() => model.close());
  const [program, ...launch] = LAUNCH.codex;
  const session = { ...place, launch: LAUNCH.codex, prompts: [], steps: [] };
  const address = `model_providers.scripted.base_url="${model.url}/v1"`;
  // Not by the driver: it kills all that a session has started.
  const ran = await execa(program, [...launch, 'exec', '-c', address, 'PROMPT-ONE'], {
    cwd: place.project,
    extendEnv: false,
    env: { ...atHome(session), ...codex.env(session, model) },
    stdin: 'ignore',
    timeout: 60_000,
  });
  expect(ran.exitCode).toBe(0);
  // It may not have begun when the client ends.
  await expect.poll(() => existsSync(at('began')), { timeout: 20_000 }).toBe(true);
  await sleep(2000);
  expect(existsSync(at('done'))).toBe(false);
  writeFileSync(at('go'), '');
  await expect.poll(() => existsSync(at('done')), { timeout: 20_000 }).toBe(true);
});
