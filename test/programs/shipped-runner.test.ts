// A shipped runner finds its folder, the state folder and Node when a client starts it.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsAt, handlersIn } from '../../src/clients/entries.ts';
import { bundleOf } from '../../src/clients/registry.ts';
import { bundleFor } from '../../src/compile/bundles/bundle.ts';
import { shipmentOf } from '../../src/compile/bundles/shipment.ts';
import type { ShippedPlace } from '../../src/compile/command.ts';
import { compile } from '../../src/compile/compile.ts';
import { shippedFiles } from '../../src/compile/runner-files.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { template } from '../../src/system/package-files.ts';
import { type ClientId, clientOf, IDS, MOMENTS, recorded } from '../support/runner/clients.ts';
import { textIn } from '../support/runner/shape.ts';
import { declare, filesIn, type Hook, scratch } from '../support/runner/world.ts';

const HOOKS: readonly Hook[] = [
  { event: 'session_start', context: 'It\'s a note: $HOME, `echo` and "quotes".' },
  { event: 'pre_request', context: 'With each prompt.' },
  { event: 'post_request', context: 'After the turn.' },
];

interface Shipped {
  readonly home: string;
  readonly project: string;
  readonly files: Readonly<Record<string, string>>;
  readonly fire: (
    event: string,
    payload: unknown,
    env?: Readonly<Record<string, string>>,
  ) => { readonly printed: string; readonly exit: number | null };
}

/** Ships a runner as in a plugin, in a folder whose name has every character that a shell may trip over. */
function ship(id: ClientId, hooks = HOOKS, fixed = false): Shipped {
  const folder = scratch('a $folder "of" it\'s own');
  const [home, project, plugin] = ['home', 'shop', 'plugin'].map((name) => join(folder, name));
  if (!home || !project || !plugin) throw new Error(folder);
  const runner = join(plugin, 'hooks/annal');
  for (const made of [home, project, runner]) mkdirSync(made, { recursive: true });
  const client = clientOf(id);
  const place: ShippedPlace = fixed
    ? { path: runner }
    : { variable: 'PLUGIN_ROOT_OF_TEST', below: 'hooks/annal' };
  const { program, groups } = compile(declare(hooks), client, {
    runner: place,
    state: '',
    rules: { ...RULES, contextTool: true },
  });
  for (const { name, bytes, mode } of shippedFiles(template, place, [program], Buffer.from('{}')))
    writeFileSync(join(runner, name), bytes, { mode });
  const fire: Shipped['fire'] = (event, payload, env = {}) => {
    const command = groups
      .filter((placed) => placed.event === event)
      .flatMap(({ group }) => handlersIn(client, group))
      .flatMap(({ handler }) => commandsAt(client.entry.commands, handler))
      .at(0);
    if (command === undefined) throw new Error(`${id} has no ${event}`);
    const { PATH = '' } = process.env;
    const variable = fixed ? {} : { PLUGIN_ROOT_OF_TEST: plugin };
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command], {
      cwd: project,
      env: { PATH, HOME: home, ...variable, ...env },
      input: JSON.stringify(payload),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return { printed: stdout, exit: status };
  };
  return { home, project, files: filesIn(runner), fire };
}

const start = (id: ClientId) => {
  const { event, file } = MOMENTS.start[id];
  return { event, payload: recorded(id, file) };
};
const said = (id: ClientId, { fire }: Shipped, env?: Readonly<Record<string, string>>) => {
  const { event, payload } = start(id);
  const { printed, exit } = fire(event, payload, env);
  expect(exit).toBe(0);
  return printed === '' ? '' : textIn(id, event, printed);
};
const state = (home: string) => join(home, '.mcp-hooks');

