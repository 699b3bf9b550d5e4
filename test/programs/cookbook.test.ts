// The page of the cookbook: its manifests are the files, its outputs come from `fire`, and its table from the compiler.
// `UPDATE_PAGES=1 npx vitest run --config test/programs/vitest.config.ts cookbook` writes them.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from '../../site/pages/markdown.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import type { HookDeclaration } from '../../src/declaration/declaration.ts';
import { expected } from '../clients/expectations.ts';
import { blocks, fenced, ROOT, read, shows, wordsOf } from '../support/pages.ts';
import { test, type World } from '../support/world.ts';

const PAGE = 'docs/cookbook.md';
const SHOWN = blocks(PAGE).flatMap(({ marker = '' }) => {
  const [, file] = /^file: (.*)$/.exec(marker) ?? [];
  return file === undefined ? [] : [file];
});
const GRANTS = 'block,command,context-tool';

test('every manifest of the cookbook is on the page', ({ expect }) => {
  const all = readdirSync(join(ROOT, 'examples/cookbook'), { recursive: true, encoding: 'utf8' });
  const manifests = all.filter((name) => name.endsWith('.json'));
  expect(SHOWN).toHaveLength(25);
  expect(SHOWN).toEqual(
    expect.arrayContaining(manifests.map((name) => `examples/cookbook/${name}`)),
  );
});

test.for(SHOWN)('%s is shown as it is', (file) => {
  shows(PAGE, `file: ${file}`, fenced('json', read(file)));
});

