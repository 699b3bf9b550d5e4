/** A guard that excludes some files, and links that make another file look like one of them. The system says which file is written. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chain } from '../support/runner/chain.ts';
import { blocking, reasonIn } from '../support/runner/guards.ts';

interface Scene {
  readonly make?: (root: string) => void;
  readonly written: string;
  /** The file that the system then writes. */
  readonly really: string;
  readonly isBlocked: boolean;
}

const SCENES: Readonly<Record<string, Scene>> = {
  'a file that is excluded': { written: 'docs/a.md', really: 'docs/a.md', isBlocked: false },
  'a new file': { written: 'docs/b.md', really: 'docs/b.md', isBlocked: false },
  'a new file in new folders': { written: 'x/y/a.md', really: 'x/y/a.md', isBlocked: false },
  'a file that is not excluded': { written: 'src/a.ts', really: 'src/a.ts', isBlocked: true },
  'a link to an excluded file': {
    make: (root) => symlinkSync('docs/a.md', join(root, 'b.md')),
    written: 'b.md',
    really: 'docs/a.md',
    isBlocked: false,
  },
  'a link with an excluded name': {
    make: (root) => symlinkSync('src/a.ts', join(root, 'notes.md')),
    written: 'notes.md',
    really: 'src/a.ts',
    isBlocked: true,
  },
  'a link to a file that is not there yet': {
    make: (root) => symlinkSync('src/new.ts', join(root, 'notes.md')),
    written: 'notes.md',
    really: 'src/new.ts',
    isBlocked: true,
  },
  'a folder that is a link': {
    make: (root) => symlinkSync('../src', join(root, 'vendor/link')),
    written: 'vendor/link/a.ts',
    really: 'src/a.ts',
    isBlocked: true,
  },
  'a way back from a linked folder': {
    make: (root) => symlinkSync('../src/deep', join(root, 'vendor/link')),
    written: 'vendor/link/../a.ts',
    really: 'src/a.ts',
    isBlocked: true,
  },
};

test.each(Object.entries(SCENES))('a guard sees which file a call writes: %s', async (_, scene) => {
  const { make, written, really, isBlocked } = scene;
  const world = chain({
    hooks: [blocking({ tool_name: 'Write', exclude: { paths: ['*.md', 'vendor/*'] } })],
  });
  const root = join(world.cwd, 'project');
  for (const folder of ['', 'docs', 'src', 'src/deep', 'vendor']) mkdirSync(join(root, folder));
  for (const file of ['docs/a.md', 'src/a.ts']) writeFileSync(join(root, file), 'before');
  make?.(root);
  const { answer } = await world.fire('PreToolUse', {
    cwd: root,
    tool_name: 'Write',
    tool_input: { file_path: `${root}/${written}`, content: 'x' },
  });
  expect(reasonIn(answer) !== undefined).toBe(isBlocked);
  mkdirSync(dirname(`${root}/${written}`), { recursive: true });
  writeFileSync(`${root}/${written}`, 'after');
  expect(readFileSync(join(root, really), 'utf8')).toBe('after');
});
