// Files that may contain hooks among other things: what is read from them, and the messages about their mistakes.
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect } from 'vitest';
import { packageStart } from '../../src/sources/manifests/package-json.ts';
import { CLIENTS, COMMITTED, commands, fire } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'written');
const RECALLED = { event: 'post_tool_use', context_tool: 'recall_notes', priority: 'important' };
const hooks = (...declarations: readonly object[]) => ({ hooks: { declarations } });
const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';
const OURS = 'io.github.mcp-hooks';

const json = async (world: World, line: string) => JSON.parse((await world.run(line)).out);

describe.concurrent('every kind of file has its hooks and the command for its tools', () => {
  const NPX = 'npx -y @example/notes@1.2.3 serve --depth=3';
  for (const [what, path, file, server] of [
    [
      'a package.json',
      'package/package.json',
      'package/package.json',
      'node <here>/package/server.mjs',
    ],
    ['its folder', 'package', 'package/package.json', 'node <here>/package/server.mjs'],
    [
      'the manifest of a bundle',
      'bundle/manifest.json',
      'bundle/manifest.json',
      'node <here>/bundle/server/index.mjs',
    ],
    ['its folder', 'bundle', 'bundle/manifest.json', 'node <here>/bundle/server/index.mjs'],
    ['a bundle that is packed', 'notes.mcpb', 'notes.mcpb', undefined],
    ['a server.json', 'registry/server.json', 'registry/server.json', NPX],
    ['its folder', 'registry', 'registry/server.json', NPX],
  ] as const)
    test(`${what}: ${path}`, async ({ world }) => {
      const plan = await json(world, `diff ${join(FIXTURES, path)} --client claude --json`);
      expect(plan).toMatchObject({ label: 'notes', changes: true });
      expect(plan.hooks).toEqual(server ? [COMMITTED, RECALLED] : [COMMITTED]);
      const env = path.startsWith('bundle') ? ' (environment from the manifest: NOTES_LEVEL)' : '';
      expect(plan.server?.replaceAll(FIXTURES, '<here>')).toBe(
        server &&
          `Runs as you in ${server === NPX ? world.home : 'the session folder'}: ${server}${env}`,
      );
      const valid = await json(world, `validate ${join(FIXTURES, path)} --json`);
      expect(valid).toMatchObject({ valid: true, label: 'notes', file: join(FIXTURES, file) });
    });

  test('mcp-hooks.json in a folder counts; package.json starts the server', async ({ world }) => {
    await world.write('notes/mcp-hooks.json', JSON.stringify(hooks(RECALLED)));
    await world.write('notes/package.json', '{ "name": "@x/annal", "bin": "a.js", "mcpHooks": 7 }');
    await world.write('notes/a.js', '');
    for (const path of ['notes', './notes/', 'notes/mcp-hooks.json'])
      expect(await json(world, `diff ${path} --client claude --json`)).toMatchObject({
        label: 'annal',
        hooks: [RECALLED],
        server: `Runs as you in the session folder: node ${world.path('notes/a.js')}`,
      });
  });

  test('a dot means the current folder', async ({ world }) => {
    await world.write('mcp-hooks.json', JSON.stringify(hooks(COMMITTED)));
    expect(await json(world, 'diff . --client claude --json')).toMatchObject({ label: 'desk' });
  });

  test('a folder without hooks is an error that names the files that were looked for', async ({
    world,
  }) => {
    await world.write('notes/package.json', '{ "name": "notes" }');
    await world.write('notes/manifest.json', '{ "name": "a web app" }');
    const looked =
      'There are no hooks in the folder ./notes: looked into mcp-hooks.json, mcp-hooks.jsonc, package.json, manifest.json, server.json.';
    const install = await world.run('install ./notes --client claude');
    expect(install.err).toBe(`${looked} Nothing was written.\n`);
    const { err } = await world.run('validate ./notes');
    expect(err).toBe(
      `${looked}\nvalidate reads manifests; to check a server that declares hooks in code, run mcp-hooks verify --name <label> -- ...\n`,
    );
  });

  test('a folder with the same name as a server is ignored', async ({ world }) => {
    await world.folder('annal');
    const { err } = await world.run('install annal --client claude');
    expect(err).toContain('no client has a server of that name');
  });
});

