// npm packages from a registry on loopback: what is read from them, and that none of their code runs before the user agrees.
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { describe } from 'vitest';
import { readTarball } from '../../src/sources/manifests/archive.ts';
import { readSpec } from '../../src/sources/npm/fetch.ts';
import { CLIENTS, COMMITTED, commands, fire } from '../support/hooks.ts';
import {
  type Published,
  packageOf,
  type Registry,
  serveRegistry,
  withNpm,
} from '../support/npm-registry.ts';
import { isRunning, until } from '../support/processes.ts';
import { type Keys, onTerminal } from '../support/terminal.ts';
import { test as base, type World } from '../support/world.ts';

const RECALLED = { event: 'pre_request', context_tool: 'recall', priority: 'important' };
const hooks = (...declarations: readonly object[]) => ({ hooks: { declarations } });

/** A server that leaves a file behind when it is started, and declares a hook. */
const SERVER = `#!/usr/bin/env node
require('node:fs').writeFileSync(require('node:path').join(process.env.HOME, 'was-started'), process.cwd());
process.stdin.once('data', () => console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {
  capabilities: { hooks: { declarations: [${JSON.stringify(COMMITTED)}] } } } })));
`;

const BARE = packageOf(
  { name: '@example/notes', version: '1.2.3', bin: { 'notes-mcp': 'server.js' } },
  { 'server.js': SERVER },
);

type Serve = (packages: readonly Published[], status?: number) => Promise<Registry>;

/**
 * Replaces npm, which takes half a second each time: `npm pack` returns these packages, whatever version is asked for, and
 * `npx` starts their server.
 */
type Given = (packages: readonly Published[]) => Promise<void>;

const PACKED = `#!/bin/sh
for word; do
  case $word in --pack-destination=*) to=\${word#*=} ;; esac
done
read -r version <"$HOME/../packages/\${word%@*}/version" || exit 1
/bin/cp "$HOME/../packages/\${word%@*}/package.tgz" "$to"
echo "[{\\"version\\":\\"$version\\"}]"
echo "$word" >>"$HOME/../packages/asked"
`;

/** Starts a package only in the version that was published. */
const STARTED = `#!/bin/sh
read -r version <"$HOME/../packages/\${2%@*}/version" || exit 1
[ "$*" = "-y \${2%@*}@$version" ] && exec node "$HOME/../packages/\${2%@*}/server.js"
`;

