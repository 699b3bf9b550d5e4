/** Builds once, and puts what is published in a folder of its own: so the tests also prove that it suffices. */
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absolute path of the built command. */
    readonly cli: string;
  }
}

const ROOT = join(import.meta.dirname, '..', '..');

export default async function setup(project: TestProject) {
  await execa(process.execPath, ['build.mjs'], { cwd: ROOT });
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-built-'));
  for (const part of ['dist', 'fixtures/events', 'templates', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  const { bin }: { bin: { 'mcp-hooks': string } } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  project.provide('cli', join(folder, bin['mcp-hooks']));
  return () => rm(folder, { recursive: true, force: true });
}