/** Gives the server's tools a minute, because the machine may be busy. */
async function withoutHurry(world: World, label: string): Promise<void> {
  const runner = `~/.mcp-hooks/servers/${label}`;
  for (const name of Object.keys(await world.snapshot(runner))) {
    if (!/\.\w+\.json$/.test(name)) continue;
    const program = await world.read(`${runner}/${name}`);
    const patient = program.replace(/"(most|deadline)":\d+/g, '"$1":60000');
    await world.write(`${runner}/${name}`, patient.replace('"toolSeconds":5', '"toolSeconds":60'));
  }
}

describe.concurrent('after an install', () => {
  for (const [path, known] of [
    ['package', 'Known, loud.'],
    ['bundle', 'Known, quiet.'],
  ] as const)
    test(`the tools of ${path} are called, in every client`, async ({ world }) => {
      const folder = join(FIXTURES, path);
      await world.folder('~/.claude', '~/.codex', '~/.gemini');
      expect((await world.run(`install ${folder} --yes --allow context-tool`)).code).toBe(0);
      expect((await world.run(`install ${folder} --yes`)).out).toContain('Nothing to do');
      await withoutHurry(world, 'notes');
      await world.link(join(world.bin, 'node'), process.execPath);
      for (const client of CLIENTS) {
        const [command] = await commands(world, client);
        const { out } = await fire(world, client, 'sh', command);
        const { additionalContext } = JSON.parse(out).hookSpecificOutput;
        expect(additionalContext).toContain('What did you learn?');
        expect(additionalContext).toContain(known);
      }
    });

  test('the recorded source is the file with the hooks', async ({ world }) => {
    for (const [path, file] of [
      ['package', 'package/package.json'],
      ['notes.mcpb', 'notes.mcpb'],
    ] as const) {
      await world.run(`install ${join(FIXTURES, path)} --client claude --yes --replace`);
      const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
      expect(installs[0].origin).toEqual({ kind: 'manifest', path: join(FIXTURES, file) });
    }
  });
});

