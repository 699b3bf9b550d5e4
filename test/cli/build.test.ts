// `mcp-hooks build`: the output is the same each time, has nothing of the machine in it, and overwrites no other files.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { FRAGMENTS, MERGED_INTO } from '../../src/sources/manifests/fragments.ts';
import { checkManifestFile } from '../../src/sources/manifests/read.ts';
import { sha256 } from '../../src/system/fingerprint.ts';
import { expected } from '../clients/expectations.ts';
import { alsoPacked } from '../support/findings.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { IDS } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const START = { event: 'session_start', context: 'Notes are kept here.', priority: 'required' };
const RECALL = { event: 'session_start', context_tool: 'recall', priority: 'suggestion' };

/** The bytes of every file below a folder. */
const tree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

const jsonOf = async (world: World, line: string | readonly string[]) => {
  const { out, code } = await world.run([
    ...(typeof line === 'string' ? line.split(' ') : line),
    '--json',
  ]);
  return { ...JSON.parse(out), code };
};

const withServer = (server: object, ...declarations: readonly object[]) =>
  JSON.stringify({ server, hooks: { declarations } });

test('a second build in another folder is identical, with a hash of the declaration', async ({
  world,
}) => {
  await world.write('annal.json', manifest(START, COMMITTED));
  await world.write('sub/annal.json', manifest(START, COMMITTED));
  const first = await world.run('build annal.json --out one');
  expect(first.code).toBe(0);
  await world.run(['build', 'sub/annal.json', '--out', "an other's/two"]);
  const one = tree(world.path('one'));
  expect(tree(world.path("an other's/two"))).toEqual(one);
  const record = JSON.parse(one['mcp-hooks-build.json'] ?? '');
  expect(record).toMatchObject({
    label: 'annal',
    declaration: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(Object.keys(record.files)).toEqual(
    Object.keys(one)
      .filter((name) => name !== 'mcp-hooks-build.json')
      .sort(),
  );
  for (const id of IDS.filter((one) => expected[one].loads !== undefined)) {
    const { declaration } = JSON.parse(one[`${id}/annal/mcp-hooks/declaration.json`] ?? '');
    expect(declaration).toBe(record.declaration);
  }
  for (const text of Object.values(one))
    for (const path of [world.root, process.execPath]) expect(text).not.toContain(path);

  const again = await world.run('build annal.json --out one');
  expect(again.out).toContain('Nothing to do: one is up to date.');
});

test('--check writes nothing, and names what is stale', async ({ world }) => {
  await world.write('annal.json', manifest(START));
  expect((await world.run('build annal.json --out out --check')).code).toBe(1);
  expect(readdirSync(world.path('.'))).toEqual(['annal.json']);

  const build = 'build annal.json --out out --target gemini,npm';
  await world.run(build);
  expect(await world.run(`${build} --check`)).toMatchObject({
    code: 0,
    out: 'out is up to date.\n',
  });

  await world.write('annal.json', manifest({ ...START, context: 'Something else.' }));
  await world.write('out/npm/package.json', 'changed by hand');
  const { code, stale, written } = await jsonOf(world, `${build} --check`);
  expect([code, written]).toEqual([1, false]);
  expect(stale).toContainEqual({ path: 'npm/package.json', is: 'different' });
  expect(stale).toContainEqual({ path: 'gemini-cli/annal/gemini-extension.json', is: 'different' });
  const renamed = 'build annal.json --out out --target gemini --name notes --check';
  const leftOver = 'gemini-cli/annal/hooks/hooks.json';
  const fewer = await jsonOf(world, renamed);
  expect(fewer.stale).toContainEqual({ path: leftOver, is: 'left-over' });
  const said = await world.run(renamed);
  expect(said.out).toContain(`  left over: ${leftOver}\n`);
  expect(said.out).toContain('out is stale');
});

test('files and folders that only the last build made are removed', async ({ world }) => {
  await world.write('annal.json', manifest(START));
  await world.run('build annal.json --out out --target codex,npm');
  await world.write('out/codex/of-mine.txt', 'mine');
  await world.run('build annal.json --out out --target codex --name notes');
  const left = Object.keys(tree(world.path('out')));
  expect(left.filter((path) => path.includes('annal'))).toEqual([]);
  expect(left).toEqual(expect.arrayContaining(['codex/of-mine.txt', 'npm/package.json']));
  expect(readdirSync(world.path('out/codex'))).not.toContain('annal');
});

test('a build of other targets into the same folder removes nothing', async ({ world }) => {
  await world.write('annal.json', manifest(START));
  await world.run('build annal.json --out out');
  const plugins = tree(world.path('out'));
  await world.run('build annal.json --out out --target fleet');
  expect(tree(world.path('out'))).toMatchObject({
    ...plugins,
    'mcp-hooks-build.json': expect.stringContaining('"fleet/playbook.yml"'),
  });
  for (const targets of ['', ' --target fleet', ' --target npm'])
    expect((await world.run(`build annal.json --out out --check${targets}`)).code).toBe(0);
  await world.run('build annal.json --out out --name notes');
  expect(tree(world.path('out'))).toHaveProperty(['fleet/playbook.yml']);
  expect(tree(world.path('out'))).not.toHaveProperty(['codex/annal/mcp-hooks/declaration.json']);
});

describe('other files', () => {
  test('are not overwritten without --force', async ({ world }) => {
    await world.write('annal.json', manifest(START));
    await world.write('out/npm/package.json', '{ "name": "mine" }');
    const refused = await jsonOf(world, 'build annal.json --out out');
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining('npm/package.json') });
    expect(Object.keys(tree(world.path('out')))).toEqual(['npm/package.json']);

    await world.run('build annal.json --out out --force');
    expect(tree(world.path('out'))['npm/package.json']).toContain('mcpHooks');
    // A file of ours that was edited since may hold the user's work.
    await world.write('out/npm/package.json', 'edited');
    expect((await world.run('build annal.json --out out')).code).toBe(2);
    expect(tree(world.path('out'))['npm/package.json']).toBe('edited');
  });

  test('are not reached by links', async ({ world }) => {
    await world.write('annal.json', manifest(START));
    await world.write('elsewhere/package.json', 'mine');
    mkdirSync(world.path('out'));
    symlinkSync(world.path('elsewhere'), world.path('out/npm'));
    expect((await world.run('build annal.json --out out --force')).code).toBe(2);
    expect(tree(world.path('elsewhere'))).toEqual({ 'package.json': 'mine' });
  });

  test('are not removed because a record names them', async ({ world }) => {
    await world.write('annal.json', manifest(START));
    await world.write('precious.txt', 'mine');
    await world.write('out/kept.txt', 'mine');
    const hash = sha256('mine');
    const files = {
      '../precious.txt': hash,
      'kept.txt': sha256('something else'),
      [world.path('precious.txt')]: hash,
    };
    await world.write('out/mcp-hooks-build.json', JSON.stringify({ files }));
    expect((await world.run('build annal.json --out out --target npm')).code).toBe(0);
    expect(readFileSync(world.path('precious.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(world.path('out/kept.txt'), 'utf8')).toBe('mine');
  });
});

test('each fragment, merged into its file, is read as the declared hooks', async ({ world }) => {
  const around = {
    mcpb: { manifest_version: '0.3', name: 'annal', server: { mcp_config: { command: 'annal' } } },
    registry: { name: 'io.example/annal', packages: [] },
    npm: { name: 'annal', version: '1.0.0' },
  };
  await world.write('annal.json', manifest(START, COMMITTED));
  await world.run('build annal.json --out out --target mcpb,registry,npm');
  const { declared } = await checkManifestFile(world.path('annal.json'), 'annal.json');
  for (const kind of FRAGMENTS) {
    const file = `${kind}/${MERGED_INTO[kind]}`;
    const made = JSON.parse(readFileSync(world.path(`out/${file}`), 'utf8'));
    await world.write(`merged/${file}`, JSON.stringify({ ...around[kind], ...made }));
    const read = await checkManifestFile(world.path(`merged/${file}`), file);
    expect([kind, read.declared.hooks]).toEqual([kind, declared.hooks]);
    expect(read.declared.problems.filter(({ level }) => level === 'error')).toEqual([]);
  }
});

test('hooks too large for a registry are refused if it is the target, else left out', async ({
  world,
}) => {
  const long = { ...START, context: 'x'.repeat(4100) };
  await world.write('annal.json', manifest(long));
  const asked = await jsonOf(world, 'build annal.json --out out --target registry');
  expect(asked).toMatchObject({ code: 2, error: expect.stringMatching(/at most 4096 .*Nothing/) });
  const all = await world.run('build annal.json --out out');
  expect(all.code).toBe(0);
  expect(all.out).toContain('no registry: The hooks are');
  expect(readdirSync(world.path('out'))).not.toContain('registry');
});

describe('what only a user can allow', () => {
  test('a program is left out, and the output shows it', async ({ world }) => {
    await world.write('tool.sh', 'echo');
    const run = { event: 'session_start', command: ['sh', './tool.sh'], priority: 'suggestion' };
    const declarations = [run, START];
    await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
    const { targets } = await jsonOf(world, 'build annal.json --out out');
    expect(targets[0].hooks).toMatchObject([
      { grade: 'none', why: expect.stringContaining('a package runs no programs') },
      { grade: 'exact' },
    ]);
    for (const [name, text] of Object.entries(tree(world.path('out'))))
      if (/\.(?:sh|json)$/.test(name) && !name.endsWith('declaration.json'))
        expect([name, text.includes('tool.sh')]).toEqual([name, false]);
  });

  test('a tool is not called until policy.json allows it', async ({ world }) => {
    await world.write('annal.json', withServer({ command: 'npx', args: ['-y', 'annal'] }, RECALL));
    const { targets } = await jsonOf(world, 'build annal.json --out out');
    expect(targets[0].hooks[0].notes.join()).toContain('"contextTool": true');
    const program = JSON.parse(
      tree(world.path('out'))['claude-code/annal/mcp-hooks/claude-code.SessionStart.json'] ?? '',
    );
    expect(program.policy.rules).toMatchObject({ contextTool: false, trusted: false });
    expect(program.server).toMatchObject({ command: 'npx', args: ['-y', 'annal'] });
  });

  test('"required" needs policy.json, too; a fleet may have it, but no program', async ({
    world,
  }) => {
    const server = { command: 'npx', args: ['-y', 'annal'] };
    await world.write('annal.json', withServer(server, START, RECALL));
    const { targets } = await jsonOf(world, 'build annal.json --out out');
    const notes = targets[0].hooks.map((hook: { notes: string[] }) => hook.notes.join());
    expect(notes).toEqual([
      expect.stringContaining('"trusted": true'),
      expect.stringContaining('"contextTool": true'),
    ]);
    const { out } = await world.run('build annal.json --out all --target fleet');
    expect(out.replace(/\s+/g, ' ')).toContain('mcp_hooks_allow: [required, context-tool].');
    const program = { event: 'session_start', command: ['node', './start.mjs'] };
    const other = { version: 2, hooks: { declarations: [{ ...START }, program] } };
    await world.write('start.mjs', '');
    await world.write('other.json', JSON.stringify(other));
    const lacking = await world.run('build other.json --out other --target fleet');
    expect(lacking.out).toContain('Claude Code: 1 of 2 hooks');
    expect(lacking.out.replace(/\s+/g, ' ')).toContain('mcp_hooks_allow: [required].');
    const role = tree(world.path('all/fleet/roles/mcp_hooks_annal'));
    const rules = /^mcp_hooks_rules:\n((?: .*\n)*)/m.exec(role['vars/main.yml'] ?? '')?.[1];
    expect(rules?.match(/[\w-]+(?=:)/g)).toEqual(['required', 'context-tool', 'block', 'modify']);
    const settings = Object.keys(role).find((name) => name.startsWith('files/claude-code/')) ?? '';
    expect(role[settings]).toContain(
      ' /usr/local/lib/mcp-hooks/annal/claude-code.SessionStart.sh;',
    );
  });
});

test("the commands of the report can be copied, whatever the output's name", async ({ world }) => {
  const out = 'it\'s "out" \u{fc}; x';
  await world.write('annal.json', manifest(COMMITTED));
  const built = await world.run(['build', 'annal.json', '--out', out]);
  const fleet = await world.run(['build', 'annal.json', '--out', `${out}f`, '--target', 'fleet']);
  const quoted = (path: string, name: string) => `'${name.replace("'", "'\\''")}/${path}'`;
  for (const { loads } of Object.values(expected)) {
    const line = loads?.replace(/\{(.*?)\}/g, (_, path: string) => quoted(path, world.path(out)));
    if (line !== undefined) expect(built.out).toContain(`  ${line}\n`);
  }
  expect(fleet.out).toContain(
    `ansible-playbook -i <inventory> ${quoted('fleet/playbook.yml', `${out}f`)}`,
  );
  expect((await world.run(['build', 'annal.json', '--out', out, '--check'])).code).toBe(0);
});

describe('how the server is started', () => {
  const mcp = (world: World) =>
    JSON.parse(tree(world.path('out'))['claude-code/annal/.mcp.json'] ?? 'null');

  test('is shipped as the manifest says', async ({ world }) => {
    const server = { command: 'uvx', args: ['annal'], env: { ANNAL_MODE: 'quiet' } };
    await world.write('annal.json', withServer(server, START));
    await world.run('build annal.json --out out');
    expect(mcp(world)).toEqual({ mcpServers: { annal: server } });
  });

  test('is left out if it is a file of this machine, and so are its tools', async ({ world }) => {
    await world.write('server.mjs', '');
    await world.write(
      'annal.json',
      withServer({ command: 'node', args: ['./server.mjs'] }, START, RECALL),
    );
    const { notes, targets } = await jsonOf(world, 'build annal.json --out out');
    expect(notes.join()).toContain('is a file of this machine');
    expect(targets[0].hooks[1]).toMatchObject({ grade: 'none' });
    expect(mcp(world)).toBeNull();
    for (const text of Object.values(tree(world.path('out'))))
      expect(text).not.toContain(world.root);
  });

  test('is left out if it has an absolute path of this machine', async ({ world }) => {
    const build = async (server: object) => {
      await world.write('annal.json', withServer(server, START, RECALL));
      const { notes } = await jsonOf(world, 'build annal.json --out out');
      return [
        notes.join('\n').match(/: (\S+) is a file of this machine/)?.[1],
        mcp(world) !== null,
      ];
    };
    const leftOut = (word: string) => [word, false];
    const node = (...args: string[]) => build({ command: 'node', args });
    expect(await node('/opt/me/server.js')).toEqual(leftOut('/opt/me/server.js'));
    expect(await node('server', '--db=/opt/me/db')).toEqual(leftOut('--db=/opt/me/db'));
    expect(await node('C:\\me\\server.js')).toEqual(leftOut('C:\\me\\server.js'));
    expect(await node('file:///opt/me/server.js')).toEqual(leftOut('file:///opt/me/server.js'));
    for (const word of ['--root=file:/opt/me', '--db=sqlite:////opt/me/db', 'sqlite:///opt/me'])
      expect(await node('server', word)).toEqual(leftOut(word));
    for (const word of [
      '-I/home/me',
      '-L/opt/me/lib',
      'jdbc:sqlite:/home/me',
      '--db=jdbc:h2:/home/me/x',
    ])
      expect(await node('server', word)).toEqual(leftOut(word));
    const besideIt = `-I${world.path('lib')}`;
    expect(await node('server', besideIt)).toEqual(leftOut(besideIt));
    expect(await build({ command: 'annal', env: { NOTES: '/opt/me' } })).toEqual(
      leftOut('NOTES=/opt/me'),
    );
    for (const server of [
      { command: 'cmd', args: ['/c', 'npx', '-y', '@annals/annal@1.2.3'] },
      { command: 'annal', args: ['--api', 'https://annal.example/mcp', '--mode=a/b'] },
      { command: 'annal', args: ['--db=postgres://annal.example/notes', 'x:y//z'] },
    ])
      expect(await build(server)).toEqual([undefined, true]);
  });

  test('is left out if a default value or a connection string may be a secret', async ({
    world,
  }) => {
    const secret = 'c0rrect-h0rse-1';
    const build = async (server: object) => {
      await world.write('annal.json', withServer(server, START, RECALL));
      const shown = await world.run('build annal.json --out out --json');
      for (const text of [shown.out, shown.err, ...Object.values(tree(world.path('out')))])
        expect(text).not.toContain(secret);
      return [
        JSON.parse(shown.out)
          .notes.join()
          .match(/: (.+) may be a secret/)?.[1],
        mcp(world),
      ];
    };
    const value = `\${API_KEY:-${secret}}`;
    const [token, url] = [`\${T_TOKEN:-${secret}}`, 'https://annal.example/mcp'];
    const connection = `Server=db;User Id=sa;Pwd=${secret};`;
    for (const server of [
      { command: 'annal', env: { K: value } },
      { command: 'annal', args: [value] },
      { command: 'annal', args: [`--x=${value}`] },
      { url, headers: { 'X-Client': `Bearer ${token}` } },
      { url: `${url}/${value}` },
      { command: 'annal', args: ['--db', connection] },
      { command: 'annal', env: { DB: connection } },
    ] as const)
      expect(await build(server)).toEqual([expect.any(String), null]);
    // These defaults are not secrets, and the last one is a variable of editors.
    for (const word of ['PORT:-8080', 'LEVEL:-info', 'API_KEY', 'env:API_KEY'])
      expect((await build({ command: 'annal', args: [`\${${word}}`] }))[0]).toBeUndefined();
  });

  test('a hook whose field may hold a secret is left out, and the field is printed', async ({
    world,
  }) => {
    const token = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
    const password = 'c0rrect-h0rse-1';
    const pin = 4711081547;
    const server = { command: 'uvx', args: ['annal'] };
    const tool = { event: 'session_start', context_tool: 'recall' };
    const run = { event: 'session_start', priority: 'suggestion' };
    for (const [hook, field] of [
      [{ ...tool, context_tool_args: { note: `the token ${token}` } }, 'context_tool_args'],
      [{ ...tool, context_tool_args: { api_key: password } }, 'context_tool_args'],
      [{ ...tool, context_tool_args: { password: pin } }, 'context_tool_args'],
      [{ ...tool, context_tool_args: { db: `Server=x;Pwd=${password};` } }, 'context_tool_args'],
      [{ ...tool, context_tool_args: { k: `\${API_KEY:-${password}}` } }, 'context_tool_args'],
      [{ ...START, context: `Use ${token}.` }, 'context'],
      [{ ...run, command: ['curl', '-H', `Authorization: Bearer ${token}`] }, 'command'],
      [{ ...run, command: ['annal', '--password', password] }, 'command'],
    ] as const) {
      const text = JSON.parse(withServer(server, START, hook));
      await world.write('annal.json', JSON.stringify({ version: 2, ...text }));
      const ran = await world.run(
        'build annal.json --out out --json --target claude-code,codex,npm,mcpb,fleet',
      );
      const all = [ran.out, ran.err, ...Object.values(tree(world.path('out')))];
      for (const one of all)
        for (const secret of [token, password, pin]) expect(one).not.toContain(String(secret));
      expect([hook, ran.code, ran.out]).toEqual([
        hook,
        0,
        expect.stringContaining(`something in its ${field} may be a secret`),
      ]);
    }
  });

  test('is left out if it may hold a secret, and the secret appears nowhere', async ({ world }) => {
    const secret = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
    const variable = `\${API_KEY}`;
    const build = async (server: object) => {
      await world.write('annal.json', withServer(server, START, RECALL));
      const shown = await world.run('build annal.json --out out --json');
      const told = await world.run('build annal.json --out out');
      for (const text of [shown.out, told.out, told.err, ...Object.values(tree(world.path('out')))])
        for (const part of [secret, 'hunter2']) expect(text).not.toContain(part);
      const [note = ''] = JSON.parse(shown.out).notes;
      return [note.match(/: (.+) may be a secret/)?.[1], mcp(world) !== null];
    };
    for (const [server, where] of [
      [{ command: 'annal', args: [`--token=${secret}`] }, 'args[0] (--token=***)'],
      [{ command: 'annal', args: ['--token', 'hunter2'] }, 'args[1] (***)'],
      [{ command: 'annal', args: [secret] }, 'args[0] (***)'],
      [{ command: 'npx', args: ['-y', `annal-${secret}`] }, '"server"'],
      [
        { command: 'docker', args: ['run', '-e', 'API_KEY=hunter2', 'annal'] },
        'args[2] (API_KEY=***)',
      ],
      [{ command: 'annal', env: { API_KEY: secret } }, 'env.API_KEY'],
      [{ command: 'annal', env: { MODE: secret } }, 'env.MODE'],
      [{ command: 'annal', env: { MODE: `\${USER}:Zk3v9Qw7Lm2xT8pR` } }, '"server"'],
      [{ command: 'annal', env: { URL: 'https://ann:hunter2@annal.example' } }, 'env.URL'],
      [{ url: 'https://annal.example/mcp?key=hunter2' }, '?key=***'],
      [{ url: `https://annal.example/mcp?mode=a=${secret}` }, '?mode=***'],
      [{ url: `https://annal.example/${secret}/mcp` }, 'https://annal.example/***/mcp'],
      [{ url: 'https://annal.example', headers: { 'X-Api-Key': 'hunter2' } }, 'headers.X-Api-Key'],
    ] as const)
      expect(await build(server)).toEqual([where, false]);
    for (const server of [
      { command: 'annal', args: [`--token=${variable}`], env: { API_KEY: variable } },
      { command: 'docker', args: ['run', '-e', 'API_KEY', '-e', 'MODE=quiet', 'annal'] },
      { command: 'annal', env: { LOGIN: `\${USER}:annal-notes` } },
      {
        url: 'https://annal.example/mcp?mode=quiet',
        headers: { Authorization: `Bearer ${variable}` },
      },
    ])
      expect(await build(server)).toEqual([undefined, true]);
  });

  test("nothing is built if the manifest's name, description or author may be a secret", async ({
    world,
  }) => {
    const token = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
    for (const [facts, field] of [
      [{ name: token }, 'name'],
      [{ description: `Notes. Sign in with ${token}.` }, 'description'],
      [{ author: { name: token } }, 'author'],
    ] as const) {
      await world.write(
        'package.json',
        JSON.stringify({ name: 'annal', mcpHooks: { declarations: [START] }, ...facts }),
      );
      const ran = await world.run('build package.json --out facts --target mcpb,codex');
      expect(ran).toMatchObject({
        code: 2,
        out: '',
        err: `The ${field} in the manifest may be a secret, and everyone who gets the output could read it. Nothing was written. Change it, then build again.\n`,
      });
      expect(existsSync(world.path('facts'))).toBe(false);
    }
  });

  test('the output has no command for a client that gets none of the hooks', async ({ world }) => {
    const declarations = [{ event: 'tool_error', context: 'Look.', priority: 'important' }];
    await world.write(
      'annal.json',
      JSON.stringify({ version: 2, name: 'annal', hooks: { declarations } }),
    );
    const { out } = await world.run('build annal.json --out shipped');
    expect(out).toContain('no plugin: none of the hooks can be shipped');
    expect(out).not.toContain('codex plugin');
    expect(out).toContain('claude --plugin-dir');
  });

  test('is that package if the manifest is in a package of npm', async ({ world }) => {
    const hooks = { declarations: [START] };
    await world.write('bin.mjs', '');
    await world.write(
      'package.json',
      JSON.stringify({
        name: '@annals/annal',
        version: '1.2.3',
        description: 'Keeps notes.',
        author: 'An Author <a@example.com>',
        bin: 'bin.mjs',
        mcpHooks: { hooks },
      }),
    );
    await world.run('build package.json --out out');
    expect(mcp(world).mcpServers.annal).toEqual({
      command: 'npx',
      args: ['-y', '@annals/annal@1.2.3'],
    });
    const plugin = tree(world.path('out'))['claude-code/annal/.claude-plugin/plugin.json'] ?? '';
    expect(JSON.parse(plugin)).toEqual({
      name: 'annal',
      version: '1.2.3',
      description: 'Keeps notes.',
      author: { name: 'An Author' },
    });
  });
});

test('prints what validate finds in the manifest, and why no hook is left', async ({ world }) => {
  const write = (...declarations: readonly object[]) =>
    world.write(
      'package.json',
      JSON.stringify({
        name: 'annal',
        bin: { a: 'a', b: 'b' },
        mcpHooks: { hooks: { declarations } },
      }),
    );
  const left = /^package\.json:1:\d+: warning: .*recall.* several commands/;
  const doubtful = /^package\.json:1:\d+: warning: .*\{tool_nam\}.*\{tool_name\}/;
  await write(RECALL, { ...START, event: 'post_tool_use', context: 'After {tool_nam}.' });
  const found = [expect.stringMatching(left), expect.stringMatching(doubtful)];
  expect((await jsonOf(world, 'build package.json --out out')).notes).toEqual(found);
  const { code, err } = await world.run('build package.json --out out');
  expect([code, err.trimEnd().split('\n')]).toEqual([0, found]);

  await write(RECALL);
  expect(await jsonOf(world, 'build package.json --out gone')).toMatchObject({
    code: 2,
    error: 'Nothing that annal declares can be installed.',
    details: [expect.stringMatching(left)],
  });
});

test("commands to type quote the output's path as one word, from wherever they are typed", async ({
  world,
}) => {
  await world.write('annal.json', manifest(START));
  const typed = async (out: string) =>
    (await world.run(['build', 'annal.json', '--out', out, '--target', 'claude-code,fleet'])).out
      .split('\n')
      .flatMap((line) => /(?:--plugin-dir|<inventory>|add) (.*)$/.exec(line)?.[1] ?? []);
  expect(await typed('out')).toEqual([
    `${world.path('out')}/claude-code/annal`,
    `${world.path('out')}/claude-code && claude plugin install annal@annal`,
    'out/fleet/playbook.yml',
  ]);
  expect(await typed("it's a$&b")).toEqual([
    `'${world.path("it'\\''s a$&b")}/claude-code/annal'`,
    `'${world.path("it'\\''s a$&b")}/claude-code' && claude plugin install annal@annal`,
    "'it'\\''s a$&b/fleet/playbook.yml'",
  ]);
});

describe('a package of npm that npx could not start', () => {
  for (const [bin, why] of [
    [{ serve: 'a.mjs', other: 'b.mjs' }, 'several commands'],
    [undefined, 'no "bin"'],
  ] as const)
    test(`is left out, with the reason: ${why}`, async ({ world }) => {
      const mcpHooks = { hooks: { declarations: [START] } };
      const about = { name: 'annal', version: '1.2.3', bin, mcpHooks };
      await world.write('package.json', JSON.stringify(about));
      const { notes } = await jsonOf(world, 'build package.json --out out');
      expect(notes.join()).toContain(why);
      expect(tree(world.path('out'))['claude-code/annal/.mcp.json']).toBeUndefined();
    });
});

test('mistakes on the command line are printed', async ({ world }) => {
  await world.write('annal.json', manifest(START));
  await world.write('none.json', manifest());
  const errors = [];
  for (const line of [
    'annal.json',
    'annal.json --out o --target vim',
    'none.json --out o',
    'no.json --out o',
    'annal.json --out o --package-version 1.0',
    `annal.json --out o --package-version x"y`,
  ])
    errors.push(JSON.parse((await world.run(`build ${line} --json`)).out).code);
  expect(errors).toEqual([
    ...['build-needs-out', 'no-target', 'no-hooks', 'cannot-read'],
    ...['package-version-unfit', 'package-version-unfit'],
  ]);
});

test.for(IDS)('import leaves out what build made for %s', async (id, { world }) => {
  await world.write('annal.json', manifest(START, COMMITTED));
  await world.run(`build annal.json --out out --target ${id}`);
  // Each command of a package ends with this comment.
  const files = Object.entries(tree(world.path(`out/${id}/annal`)))
    .filter(
      ([name, text]) => !name.startsWith('mcp-hooks/') && text.includes('# mcp-hooks: annal"'),
    )
    .map(([name]) => name);
  const counted: unknown[] = [];
  for (const name of files) {
    const file = `out/${id}/annal/${name}`;
    for (const args of [[], ['--client', id]])
      counted.push((await world.run(['import', file, ...args])).err.split('\n')[1]);
  }
  expect(counted.length).toBeGreaterThan(0);
  expect(new Set(counted)).toEqual(
    new Set([expect.stringMatching(/^Not counted: \d+ entries that mcp-hooks installed/)]),
  );
});

test('doctor shows where a package has hooks that are also installed', async ({ world }) => {
  await world.write('annal.json', manifest(START));
  await world.run('build annal.json --out out');
  await world.run(`install annal.json --yes --client ${IDS}`);
  expect(await alsoPacked(world)).toEqual([]);

  const out = world.path('out');
  const plugins = { 'annal@annal': [{ installPath: `${out}/claude-code/annal` }] };
  await world.write('~/.claude/plugins/installed_plugins.json', JSON.stringify({ plugins }));
  cpSync(`${out}/codex/annal`, world.path('~/.codex/plugins/cache/annal/annal/1.0.0'), {
    recursive: true,
  });
  await world.write(
    '~/.gemini/extensions/annal/.gemini-extension-install.json',
    JSON.stringify({ type: 'link', source: `${out}/gemini-cli/annal` }),
  );
  expect(await alsoPacked(world)).toEqual([
    `shipped-too ${out}/claude-code/annal/hooks/hooks.json`,
    `shipped-too ${world.path('~/.codex/plugins/cache/annal/annal/1.0.0/hooks/hooks.json')}`,
    `shipped-too ${out}/gemini-cli/annal/hooks/hooks.json`,
  ]);
});
