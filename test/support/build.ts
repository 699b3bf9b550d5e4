/** Builds once, and puts the published files into a folder of their own. So the tests also prove that these suffice. */
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { TestProject } from 'vitest/node';
import { STAND_IN } from './runner/inside.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absolute path of the built command. */
    readonly cli: string;
    /** Absolute path of the program that replaces node in installs that run without a process. */
    readonly node: string;
  }
}

const ROOT = join(import.meta.dirname, '..', '..');

export default async function setup(project: TestProject) {
  await execa(process.execPath, ['build.mjs'], { cwd: ROOT });
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-built-'));
  for (const part of ['catalogue', 'dist', 'fixtures/events', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  const { bin }: { bin: { 'mcp-hooks': string } } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  project.provide('cli', join(folder, bin['mcp-hooks']));
  const node = join(folder, 'node');
  await writeFile(node, STAND_IN, { mode: 0o755 });
  project.provide('node', node);
  return () => rm(folder, { recursive: true, force: true });
}