describe.concurrent('a package.json', () => {
  const write = (world: World, more: object) =>
    world.write(
      'package.json',
      JSON.stringify({ name: 'notes', mcpHooks: hooks(COMMITTED, RECALLED), ...more }, null, 1),
    );

  test('may have any other keys, but not in "mcpHooks"', async ({ world }) => {
    await write(world, { hooks: 1, server: 2, mcpHooks: { ...hooks(COMMITTED), extra: 1 } });
    expect((await world.run('validate package.json')).out).toMatch(
      /^package.json:\d+:3: error: unknown key "extra"; allowed: \$schema, version, name, server, hooks \[unknown-key\]\n$/,
    );
  });

  test('of a folder that init looks into may be anything', async ({ world }) => {
    await world.write('server.mjs', '');
    const about = JSON.stringify({
      name: 'notes',
      bin: 'server.mjs',
      dependencies: { fastmcp: '1' },
    });
    const started = { name: 'notes', command: 'node', args: [world.path('server.mjs')] };
    await world.write('package.json', `\uFEFF${about}`);
    expect(packageStart(world.work)).toEqual(started);
    await world.write('package.json', about + ' '.repeat(1024 * 1024));
    expect(packageStart(world.work)).toBeUndefined();
    await world.folder('piped');
    execFileSync('mkfifo', [world.path('piped/package.json')]);
    expect(packageStart(world.path('piped'))).toBeUndefined();
  });

  test('may have duplicate keys except on the way to the hooks', async ({ world }) => {
    const text = JSON.stringify(hooks(COMMITTED));
    await world.write('package.json', `{"name":"notes","a":{"b":1,"b":2},"mcpHooks":${text}}`);
    expect((await world.run('validate package.json')).code).toBe(0);
    await world.write('package.json', `{"name":"notes",\n"mcpHooks":{},\n"mcpHooks":${text}}`);
    expect((await world.run('validate package.json')).out).toContain(
      'package.json:3:1: error: the key "mcpHooks" appears twice',
    );
    await world.write('package.json', `{"name":"notes","mcpHooks":{"hooks":{},\n${text.slice(1)}}`);
    expect((await world.run('validate package.json')).out).toContain(
      'package.json:2:1: error: the key "hooks" appears twice',
    );
  });

  test('may name the server itself; its values are read from there', async ({ world }) => {
    const server = { command: 'uvx', args: ['notes'], env: { NOTES_KEY: 'hunter2-hunter2' } };
    await write(world, { mcpHooks: { server, ...hooks(RECALLED) } });
    await world.run('install package.json --client claude --yes --allow context-tool');
    const program = await world.read('~/.mcp-hooks/servers/notes/claude-code.PostToolUse.json');
    expect(program).not.toContain('hunter2');
    expect(JSON.parse(program).server).toMatchObject({
      command: 'uvx',
      args: ['notes'],
      env: {
        file: world.path('package.json'),
        format: 'json',
        path: ['mcpHooks', 'server', 'env'],
        names: ['NOTES_KEY'],
      },
    });
  });

  test.for<[string, object, string]>([
    ['no command', {}, 'package.json has no "bin"'],
    [
      'several commands',
      { bin: { a: 'a.js', b: 'b.js' } },
      'several commands, none of them with its own name: a, b',
    ],
    ['a command that is not built', { bin: 'dist/a.js' }, 'dist/a.js is not there'],
    ['a command elsewhere', { bin: '../a.js' }, '"bin" is outside of its folder: ../a.js'],
    ['the same, absolute', { bin: '/etc/passwd' }, '"bin" is outside of its folder: /etc/passwd'],
    ['a command that is a folder', { bin: 'a' }, 'a is not there'],
    ['a script of a shell', { bin: 'run' }, 'run is not run by node'],
    ['commands that are none', { bin: [1] }, 'package.json has no "bin"'],
  ])(
    '%s: texts are installed, and tools are left out and named',
    async ([, more, why], { world }) => {
      await world.write('run', '#!/bin/sh\nexit 0\n');
      await world.folder('a');
      await write(world, more);
      const ran = await world.run('install package.json --client claude --yes');
      const out = ran.out.replace(/\n +/g, ' ');
      expect(out).toContain('notes has 1 hook, declared in package.json.');
      expect(out).toContain('left out: its tool "recall_notes" cannot be called: ');
      expect(out).toContain(why);
      expect(out).toContain('Installed: notes');
    },
  );

  test('without any hook left is reported, and fails with --strict', async ({ world }) => {
    await write(world, { mcpHooks: hooks(RECALLED) });
    const { code, out } = await world.run('install package.json --client claude --yes');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Nothing that notes declares can be installed\.\nleft out: /),
    ]);
    expect((await world.run('diff package.json --client claude --strict')).code).toBe(2);
  });

  test('may have several commands, one with its name, or several names for one command', async ({
    world,
  }) => {
    await world.write('a.js', '');
    await world.write('b', '#!/usr/bin/env node\n');
    for (const [bin, file] of [
      [{ notes: './b', other: 'a.js' }, 'b'],
      [{ one: 'a.js', two: 'a.js' }, 'a.js'],
    ]) {
      await write(world, { bin });
      const { server } = await json(world, 'diff package.json --client claude --json');
      expect(server).toBe(`Runs as you in the session folder: node ${world.path(String(file))}`);
    }
  });
});

