// The library as a packaging script uses it: it installs only for the user's clients, and its sentences name no flag.
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { describe, expect, expect as expectIn, test as plainTest } from 'vitest';
import { diagnose } from '../../src/diagnose/messages.ts';
import {
  apply,
  CLIENTS,
  detectClients,
  type Env,
  findPlaces,
  parseManifest,
  plan,
  readManifest,
  render,
  Stale,
  UserError,
} from '../../src/index.ts';
import { cli } from '../../src/present/messages/cli.ts';
import { TABLES } from '../../src/present/messages/sentence.ts';
import { trust } from '../../src/present/messages/trust.ts';
import { code, ROOT } from '../support/pages.ts';
import { FOLDERS } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const manifest = parseManifest(
  JSON.stringify({
    declarations: [{ event: 'session_start', context: 'Hello.', priority: 'suggestion' }],
  }),
  '/somewhere/annal.json',
);
const placesOf = (world: World, more: Env = {}) =>
  findPlaces({ HOME: world.home, PATH: world.bin, ...more });

/** A flag or a command of ours. (`--global` is npm's, `--resume` and `--acp` Gemini CLI's.) */
const OURS =
  /--(?!resume\b|global\b|acp\b)[a-z]|\bmcp-hooks (?:diff|doctor|fire|install|list|log|login|logout|trust|uninstall|update|validate|verify)\b/;

/** A part of a sentence that only the command line prints. */
const HINT = /\bhint\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

