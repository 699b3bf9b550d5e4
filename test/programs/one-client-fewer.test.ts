// A client is its folder, its fixtures, its folder of tests, its lines in the registry and its line in the real clients'
// package.json. Without these, all else compiles.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { IDS } from '../support/runner/clients.ts';

const ROOT = join(import.meta.dirname, '../..');
const PARTS = ['src', 'templates', 'test', 'bench', 'examples', 'fixtures', 'schema'];
const ONE = IDS.at(-1) ?? '';

test(`types without ${ONE}`, { timeout: 300_000 }, async () => {
  const copy = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const name of [...PARTS, 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|\.scratch)$/.test(path),
    });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const places = ['src/clients', 'fixtures/events', 'fixtures/configured', 'test/clients'];
  for (const place of places) {
    expect([place, existsSync(join(copy, place, ONE))]).toEqual([place, true]);
    rmSync(join(copy, place, ONE), { recursive: true });
  }
  const registry = join(copy, 'src/clients/registry.ts');
  const name = ONE.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  writeFileSync(
    registry,
    readFileSync(registry, 'utf8')
      .replace(` | '${ONE}'`, '')
      .replaceAll(new RegExp(`^.*\\b${name}\\b.*\\n`, 'gm'), ''),
  );
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await execa(process.execPath, [compiler, '--noEmit', '-p', copy], {
    cwd: copy,
    reject: false,
  });
  expect(stdout).toBe('');
});
