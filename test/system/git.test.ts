/** Our own reading of a repository, without git, compared with the answers of git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe } from 'vitest';
import { isIgnored } from '../../src/system/git/ignored.ts';
import { gitState, isTracked } from '../../src/system/git/state.ts';
import { test, type World } from '../support/world.ts';

const FILES = ['.claude/settings.local.json', '.claude/settings.json', 'a b/.claude/settings.json'];

function repository(world: World, ...init: string[]) {
  const env = { PATH: process.env.PATH, HOME: world.home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: world.work, env, stdio: 'pipe' }).toString();
  git('init', '-q', ...init);
  const put = (name: string, text = '') => {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(world.path(name), text);
  };
  return { git, put };
}

/** Ignore files by name, with their lines. */
const IGNORES: readonly Readonly<Record<string, string>>[] = [
  {},
  { '.gitignore': '.claude/' },
  { '.gitignore': '.claude' },
  { '.gitignore': '/.claude/settings.local.json' },
  { '.gitignore': '.claude/settings.local.json   ' },
  { '.gitignore': 'settings.local.json' },
  { '.gitignore': '*.local.json' },
  { '.gitignore': '*.local.json\r\n' },
  { '.gitignore': '**/.claude/settings.local.json' },
  { '.gitignore': '.claude/**' },
  { '.gitignore': '.claude/*' },
  { '.gitignore': '.claude/*\n!.claude/settings.json' },
  { '.gitignore': '.claude/\n!.claude/settings.json' },
  { '.gitignore': '*\n!.claude' },
  { '.gitignore': '*\n!.claude/\n!settings.json' },
  { '.gitignore': '# .claude/\n\\#x' },
  { '.gitignore': 'settings.?ocal.json' },
  { '.gitignore': 'settings.[a-m]ocal.json' },
  { '.gitignore': 'settings.[!a-m]ocal.json' },
  { '.gitignore': 'a\\ b/' },
  { '.gitignore': 'a b/**/settings.json' },
  { '.gitignore': 'b/.claude' },
  { '.gitignore': 'settingsXlocal.json' },
  { '.gitignore': 'claude/settings.local.json' },
  { '.gitignore': '[' },
  { '.claude/.gitignore': '*.local.json' },
  { '.claude/.gitignore': '/settings.json' },
  { '.gitignore': '*.json', '.claude/.gitignore': '!settings.json' },
  { '.git/info/exclude': '.claude/settings.local.json' },
  { '~/.config/git/ignore': '**/.claude/settings.local.json' },
  { '~/.config/git/ignore': '*.json', '.gitignore': '!settings.json' },
  { '~/.gitconfig': '[core]\n\texcludesFile = ~/mine # here\n', '~/mine': '.claude' },
  {
    '~/.gitconfig': '[core]\n\texcludesfile = "~/mine"\n[user]\n\tname = x\n',
    '~/mine': '.claude',
  },
  { '~/.gitconfig': '[user]\n\texcludesfile = ~/mine\n', '~/mine': '.claude' },
  { '~/.config/git/config': '[core]\nexcludesfile=~/mine', '~/mine': '*.local.json' },
];

describe('the answers are the same as those of git', () => {
  for (const [index, ignores] of IGNORES.entries())
    test(`ignored files: ${index} ${Object.values(ignores).join(' ').trim()}`, ({
      world,
      expect,
    }) => {
      const { git, put } = repository(world);
      for (const [name, lines] of Object.entries(ignores)) put(name, lines);
      const said = FILES.filter((file) => {
        try {
          return git('check-ignore', '-q', '--', file) === '';
        } catch {
          return false;
        }
      });
      const user = { env: {}, home: world.home };
      expect(FILES.filter((file) => isIgnored(world.path(file), world.work, user))).toEqual(said);
    });

  const INDEXES: Record<string, readonly string[]> = {
    'version 2': ['--index-version=2'],
    'version 4, with shortened names': ['--index-version=4'],
    'a split index': ['--split-index'],
  };
  for (const [name, flags] of Object.entries(INDEXES))
    test(`tracked files: ${name}`, ({ world, expect }) => {
      const { git, put } = repository(world);
      for (const file of FILES.slice(1)) put(file);
      put('sub/.claude/settings.local.json');
      for (let index = 0; index < 40; index++) put(`src/${'x'.repeat(index)}/${index}.ts`);
      git('add', '.');
      git('add', '--intent-to-add', '.');
      git('update-index', ...flags);
      const tracked = FILES.filter((file) => isTracked(world.path(file), world.work));
      expect(tracked).toEqual(FILES.slice(1));
      git('rm', '-q', '--cached', '.claude/settings.json');
      expect(isTracked(world.path('.claude/settings.json'), world.work)).toBe(
        name === 'a split index',
      );
    });

  test('tracked files: SHA-256, and a missing file', ({ world, expect }) => {
    const { git, put } = repository(world, '--object-format=sha256');
    put('.claude/settings.json');
    git('add', '.');
    expect(isTracked(world.path('.claude/settings.json'), world.work)).toBe(true);
    expect(isTracked(world.path('.claude/settings.local.json'), world.work)).toBe(false);
  });

  test('a worktree, which has its own index and the excludes of the repository', async ({
    world,
    expect,
  }) => {
    const { git, put } = repository(world);
    put('.claude/settings.json');
    put('.git/info/exclude', '*.local.json');
    git('add', '.');
    git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'x');
    git('worktree', 'add', '-q', 'tree');
    const user = { env: {}, home: world.home };
    expect(gitState(world.path('tree/.claude/settings.json'), user)).toBe('tracked');
    expect(gitState(world.path('tree/.claude/settings.local.json'), user)).toBe('ignored');
    expect(gitState(world.path('tree/.codex/hooks.json'), user)).toBe('untracked');
    expect(gitState(world.path('~/.codex/hooks.json'), user)).toBeUndefined();
  });

  test('tracked files: unknown for a folder that a sparse index holds as one entry', ({
    world,
    expect,
  }) => {
    const { git, put } = repository(world);
    for (const file of ['top/a', 'in/.claude/settings.json', 'out/.claude/settings.json'])
      put(file);
    git('add', '.');
    git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'x');
    git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    const state = (name: string) => isTracked(world.path(name), world.work);
    expect(state('in/.claude/settings.json')).toBe(true);
    expect(state('in/.claude/settings.local.json')).toBe(false);
    expect(state('out/.claude/settings.json')).toBeUndefined();
  });

  test('tracked files: unknown for an index that cannot be read', ({ world, expect }) => {
    repository(world).put('.git/index', 'DIRC');
    expect(isTracked(world.path('.claude/settings.json'), world.work)).toBeUndefined();
  });
});