/** The surroundings of a hook: a repository with changes, a file with a secret, failing tests, and no real programs. */
async function desk(world: World): Promise<Record<string, string>> {
  const date = '2026-11-22T18:42:31Z';
  const someone = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' };
  const env = {
    ...{ ...someone, GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.com' },
    ...{ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    PATH: `${world.bin}:${process.env.PATH}`,
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: world.work, env: world.env(env) });
  const memory = join(ROOT, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
  for (const [name, line] of Object.entries({
    'canberra-gtk-play': ':',
    'notify-send': ':',
    curl: ':',
    gofmt: 'echo formatted >>"$2"',
    npx: `MEMORY_FILE_PATH='${world.path('~/memory.jsonl')}' exec '${process.execPath}' '${memory}'`,
  }))
    await world.write(`../bin/${name}`, `#!/bin/sh\n${line}\n`, 0o755);
  const remembered = {
    ...{ type: 'entity', name: 'release', entityType: 'decision' },
    observations: ['Releases are made on Tuesdays.'],
  };
  await world.write('~/memory.jsonl', `${JSON.stringify(remembered)}\n`);

  await world.write('package.json', '{ "scripts": { "test": "node test.cjs" } }\n');
  const failing = "console.log('11 passed, 1 failed: adds up');\nprocess.exitCode = 1;\n";
  await world.write('test.cjs', failing);
  git('init', '--quiet', '--initial-branch=main');
  await world.write('.git/info/exclude', 'examples/\n.env\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Add a test');
  await world.write(
    'package.json',
    '{ "scripts": { "test": "node test.cjs" }, "private": true }\n',
  );
  await world.write('config.mjs', `export const token = 'ghp_${'a1B2'.repeat(9)}';\ndebugger;\n`);
  await world.write('broken.json', '{ "name": }\n');
  await world.write('main.go', 'package main\n');
  git('add', 'config.mjs');
  const long = expected['claude-code'].writes?.answer(115_000);
  await world.write('../long.jsonl', `${JSON.stringify(long)}\n`);
  await world.write(
    '../long.json',
    JSON.stringify({ transcript_path: world.path('../long.jsonl') }),
  );
  cpSync(join(ROOT, 'examples'), world.path('examples'), { recursive: true });
  return env;
}

/** Removes what differs between runs. */
const tidy = (text: string): string =>
  text
    .replace(/ +in \d+(?: to \d+)? ms$/gm, '')
    .replace(/It is .* \(.*\)\./, 'It is Sunday, 22 November 2026 at 18:42 (UTC).');

const FIRED = blocks(PAGE).filter(({ marker }) => marker?.startsWith('fire: '));

test.for(FIRED)(
  '$marker prints what the page shows',
  async ({ marker, text }, { world, expect }) => {
    const env = await desk(world);
    const lines = [...text.matchAll(/^\$ mcp-hooks (.*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(0);
    let printed = '';
    for (const line of lines) {
      const { code, out } = await world.run(wordsOf(line), { env });
      expect([line, code]).toEqual([line, 0]);
      printed += `$ mcp-hooks ${line}\n${world.tidy(tidy(out)).trim()}\n`;
    }
    shows(PAGE, `${marker}`, fenced('console', printed));
  },
);

/** The title above each manifest on the page. */
const TITLES = new Map(
  [...read(PAGE).matchAll(/^### (.*)\n(?:(?!###).*\n)*?<!-- file: (.*) -->$/gm)].map(
    ([, title = '', file = '']) => [file, title],
  ),
);

interface Planned {
  readonly hooks: readonly HookDeclaration[];
  readonly grants: readonly { readonly grant: string }[];
  readonly clients: readonly {
    readonly id: string;
    readonly hooks: readonly { readonly grade: string; readonly when?: string }[];
  }[];
}

/** Where a hook of a plan works, in a few words. A hook that decides is graded by its decision. */
function worksIn({ hooks, clients }: Planned, index: number): string {
  const hook = hooks[index];
  const decides = hook?.block !== undefined || hook?.may?.includes('block');
  const grades = clients.map(({ id, hooks: compiled }) => {
    const client = CLIENTS.find((one) => one.id === id);
    const decision = hook && client?.lowering[hook.event]?.decide?.block?.grade;
    const { grade, when = '' } = compiled[index] ?? { grade: 'none' };
    return {
      name: client?.name,
      grade: decides ? (decision ?? 'none') : grade,
      why: when.replace(/^(?:no matching event in [^:]*|with[^:]*)(?:: )?/, ''),
    };
  });
  const named = (grade: string) => {
    const those = grades.filter((one) => one.grade === grade);
    const reasons = new Set(those.map(({ why }) => (grade === 'none' ? why : '')));
    return [...reasons].map((reason) => {
      const names = those.filter(({ why }) => grade !== 'none' || why === reason);
      return names.map(({ name }) => name).join(', ') + (reason && ` (${reason})`);
    });
  };
  const [none, late] = [named('none').join('; '), named('late').join()];
  return `${none ? `all but ${none}` : 'all'}${late ? `; late in ${late}` : ''}`;
}

test('the table says where each hook works', async ({ world }) => {
  await world.folder('~/.claude');
  const rows: string[] = [];
  for (const file of SHOWN) {
    const path = join(ROOT, file);
    const { out } = await world.run(
      `diff ${path} --json --allow ${GRANTS} --client ${CLIENTS.map(({ id }) => id).join()}`,
    );
    const plan: Planned = JSON.parse(out);
    const cells = plan.hooks.map((_hook, index) => worksIn(plan, index));
    const works =
      new Set(cells).size === 1
        ? cells[0]
        : cells.map((cell, at) => `hook ${at + 1}: ${cell}`).join('<br>');
    const title = TITLES.get(file) ?? '';
    const grants = plan.grants.map(({ grant }) => `\`${grant}\``).join(', ');
    rows.push(`| [${title}](#${anchorOf(title)}) | ${works} | ${grants || '-'} |\n`);
  }
  shows(PAGE, 'generated: hooks', `| hook | works in | needs |\n|---|---|---|\n${rows.join('')}`);
});

test('a checkpoint has all files, and changes neither branch nor index', async ({
  world,
  expect,
}) => {
  const env = await desk(world);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: world.work, env: world.env(env), encoding: 'utf8' });
  const state = () => [
    git('status', '--porcelain'),
    git('rev-parse', 'HEAD'),
    git('stash', 'list'),
  ];
  const before = state();
  const fired = 'fire examples/cookbook/checkpoint.json pre_request --allow command --client';
  const prompt = async (text: string) => {
    await world.write('main.go', text);
    await world.run([...wordsOf(fired), 'claude-code'], { env });
    return git('for-each-ref', '--format=%(refname)', 'refs/checkpoints').trim().split('\n');
  };
  const [first = ''] = await prompt('one\n');
  expect(await prompt('one\n')).toEqual([first]); // no file has changed
  const [, second = ''] = await prompt('two\n');
  expect([git('show', `${first}:main.go`), git('show', `${second}:main.go`)]).toEqual([
    'one\n',
    'two\n',
  ]);
  expect(git('show', `${second}:config.mjs`)).toContain('debugger');
  expect(git('ls-tree', '--name-only', second)).not.toContain('examples'); // ignored
  expect(state()).toEqual(before);
});

test('tests-after-edits does not block a project without pytest tests, or without pytest', async ({
  world,
  expect,
}) => {
  const env = await desk(world);
  await world.write('package.json', '{}\n');
  await world.write('pyproject.toml', '[project]\n');
  const line = 'fire examples/cookbook/tests-after-edits.json post_request --client claude-code';
  const given: boolean[] = [];
  for (const python of [
    'echo no tests ran; exit 5',
    'echo /usr/bin/python3: No module named pytest >&2; exit 1',
    'echo 1 failed; exit 1',
  ]) {
    await world.write('../bin/python3', `#!/bin/sh\n${python}\n`, 0o755);
    await world.write('one.py', python); // a changed file is tested again
    const { out } = await world.run(`${line} --allow block,command`, { env });
    given.push(out.includes('it was blocked'));
  }
  expect(given).toEqual([false, false, true]);
});