describe.concurrent('the manifest of a bundle', () => {
  const made = (
    more: object,
    mcp_config: object = { command: 'node', args: [`$\{__dirname}/a.js`] },
  ) =>
    JSON.stringify(
      { manifest_version: '0.3', name: 'notes', server: { type: 'node', mcp_config }, ...more },
      null,
      1,
    );
  const ours = { _meta: { [OURS]: hooks(COMMITTED, RECALLED) } };

  test('another key with hooks is used and named, and its neighbours are ignored', async ({
    world,
  }) => {
    const _meta = {
      'com.example': { ...hooks(COMMITTED), price: 0, name: 'no label!' },
      'org.x': { hooks: 7 },
    };
    await world.write('manifest.json', made({ _meta }));
    const { out } = await world.run('validate manifest.json');
    expect(out).toMatch(
      /^manifest.json:\d+:3: warning: the hooks are taken from "com.example" in "_meta"/,
    );
    expect(out).toContain('valid, with 1 warning: notes declares 1 hook.');
  });

  test('two such keys are an error', async ({ world }) => {
    await world.write(
      'manifest.json',
      made({ _meta: { 'a.b': hooks(COMMITTED), 'c.d': hooks() } }),
    );
    const { code, out } = await world.run('validate manifest.json');
    expect([code, out]).toEqual([2, expect.stringContaining('several keys of "_meta" (a.b, c.d)')]);
  });

  test('our key is used even if others have hooks, and checked', async ({ world }) => {
    const _meta = {
      'a.b': hooks(COMMITTED),
      [OURS]: { ...hooks({ ...COMMITTED, event: 'x' }), price: 0 },
    };
    await world.write('manifest.json', made({ _meta }));
    const { out } = await world.run('validate manifest.json');
    expect(out).toMatch(/manifest.json:\d+:\d+: error: "event" is "x"/);
    expect(out).toMatch(/manifest.json:\d+:\d+: error: unknown key "price"/);
  });

  test('without hooks gets an error that shows where they belong', async ({ world }) => {
    await world.write('manifest.json', made({}));
    expect((await world.run('validate manifest.json')).out).toBe(
      'manifest.json:1:1: error: no hooks in it; expected "_meta": { "io.github.mcp-hooks": { "hooks": { "declarations": [...] } } } [bundle-without]\n',
    );
  });

  const other = process.platform === 'win32' ? 'linux' : 'win32';
  test.for<[string, object, string]>([
    [
      'a variable for its folder',
      { command: `$\{__dirname}/b`, args: [`$\{__dirname}$\{/}a.js`] },
      '<here>/b <here>/a.js',
    ],
    ['a file of its folder', { command: 'node', args: ['a.js', 'b.js'] }, 'node <here>/a.js b.js'],
    [
      'what this system needs',
      { command: 'x', args: ['y'], platform_overrides: { [process.platform]: { command: 'z' } } },
      'z y',
    ],
    [
      'what another needs',
      { command: 'x', platform_overrides: { [other]: { command: 'z' } } },
      'x',
    ],
  ])('%s', async ([, config, words], { world }) => {
    await world.write('a.js', '');
    await world.write('manifest.json', made(ours, config));
    const { server } = await json(world, 'diff manifest.json --client claude --json');
    expect(server.replaceAll(world.work, '<here>')).toBe(
      `Runs as you in the session folder: ${words}`,
    );
  });

  test.for<[string, object | undefined, string]>([
    [
      'a value of the user',
      { command: 'node', args: [`--key=$\{user_config.key}`] },
      `$\{user_config.key} in "mcp_config"`,
    ],
    [
      'the same in its environment',
      { command: 'node', env: { KEY: `$\{user_config.key}` } },
      `$\{user_config.key} in "mcp_config"`,
    ],
    [
      'a folder in its environment',
      { command: 'python', env: { PYTHONPATH: `$\{__dirname}/lib` } },
      `$\{__dirname} in "mcp_config"`,
    ],
    [
      'a program that is not there',
      { command: 'server/notes' },
      'there is no server/notes in its folder',
    ],
    ['words that are none', { command: 'node', args: [1] }, '"server" is missing or malformed'],
    ['its host alone knows', undefined, 'the host decides'],
  ])(
    '%s: texts are installed, and tools are left out and named',
    async ([, config, why], { world }) => {
      const server = { type: 'uv', ...(config && { mcp_config: config }) };
      await world.write('manifest.json', made({ ...ours, server }));
      const { problems, hooks: left } = await json(
        world,
        'diff manifest.json --client claude --json',
      );
      expect(left).toEqual([COMMITTED]);
      expect(problems).toMatchObject([
        { level: 'warning', line: expect.any(Number), message: expect.stringContaining(why) },
      ]);
    },
  );

  test('needs --name if its name cannot be a label', async ({ world }) => {
    await world.write('manifest.json', made({ ...ours, name: 'My Notes' }, { command: 'x' }));
    const { code, out } = await world.run('validate manifest.json');
    expect([code, out]).toEqual([
      2,
      expect.stringMatching(/^manifest.json:3:2: error: "My Notes" can't be used as a label/),
    ]);
    expect((await world.run('validate manifest.json --name notes')).code).toBe(0);
  });
});

describe.concurrent('a packed bundle', () => {
  const manifest = (mcp_config: object = { command: 'uvx', args: ['notes@1'] }) =>
    JSON.stringify({
      manifest_version: '0.3',
      name: 'notes',
      server: { type: 'node', mcp_config },
      _meta: { [OURS]: hooks(COMMITTED, RECALLED) },
    });
  const zip = (files: Readonly<Record<string, string | Uint8Array>>, level: 0 | 6 = 6): Buffer =>
    Buffer.from(
      zipSync(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
        { level },
      ),
    );
  const good = zip({ 'manifest.json': manifest(), 'server/a.js': '' });

  test.for<[string, object, string | undefined]>([
    ['that starts a package', { command: 'uvx', args: ['notes@1'] }, 'uvx notes@1'],
    ['that starts a file of its own', { command: 'node', args: ['server/a.js'] }, undefined],
    ['the same, with a dot', { command: 'node', args: ['./server/a.js'] }, undefined],
    [
      'the same, by the variable',
      { command: 'node', args: [`$\{__dirname}/server/a.js`] },
      undefined,
    ],
    ['with values', { command: 'uvx', args: ['notes'], env: { A: 'b' } }, undefined],
  ])('%s', async ([, config, words], { world }) => {
    await world.write('notes.mcpb', zip({ 'manifest.json': manifest(config), 'server/a.js': '' }));
    const plan = await json(world, 'diff notes.mcpb --client claude --json');
    expect(plan.hooks).toEqual(words ? [COMMITTED, RECALLED] : [COMMITTED]);
    expect(plan.server).toBe(words && `Runs as you in the session folder: ${words}`);
  });

  test('with a signature, which comes after its end', async ({ world }) => {
    const signature = Buffer.from(`MCPB_SIG_V1${'x'.repeat(5000)}MCPB_SIG_END`);
    await world.write('notes.mcpb', Buffer.concat([good, signature]));
    expect((await world.run('validate notes.mcpb')).out).toContain('declares 2 hooks');
  });

  test('has its mistakes reported at their places', async ({ world }) => {
    await world.write('notes.mcpb', zip({ 'manifest.json': '{\n  "a": 1,\n  b\n}' }));
    expect((await world.run('install notes.mcpb --client claude --yes')).err).toBe(
      'notes.mcpb/manifest.json cannot be used. Nothing was written.\nnotes.mcpb/manifest.json:3:3: error: not JSON: invalid symbol [json-mistake]\n',
    );
  });

  /** Replaces bytes everywhere. */
  function everywhere(archive: Buffer, from: string, to: string): Buffer {
    return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
  }
  /** Changes a number in the first entry of the directory at the archive's end. */
  function directory(archive: Buffer, at: number, value: number, bytes: 2 | 4): Buffer {
    const copy = Buffer.from(archive);
    copy.writeUIntLE(value, copy.indexOf('PK\u0001\u0002', 0, 'latin1') + at, bytes);
    return copy;
  }
  /** Replaces the end by one that claims four billion entries, which only the larger form of the format can. */
  function billions(archive: Buffer): Buffer {
    const end = archive.subarray(-22);
    const body = archive.subarray(0, -22);
    const large = Buffer.alloc(76);
    large.write('PK\u0006\u0006', 0, 'latin1');
    large.writeUInt32LE(0xffffffff, 32);
    large.writeUInt32LE(end.readUInt32LE(16), 48);
    large.write('PK\u0006\u0007', 56, 'latin1');
    large.writeUInt32LE(body.length, 64);
    return Buffer.concat([body, large, end]);
  }

  const zeros = Buffer.alloc(2 * 1024 * 1024);
  const broken = 'it is not a zip file, or it is damaged or encrypted';
  test.for<[string, () => Buffer | string, string]>([
    ['nothing', () => '', broken],
    ['no zip file', () => 'x'.repeat(1000), broken],
    ['cut short', () => good.subarray(0, -30), broken],
    ['empty', () => zip({}), 'there is no manifest.json in it'],
    [
      'a manifest elsewhere only',
      () => zip({ 'x/manifest.json': manifest() }),
      'there is no manifest.json in it',
    ],
    [
      'a path to it',
      () => zip({ '../manifest.json': manifest() }),
      'there is no manifest.json in it',
    ],
    [
      'two manifests',
      () =>
        everywhere(
          zip({ 'manifest.json': manifest(), 'manifest.jsox': manifest() }),
          'manifest.jsox',
          'manifest.json',
        ),
      'several files called manifest.json',
    ],
    ['a manifest that unfolds', () => zip({ 'manifest.json': zeros }), 'manifest.json has 2.0 MiB'],
    [
      'one that claims to be small',
      () => directory(zip({ 'manifest.json': zeros }), 24, 100, 4),
      'manifest.json',
    ],
    ['one that claims to be empty', () => directory(good, 24, 0, 4), 'manifest.json'],
    ['one beyond the end', () => directory(good, 42, 0xfffffff, 4), 'manifest.json'],
    ['compressed in an unknown way', () => directory(good, 10, 99, 2), broken],
    [
      'encrypted',
      () => everywhere(good, good.toString('latin1', 43, 143), 'x'.repeat(100)),
      'notes.mcpb',
    ],
    ['billions of entries', () => billions(good), broken],
    [
      'bytes that are no text',
      () => zip({ 'manifest.json': Buffer.from('{"name":"\xff"}', 'latin1') }, 0),
      'it is not UTF-8 text',
    ],
  ])('%s is refused', async ([, bytes, said], { world }) => {
    await world.write('notes.mcpb', Buffer.from(bytes()));
    const before = await world.snapshot();
    const { code, err } = await world.run('install notes.mcpb --client claude --yes');
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(err).not.toContain('Unexpected error');
    expect(await world.snapshot()).toEqual(before);
  });
});

describe.concurrent('a server.json', () => {
  const made = (more: object, key = OURS) =>
    JSON.stringify(
      {
        name: 'io.github.example/notes',
        ...more,
        _meta: { [PUBLISHER]: { tool: 'ci', [key]: hooks(COMMITTED, RECALLED) } },
      },
      null,
      1,
    );
  const npm = {
    registryType: 'npm',
    identifier: 'notes',
    version: '1.2.3',
    transport: { type: 'stdio' },
  };
  const remote = { type: 'streamable-http', url: 'https://notes.example/mcp' };

  test('may also have them under "mcpHooks"', async ({ world }) => {
    await world.write('server.json', made({ packages: [npm] }, 'mcpHooks'));
    expect((await world.run('validate server.json')).out).toContain('notes declares 2 hooks');
  });

  test('gets a warning if it is too large to be published', async ({ world }) => {
    const _meta = { [PUBLISHER]: { [OURS]: hooks({ ...COMMITTED, context: 'x'.repeat(4096) }) } };
    await world.write('server.json', JSON.stringify({ name: 'a/b', packages: [], _meta }));
    const { code, out } = await world.run('validate server.json');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/warning: this is 4\d{3} bytes of JSON; .* at most 4096/),
    ]);
  });

  test('without hooks gets an error that shows where they belong', async ({ world }) => {
    await world.write(
      'server.json',
      JSON.stringify({ name: 'a/b', packages: [], _meta: { [OURS]: hooks(COMMITTED) } }),
    );
    expect((await world.run('validate server.json')).out).toMatch(
      /^server.json:1:1: error: no hooks in it; expected "_meta": \{ "io.modelcontextprotocol.registry\/publisher-provided"/,
    );
  });

  const named = (name: string, more: object = {}) => ({ type: 'named', name, ...more });
  const word = (more: object) => ({ type: 'positional', ...more });
  test.for<[string, object, string]>([
    ['npm', { packages: [npm] }, 'npx -y notes@1.2.3'],
    ['PyPI', { packages: [{ ...npm, registryType: 'pypi' }] }, 'uvx notes@1.2.3'],
    [
      'NuGet',
      { packages: [{ ...npm, registryType: 'nuget', packageArguments: [word({ value: 'mcp' })] }] },
      'dnx notes@1.2.3 --yes -- mcp',
    ],
    [
      'an image',
      {
        packages: [
          {
            ...npm,
            registryType: 'oci',
            identifier: 'ghcr.io/x/notes:1',
            version: undefined,
            environmentVariables: [{ name: 'NOTES_KEY' }],
            runtimeArguments: [named('--network', { value: 'none' })],
            packageArguments: [word({ value: 'a b' })],
          },
        ],
      },
      "docker run -e NOTES_KEY --rm -i --network=none ghcr.io/x/notes:1 'a b'",
    ],
    [
      'an image of the former form',
      { packages: [{ ...npm, registryType: 'oci' }] },
      'docker run --rm -i notes:1.2.3',
    ],
    [
      'arguments of every kind',
      {
        packages: [
          {
            ...npm,
            packageArguments: [
              named('-v'),
              named('-d', { value: '2' }),
              named('--mode', { value: '{a}-{b}', variables: { a: { default: 'x' } } }),
              named('--optional', { format: 'filepath' }),
              word({ valueHint: 'dir', default: '.' }),
              word({ valueHint: 'more' }),
            ],
          },
        ],
      },
      "npx -y notes@1.2.3 -v -d 2 '--mode=x-{b}' .",
    ],
    [
      'the first package that can be started',
      { packages: [{ ...npm, registryType: 'mcpb' }, npm] },
      'npx -y notes@1.2.3',
    ],
  ])('is started: %s', async ([, more, words], { world }) => {
    await world.write('server.json', made(more));
    const { server } = await json(world, 'diff server.json --client claude --json');
    expect(server).toBe(`Runs as you in ${world.home}: ${words}`);
  });

  test('is started in the home of the user who installs it', async ({ world }) => {
    await world.write('server.json', made({ packages: [npm] }));
    const { launch } = await json(world, 'diff server.json --client claude --json');
    expect(launch).toContainEqual(expect.stringContaining(`${world.home}`));
    expect(launch.join()).not.toContain(homedir());
  });

  test('is reached at its address if no package can be started', async ({ world }) => {
    await world.write(
      'server.json',
      made({
        packages: [{ ...npm, registryType: 'cargo' }],
        remotes: [{ ...remote, type: 'sse' }, remote],
      }),
    );
    const { server } = await json(world, 'diff server.json --client claude --json');
    expect(server).toMatch(
      /^Its tools are called at https:\/\/notes.example\/mcp\. If you have signed in there/,
    );
  });

  const input = (more: object) => ({ packages: [{ ...npm, packageArguments: [more] }] });
  test.for<[string, object, string]>([
    ['nothing that could be started', { packages: [] }, 'neither "packages" nor "remotes"'],
    [
      'an unknown registry',
      { packages: [{ ...npm, registryType: '__proto__' }] },
      'packages of __proto__ cannot be started',
    ],
    [
      'a name that is a flag',
      { packages: [{ ...npm, identifier: '--registry=http://x' }] },
      '--registry=http://x is not a package with an exact version',
    ],
    [
      'an image that is a flag',
      { packages: [{ ...npm, registryType: 'oci', identifier: '-v/:/host' }] },
      '-v/:/host is not a package',
    ],
    [
      'a range',
      { packages: [{ ...npm, version: '^1' }] },
      'notes is not a package with an exact version',
    ],
    [
      'a version that is a flag',
      { packages: [{ ...npm, registryType: 'pypi', version: '--x' }] },
      'notes is not a package',
    ],
    [
      'a registry of its own',
      { packages: [{ ...npm, registryBaseUrl: 'https://evil.example' }] },
      'a registry of its own: https://evil.example',
    ],
    [
      'a package that listens',
      { packages: [{ ...npm, transport: { type: 'sse', url: 'http://localhost' } }] },
      'does not use stdio',
    ],
    [
      'a value of the user',
      input(word({ valueHint: 'folder', isRequired: true })),
      'only you know: folder',
    ],
    [
      'a secret',
      input(named('--key', { isSecret: true, default: 'hunter2' })),
      'only you know: --key',
    ],
    [
      'a variable of the user',
      input(named('--key', { value: '{token}', variables: { token: { isRequired: true } } })),
      'only you know: token',
    ],
    ['an argument that is none', input({ type: 'other' }), 'its arguments are malformed'],
    [
      'a header of the user',
      { remotes: [{ ...remote, headers: [{ name: 'Authorization', isRequired: true }] }] },
      'only you know: Authorization',
    ],
    [
      'an address with a hole',
      { remotes: [{ ...remote, url: 'https://{tenant}.example/mcp' }] },
      'is not a valid address',
    ],
    [
      'an address that is none',
      { remotes: [{ ...remote, url: 'file:///etc/passwd' }] },
      'is not a valid address',
    ],
  ])(
    '%s: texts are installed, and tools are left out and named',
    async ([, more, why], { world }) => {
      await world.write('server.json', made(more));
      const { problems, hooks: left } = await json(
        world,
        'diff server.json --client claude --json',
      );
      expect(left).toEqual([COMMITTED]);
      expect(problems).toMatchObject([
        { level: 'warning', line: expect.any(Number), message: expect.stringContaining(why) },
      ]);
      expect(JSON.stringify(problems)).not.toContain('hunter2');
    },
  );

  test('is reported with the variables that it needs from the environment', async ({ world }) => {
    const environmentVariables = [
      { name: 'NOTES_KEY', isRequired: true, isSecret: true },
      { name: 'NOTES_COLOUR' },
    ];
    await world.write('server.json', made({ packages: [{ ...npm, environmentVariables }] }));
    const { problems } = await json(world, 'diff server.json --client claude --json');
    expect(problems.map(({ message }: { message: string }) => message)).toEqual([
      'its server needs NOTES_KEY: set it in the environment that your client is started in',
    ]);
  });
});
