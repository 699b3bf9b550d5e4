// A hand-written hook fires once before an install removes it, once while its import runs instead, and once again after the
// uninstall.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { byHandOf } from '../../src/clients/registry.ts';
import { expected } from '../clients/expectations.ts';
import { clientOf } from '../support/runner/clients.ts';
import { CLIENTS } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { addHooks } from './entries.ts';
import { mcpHooks } from './ours.ts';
import { scratch } from './scratch.ts';

const ALL = Object.values(CLIENTS).filter(({ id }) => byHandOf(clientOf(id)));

test.each(ALL)('$id', async (client) => {
  const { id } = client;
  const place = scratch();
  onTestFinished(place.remove);
  client.prepare(place);
  const at = (name: string) => join(place.files, name);
  writeFileSync(at('own.sh'), `echo fired >>'${at('fired')}'\n`);
  const { readsAll } = expected[id].real;
  if (readsAll === undefined) throw new Error('no event');
  addHooks(id, place.home, [readsAll], `sh '${at('own.sh')}'`);
  const fired = async () => {
    writeFileSync(at('fired'), '');
    await client.run({ ...place, prompts: ['PROMPT-ONE'], steps: [{ text: 'done' }] });
    return readFileSync(at('fired'), 'utf8');
  };
  const trust = async () => id === 'codex' && (await trustHooks(place.home, place.project));
  await trust();
  expect(await fired()).toBe('fired\n');

  await mcpHooks(place, 'import', '--client', id, '--out', at('own.json'));
  const allow = ['--allow', 'command,project-code'];
  const install = ['install', at('own.json'), '--client', id, ...allow, '--yes'];
  const out = await mcpHooks(place, ...install, '--replace-originals');
  expect(out).toContain('They are taken out');
  await trust();
  expect(await fired()).toBe('fired\n');

  await mcpHooks(place, 'uninstall', 'own', '--yes');
  expect(existsSync(join(place.home, '.mcp-hooks'))).toBe(false);
  // No new trust is needed: the hook is still trusted.
  expect(await fired()).toBe('fired\n');
});