/** A world with npm, and registries that close when the test ends. */
const test = base.extend<{ npm: World; serve: Serve; given: Given }>({
  npm: async ({ world }, use) => {
    await withNpm(world);
    await world.folder('~/.claude', '~/.codex', '~/.gemini');
    await use(world);
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants a destructured object
  serve: async ({}, use) => {
    const all: Registry[] = [];
    await use(async (packages, status) => {
      const registry = await serveRegistry(packages, status);
      all.push(registry);
      return registry;
    });
    await Promise.all(all.map((one) => one.close()));
  },
  given: async ({ npm }, use) =>
    use(async (packages) => {
      for (const [name, program] of Object.entries({ npm: PACKED, npx: STARTED })) {
        await npm.remove(join(npm.bin, name));
        await npm.write(join(npm.bin, name), program, 0o755);
      }
      for (const { name, version, tarball } of packages) {
        await npm.write(`~/../packages/${name}/version`, `${version}\n`);
        await npm.write(`~/../packages/${name}/package.tgz`, tarball);
        await npm.write(`~/../packages/${name}/server.js`, SERVER);
      }
    }),
});

const from = ({ url }: Registry) => ({ env: { npm_config_registry: url } });

describe.concurrent('a package that declares its hooks in a file', () => {
  for (const [where, files, extra] of [
    ['in mcp-hooks.json', { 'mcp-hooks.json': JSON.stringify(hooks(COMMITTED)) }, {}],
    ['in its package.json', {}, { mcpHooks: hooks(COMMITTED) }],
  ] as const)
    test(`${where} is installed without running anything of it`, async ({
      npm,
      serve,
      given,
      expect,
    }) => {
      const scripts = {
        preinstall: 'touch ../ran',
        install: 'touch ../ran',
        prepare: 'touch ../ran',
      };
      const facts = { name: '@example/notes', version: '1.2.3', bin: 'server.js', scripts };
      const published = [packageOf({ ...facts, ...extra }, { ...files, 'server.js': SERVER })];
      // The real npm runs once. The archive is read in the same way after that.
      const isReal = 'mcp-hooks.json' in files;
      if (!isReal) await given(published);
      const there = isReal ? from(await serve(published)) : {};
      const { code, out } = await npm.run('install npm:@example/notes --yes', there);
      expect(code).toBe(0);
      expect(out).toContain('Installed: notes in 3 clients');
      for (const client of CLIENTS) {
        const [command] = await commands(npm, client);
        expect((await fire(npm, client, 'sh', command)).out).toContain('What did you learn?');
      }
      const left = Object.keys(await npm.snapshot()).filter((path) => /ran|was-started/.test(path));
      expect(left).toEqual([]);
      const { installs } = JSON.parse(await npm.read('~/.mcp-hooks/ledger.json'));
      expect(installs[0]).toMatchObject({
        source: 'npm:@example/notes',
        origin: { kind: 'npm', spec: '@example/notes' },
      });
    });

  test('takes its hooks from mcp-hooks.json, and its server from the package.json beside it', async ({
    npm,
    given,
    expect,
  }) => {
    const files = { 'mcp-hooks.json': JSON.stringify(hooks(RECALLED)) };
    const facts = { name: 'notes', version: '1.2.3', bin: 'server.js', mcpHooks: 'not looked at' };
    await given([packageOf(facts, files)]);
    const { out } = await npm.run('diff npm:notes --client claude --json');
    expect(JSON.parse(out)).toMatchObject({
      label: 'notes',
      hooks: [RECALLED],
      server: `Runs as you in ${npm.home}: npx -y notes@1.2.3`,
    });
  });

  test('runs its command for a hook in the home folder, because a project could have another package of that name', async ({
    npm,
    given,
    expect,
  }) => {
    const own = { name: 'notes', version: '1.2.3', bin: 'server.js' };
    const declared = { 'mcp-hooks.json': JSON.stringify(hooks(RECALLED)), 'server.js': '' };
    await given([packageOf(own, declared)]);
    const line = 'install npm:notes --yes --allow context-tool';
    const { out } = await npm.run(line);
    expect(out).toContain(`Runs as you in ${npm.home}: npx`);
    await npm.remove('../bin/npx');
    await npm.write('../bin/npx', '#!/bin/sh\npwd >>"$HOME/ran-in"\n', 0o755);
    await npm.run('fire notes pre_request', { env: { PATH: `${npm.bin}:/usr/bin:/bin` } });
    // Once for each client, and once before that to download it.
    expect(await npm.read('~/ran-in')).toBe(`${npm.home}\n`.repeat(4));
  });

  test('is read in the version or tag that was asked for', async ({
    make,
    npm,
    given,
    serve,
    expect,
  }) => {
    const says = (version: string) =>
      packageOf({
        name: 'notes',
        version,
        mcpHooks: hooks({ ...COMMITTED, context: `I am ${version}.` }),
      });
    const registry = await serve([says('1.0.0'), says('2.0.0')]);
    const world = await make();
    await withNpm(world);
    await world.folder('~/.claude');
    const { out } = await world.run('diff npm:notes@^1.0.0 --client claude', from(registry));
    expect(out).toContain('I am 1.0.0.');
    await given([says('2.0.0')]);
    for (const spec of ['notes', 'notes@1.0.0', 'notes@first'])
      expect((await npm.run(`diff npm:${spec} --client claude`)).out).toContain('I am 2.0.0.');
    expect(await npm.read('~/../packages/asked')).toBe('notes@latest\nnotes@1.0.0\nnotes@first\n');
  });

  test('has the label of --name, which is needed if its own name cannot be a label', async ({
    npm,
    given,
    expect,
  }) => {
    const facts = { version: '1.0.0', mcpHooks: hooks(COMMITTED) };
    await given([packageOf({ name: '~notes', ...facts })]);
    const without = await npm.run('diff npm:~notes');
    expect([without.code, without.err]).toEqual([
      2,
      expect.stringContaining('--name gives another'),
    ]);
    const named = await npm.run('diff npm:~notes --name mine --json');
    expect(JSON.parse(named.out).label).toBe('mine');
  });

  test('has its mistakes reported with their places', async ({ npm, given, expect }) => {
    const wrong =
      '{\n  "declarations": [\n    { "event": "never", "context": "x", "priority": "important" }\n  ]\n}';
    await given([packageOf({ name: 'notes', version: '1.0.0' }, { 'mcp-hooks.json': wrong })]);
    const { code, err } = await npm.run('install npm:notes --yes');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^npm:notes@1.0.0\/mcp-hooks.json:3:7: error: "event" is "never"/m),
    ]);
  });

  for (const [what, server, why] of [
    ['a file of it', { command: 'node', args: ['./server.js'] }, 'names a file of the package'],
    [
      'the same without a dot',
      { command: 'node', args: ['server.js'] },
      'names a file of the package',
    ],
    ['values', { command: 'uvx', args: ['notes'], env: { KEY: 'x' } }, 'has values'],
  ] as const)
    test(`a "server" with ${what} cannot be started from an archive: texts are still installed`, async ({
      npm,
      given,
      expect,
    }) => {
      const mcpHooks = { server, ...hooks(COMMITTED, RECALLED) };
      const facts = { name: 'notes', version: '1.0.0', bin: 'server.js', mcpHooks };
      await given([packageOf(facts, { 'server.js': SERVER })]);
      const { code, out } = await npm.run('install npm:notes --yes');
      expect(code).toBe(0);
      expect(out).toContain('declares 1 hook.');
      expect(out).toContain('left out: its tool "recall" cannot be called');
      expect(out).toContain(why);
      const strict = await npm.run('diff npm:notes --strict');
      expect(strict.code).toBe(2);
    });
});

