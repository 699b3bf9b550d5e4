// The server of a package for OpenCode. OpenCode 1.18.33 fills in variables only in its files, so the package does it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { bundle } from '../../../src/clients/opencode/shipping.ts';

test("a server gets the user's variables when OpenCode starts", async () => {
  const env = { TOKEN: `x \${ANNAL_TOKEN}`, NONE: `\${ANNAL_NONE}` };
  const server = { command: 'npx', args: ['-y', 'annal'], env };
  const facts = { name: 'annal', version: '1.0.0', description: '', author: '', hooks: {} };
  const files = bundle.files({ ...facts, label: 'annal', server });
  const code = files.find(([path]) => path.endsWith('.js'))?.[1];
  const folder = await mkdtemp(join(tmpdir(), 'annal-'));
  await writeFile(join(folder, 'index.mjs'), String(code));
  const { Server } = await import(pathToFileURL(join(folder, 'index.mjs')).href);
  await rm(folder, { recursive: true });
  process.env.ANNAL_TOKEN = 'of "the" user';
  const config = { mcp: { other: { type: 'local' } } };
  await (await Server()).config(config);
  delete process.env.ANNAL_TOKEN;
  expect(config.mcp).toEqual({
    annal: {
      type: 'local',
      command: ['npx', '-y', 'annal'],
      environment: { TOKEN: 'x of "the" user', NONE: '' },
    },
    other: { type: 'local' },
  });
});