describe.concurrent('a packaging script', () => {
  test('installs for the clients that it finds, and uninstalls again', async ({ world }) => {
    await world.folder('~/.claude');
    const places = placesOf(world);
    const before = await world.snapshot();
    expect(detectClients(places)).toEqual([{ id: 'claude-code', name: 'Claude Code' }]);
    await apply(plan({ manifest, places }));
    const now = Object.keys(await world.snapshot());
    expect(now).toContain('.claude/settings.json');
    expect(now.filter((path) => /^\.(codex|gemini)/.test(path))).toEqual([]);
    await apply(plan({ kind: 'uninstall', label: 'annal', places }));
    expect(await world.snapshot()).toEqual(before);
  });

  test('updates its install, and reports if nothing changes', async ({ world }) => {
    await world.folder('~/.claude');
    const places = placesOf(world);
    await apply(plan({ manifest, places }));
    const again = plan({ manifest, places });
    expect([again.changes, again.files]).toEqual([false, []]);
    expect(render(again)).toMatch(/Nothing to do: the files are up to date\.$/);
    const next = parseManifest(
      JSON.stringify({
        declarations: [{ event: 'pre_request', context: 'New.', priority: 'suggestion' }],
      }),
      '/somewhere/annal.json',
    );
    await apply(plan({ manifest: next, places }));
    const { hooks } = JSON.parse(await world.read('~/.claude/settings.json'));
    expect(Object.keys(hooks)).toEqual(['UserPromptSubmit']);
  });

  test('plans the changes to the byte, and the result of each hook', async ({ world }) => {
    await world.folder('~/.claude', '~/.codex');
    const places = placesOf(world);
    const before = await world.snapshot();
    const made = plan({ manifest, places });
    expect(await world.snapshot()).toEqual(before);
    expect(made).toMatchObject({
      kind: 'install',
      label: 'annal',
      changes: true,
      withoutScope: [],
      needs: [],
      clients: [
        { id: 'claude-code', file: world.path('~/.claude/settings.json'), changes: true },
        {
          id: 'codex',
          todo: expect.stringMatching(
            /^Codex CLI runs new hooks only after you trust them\. Start /,
          ),
        },
      ],
    });
    expect(made.clients[0]?.hooks).toEqual([
      { number: 1, grade: 'exact', when: expect.stringMatching(/^before the first/), notes: [] },
    ]);
    expect(made.clients[0]).not.toHaveProperty('todo');
    await apply(made);
    for (const { path, after } of made.files)
      expect(after && Buffer.from(after).toString()).toBe(await world.read(path));
    expect(made.files.map(({ before: was }) => was)).toEqual(made.files.map(() => null));
  });

  test('passes on what the user has granted, and lists what needs a grant', async ({ world }) => {
    await world.folder('~/.claude');
    const places = placesOf(world);
    const withTool = parseManifest(
      JSON.stringify({
        server: { command: 'notes-server', args: ['--all'] },
        hooks: {
          declarations: [
            { event: 'session_start', context: 'Hello.', priority: 'suggestion' },
            { event: 'pre_request', context_tool: 'recall', priority: 'important' },
          ],
        },
      }),
      '/somewhere/notes.json',
    );
    const needs = (allowed: boolean) => [{ grant: 'context-tool', hooks: [2], allowed }];
    const open = plan({ manifest: withTool, places });
    expect(open.needs).toEqual(needs(false));
    expect(open.clients[0]?.hooks[1]).toMatchObject({
      grade: 'none',
      when: 'calling its tool needs your consent (context-tool)',
    });
    expect(render(open)).toMatch(/^Skipped hook 2: .* Needed grants: context-tool\.$/m);
    const allowed = plan({ manifest: withTool, places, allow: ['context-tool'] });
    expect(allowed.needs).toEqual(needs(true));
    expect(render(allowed)).toMatch(/You allow it, for\s+this declaration only\./);
    expect(render(allowed)).not.toContain('Skipped');
    await apply(allowed);
    expect(plan({ manifest: withTool, places }).needs).toEqual(needs(true));
    expect(() =>
      // @ts-expect-error: no such grant
      plan({ manifest: withTool, places, allow: ['context-tol'] }),
    ).toThrow(/^There is no grant "context-tol"; known: required, context-tool, .* written\.$/);
  });

  test('shows everything that the user has to see', async ({ world }) => {
    await world.folder('~/.claude', '~/.codex');
    await world.write('~/.claude/settings.json', '{ "hooks": [');
    const places = placesOf(world);
    const declared = parseManifest(
      JSON.stringify({
        server: { command: 'notes-server', args: ['--all'] },
        hooks: {
          declarations: [
            { event: 'session_start', context: 'Hello.\u001b[2J', priority: 'suggestion' },
            { event: 'pre_request', context_tool: 'recall', priority: 'important' },
          ],
        },
      }),
      '/somewhere/notes.json',
    );
    const text = render(plan({ manifest: declared, places }));
    expect(text).not.toMatch(/\p{Cc}(?<!\n)|\n$/u);
    for (const part of [
      /^notes has 2 hooks, declared in notes\.json\.$/m,
      /\| Hello\./m,
      /notes-server --all/,
      /^ {2}Claude Code +- +- +~\/\.claude\/settings\.json: refused$/m,
      /^ {2}refused: ~\/\.claude\/settings\.json:1:\d+: /m,
      /^ +context-tool: hook 2\. [\s\S]*Needs\s+your\s+consent\s+\("contextTool":\s+true\s+in\s+policy\.json\)\.\s+Without\s+it:\s+skipped\./m,
      /^To install: notes for Claude Code and Codex CLI; 1 file to create\.$/m,
    ])
      expect(text).toMatch(part);
  });

  test('gets only the clients from which something would be removed', async ({ world }) => {
    await world.folder('~/.claude', '~/.codex');
    const places = placesOf(world);
    for (const label of ['', '..', '../../other', '/etc'])
      expect(() => plan({ kind: 'uninstall', label, places })).toThrow(/can't be used as a label/);
    // @ts-expect-error: `places` is missing
    expect(() => plan({ manifest })).toThrow('plan: `places` is missing');
    expect(plan({ kind: 'uninstall', label: 'never-installed', places })).toMatchObject({
      clients: [],
      changes: false,
    });
    await apply(plan({ manifest, places }));
    const removal = plan({ kind: 'uninstall', label: 'annal', places });
    expect(removal.clients.map(({ id }) => id)).toEqual(['claude-code', 'codex']);
    expect(render(removal)).toMatch(/^To uninstall: annal for Claude Code and Codex CLI; /m);
  });

  test('can choose the clients', async ({ world }) => {
    const places = placesOf(world);
    await apply(plan({ manifest, places, clients: ['claude-code'] }));
    expect(await world.read('~/.claude/settings.json')).toContain('.mcp-hooks/servers/annal/');
    // @ts-expect-error: no such client
    expect(() => plan({ manifest, places, clients: ['emacs'] })).toThrow(
      /^There is no client "emacs"; known: claude-code, /,
    );
  });

  test('gets an error if no client is found, and nothing is written', async ({ world }) => {
    const places = placesOf(world);
    expect(() => plan({ manifest, places })).toThrow(
      expect.objectContaining({
        name: 'UserError',
        message: `No client was found on this machine: no config folder and no executable of ${CLIENTS.map(({ name }) => name).join(', ')}. Nothing was written.`,
        details: [],
        code: 'no-client-found',
      }),
    );
    expect(Object.keys(await world.snapshot())).toEqual(['.']);
  });

  test('gets the refused file, with the place and the reason', async ({ world }) => {
    await world.write('~/.claude/settings.json', '{\n  // mine\n}\n');
    const places = placesOf(world);
    const made = plan({ manifest, places });
    expect(made.clients[0]?.refusal).toMatchObject({ line: 2, column: 3 });
    const error: unknown = await apply(made).catch((thrown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^\/.*\/\.claude\/settings\.json:2:3: a comment makes .* ignore .*\. Nothing was written\.$/,
      ),
      details: ['Fix the file, or leave Claude Code out.'],
    });
  });

  test('gets an error if a file was changed after the plan was made', async ({ world }) => {
    await world.write('~/.claude/settings.json', '{}\n');
    const places = placesOf(world);
    const made = plan({ manifest, places });
    await world.write('~/.claude/settings.json', '{ "model": "x" }\n');
    const error: unknown = await apply(made).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Stale);
    expect(error).toMatchObject({
      name: 'Stale',
      code: 'changed-meanwhile',
      message: expect.stringMatching(/settings\.json was changed .*: make a new plan\.$/),
    });
    expect(await world.read('~/.claude/settings.json')).toBe('{ "model": "x" }\n');
    await apply(plan({ manifest, places }));
    expect(await world.read('~/.claude/settings.json')).toContain('annal');
  });

  test("reads a manifest by its path, with each mistake's line and column", async ({ world }) => {
    const path = world.path('my notes.json');
    await world.write(
      'my notes.json',
      '{ "declarations": [\n  { "event": "sesion_start", "context": "", "priority": "high" }\n] }',
    );
    const error: unknown = await readManifest(path).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({
      message: `${path} cannot be used. Nothing was written.`,
      code: 'manifest-refused',
      details: [
        expect.stringMatching(
          /my notes\.json:1:1: error: "my notes" can't be used as a label.* starting with a letter or digit$/,
        ),
        expect.stringMatching(/my notes\.json:2:5: error: "event" is "sesion_start"; /),
        expect.stringMatching(/my notes\.json:2:45: error: "priority" is "high"; /),
      ],
    });
    await expect(readManifest(world.path('none.json'))).rejects.toThrow('there is no such file');
    const good = JSON.stringify({
      declarations: [
        {
          event: 'post_tool_use',
          matcher: { tool_name: 'Bsh' },
          context: 'Hi.',
          priority: 'suggestion',
        },
      ],
    });
    await world.write('my notes.json', good);
    const read = await readManifest(path, { label: 'notes' });
    expect(read).toMatchObject({
      label: 'notes',
      hooks: [{ event: 'post_tool_use' }],
      warnings: [{ code: 'missing-tool', line: 1, message: expect.stringContaining('"Bash"') }],
    });
    expect(() => parseManifest('{', '/somewhere/annal.json')).toThrow(
      '/somewhere/annal.json cannot be used.',
    );
  });

  test('recognizes a package of npm in the folder of its next version', async ({ world }) => {
    await world.folder('~/.claude');
    const places = placesOf(world);
    const packed = async (version: string, server: object | undefined) => {
      const folder = `npx/${version}/node_modules/@ann/notes`;
      const hooks = {
        declarations: [
          { event: 'session_start', context: `Notes ${version}.`, priority: 'suggestion' },
          { event: 'pre_request', context_tool: 'recall', priority: 'suggestion' },
        ],
      };
      await world.write(`${folder}/package.json`, '{ "name": "@ann/notes" }');
      await world.write(`${folder}/server.mjs`, '');
      await world.write(`${folder}/mcp-hooks.json`, JSON.stringify({ server, hooks }));
      return world.path(`${folder}/mcp-hooks.json`);
    };
    const server = { command: 'npx', args: ['-y', '@ann/notes'] };
    const [one, two] = [await packed('1', server), await packed('2', server)];
    const options = { npm: true };
    const allow = ['context-tool'] as const;
    await apply(plan({ manifest: await readManifest(one, options), places, allow }));
    const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect(ledger.installs).toMatchObject([
      { label: 'notes', source: 'npm:@ann/notes', origin: { kind: 'npm', spec: '@ann/notes' } },
    ]);
    const next = plan({ manifest: await readManifest(two, options), places });
    expect([next.changes, next.replaces]).toEqual([true, undefined]);
    // Without `options`, the source is the path, so it is another source.
    expect(plan({ manifest: await readManifest(two), places }).replaces).toBe('npm:@ann/notes');

    const inside = { command: 'node', args: ['./server.mjs'] };
    expect(await readManifest(await packed('3', inside), options)).toMatchObject({
      hooks: [{ event: 'session_start' }],
      warnings: [{ code: 'tool-left-out', message: expect.stringContaining('"recall"') }],
    });
    await expect(readManifest(await packed('4', undefined), options)).rejects.toMatchObject({
      details: [expect.stringContaining('"server" is missing')],
    });
    await world.write('mcp-hooks.json', '{ "declarations": [] }');
    await expect(readManifest(world.path('mcp-hooks.json'), options)).rejects.toThrow(
      `There is no package.json with a "name" in ${world.work}, the folder of the manifest.`,
    );
  });

  test('uses the given home and reads no other', async ({ world }) => {
    await world.folder('~/.claude');
    expect(() => findPlaces({})).toThrow('HOME is not set, so there is no place for settings.');
    expect(() => findPlaces({ HOME: world.path('none') })).toThrow('which is not a folder');
    const options = { scope: 'project' } as const;
    expect(() => findPlaces({ HOME: world.home }, options)).toThrow(TypeError);
    expect(() => findPlaces({ HOME: world.home }, { ...options, project: 'app' })).toThrow(
      'findPlaces: project scope needs the absolute path of a project',
    );
    expect(() => findPlaces({ HOME: world.home }, { ...options, project: world.home })).toThrow(
      'This folder is your home folder. Its settings are yours, not those of a project. Nothing was written.',
    );
    const places = findPlaces({ HOME: world.home }, { ...options, project: world.work });
    await apply(plan({ manifest, places }));
    expect(await world.read('.claude/settings.json')).toContain('annal');
  });

  test('starts a server that belongs to no folder in that home', async ({ world }) => {
    await world.folder('~/.claude');
    const declarations = [{ event: 'pre_request', context_tool: 'recall', priority: 'suggestion' }];
    const server = {
      name: 'io.example/notes',
      packages: [{ registryType: 'npm', identifier: 'notes', version: '1.2.3' }],
      _meta: {
        'io.modelcontextprotocol.registry/publisher-provided': {
          mcpHooks: { hooks: { declarations } },
        },
      },
    };
    await world.write('server.json', JSON.stringify(server));
    const read = await readManifest(world.path('server.json'));
    const places = placesOf(world);
    await apply(
      plan({ manifest: read, places, clients: ['claude-code'], allow: ['context-tool'] }),
    );
    const program = `~/.mcp-hooks/servers/${read.label}/claude-code.UserPromptSubmit.json`;
    expect(JSON.parse(await world.read(program)).server).toMatchObject({
      command: 'npx',
      cwd: world.home,
    });
  });

  test('carries out what was planned, even if the plan object is changed', async ({ world }) => {
    await world.folder('~/.claude');
    const places = placesOf(world);
    const made = plan({ manifest, places });
    expect(() => render({ ...made })).toThrow('render: the plan must be what plan() has returned');
    await expect(apply({ ...made, label: 'other' })).rejects.toThrow(TypeError);
    expect(() => plan({ manifest: { ...manifest, label: 'other' }, places })).toThrow(TypeError);
    Object.assign(made, { label: 'other', clients: [] });
    await apply(made);
    expect(await world.read('~/.claude/settings.json')).toContain('/servers/annal/');
  });

  test('in docs/vendors.md works, and prints only its own result', async ({ world }) => {
    const script = code('docs/vendors.md', 'example: library');
    expect(script).toContain('await apply(changes)');
    await world.folder('~/.gemini');
    await world.write(
      'annal.json',
      JSON.stringify({
        declarations: [{ event: 'session_start', context: 'Hi.', priority: 'suggestion' }],
      }),
    );
    const dist = join(import.meta.dirname, '..', '..', 'dist', 'index.js');
    await world.write(
      'script.mjs',
      script
        .replace("'mcp-hooks'", JSON.stringify(dist))
        .replace('/opt/annal/hooks.json', world.path('annal.json'))
        .replace('console.log(render(changes))', "console.log('shown')"),
    );
    const { exitCode, stdout, stderr } = await execa(process.execPath, ['script.mjs'], {
      cwd: world.work,
      env: { HOME: world.home, PATH: world.bin },
      extendEnv: false,
      reject: false,
    });
    expect([exitCode, stdout, stderr]).toEqual([0, 'shown', '']);
    const now = Object.keys(await world.snapshot());
    expect(now).toContain('.gemini/settings.json');
    expect(now.filter((path) => /^\.(codex|claude)/.test(path))).toEqual([]);
  });
});

