/** Which settings contain the hooks: the user's, the project's, or the user's own for a project. */
import { execFileSync } from 'node:child_process';
import { describe } from 'vitest';
import { apply, findPlaces, parseManifest, plan } from '../../src/index.ts';
import { env } from '../support/fired.ts';
import { test, type World } from '../support/world.ts';

const HOOK = { event: 'pre_request', context: 'What did you learn?', priority: 'suggestion' };
const NOTES = JSON.stringify({ hooks: { declarations: [HOOK] } });
const LOCAL = '.claude/settings.local.json';
const ENTRY = 'UserPromptSubmit';

/** Runs git in the folder in which commands are run. */
function git(world: World, ...args: string[]): void {
  const own = { PATH: process.env.PATH, HOME: world.home };
  execFileSync('git', args, { cwd: world.work, env: own, stdio: 'pipe' });
}

/** Creates the three clients' folders, a manifest, and on request a repository. */
async function furnish(world: World, repository = false): Promise<void> {
  await world.folder('~/.claude', '~/.codex', '~/.gemini');
  await world.write('notes.json', NOTES);
  if (repository) git(world, 'init', '-q');
}

/** Installs `annal` in the user's own settings of the project. */
async function installedLocally(world: World): Promise<void> {
  await furnish(world);
  const line = 'install notes.json --name annal --yes --client claude --scope local';
  const { code, err } = await world.run(line, { env });
  if (code !== 0) throw new Error(err);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

interface Planned {
  readonly scope: string;
  readonly clients: readonly {
    readonly id: string;
    readonly file: string;
    readonly git?: string;
    readonly shared?: { readonly level: string; readonly message: string };
  }[];
  readonly withoutScope?: readonly { readonly id: string; readonly why: string }[];
}

async function planned(world: World, ...flags: string[]): Promise<Planned> {
  const { out } = await world.run(['install', 'notes.json', '--dry-run', '--json', ...flags]);
  return JSON.parse(out);
}

/** The level and sentence of the message about each client's file, by the client's id. */
const said = ({ clients }: Planned): Record<string, string> =>
  Object.fromEntries(
    clients.map(({ id, shared }) => [id, shared ? `${shared.level}: ${shared.message}` : '']),
  );

describe.concurrent('where each client has its settings', () => {
  test.for([
    [
      'user',
      {
        'claude-code': '~/.claude/settings.json',
        codex: '~/.codex/config.toml',
        'gemini-cli': '~/.gemini/settings.json',
      },
      [],
    ],
    [
      'project',
      {
        'claude-code': '.claude/settings.json',
        codex: '.codex/config.toml',
        'gemini-cli': '.gemini/settings.json',
      },
      [],
    ],
    ['local', { 'claude-code': LOCAL }, ['codex', 'gemini-cli']],
  ] as const)('--scope %s', async ([scope, files, without], { make, expect }) => {
    const world = await make();
    await furnish(world);
    const { clients, withoutScope = [], ...json } = await planned(world, '--scope', scope);
    expect(json.scope).toBe(scope);
    expect(Object.fromEntries(clients.map(({ id, file }) => [id, file]))).toEqual(
      Object.fromEntries(Object.entries(files).map(([id, name]) => [id, world.path(name)])),
    );
    expect(withoutScope.map(({ id }) => id)).toEqual(without);
  });

  const otherScopes = (id = '', folder = '') =>
    `Run the same command with --client ${id} --scope user, which is for every folder, or with --client ${id} --scope project, which writes to ${folder} in this one. Others who work on the project get that, too, unless you keep it out of git.`;

  test('a client without such settings is named, with alternatives', async ({ world, expect }) => {
    await furnish(world);
    for (const command of ['diff notes.json', 'install notes.json --yes']) {
      const { out } = await world.run(`${command} --scope local`);
      for (const [id, name, folder] of [
        ['codex', 'Codex CLI', '.codex/'],
        ['gemini-cli', 'Gemini CLI', '.gemini/'],
      ])
        expect(oneLine(out)).toContain(
          `note: ${name} has no settings file that is yours alone in a project, so nothing is installed in it. ${otherScopes(id, folder)}`,
        );
    }
    expect(await world.read('~/.mcp-hooks/ledger.json')).not.toMatch(/codex|gemini/);
  });

  test('it is refused before anything is started, if it was named or is the only client', async ({
    world,
    expect,
  }) => {
    await world.folder('~/.codex');
    const before = await world.stamps('..');
    const server = ['--name', 'x', '--', '/bin/sh', '-c', `touch ${world.path('started')}`];
    for (const chosen of [[], ['--client', 'codex'], ['--client', 'claude,codex']])
      for (const command of [
        ['install', '--yes'],
        ['diff', '--yes'],
      ]) {
        const line = [...command, '--scope', 'local', ...chosen, ...server];
        expect(await world.run(line)).toMatchObject({
          code: 2,
          out: '',
          err: `Codex CLI has no settings file that is yours alone in a project, so nothing can be installed there in local scope. Nothing was written.\n${otherScopes('codex', '.codex/')}\n`,
        });
      }
    expect(await world.stamps('..')).toEqual(before);
  });
});

describe('--scope local', () => {
  test.for([undefined, '', '{\n  "permissions": { "allow": [] }\n}\n', '{"hooks":{"Stop":[]}}'])(
    'after uninstall every byte is back, and what we made is gone: %j',
    async (content, { make, expect }) => {
      const world = await make();
      await furnish(world);
      if (content !== undefined) await world.write(LOCAL, content, 0o600);
      const before = await world.snapshot('..');
      expect((await world.run('install notes.json --yes --scope local')).code).toBe(0);
      expect(await world.read(LOCAL)).toContain(ENTRY);
      const again = await world.run('install notes.json --yes --scope local');
      expect(again.out).toContain('Nothing to do');
      expect((await world.run('uninstall notes --yes --scope local')).code).toBe(0);
      expect(await world.snapshot('..')).toEqual(before);
    },
  );

  test('all commands know it and agree', async ({ world, expect }) => {
    await installedLocally(world);
    const run = async (line: string) => {
      const { out, code } = await world.run(line.split(' '), { env });
      return { code, json: JSON.parse(out) };
    };
    const project = world.work;
    const fires = { client: 'claude-code', fires: true };
    const site = { label: 'annal', scope: project, local: true };
    expect((await run('list --json')).json).toMatchObject({
      installed: [{ ...site, clients: [{ ...fires, state: 'intact', file: world.path(LOCAL) }] }],
    });
    expect(await run('verify --scope local --json')).toMatchObject({
      code: 0,
      json: { scope: 'local', fires: true, verified: [{ label: 'annal', client: 'claude-code' }] },
    });
    expect((await run('doctor --json')).json).toMatchObject({
      fires: true,
      status: [{ ...site, ...fires }],
    });
    expect((await run('fire annal pre_request --scope local --json')).json).toMatchObject({
      scope: 'local',
      clients: [{ id: 'claude-code', firings: [{ hooks: [{ shown: true }] }] }],
    });
    expect(await run('diff annal --scope local --json')).toMatchObject({
      code: 0,
      json: { scope: 'local', changes: false },
    });
    expect((await run('update --scope local --json')).json).toMatchObject({
      labels: [{ label: 'annal', scope: 'local', changes: false }],
    });

    const text = (line: string) =>
      world.run(line, { env }).then(({ out, err }) => oneLine(out + err));
    expect(await text('list')).toContain(`in ${project}, local scope (from`);
    const doctor = await text('doctor --verbose');
    expect(doctor).toContain(`annal in ${project}, local scope `);
    expect(doctor).toContain('ok entries intact');
    expect(await text('verify annal')).toContain('annal is not installed in user scope');
    expect(await text('verify annal --scope project')).toContain(`not installed in ${project}.`);
    expect(await text('uninstall annal --yes --scope project')).toContain(
      `annal is not installed in ${project}. Installed: annal (in ${project}, local scope).`,
    );
    expect(await text('update other --scope local')).toContain(
      `other is not installed in ${project}, local scope.`,
    );
  });

  test('hooks that are removed, altered or switched off are reported', async ({
    world,
    expect,
  }) => {
    await installedLocally(world);
    const intact = await world.read(LOCAL);
    const codes = async () => {
      const ran = ['verify --scope local', 'doctor'].map((line) => world.run(line, { env }));
      const [verify, doctor] = await Promise.all(ran);
      const { installed: all } = JSON.parse((await world.run('list --json', { env })).out);
      return [verify?.code, doctor?.code, all[0].clients[0].fires];
    };
    expect(await codes()).toEqual([0, 0, true]);
    await world.write(LOCAL, '{}');
    expect(await codes()).toEqual([1, 1, false]);
    await world.write(LOCAL, intact.replace('{ \\\\trap', 'true; { \\\\trap'));
    expect(await codes()).toEqual([1, 1, false]);
    await world.write(LOCAL, intact.replace('{', '{ "disableAllHooks": true,'));
    expect(await codes()).toEqual([1, 1, false]);
    await world.run('update --yes --scope local', { env });
    await world.write(LOCAL, intact.replace('{', '{ "cleanupPeriodDays": 0,'));
    expect(await codes()).toEqual([1, 1, false]);
  });

  test('all scopes can be installed side by side under one label', async ({ world, expect }) => {
    await furnish(world);
    const before = await world.snapshot('..');
    for (const scope of ['user', 'project', 'local'])
      await world.run(`install notes.json --yes --client claude --scope ${scope}`);
    const { installed: all } = JSON.parse((await world.run('list --json')).out);
    expect(
      all.map(({ scope, local = false }: { scope: string; local?: boolean }) => [scope, local]),
    ).toEqual([
      ['user', false],
      [world.work, false],
      [world.work, true],
    ]);
    const { out } = await world.run('doctor notes');
    expect(oneLine(out)).toContain(
      'it is also installed for the user (Claude Code): in ' +
        `${world.work} its hooks run twice (shown-twice) Remove one of them. In that folder: mcp-hooks uninstall notes --scope local, or anywhere: mcp-hooks uninstall notes`,
    );
    expect(oneLine(out)).toContain(
      'it is also installed for everybody in the project (Claude Code)',
    );
    expect(oneLine(out)).toContain(
      '--scope local, or there: mcp-hooks uninstall notes --scope project',
    );
    const states = async () => (await world.run('list')).out.match(/ intact /g)?.length ?? 0;
    for (const [gone, scope] of ['project', 'user', 'local'].entries()) {
      expect(await states()).toBe(3 - gone);
      expect((await world.run(`uninstall notes --yes --scope ${scope}`)).code).toBe(0);
    }
    expect(await world.snapshot('..')).toEqual(before);
  });

  test('a folder that we made is removed with its last file', async ({ world, expect }) => {
    await furnish(world);
    const before = await world.snapshot('..');
    const [claude, codex] = ['~/x/y/claude', '~/x/codex'].map((name) => world.path(name));
    const places = { env: { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex } };
    await world.run('install notes.json --yes --client claude', places);
    await world.run('install notes.json --yes --client codex', places);
    await world.run('uninstall notes --yes --client claude', places);
    await world.run('uninstall notes --yes --client codex', places);
    expect(await world.snapshot('..')).toEqual(before);
  });

  test('doctor finds entries that are not on record, and says how to remove them', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await world.run('install notes.json --yes --client claude');
    for (const [scope, name] of [
      ['project', '.claude/settings.json'],
      ['local', LOCAL],
    ] as const) {
      const line = `install notes.json --yes --client claude --scope ${scope}`;
      await world.run(line);
      const entries = await world.read(name);
      const uninstall = `uninstall notes --scope ${scope}`;
      await world.run(`${uninstall} --yes`);
      await world.write(name, entries);
      const { out } = await world.run('doctor');
      expect(oneLine(out)).toContain(
        `Claude Code has entries of notes, which are not in the record of what is installed (strays) ${world.path(name)} Install notes again, or remove them: mcp-hooks ${uninstall}`,
      );
      expect((await world.run(`${uninstall} --yes`)).code).toBe(0);
      expect(await world.read(name)).not.toContain('command');
    }
  });

  test("linked settings of the user's own are read", async ({ world, expect }) => {
    await furnish(world);
    await world.run('install notes.json --yes --client claude');
    await world.write('~/dotfiles/local.json', '{ "disableAllHooks": true }');
    await world.link(LOCAL, '~/dotfiles/local.json');
    const { out } = await world.run('doctor');
    expect(out).toContain('your own settings of this project set disableAllHooks');
    expect(out).not.toContain('outside the project');
  });

  test('the library plans, applies and removes it', async ({ world, expect }) => {
    await furnish(world);
    const before = await world.snapshot('..');
    const places = findPlaces(world.env(), { scope: 'local', project: world.work });
    const manifest = parseManifest(NOTES, world.path('notes.json'), { label: 'notes' });
    const made = plan({ manifest, places });
    expect(made.clients.map(({ file }) => file)).toEqual([world.path(LOCAL)]);
    expect(made.withoutScope.map(({ id }) => id)).toEqual(['codex', 'gemini-cli']);
    expect(() => plan({ manifest, places, clients: ['codex'] })).toThrow(
      'nothing can be installed there in local scope',
    );
    await apply(plan({ manifest, places, clients: ['claude-code'] }));
    expect(await world.read(LOCAL)).toContain(ENTRY);
    await apply(plan({ kind: 'uninstall', label: 'notes', places }));
    expect(await world.snapshot('..')).toEqual(before);
  });
});