describe.concurrent('a package whose server has to be asked', () => {
  const started = async (world: World) =>
    Object.keys(await world.snapshot()).includes('was-started');

  for (const line of [
    'install npm:@example/notes',
    'diff npm:@example/notes',
    'diff npm:@example/notes --json',
  ])
    test(`is not started before the user agrees: ${line}`, async ({ npm, given, expect }) => {
      await given([BARE]);
      const { code, out, err } = await npm.run(line);
      expect(code).toBe(2);
      const said = line.endsWith('--json') ? out : err;
      expect(said).toContain('npx -y @example/notes@1.2.3');
      expect(said).toContain('its code runs as you');
      expect(said).toContain('then pass --yes');
      expect(await started(npm)).toBe(false);
    });

  // The test "a project has no say" does the same with the real `npm` and `npx`.
  for (const line of ['install npm:@example/notes --yes', 'diff npm:@example/notes -y'])
    test(`is shown, started in the home folder and asked with ${line}`, async ({
      npm,
      given,
      expect,
    }) => {
      await given([BARE]);
      const { code, out, err } = await npm.run(`${line} --timeout 60`);
      expect(err).toContain('Asking notes for its hooks:\n  npx -y @example/notes@1.2.3\n  in ~\n');
      expect([code, out]).toEqual([
        line.startsWith('diff') ? 1 : 0,
        expect.stringContaining('After Bash calls'),
      ]);
      expect(await npm.read('~/was-started')).toBe(npm.home);
    });

  test('is asked again without a new yes in the approved version, but not in another', async ({
    npm,
    given,
    expect,
  }) => {
    await given([BARE]);
    await npm.run('install npm:@example/notes --client claude --yes');
    const ofServer = async () => {
      const { out } = await npm.run('doctor notes --servers --json');
      const { findings } = JSON.parse(out);
      return findings.find(({ check }: { check: string }) => check === 'server');
    };
    expect(await ofServer()).toMatchObject({ level: 'ok' });
    expect(await npm.run('update')).toMatchObject({
      code: 0,
      out: expect.stringContaining('notes has not changed since you approved it.'),
    });
    await npm.remove('~/was-started');
    await given([{ ...BARE, ...packageOf({ ...BARE, version: '1.3.0' }) }]);
    expect(await ofServer()).toMatchObject({
      level: 'warning',
      what: 'its server is not the one you approved, so it was not started',
      todo: 'mcp-hooks update notes',
    });
    for (const line of ['update', 'diff notes'])
      expect(await npm.run(line)).toMatchObject({
        code: 2,
        err: expect.stringContaining('npx -y @example/notes@1.3.0'),
      });
    expect(await started(npm)).toBe(false);
  });

  const inTerminal = (world: World, ...keys: Keys[]) =>
    onTerminal(world, ['install', 'npm:@example/notes', '--client', 'claude'], { keys });

  test('in a terminal: asks, and a no starts nothing', async ({ npm, given, expect }) => {
    await given([BARE]);
    const { code, out } = await inTerminal(npm, { after: 'Start it?', type: '\r' });
    expect(out.indexOf('npx -y @example/notes@1.2.3')).toBeLessThan(out.indexOf('Start it?'));
    expect(out).toContain('It was not started. Nothing was written.');
    expect([code, await started(npm)]).toEqual([2, false]);
  });

  test('in a terminal: a yes starts it, and the install is another question', async ({
    npm,
    given,
    expect,
  }) => {
    await given([BARE]);
    const { code, out } = await inTerminal(
      npm,
      { after: 'Start it?', type: 'y\r' },
      { after: 'Apply changes to 1 file?', type: 'y\r' },
    );
    expect(out).toContain('Installed: notes for Claude Code');
    expect([code, await started(npm)]).toEqual([0, true]);
  });

  test('with several commands is refused, with their names and how to choose one', async ({
    npm,
    given,
    expect,
  }) => {
    const bin = { one: 'server.js', '../two\u001b[31m': 'other.js' };
    await given([packageOf({ name: 'notes', version: '1.2.3', bin })]);
    const { code, err } = await npm.run('install npm:notes --yes');
    expect(code).toBe(2);
    expect(err).toContain(
      'several commands, none of them with its own name: one, ../two\\u{1B}[31m',
    );
    expect(err).toContain('-- npx -y --package=notes@1.2.3 -- <command>');
  });

  test('with several commands runs the one of its own name', async ({ npm, given, expect }) => {
    const bin = { notes: 'server.js', other: 'other.js' };
    await given([packageOf({ name: 'notes', version: '1.2.3', bin })]);
    const { err } = await npm.run('diff npm:notes');
    expect(err).toContain('npx -y notes@1.2.3');
  });

  test('without a command is refused', async ({ npm, given, expect }) => {
    await given([packageOf({ name: 'notes', version: '1.2.3' })]);
    const { code, err } = await npm.run('install npm:notes --yes');
    expect([code, err]).toEqual([2, expect.stringContaining('package.json has no "bin"')]);
  });

  test('is asked in the version that the registry gave, whatever its package.json says', async ({
    npm,
    serve,
    expect,
  }) => {
    const [honest, lies] = ['1.2.3', '9.9.9'].map((version) =>
      packageOf({ name: 'notes', version, bin: 'server.js' }),
    );
    const registry = await serve([{ ...honest, tarball: lies?.tarball } as Published]);
    const { err } = await npm.run('diff npm:notes', from(registry));
    expect(err).toContain('npx -y notes@1.2.3');
  });
});

