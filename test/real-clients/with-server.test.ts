// A server that `install --with-server` adds: each client starts it, and its model gets its tool.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findServerClient } from '../../src/clients/registry.ts';
import { TEMPLATES } from '../../src/system/package-files.ts';
import { CLIENTS } from './clients.ts';
import { install, mcpHooks } from './ours.ts';
import { scratch } from './scratch.ts';

test.each(Object.values(CLIENTS))('$id', async (client) => {
  const place = scratch();
  const { home, project: cwd } = place;
  try {
    client.prepare(place);
    const at = { env: {}, home, cwd, platform: process.platform };
    const files = findServerClient(client.id)?.files(at) ?? [];
    const paths = files.flatMap(({ scope, path }) => (scope === 'user' ? path : []));
    const text = () => paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : ''));
    const server = {
      command: process.execPath,
      args: [join(TEMPLATES, 'mock-server.cjs'), 'notes', 'recall'],
    };
    const hook = {
      event: 'session_end',
      context: 'mcp__{server}__recall knows more.',
      priority: 'important',
    };
    const manifest = { name: 'notes', server, hooks: { declarations: [hook] } };
    await install(place, client, manifest, '--with-server');
    expect(text().join('')).toContain('mock-server.cjs');
    // The model finds the tool by its description, in what the client has sent it.
    const call = { described: ': recall of notes.', input: { text: 'Ann' } };
    const steps = [call, { text: 'Done.' }];
    const { conversation } = await client.run({ ...place, prompts: ['Call it.'], steps });
    expect(JSON.stringify(conversation)).toContain('mock: Ann');
    await mcpHooks(place, 'uninstall', 'notes', '--yes');
    expect(text().join('')).not.toContain('mock-server.cjs');
  } finally {
    place.remove();
  }
});