describe.concurrent('warnings about git', () => {
  const FOR_ALL =
    'note: this file is shared with everyone who works on the project, and the entry names a path in your home.';
  const TRACKED =
    'warning: git tracks this file: your next commit would share the entry, which names a path in your home.';
  const instead = (name: string) =>
    name === 'Claude Code'
      ? 'Local scope (--scope local) writes to .claude/settings.local.json instead, which only you use.'
      : `${name} has no settings file that is yours alone in a project: install in user scope (--scope user), or keep this file out of your commits.`;
  const all = (words: string) => ({
    'claude-code': `${words} ${instead('Claude Code')}`,
    codex: `${words} ${instead('Codex CLI')}`,
    'gemini-cli': `${words} ${instead('Gemini CLI')}`,
  });
  const NONE = { 'claude-code': '', codex: '', 'gemini-cli': '' };

  test('--scope project suggests another scope, and warns if git tracks the file', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    expect(said(await planned(world, '--scope', 'project'))).toEqual(all(FOR_ALL));
    git(world, 'init', '-q');
    expect(said(await planned(world, '--scope', 'project'))).toEqual(all(FOR_ALL));
    const files = ['.claude/settings.json', '.codex/config.toml', '.gemini/settings.json'];
    for (const file of files) await world.write(file, file.endsWith('json') ? '{}\n' : '');
    git(world, 'add', '.');
    expect(said(await planned(world, '--scope', 'project'))).toEqual(all(TRACKED));
    const { out } = await world.run('diff notes.json --scope project');
    expect(oneLine(out)).toContain(
      `${TRACKED.replace('warning: ', 'warning: Claude Code: ')} ${instead('Claude Code')}`,
    );
    // Ignored by git, whose top folder is further up.
    git(world, 'rm', '-rq', '--cached', '.');
    await world.write('.gitignore', files.join('\n'));
    const ignored = await planned(world, '--scope', 'project');
    expect(said(ignored)).toEqual(NONE);
    expect(ignored.clients.map((one) => one.git)).toEqual(['ignored', 'ignored', 'ignored']);
  });

  test('--scope local warns if git tracks its file or does not ignore it', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    const claude = async () => said(await planned(world, '--scope', 'local'))['claude-code'];
    expect(await claude()).toBe('');
    git(world, 'init', '-q');
    expect(await claude()).toBe(
      'warning: git does not ignore this file, which only you should use: the entry, which names a path in your home, could be committed by accident. Add .claude/settings.local.json to the .gitignore of this folder.',
    );
    await world.write('~/.config/git/ignore', '**/.claude/settings.local.json\n');
    expect(await claude()).toBe('');
    await world.write(LOCAL, '{}\n');
    git(world, 'add', '--force', LOCAL);
    expect(await claude()).toBe(
      'warning: git tracks this file, which only you should use: your next commit would share the entry, which names a path in your home. Take it out of git: git rm --cached .claude/settings.local.json',
    );
  });

  test('there are none in user scope, if nothing is written, and for an uninstall', async ({
    world,
    expect,
  }) => {
    await furnish(world, true);
    await world.write('.claude/settings.json', '{}\n');
    git(world, 'add', '.');
    expect(said(await planned(world))).toEqual(NONE);
    const flags = '--scope project --client claude --yes';
    expect((await world.run(`install notes.json ${flags}`)).out).toContain('git tracks');
    expect((await world.run(`install notes.json ${flags}`)).out).not.toContain('git tracks');
    expect((await world.run(`uninstall notes ${flags}`)).out).not.toContain('git tracks');
  });
});