describe.concurrent('downloads', () => {
  test.for([
    '',
    '-g',
    '--registry=http://x',
    './notes',
    '../notes',
    '/etc/passwd',
    'notes@file:../x',
    'notes@npm:other',
    'notes@git+ssh://x',
    'https://x/y.tgz',
    'user/repository',
    '@scope',
    '@scope/',
    '@scope/-x',
    '@-x/y',
    '.notes',
    'notes@',
    'notes@--help',
    'notes@-1',
    'notes@../x',
    'notes@>=1 <2',
    'notes@1\n',
    'no tes',
    'n'.repeat(215),
  ])('%j is not a package', (spec, { expect }) => {
    expect(readSpec(spec)).toBeUndefined();
  });

  test('a name that is not a package is refused before anything starts', async ({
    npm,
    expect,
  }) => {
    const { code, err } = await npm.run(['install', 'npm:--help', '--yes']);
    expect([code, err]).toEqual([2, expect.stringContaining('"--help" is not a package')]);
  });

  test('a missing version is reported', async ({ npm, serve, expect }) => {
    const registry = await serve([BARE]);
    const { err } = await npm.run('install npm:@example/notes@7.0.0', from(registry));
    expect(err).toContain('There is no such version or tag: @example/notes@7.0.0');
  });

  test('a registry that is down, refuses or fails is reported', async ({ npm, serve, expect }) => {
    const said = async (registry: Registry) =>
      (await npm.run('install npm:notes', from(registry))).err;
    const gone = await serve([]);
    await gone.close();
    expect(await said(gone)).toMatch(
      /npm could not reach its registry for notes@latest \(ECONNREFUSED\)/,
    );
    expect(await said(await serve([], 401))).toContain('denied access to notes@latest (E401)');
    expect(await said(await serve([], 400))).toContain('could not fetch notes@latest (E400)');
  });

  test('a missing npm is reported', async ({ world, expect }) => {
    await world.folder('~/.claude');
    const { code, err } = await world.run('install npm:notes');
    expect([code, err]).toEqual([2, expect.stringContaining('there is no npm on the PATH')]);
  });

  test('a missing package is reported, and no temporary file stays behind', async ({
    npm,
    serve,
    expect,
  }) => {
    await npm.folder('tmp');
    const registry = await serve([BARE]);
    const env = { ...from(registry).env, TMPDIR: npm.path('tmp') };
    const { err } = await npm.runProcess('diff npm:nowhere', { env });
    expect(err).toContain('npm found no nowhere@latest in its registry');
    expect(await readdir(npm.path('tmp'))).toEqual([]);
  });

  for (const [what, end] of [
    ['the deadline', undefined],
    ['Ctrl-C', 'SIGINT'],
    ['the end of its terminal', 'SIGHUP'],
    ['a run that is killed', 'SIGKILL'],
  ] as const)
    test(`npm and its child end with ${what}`, async ({ npm, expect }) => {
      await npm.remove(join(npm.bin, 'npm'));
      await npm.folder('tmp');
      await npm.write(
        join(npm.bin, 'npm'),
        `#!/bin/sh
trap '' TERM HUP
/bin/sleep 1000 &
echo "$$ $!" >'${npm.path('pids')}'
wait
`,
        0o755,
      );
      const line = `install npm:notes --timeout ${end ? 60 : 2}`;
      const child = npm.start(line, { env: { TMPDIR: npm.path('tmp') } });
      const pids = async () => (await npm.read('pids').catch(() => '')).split(/\s/).map(Number);
      await until('npm runs', async () => (await pids()).length === 3);
      expect((await readdir(npm.path('tmp'))).length).toBe(1);
      if (end) child.kill(end);
      const { stderr } = await child;
      if (!end) expect(stderr).toContain('within 2 seconds and was ended');
      for (const pid of (await pids()).slice(0, 2))
        await until('it is gone', async () => !(await isRunning(pid)));
      // A killed run cannot clean up.
      if (end !== 'SIGKILL') expect(await readdir(npm.path('tmp'))).toEqual([]);
    });

  test('a project has no say in which registry is asked', async ({ npm, serve, expect }) => {
    const [mine, theirs] = [await serve([BARE]), await serve([BARE])];
    await npm.write('~/.npmrc', `registry=${mine.url}\n`);
    await npm.write('.npmrc', `registry=${theirs.url}\n`);
    await npm.write('package.json', '{}');
    // The scratch folder is inside the project, so that npm could find the project's settings.
    await npm.folder('tmp');
    const env = { TMPDIR: npm.path('tmp') };
    const line = 'install npm:@example/notes --yes --timeout 60';
    const { code, out, err } = await npm.runProcess(line, { env });
    expect(err).toContain('Asking notes for its hooks:\n  npx -y @example/notes@1.2.3\n  in ~\n');
    expect([code, out]).toEqual([0, expect.stringContaining('After Bash calls')]);
    expect(await npm.read('~/was-started')).toBe(npm.home);
    expect(await readdir(npm.path('tmp'))).toEqual([]);
    expect(mine.asked).toContain('@example/notes');
    expect(theirs.asked).toEqual([]);
  });
});

