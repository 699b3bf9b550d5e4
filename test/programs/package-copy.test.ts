// A server that npx would start runs from a copy of its package. Uses the real npm and a registry on loopback.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe } from 'vitest';
import {
  type Published,
  packageOf,
  type Registry,
  serveRegistry,
  withNpm,
} from '../support/npm-registry.ts';
import { until } from '../support/processes.ts';
import { onTerminal } from '../support/terminal.ts';
import { test as base, type World } from '../support/world.ts';

/** Answers a call with its version, its arguments, how it was started, and the words of the package that it needs. */
const SERVER = `#!/usr/bin/env node
const words = require('@example/words');
const { version } = require('./package.json');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const how = process.env.npm_command === undefined ? 'node' : 'npx';
  const place = process.argv[1].includes('_npx') ? 'cache' : 'copy';
  const text = [version, ...process.argv.slice(2), how, place, words].join(' ');
  const result = method === 'tools/call' ? { content: [{ type: 'text', text }] }
    : { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'notes', version } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

const NAME = '@example/notes';

const notes = (version: string, more: Readonly<Record<string, unknown>> = {}): Published =>
  packageOf(
    {
      ...{ name: NAME, version, bin: { 'notes-mcp': 'server.js' } },
      ...{ dependencies: { '@example/words': '^1.0.0' }, ...more },
    },
    { 'server.js': SERVER },
  );

const words = (more: Readonly<Record<string, unknown>> = {}): Published =>
  packageOf(
    { name: '@example/words', version: '1.0.0', ...more },
    { 'index.js': "module.exports = 'and words';\n" },
  );

interface Tried {
  readonly world: World;
  /** Tests may add packages. */
  readonly packages: Published[];
  readonly registry: Registry;
  /** Runs the command line with the registry. */
  readonly run: (line: string) => ReturnType<World['run']>;
  /** What the model reads when a session starts. */
  readonly shown: () => Promise<string>;
  /** The names of the copies, and of any other files in their folder. */
  readonly copies: () => string[];
}

const test = base.extend<{ tried: Tried }>({
  tried: async ({ world }, use) => {
    await withNpm(world);
    await world.folder('~/.claude');
    const packages = [words(), notes('1.2.3')];
    const registry = await serveRegistry(packages);
    const declarations = [
      { event: 'session_start', context_tool: 'recall', priority: 'important' },
    ];
    const server = { command: 'npx', args: ['-y', NAME, 'now', '--deep'] };
    for (const name of ['notes', 'others'])
      await world.write(`${name}.json`, JSON.stringify({ server, hooks: { declarations } }));
    const run = (line: string) => world.run(line, { env: { npm_config_registry: registry.url } });
    const folder = world.path('~/.mcp-hooks/packages');
    await use({
      ...{ world, packages, registry, run },
      shown: async () => (await run('fire notes session_start --json')).out,
      copies: () => (existsSync(folder) ? readdirSync(folder).sort() : []),
    });
    await registry.close();
  },
});

const INSTALL = 'install notes.json --client claude --yes --allow context-tool';
const COPY = /^example-notes-1\.2\.3-[0-9a-f]{12}$/;

describe.concurrent('a package that npx would start', { timeout: 120_000 }, () => {
  test('is copied once, and started without npx', async ({ tried, expect }) => {
    const { world, registry, run, shown, copies } = tried;
    const { code, out } = await run(INSTALL);
    expect([code, copies()]).toEqual([0, [expect.stringMatching(COPY)]]);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'Started without npx, as @example/notes@1.2.3: where npx has it, or else from a copy with 1 package that it needs, in',
    );
    expect((await run('list')).out).toContain('@example/notes@1.2.3, without npx');
    for (const name of ['npx', 'npm']) await rm(join(world.bin, name));
    const before = registry.asked.length;
    expect(await shown()).toContain('1.2.3 now --deep node copy and words');
    expect(registry.asked.length).toBe(before);
    const folder = statSync(world.path('~/.mcp-hooks/packages'));
    expect(folder.mode & 0o777).toBe(0o700);
  });

  test('is looked up and downloaded only where its tools may be called', async ({
    tried,
    expect,
  }) => {
    const { world, registry, run, copies } = tried;
    await run('install notes.json --client claude --yes');
    expect([registry.asked, copies()]).toEqual([[], []]);
    // A user at a terminal is not asked either, because nothing has changed.
    const words = ['update', 'notes'];
    const { out } = await onTerminal(world, words, { env: { npm_config_registry: registry.url } });
    expect(out).toContain('notes has not changed since you approved it.');
    expect([registry.asked, copies()]).toEqual([[], []]);
  });

  test('runs where npx has it, so that it finds its data there', async ({ tried, expect }) => {
    const { world, packages, registry, run, shown } = tried;
    await run(INSTALL);
    const env = world.env({ npm_config_registry: registry.url });
    const npx = () =>
      execa(join(world.bin, 'npx'), ['-y', NAME], {
        env,
        extendEnv: false,
        cwd: world.home,
        input: '',
      });
    await npx();
    expect(await shown()).toContain('1.2.3 now --deep node cache and words');
    // Another version in npx's folder is not started without npx.
    await world.remove('~/.npm/_npx');
    packages.push(notes('1.3.0', { keywords: ['new'] }));
    await npx();
    expect(await shown()).toContain('1.3.0 now --deep npx cache and words');
    expect((await run('doctor notes')).out).toContain(
      'npx has another version than @example/notes@1.2.3: hooks start npx at each call',
    );
  });

  test('is brought up to date by update, which shows both versions and wants a new grant', async ({
    tried,
    expect,
  }) => {
    const { packages, run, shown, copies } = tried;
    await run(INSTALL);
    const again = await run('update notes --yes');
    expect([again.code, again.out, copies()]).toEqual([
      0,
      expect.stringContaining('Nothing to do'),
      [expect.stringMatching(COPY)],
    ]);
    packages.push(notes('1.3.0'));
    const both = /-.*@example\/notes@1\.2\.3[\s\S]*\+.*@example\/notes@1\.3\.0/;
    const { out } = await run('diff notes');
    expect(out).toMatch(both);
    expect(out.replace(/\s+/g, ' ')).toContain('You allowed it before, but for another');
    const { code } = await run('update notes --yes');
    expect([code, copies(), await shown()]).toEqual([0, [], expect.not.stringContaining('now')]);
    await run('update notes --yes --allow context-tool');
    expect(copies()).toEqual([expect.stringMatching(/^example-notes-1\.3\.0-/)]);
    expect(await shown()).toContain('1.3.0 now --deep node copy and words');
  });

  test('keeps its grant if no other version is known, with a copy or without', async ({
    tried,
    expect,
  }) => {
    const { world, registry, run, copies } = tried;
    await run(INSTALL);
    await registry.close();
    await world.remove('~/.npm');
    await rm(world.path('~/.mcp-hooks/packages'), { recursive: true });
    await run('update notes --yes');
    const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect([installs[0].grants.allowed, copies()]).toEqual([['context-tool'], []]);
  });

  test('comes from the registry of the user, whatever the project says', async ({
    tried,
    expect,
  }) => {
    const { world, packages, run, shown, copies } = tried;
    const theirs = await serveRegistry([...packages, notes('9.9.9')]);
    await world.write('.npmrc', `registry=${theirs.url}\n@example:registry=${theirs.url}\n`);
    await world.write('package.json', '{"workspaces":["tmp/*"]}');
    await world.folder('tmp');
    const env = { npm_config_registry: tried.registry.url, TMPDIR: world.path('tmp') };
    await world.run(INSTALL, { env });
    await theirs.close();
    expect([theirs.asked, copies()]).toEqual([[], [expect.stringMatching(COPY)]]);
    expect(await shown()).toContain('1.2.3 now --deep node copy and words');
    expect((await run('list')).out).toContain('@example/notes@1.2.3, without npx');
  });

  test('stays when the registry cannot be reached', async ({ tried, expect }) => {
    const { registry, run, shown, copies } = tried;
    await run(INSTALL);
    await registry.close();
    const { code, err } = await run('update notes --yes');
    expect([code, copies()]).toEqual([0, [expect.stringMatching(COPY)]]);
    expect(err).not.toContain('note:');
    expect(await shown()).toContain('1.2.3 now --deep node copy and words');
  });

  test('is removed with the last label that uses it', async ({ tried, expect }) => {
    const { world, run, copies } = tried;
    await run(INSTALL);
    await run(INSTALL.replace('notes', 'others'));
    await run('uninstall notes --yes');
    expect(copies()).toEqual([expect.stringMatching(COPY)]);
    await run('uninstall others --yes');
    expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
  });

  test('is not started after it was modified, which doctor reports and update repairs', async ({
    tried,
    expect,
  }) => {
    const { world, run, shown, copies } = tried;
    await run(INSTALL);
    const folder = world.path(`~/.mcp-hooks/packages/${copies()[0]}`);
    await appendFile(join(folder, 'node_modules', NAME, 'server.js'), '\n// harm\n');
    // npx gets the time to download it first, and then runs the same program.
    expect(await shown()).toContain('1.2.3 now --deep node cache and words');
    await world.remove('~/.npm/_npx');
    const said = await run('doctor notes');
    expect(said.out).toContain('its copy of @example/notes@1.2.3 was modified');
    await run('update notes --yes');
    expect((await run('doctor notes')).out).not.toContain('its copy of');
    expect(await shown()).toContain('1.2.3 now --deep node copy and words');
    await rm(folder, { recursive: true });
    expect((await run('doctor notes')).out).toContain('its copy of @example/notes@1.2.3 is gone');
    await run('update notes --yes');
    expect(await shown()).toContain('1.2.3 now --deep node copy and words');
  });
});

describe.concurrent('a package cannot be copied, and install explains why', () => {
  const RUN = 'touch "$HOME/ran"';
  for (const [why, packages, said] of [
    [
      'a package that it needs has an install script',
      [words({ hasInstallScript: true, scripts: { postinstall: RUN } }), notes('1.2.3')],
      '@example/notes@1.2.3 has install scripts, which a copy would not run (@example/words).',
    ],
    [
      'it has two commands',
      [words(), notes('1.2.3', { bin: { one: 'server.js', two: 'package.json' } })],
      '@example/notes@1.2.3 cannot be started from a copy',
    ],
    [
      'its command is not a script for Node',
      [words(), notes('1.2.3', { bin: 'package.json' })],
      '@example/notes/package.json is missing, or is not a script for node',
    ],
    [
      'it needs a repository',
      [words(), notes('1.2.3', { dependencies: { other: 'git+file:///nowhere/other.git' } })],
      '@example/notes',
    ],
    [
      'its command is outside of it',
      [words(), notes('1.2.3', { bin: '../../../../evil.js' })],
      '@example/notes@1.2.3 cannot be started from a copy',
    ],
  ] as const)
    test(`${why}, so npx starts it`, async ({ tried, expect }) => {
      const { world, run, copies } = tried;
      tried.packages.splice(0, 2, ...packages);
      await world.write('~/evil.js', '#!/usr/bin/env node\n');
      const { code, err } = await run(INSTALL);
      expect([code, copies()]).toEqual([0, []]);
      expect(err.replace(/\s+/g, ' ')).toContain('note: notes: its hooks start npx at each call.');
      expect(err.replace(/\s+/g, ' ')).toContain(said);
      expect(existsSync(world.path('~/.mcp-hooks/packages'))).toBe(false);
    });

  test('it does not match its checksum, so npx starts it', async ({ tried, expect }) => {
    const { packages, registry, run, copies } = tried;
    const good = notes('1.2.3');
    const evil = notes('1.2.3', { keywords: ['evil'] }).tarball;
    const changing = Object.defineProperty({ ...good }, 'tarball', {
      enumerable: true,
      get: () => (registry.asked.at(-1)?.endsWith('.tgz') ? evil : good.tarball),
    });
    packages.splice(1, 1, changing);
    const { err } = await run(INSTALL);
    expect(copies()).toEqual([]);
    expect(err).toContain('EINTEGRITY');
  });
});

test('a killed run leaves no partial copy that is used', { timeout: 120_000 }, async ({
  tried,
  expect,
}) => {
  const { world, registry, run, shown, copies } = tried;
  const real = realpathSync(join(world.bin, 'npm'));
  // Half of a package is there, and npm never ends.
  const half = `#!${process.execPath}
