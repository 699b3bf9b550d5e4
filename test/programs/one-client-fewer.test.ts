// A client consists of its folder, its folder of tests, the fixtures under its ID, its lines in the list and the registry, and
// its line in the real clients' package.json. Without these, everything else compiles, and its tests pass.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
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
import { clientOf, IDS } from '../support/runner/clients.ts';

const ROOT = join(import.meta.dirname, '../..');
const ONE = IDS.at(-1);
if (ONE === undefined) throw new Error('there is no client');

/** Folders whose tests cover all clients. All folders but those of the pages would take as long as the whole suite. */
const TESTED = ['clients', 'compile', 'install', 'edit', 'sdk'].map((name) => `test/${name}`);

test(`everything else works without ${ONE}`, { timeout: 900_000 }, async () => {
  const copy = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist|\.git|\.scratch)$/.test(path),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  const fixtures = readdirSync(join(copy, 'fixtures'), { recursive: true, encoding: 'utf8' });
  const own = fixtures.filter((path) => new RegExp(`(?:^|/)${ONE}(?:\\.\\w+)?$`).test(path));
  const folders = [`src/clients/${ONE}`, `test/clients/${ONE}`];
  // A path may be inside another one.
  for (const path of [...folders, ...own.map((path) => `fixtures/${path}`)])
    rmSync(join(copy, path), { recursive: true, force: true });
  const name = ONE.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const withoutLines = (file: string, line: string) => {
    const before = readFileSync(join(copy, file), 'utf8');
    const after = before
      .replace(` | '${ONE}'`, '')
      .replace(new RegExp(`, ${name}\\b(?=.*\\])`), '')
      .replaceAll(new RegExp(`^.*${line}.*\\n`, 'gm'), '')
      // Removes the comma before a line that was the last of a JSON list.
      .replace(/,(\n\s*\})/g, file.endsWith('.json') ? '$1' : '$&');
    expect([file, after]).not.toEqual([file, before]);
    writeFileSync(join(copy, file), after);
  };
  withoutLines('src/clients/list.ts', `\\b${name}\\b`);
  withoutLines('src/clients/registry.ts', `\\b${name}\\b`);
  withoutLines('test/real-clients/package.json', `"${clientOf(ONE).npmPackage}"`);

  const run = (program: string, ...args: string[]) =>
    execa(process.execPath, [join(copy, 'node_modules', program), ...args], {
      cwd: copy,
      reject: false,
      all: true,
    });
  const compiled = await run('typescript/bin/tsc', '--noEmit', '-p', copy);
  expect(compiled.all).toBe('');
  const tested = await run('vitest/vitest.mjs', 'run', ...TESTED);
  expect(tested.exitCode === 0 ? '' : tested.all).toBe('');
});
