/** What we write on Windows. It is inspected here, and has not run there. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { configFolder, findPlaces } from '../../src/clients/places.ts';
import { CLIENTS, SHIPPABLE } from '../../src/clients/registry.ts';
import { bundleFor } from '../../src/compile/bundles/bundle.ts';
import { shipmentOf } from '../../src/compile/bundles/shipment.ts';
import { powerShellCommand, runnersIn, startedBy } from '../../src/compile/command.ts';
import { compile } from '../../src/compile/compile.ts';
import { ownership } from '../../src/install/ownership.ts';
import { template } from '../../src/system/package-files.ts';
import { clientOf, type Each, each } from '../support/runner/clients.ts';
import { declare } from '../support/runner/world.ts';

const STATE = 'C:\\Users\\Ann\\.mcp-hooks';
const RUNNER = `${STATE}\\servers\\annal`;
const NODE = 'C:\\Program Files\\nodejs\\node.exe';

test('each client gets a command for its PowerShell, in the form that it knows', () => {
  const groups = each((id) => {
    const options = { runner: RUNNER, state: STATE, windows: { node: NODE } };
    const declared = declare([{ event: 'pre_request', context: 'Hi.' }]);
    return compile(declared, clientOf(id), options).groups.map(({ group }) => group.hooks ?? group);
  });
  const command = (client: string, native: string) =>
    `try { if (Test-Path -LiteralPath '${RUNNER}\\runner.cjs') { if (Test-Path -LiteralPath '${NODE}') { & '${NODE}' '${RUNNER}\\runner.cjs' ${client} ${native} } else { & node '${RUNNER}\\runner.cjs' ${client} ${native} } } } catch { }; exit 0`;
  expect(groups).toEqual<Each<unknown>>({
    'claude-code': [
      [
        {
          type: 'command',
          shell: 'powershell',
          command: command('claude-code', 'UserPromptSubmit'),
          timeout: 15,
        },
      ],
    ],
    codex: [
      [
        {
          type: 'command',
          command: expect.stringContaining('# mcp-hooks: annal'),
          commandWindows: command('codex', 'UserPromptSubmit'),
          timeout: 15,
        },
      ],
    ],
    'gemini-cli': [
      [
        {
          name: 'mcp-hooks annal BeforeAgent',
          type: 'command',
          command: command('gemini-cli', 'BeforeAgent'),
          timeout: 15000,
        },
      ],
    ],
    'copilot-cli': [
      {
        type: 'command',
        command: expect.stringContaining('# mcp-hooks: annal'),
        powershell: command('copilot-cli', 'userPromptTransformed'),
        timeout: 15,
      },
    ],
  });
});

describe('a path in it', () => {
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

  test('says whose it is', () => {
    const places = { env: {}, home: 'C:\\Users\\Ann', state: STATE, scope: 'user' as const };
    const group = { hooks: [{ type: 'command', command: commandIn(STATE) }] };
    // Paths are put together as on this machine, with slashes.
    const slashed = { ...places, state: STATE.replaceAll('\\', '/') };
    expect(ownership(claudeCode, slashed)(group)).toBe('annal');
    expect(ownership(claudeCode, { ...places, state: 'C:\\Other' })(group)).toBeUndefined();
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
    ['USERPROFILE alone', () => ({ USERPROFILE: at('ann') })],
    [
      'USERPROFILE before the HOME of a shell',
      () => ({ USERPROFILE: at('ann'), HOME: at('msys') }),
    ],
    ['HOME where there is no other', () => ({ HOME: at('ann') })],
    ['HOME where the other is empty', () => ({ USERPROFILE: '', HOME: at('ann') })],
  ])('%s', (_, env) => {
    const places = findPlaces(env(), folder, 'user', 'win32');
    expect([places.home, places.state]).toEqual([at('ann'), join(at('ann'), '.mcp-hooks')]);
    expect(CLIENTS.map((client) => configFolder(client, places))).toEqual(
      ['.claude', '.codex', '.gemini', '.copilot'].map((name) => join(at('ann'), name)),
    );
  });

  test('elsewhere it is HOME, and nothing else', () => {
    const env = { USERPROFILE: at('msys'), HOME: at('ann') };
    expect(findPlaces(env, folder, 'user', 'linux').home).toBe(at('ann'));
    expect(() => findPlaces({ USERPROFILE: at('ann') }, folder, 'user', 'linux')).toThrow(
      expect.objectContaining({ problem: { code: 'no-home', variable: 'HOME' } }),
    );
  });

  test('the variable that is missing or wrong is named', () => {
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

test('a package ends at once in PowerShell, where the client takes a command for it', () => {
  const declared = declare([{ event: 'pre_request', context: 'Hi.' }]);
  const shipment = shipmentOf(declared, {});
  const commands = Object.fromEntries(
    SHIPPABLE.map(({ client, bundle }) => {
      const { files } = bundleFor(client, bundle, shipment, { template });
      const text = files
        .map(({ bytes }) => String(bytes))
        .find((one) => one.includes('"hooks": {'));
      const found = text?.match(/"(?:commandWindows|powershell|shell)": "[^"]*"/g) ?? [];
      return [client.id, [...new Set(found)]];
    }),
  );
  expect(commands).toEqual<Each<string[]>>({
    'claude-code': [],
    codex: ['"commandWindows": "exit 0 # mcp-hooks: annal"'],
    'gemini-cli': [],
    'copilot-cli': ['"powershell": "exit 0 # mcp-hooks: annal"'],
  });
});