if (process.argv[2] !== 'ci') import(${JSON.stringify(real)});
else {
  require('node:fs').mkdirSync('node_modules/@example/notes', { recursive: true });
  require('node:fs').writeFileSync(process.env.HOME + '/half', '');
  setInterval(() => {}, 1000);
}
`;
  await rm(join(world.bin, 'npm'));
  await world.write(join(world.bin, 'npm'), half, 0o755);
  const running = world.start(INSTALL, { env: { npm_config_registry: registry.url } });
  await until('half of it is there', () => existsSync(world.path('~/half')));
  running.kill('SIGKILL');
  await running;
  expect(copies()).toEqual([expect.stringMatching(/\.mcp-hooks-.*\.tmp$/)]);
  await rm(join(world.bin, 'npm'));
  await world.link(join(world.bin, 'npm'), real);
  expect(await shown()).toContain('1.2.3 now --deep npx cache and words');
  await world.remove('~/.npm/_npx');
  await run('update notes --yes');
  expect(copies()).toEqual([expect.stringMatching(COPY)]);
  expect(await shown()).toContain('1.2.3 now --deep node copy and words');
});

test('two runs at once make one copy', { timeout: 120_000 }, async ({ tried, expect }) => {
  const { world, registry, shown, copies } = tried;
  const env = { npm_config_registry: registry.url };
  const runs = ['notes', 'others'].map((name) =>
    world.start(INSTALL.replace('notes', name), { env }),
  );
  for (const { exitCode } of await Promise.all(runs)) expect(exitCode).toBe(0);
  expect(copies()).toEqual([expect.stringMatching(COPY)]);
  expect(await shown()).toContain('1.2.3 now --deep node copy and words');
});