describe.each(IDS)('%s', (id) => {
  test.each([
    ['a variable', false],
    ['a fixed folder', true],
  ])('shows the text, from the folder that %s names', (_, fixed) => {
    const shipped = ship(id, HOOKS, fixed);
    expect(said(id, shipped)).toContain('It\'s a note: $HOME, `echo` and "quotes".');
    // Once per session, as usual.
    expect(said(id, shipped)).not.toContain("It's a note");
    expect(readdirSync(state(shipped.home)).sort()).toEqual(['log', 'sessions']);
  });

  test('contains no path of the machine that it was made on', () => {
    const { home, files } = ship(id);
    for (const text of Object.values(files))
      for (const path of [dirname(home), process.execPath]) expect(text).not.toContain(path);
  });

  test("keeps its state in the user's own state folder", () => {
    const shipped = ship(id);
    const own = join(shipped.home, 'of my own');
    expect(said(id, shipped, { MCP_HOOKS_HOME: own })).toContain("It's a note");
    expect(existsSync(own)).toBe(true);
    expect(existsSync(state(shipped.home))).toBe(false);
  });

  test('shows nothing if nothing can be written', () => {
    const shipped = ship(id);
    for (const HOME of ['', 'relative', '/proc', join(shipped.home, 'missing')])
      expect([HOME, said(id, shipped, { HOME })]).toEqual([HOME, '']);
  });

  test('shows nothing without Node, except a text that does not need it', () => {
    const bin = scratch('bin');
    for (const name of ['mkdir', 'cat', 'grep', 'date']) {
      const paths = (process.env.PATH ?? '').split(delimiter).map((path) => join(path, name));
      symlinkSync(paths.find(existsSync) ?? '', join(bin, name));
    }
    const shipped = ship(id, [{ event: 'session_start', context: 'At the start.' }]);
    const isPlain = clientOf(id).nativeEvents[MOMENTS.start[id].event]?.occasion !== undefined;
    const text = said(id, shipped, { PATH: bin });
    if (isPlain) expect(text).toContain('At the start.');
    else expect(text).toBe('');
  });

  test('shows nothing if the user has installed the same hooks', () => {
    const shipped = ship(id);
    const { home, project } = shipped;
    const { event } = start(id);
    const settings = join(home, 'settings');
    const file = join(state(home), 'servers/annal', `${id}.${event}.sh`);
    const ledger = (project: string | null) =>
      writeFileSync(
        join(state(home), 'ledger.json'),
        JSON.stringify({
          installs: [{ label: 'annal', project, clients: [id] }],
          files: { [settings]: { client: id, project } },
        }),
      );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    // No ledger: an installer may be writing it.
    expect(said(id, shipped)).toBe('');
    ledger(null);
    writeFileSync(settings, `{ "command": ". ${file}" }`);
    expect(said(id, shipped)).toBe('');

    // The entry was removed by hand, or is not for this project.
    writeFileSync(settings, '{}');
    expect(said(id, shipped)).toContain("It's a note");
    const { printed } = shipped.fire(event, { ...start(id).payload, session_id: 'another-one' });
    expect(printed).not.toBe('');

    rmSync(file);
    const local = join(state(home), 'projects/1-2/annal', `${id}.${event}.sh`);
    mkdirSync(dirname(local), { recursive: true });
    writeFileSync(local, '');
    writeFileSync(settings, `{ "command": ". ${local}" }`);
    const inSession = (session_id: string) =>
      shipped.fire(event, { ...start(id).payload, session_id, sessionId: session_id }).printed;
    ledger(project);
    expect(inSession('third')).toBe('');
    ledger('/elsewhere');
    expect(inSession('fourth')).not.toBe('');
  });
});

/** Answers each call with the text in its variable ANNAL_SAYS. */
const TOOL_SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
    : { content: [{ type: 'text', text: process.env.ANNAL_SAYS }] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

describe('a package', () => {
  const client = clientOf('claude-code');

  /** The runner of a package, fired before a call. */
  function packed(manifest: object) {
    const folder = scratch('package');
    const [home, plugin] = [join(folder, 'home'), join(folder, 'plugin')];
    mkdirSync(state(home), { recursive: true });
    const declared = parseManifest(JSON.stringify(manifest), join(folder, 'annal.json'));
    const bundle = bundleOf(client);
    if (!bundle) throw new Error(folder);
    const { files } = bundleFor(client, bundle, shipmentOf(declared, {}), { template });
    for (const { path, bytes } of files) {
      const file = join(plugin, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    const root = join(plugin, 'claude-code/annal');
    const { hooks } = JSON.parse(readFileSync(join(root, 'hooks/hooks.json'), 'utf8'));
    const [{ command }] = hooks.PreToolUse[0].hooks;
    let calls = 0;
    return {
      allow: (rules: object) =>
        writeFileSync(
          join(state(home), 'policy.json'),
          JSON.stringify({ servers: { annal: rules } }),
        ),
      fire: () => {
        const payload = recorded('claude-code', 'PreToolUse', { tool_use_id: `call-${++calls}` });
        const { stdout } = spawnSync('/bin/sh', ['-c', command], {
          cwd: home,
          env: { PATH: process.env.PATH, HOME: home, [bundle.variable]: root },
          input: JSON.stringify(payload),
          encoding: 'utf8',
        });
        return stdout;
      },
    };
  }

  test('blocks nothing unless policy.json allows it', () => {
    const declarations = [{ event: 'pre_tool_use', block: 'NOT-NOW', priority: 'important' }];
    const { allow, fire } = packed({ name: 'annal', version: 2, hooks: { declarations } });
    expect(fire()).toBe('');
    allow({ trusted: true });
    expect(fire()).toBe('');
    allow({ block: true });
    expect(fire()).toContain('NOT-NOW');
  });

  test("calls no tool unless policy.json allows it, and then starts the server with the manifest's env", () => {
    const env = { ANNAL_SAYS: 'FROM-THE-MANIFEST' };
    const server = { command: 'node', args: ['-e', TOOL_SERVER], env };
    const declarations = [{ event: 'pre_tool_use', context_tool: 'recall', priority: 'important' }];
    const manifest = { name: 'annal', server, hooks: { declarations } };
    const { allow, fire } = packed(manifest);
    expect(fire()).toBe('');
    allow({ contextTool: true });
    expect(fire()).toContain('FROM-THE-MANIFEST');
  });
});