describe('the library names no flag and no command of ours', () => {
  /** The library without the tables of sentences: it contains every code that it can report as a string. */
  const codesIn = async () => {
    const { outputFiles } = await build({
      entryPoints: ['src/index.ts', 'src/library/engine.ts'],
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      outdir: 'out',
      packages: 'external',
      plugins: [
        {
          name: 'without-words',
          setup: ({ onResolve }) =>
            onResolve({ filter: /\/messages\/\w+\.ts$|messages\.ts$/ }, () => ({
              path: 'words',
              external: true,
            })),
        },
      ],
    });
    const text = outputFiles.map((file) => file.text).join('\n');
    return new Set([...text.matchAll(/"([a-z]+(?:-[a-z]+)*)"/g)].map(([, word = '']) => word));
  };

  /** The tables of the library's layers. */
  const OWN = TABLES.filter((table) => ![cli, diagnose, trust].some((other) => other === table));

  const NEEDING = {
    version: 2,
    server: { command: 'notes-server' },
    hooks: {
      declarations: [
        { event: 'session_start', context: 'Hello.', priority: 'required' },
        { event: 'post_request', context: 'Save it.', priority: 'suggestion' },
        { event: 'pre_request', context_tool: 'recall', may: ['block'], priority: 'suggestion' },
        { event: 'pre_tool_use', context_tool: 'look', may: ['modify'], priority: 'suggestion' },
        { event: 'pre_tool_use', block: 'No.', priority: 'suggestion' },
        { event: 'post_tool_use', command: ['/bin/true'], priority: 'suggestion' },
        { event: 'session_end', context: 'Bye.', priority: 'suggestion' },
      ],
    },
  };

  test('in any plan', async ({ world }) => {
    await world.folder(...FOLDERS, '.git');
    const first = parseManifest(JSON.stringify(NEEDING), world.path('first.json'), {
      label: 'annal',
    });
    const second = parseManifest(JSON.stringify(NEEDING), world.path('second.json'), {
      label: 'annal',
    });
    const user = placesOf(world);
    const [local, project] = (['local', 'project'] as const).map((scope) =>
      findPlaces({ HOME: world.home, PATH: world.bin }, { scope, project: world.work }),
    );
    if (!local || !project) throw new Error('two scopes');
    await apply(plan({ manifest: first, places: user, allow: ['context-tool'] }));
    await world.write(
      '~/.mcp-hooks/policy.json',
      '{ "servers": { "annal": { "trusted": true } } }',
    );
    const made = [
      plan({ manifest: first, places: user, extraTurns: false }),
      plan({ manifest: second, places: user }),
      plan({ manifest: second, places: local }),
      plan({ manifest: first, places: project }),
      plan({ kind: 'uninstall', label: 'annal', places: user }),
    ];
    const texts = [
      ...made.map(render),
      JSON.stringify(made.map((one) => one.clients)),
      JSON.stringify([first.warnings, second.warnings]),
    ];
    const all = texts.join('\n');
    for (const part of [
      'which is not wanted here', // extraTurns
      'needs your consent (context-tool)',
      'Without it: nothing is stopped.',
      'Without it: nothing is changed.',
      'another source: annal is installed from',
      'is also installed in user scope',
      'yours alone in a project, so nothing is installed in it.',
      'Local scope writes to',
      'does not apply here',
      'would cost one more turn of the model each time',
    ])
      expect(all.replace(/\s+/g, ' ')).toContain(part);
    for (const text of texts) expect(text).not.toMatch(OURS);
  });

  plainTest('in any message that it can give', async () => {
    const codes = await codesIn();
    const said = OWN.flatMap((table) => Object.entries(table).filter(([one]) => codes.has(one)));
    expectIn(said.length).toBeGreaterThan(150);
    const naming = said
      .map(([one, words]) => [one, String(words).replace(HINT, '')] as const)
      .filter(([, words]) => OURS.test(words));
    expectIn(naming).toEqual([]);
    expectIn(Object.keys(cli).filter((one) => codes.has(one))).toEqual([]);
  });
});
