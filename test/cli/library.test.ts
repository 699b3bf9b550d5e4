// The library, as a packaging script uses it: for the clients that a person has, and no others.
import { join } from 'node:path';
import { execa } from 'execa';
import { describe as group } from 'vitest';
import {
  apply,
  CLIENTS,
  describe,
  detectClients,
  findPlaces,
  parseManifest,
  plan,
  planRemoval,
  UserError,
} from '../../src/index.ts';
import { code } from '../support/pages.ts';
import { test, type World } from '../support/world.ts';

const declared = parseManifest(
  JSON.stringify({
    declarations: [{ event: 'session_start', context: 'Hello.', priority: 'suggestion' }],
  }),
  '/somewhere/annal.json',
);
const placesOf = (world: World) =>
  findPlaces({ HOME: world.home, PATH: world.bin }, world.work, 'user');

group.concurrent('a packaging script', () => {
  test('installs for the clients that are there, and takes out again', async ({
    world,
    expect,
  }) => {
    await world.folder('~/.claude');
    const places = placesOf(world);
    const before = await world.snapshot();
    expect(detectClients(places).map(({ id }) => id)).toEqual(['claude-code']);
    await apply(plan(declared, { places }));
    const now = Object.keys(await world.snapshot());
    expect(now).toContain('.claude/settings.json');
    expect(now.filter((path) => /^\.(codex|gemini)/.test(path))).toEqual([]);
    await apply(planRemoval('annal', { places }));
    expect(await world.snapshot()).toEqual(before);
  });

  test('shows what a user has to have seen', async ({ world, expect }) => {
    await world.folder('~/.claude', '~/.codex');
    await world.write('~/.claude/settings.json', '{ "hooks": [');
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
    const lines = describe(plan(withTool, { places }));
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    const text = lines.join('\n');
    for (const part of [
      /^notes declares 2 hooks\.$/m,
      /\| Hello\.$/m,
      /notes-server --all/,
      /^Claude Code +refused +~\/\.claude\/settings\.json:1:\d+: /m,
      /^ +context-tool: hook 2\. [\s\S]*Not allowed:\s+skipped\./m,
      /^To install: notes for Claude Code, Codex CLI; 1 file to change\.$/m,
      /^Skipped hook 2: /m,
    ])
      expect(text).toMatch(part);
    const allowed = describe(plan(withTool, { places, allow: ['context-tool'] })).join('\n');
    expect(allowed).toMatch(/You allow it, for\s+this declaration only\./);
    expect(allowed).not.toContain('Skipped');
  });

  test('is told of the clients alone in which something is to be removed', async ({
    world,
    expect,
  }) => {
    await world.folder('~/.claude', '~/.codex');
    const places = placesOf(world);
    expect(planRemoval('never-installed', { places }).clients).toEqual([]);
    await apply(plan(declared, { places }));
    const removal = planRemoval('annal', { places });
    expect(removal.clients.map(({ client }) => client.id)).toEqual(['claude-code', 'codex']);
    expect(describe(removal).join('\n')).toMatch(
      /^To uninstall: annal for Claude Code, Codex CLI; /m,
    );
  });

  test('can say for which', async ({ world, expect }) => {
    const places = placesOf(world);
    await apply(plan(declared, { places, clients: CLIENTS.slice(0, 1) }));
    expect(await world.read('~/.claude/settings.json')).toContain('.mcp-hooks/servers/annal/');
  });

  test('is told where no client is found, and nothing is written', async ({ world, expect }) => {
    const places = placesOf(world);
    expect(() => plan(declared, { places })).toThrow(
      new UserError(
        'No client was found on this machine: no config folder and no executable of Claude Code, Codex CLI, Gemini CLI, GitHub Copilot CLI. Nothing was written.',
        [],
        'no-client-found',
      ),
    );
    expect(Object.keys(await world.snapshot())).toEqual(['.']);
  });

  test('is told which file is refused, where and why, in words of its own', async ({
    world,
    expect,
  }) => {
    await world.write('~/.claude/settings.json', '{\n  // mine\n}\n');
    const places = placesOf(world);
    const error: unknown = await apply(plan(declared, { places })).catch((thrown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^\/.*\/\.claude\/settings\.json:2:3: a comment makes .* ignore .*\. Nothing was written\.$/,
      ),
      details: ['Fix the file, or leave Claude Code out.'],
    });
  });

  test('is the one of docs/authors.md', async ({ world, expect }) => {
    const script = code('docs/authors.md', 'example: library');
    expect(script).toContain('apply(changes)');
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
        .replace('/opt/annal/hooks.json', world.path('annal.json')),
    );
    const { exitCode, stderr } = await execa(process.execPath, ['script.mjs'], {
      cwd: world.work,
      env: { HOME: world.home, PATH: world.bin },
      extendEnv: false,
      reject: false,
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    const now = Object.keys(await world.snapshot());
    expect(now).toContain('.gemini/settings.json');
    expect(now.filter((path) => /^\.(codex|claude)/.test(path))).toEqual([]);
  });
});
