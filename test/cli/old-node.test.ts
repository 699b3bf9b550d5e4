// With a Node that is too old, users read a sentence, not a stack trace.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { expect, inject, test } from 'vitest';
import own from '../../package.json' with { type: 'json' };

const door = createRequire(import.meta.url)(
  join(import.meta.dirname, '../../src/cli/old-node.cjs'),
);
const refusal = (version: string): unknown =>
  door.refusal(version, own.engines.node, '/usr/bin/node');

test('an old Node is named, with the version that is needed', () => {
  expect(refusal('18.20.8')).toBe(
    'mcp-hooks needs Node 20.19 or newer; this is 18.20.8 (/usr/bin/node).\n',
  );
  expect(refusal('20.18.3')).toMatch(/needs Node 20\.19 or newer; this is 20\.18\.3 /);
  expect(refusal('9.0.0')).toBeDefined();
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '100.1.0'])
    expect(refusal(version)).toBeUndefined();
});

test('the code that checks the version runs on Node 12', async () => {
  const built = await readFile(inject('cli'), 'utf8');
  const read = async (target: string) => (await transform(built, { target })).code;
  expect(await read('node12')).toBe(await read('esnext'));
  expect(built).not.toMatch(/require\("node:/);
  // The check is in the built file itself, before anything else is loaded.
  expect(built).toMatch(/process\.versions\.node/);
});
