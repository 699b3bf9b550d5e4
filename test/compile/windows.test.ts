/** What we write on Windows. It is only inspected here, and does not run there. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { configFolder, findPlaces } from '../../src/clients/places.ts';
import { powerShellCommand, runnersIn, startedBy } from '../../src/compile/command.ts';
import { compile } from '../../src/compile/compile.ts';
import { ownership } from '../../src/install/ownership.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { expected } from '../clients/expectations.ts';
import { ALL_IDS, clientOf, IDS } from '../support/runner/clients.ts';

const STATE = 'C:\\Users\\Ann\\.mcp-hooks';

describe('a path in the command', () => {
  const commandIn = (state: string) =>
    powerShellCommand(
      `${state}\\node.exe`,
      `${state}\\servers\\annal\\runner.cjs`,
      'gemini-cli',
      'AfterTool',
    );

  test.each([
    ['with an apostrophe', "C:\\Users\\O'Brien", "'C:\\Users\\O''Brien\\node.exe'"],
    ['with a curly one', 'C:\\Users\\O\u2019Brien', "'C:\\Users\\O\u2019\u2019Brien\\node.exe'"],
    ['with a dollar', 'C:\\$Recycle', "('C:\\'+[char]36+'Recycle\\node.exe')"],
    ['with what means something in double quotes', 'C:\\`a` "b"', '\'C:\\`a` "b"\\node.exe\''],
    ['on another machine', '\\\\host\\share', "'\\\\host\\share\\node.exe'"],
  ])('%s', (_, state, word) => {
    const command = commandIn(state);
    expect(command).toContain(`-LiteralPath ${word})`);
    expect(command).not.toContain('$');
    const [found] = runnersIn(command, state);
    expect(found).toBe(`${state}\\servers\\annal\\runner.cjs`.replaceAll('\\', '/'));
    expect(startedBy(command)).toBe(`${state}\\servers\\annal\\runner.cjs`);
    expect(startedBy(`${command}; notify`)).toBeUndefined();
  });

  test('tells the label', () => {
    const places = { env: {}, home: 'C:\\Users\\Ann', state: STATE, scope: 'user' as const };
    const group = { hooks: [{ type: 'command', command: commandIn(STATE) }] };
    // On this machine, paths are joined with slashes.
    const slashed = { ...places, state: STATE.replaceAll('\\', '/') };
    expect(ownership(claudeCode, slashed)(group)).toBe('annal');
    expect(ownership(claudeCode, { ...places, state: 'C:\\Other' })(group)).toBeUndefined();
  });
});

describe('our plugin, which starts /bin/sh, is not made on Windows', () => {
  const declared = parseManifest(
    JSON.stringify({
      name: 'notes',
      hooks: {
        declarations: [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }],
      },
    }),
    'notes.json',
  );
  const windows = { node: 'C:\\node.exe' };

  test.each(ALL_IDS)('%s', (id) => {
    const client = clientOf(id);
    const there = { runner: '/r', state: '/s' };
    expect(compile(declared, client, there).groups).not.toEqual([]);
    const { groups, hooks } = compile(declared, client, { ...there, windows });
    if (!client.placement.files.user.some(({ start }) => start?.includes('/bin/sh'))) {
      expect(groups).not.toEqual([]);
      return;
    }
    expect(groups).toEqual([]);
    expect(hooks).toMatchObject([
      { grade: 'none', when: { code: 'not-on-windows', client: client.name } },
    ]);
  });
});

describe('the home folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-'));
    await mkdir(join(folder, 'ann'));
    await mkdir(join(folder, 'msys'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);

  test.each([
    ['only USERPROFILE', () => ({ USERPROFILE: at('ann') })],
    [
      'USERPROFILE before the HOME of a shell',
      () => ({ USERPROFILE: at('ann'), HOME: at('msys') }),
    ],
    ['HOME where there is no other', () => ({ HOME: at('ann') })],
    ['HOME where the other is empty', () => ({ USERPROFILE: '', HOME: at('ann') })],
  ])('%s', (_, env) => {
    const places = findPlaces(env(), folder, 'user', 'win32');
    expect([places.home, places.state]).toEqual([at('ann'), join(at('ann'), '.mcp-hooks')]);
    for (const id of IDS)
      expect(configFolder(clientOf(id), places)).toBe(join(at('ann'), expected[id].folder));
  });

  test('on other systems it is only HOME', () => {
    const env = { USERPROFILE: at('msys'), HOME: at('ann') };
    expect(findPlaces(env, folder, 'user', 'linux').home).toBe(at('ann'));
    expect(() => findPlaces({ USERPROFILE: at('ann') }, folder, 'user', 'linux')).toThrow(
      expect.objectContaining({ problem: { code: 'no-home', variable: 'HOME' } }),
    );
  });

  test('a missing or wrong variable is named', () => {
    expect(() => findPlaces({}, folder, 'user', 'win32')).toThrow(
      expect.objectContaining({ problem: { code: 'no-home', variable: 'USERPROFILE' } }),
    );
    expect(() => findPlaces({ USERPROFILE: at('nobody') }, folder, 'user', 'win32')).toThrow(
      expect.objectContaining({
        problem: { code: 'home-missing', variable: 'USERPROFILE', home: at('nobody') },
      }),
    );
  });
});