describe.concurrent('hostile packages', () => {
  const facts = { name: 'notes', version: '1.0.0' };
  const PACKAGE = { name: 'package/package.json', data: JSON.stringify(facts) };
  const MANIFEST = { name: 'package/mcp-hooks.json', data: JSON.stringify(hooks(COMMITTED)) };
  const EMPTY = { name: 'package/a', data: '' };
  const tarball = (...entries: readonly { name: string; data: string }[]): Buffer =>
    Buffer.from(createTar([...entries]));

  /** The archive with one header changed, at the offset `at` in the header of the entry `name`. */
  function changed(archive: Buffer, name: string, at: number, text: string): Buffer {
    const header = archive.indexOf(name);
    const copy = Buffer.from(archive);
    copy.write(text, header + at, 'latin1');
    let sum = 8 * 32;
    for (let byte = 0; byte < 512; byte += 1)
      sum += byte >= 148 && byte < 156 ? 0 : (copy[header + byte] ?? 0);
    copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, header + 148, 'latin1');
    return copy;
  }

  const SIZE = 124;
  const TYPE = 156;
  const both = tarball(PACKAGE, MANIFEST);
  test.for<[string, Buffer, string]>([
    ['a file twice', tarball(PACKAGE, MANIFEST, MANIFEST), 'npm-twice'],
    [
      'a file twice, once by another path',
      tarball(PACKAGE, MANIFEST, { ...MANIFEST, name: 'package/x/../mcp-hooks.json' }),
      'npm-twice',
    ],
    ['a symbolic link', changed(both, MANIFEST.name, TYPE, '2'), 'npm-link'],
    ['a hard link', changed(both, MANIFEST.name, TYPE, '1'), 'npm-link'],
    ['a size below zero', changed(both, MANIFEST.name, SIZE, '-0000002000\0'), 'npm-broken'],
    [
      'a size that points back to the previous entry, in an endless loop',
      changed(
        tarball(PACKAGE, EMPTY, { ...EMPTY, name: 'package/b' }),
        'package/b',
        SIZE,
        '-2000\0',
      ),
      'npm-broken',
    ],
    ['a size beyond its end', changed(both, MANIFEST.name, SIZE, '00000777777\0'), 'npm-broken'],
    [
      'a size that is not a number',
      changed(both, MANIFEST.name, SIZE, 'xxxxxxxxxxx\0'),
      'npm-broken',
    ],
    [
      'a huge package.json',
      tarball({ ...PACKAGE, data: ' '.repeat(2 * 1024 * 1024) }),
      'manifest-too-large',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from(both.toString('latin1').replace('What', 'Wh\xff\xfe'), 'latin1'),
      'not-utf8',
    ],
  ])('%s: refused', async ([, archive, said], { expect }) => {
    const names = ['mcp-hooks.json', 'package.json'];
    await expect(readTarball(gzipSync(archive), names, 'npm:notes@1.0.0')).rejects.toThrow(said);
  });

  test('an archive that grows without end is refused', async ({ expect }) => {
    const mebibyte = gzipSync(Buffer.alloc(1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 257 }, () => mebibyte));
    await expect(readTarball(bomb, [], 'npm:notes@1.0.0')).rejects.toThrow('npm-too-large');
  });

  test('bytes that are not an archive are refused', async ({ expect }) => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), gzipSync(both).subarray(0, 100)])
      await expect(readTarball(bytes, [], 'npm:notes@1.0.0')).rejects.toThrow('npm-broken');
  });

  test.for([
    ['no package.json', tarball(MANIFEST)],
    ['an invalid package.json', tarball({ ...PACKAGE, data: '[1' }, MANIFEST)],
    ['another link', changed(both, PACKAGE.name, TYPE, '2')],
  ] as const)(
    '%s: refused, and nothing is written',
    async ([, archive], { npm, given, expect }) => {
      await given([{ ...facts, tarball: gzipSync(archive) }]);
      const before = await npm.snapshot('~/.claude');
      const { code } = await npm.run('install npm:notes --yes');
      expect([code, await npm.snapshot('~/.claude')]).toEqual([2, before]);
    },
  );

  test('names that point outside the package write nothing', async ({ npm, given, expect }) => {
    const evil = { name: `package/../../../../../../../..${tmpdir()}/mcp-hooks-evil`, data: 'x' };
    await given([{ ...facts, tarball: gzipSync(tarball(PACKAGE, MANIFEST, evil)) }]);
    await npm.run('install npm:notes --yes');
    expect(await readdir(tmpdir())).not.toContain('mcp-hooks-evil');
  });
});
