// How the installed version of a client changes a plan, `install` and `doctor`. No client is started: its version is in the
// package around it. For the real versions: npm run test:versions.
import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import { stateKey, trustHash } from '../../src/clients/codex/trust-hash.ts';
import { findPlaces } from '../../src/clients/places.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { disk } from '../../src/system/disk.ts';
import { manifest } from '../support/hooks.ts';
import { test, type World } from '../support/world.ts';

const HOOKS = [
  { event: 'session_start', context: 'AT-START' },
  { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, context: 'BEFORE' },
  { event: 'post_tool_use', matcher: { tool_server: 'notes' }, context: 'AFTER' },
  { event: 'post_request', context: 'NEXT' },
  { event: 'session_end', context: 'AT-END' },
  { event: 'session_end', context_tool: 'recall' },
].map((hook) => ({ ...hook, priority: 'important' }));

type Versions = Readonly<Record<string, string>>;

/** The client as npm installs it: an executable that is a link into its package. Whoever starts it leaves a trace. */
async function put(world: World, versions: Versions): Promise<void> {
  for (const { id, executable, npmPackage } of CLIENTS) {
    const version = versions[id];
    if (version === undefined) continue;
    const folder = `../lib/${npmPackage}`;
    const started = world.path('../started');
    await world.write(`${folder}/bin/x`, `#!/bin/sh\necho ${id} >> '${started}'\nexit 1\n`, 0o755);
    await world.write(`${folder}/package.json`, JSON.stringify({ name: npmPackage, version }));
    await world.remove(`../bin/${executable}`);
    await world.link(`../bin/${executable}`, `${folder}/bin/x`);
  }
}

const NEWEST = Object.fromEntries(CLIENTS.map(({ id, verified }) => [id, verified]));

async function declare(world: World, hooks: readonly object[] = HOOKS): Promise<void> {
  const server = { command: process.execPath, args: ['server.mjs'] };
  const declared = JSON.parse(manifest(...hooks));
  await world.write('annal.json', JSON.stringify({ ...declared, server }));
}

interface Planned {
  readonly id: string;
  readonly warning?: string;
  readonly afterInstall?: string;
  readonly hooks: readonly {
    readonly event: string;
    readonly grade: string;
    readonly when: string;
    readonly notes: readonly string[];
    readonly native: readonly string[];
  }[];
}

async function plan(world: World, versions: Versions, flags = ''): Promise<Planned[]> {
  await put(world, versions);
  const ids = Object.keys(versions).join(',');
  const { out, err } = await world.run(
    `diff annal.json --client ${ids} --allow context-tool --json ${flags}`,
  );
  expect(err).toBe('');
  return JSON.parse(out).clients;
}

/** What differs from the plan for the newest version, a line for each hook. */
async function differences(world: World, versions: Versions, flags = ''): Promise<object> {
  const usual = await plan(world, NEWEST, flags);
  const planned = await plan(world, versions, flags);
  return Object.fromEntries(
    planned.map(({ id, warning, afterInstall, hooks }) => {
      const other = usual.find((one) => one.id === id)?.hooks ?? [];
      const lines = hooks.flatMap(({ event, grade, when, notes, native }, index) => {
        if (JSON.stringify(other[index]) === JSON.stringify(hooks[index])) return [];
        const why = grade === 'none' ? [`not told: ${when}.`] : [];
        const own = notes.filter((note) => !other[index]?.notes.includes(note));
        return `${event} ${grade} by ${native.join(', ')}. ${[...why, ...own].join(' ')}`;
      });
      return [
        id,
        [...lines, ...(warning ? [warning] : []), ...(afterInstall ? ['asks for trust'] : [])],
      ];
    }),
  );
}

describe('the plan', () => {
  test.for<Versions>([
    { 'claude-code': '2.1.330', codex: '0.169.0', 'gemini-cli': '0.61.0' },
    { 'claude-code': '2.1.162', codex: '0.144.0', 'gemini-cli': '0.43.0' },
    { 'claude-code': '2.1.8', codex: '0.132.0', 'gemini-cli': '0.32.1' },
    { 'claude-code': '2.0.10', codex: '0.128.0', 'gemini-cli': '0.25.0' },
  ])('for %o', async (versions, { world }) => {
    await declare(world);
    expect(await differences(world, versions)).toMatchSnapshot();
    expect(readdirSync(world.root)).not.toContain('started');
  });
});

interface Finding {
  readonly level: string;
  readonly check: string;
  readonly about: string;
  readonly what: string;
  readonly todo?: string;
}

async function doctor(world: World): Promise<{ code: number | undefined; said: string[] }> {
  const { code, out } = await world.run('doctor --json');
  const { findings }: { findings: Finding[] } = JSON.parse(out);
  return {
    code,
    said: findings
      .filter(
        ({ check, level }) => check === 'client-version' && level !== 'ok' && level !== 'info',
      )
      .map(({ level, what, todo }) => `${level}: ${what} -> ${todo}`),
  };
}

async function install(world: World, flags = ''): Promise<string> {
  const { code, out, err } = await world.run(
    `install annal.json --allow context-tool --yes ${flags}`,
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('doctor', () => {
  const OLD = { 'claude-code': '2.1.8', codex: '0.128.0', 'gemini-cli': '0.32.1' };

  test('names the hooks that do not fire in an older version, and a second install helps', async ({
    world,
  }) => {
    await declare(world);
    await put(world, NEWEST);
    await install(world);
    expect((await doctor(world)).said).toEqual([]);
    await put(world, OLD);
    expect(await doctor(world)).toMatchSnapshot();
    await world.run('update annal --yes');
    expect(await doctor(world)).toMatchSnapshot();
  });

  test('asks for no trust in an event that Codex does not have', async ({ world }) => {
    await declare(world, HOOKS.slice(0, 1));
    await put(world, { codex: '0.132.0' });
    await install(world, '--client codex');
    const places = findPlaces(world.env(), world.work, 'user');
    const [first] = readWritten(codex, places, disk).hooks;
    if (first?.native !== 'SessionStart') throw new Error('it is not the first');
    const key = stateKey(first.path, first);
    const state = `\n[hooks.state."${key}"]\ntrusted_hash = "${trustHash(first)}"\n`;
    const file = '~/.codex/config.toml';
    await world.write(file, (await world.read(file)) + state);
    expect((await world.run('list')).out).not.toContain('does not fire');
    expect((await doctor(world)).said).toEqual([
      expect.stringContaining(
        'warning: annal: hook 1 fires in part only: Codex CLI 0.132.0 has no',
      ),
    ]);
  });

  test('says nothing of a newer version after an install for an older one', async ({ world }) => {
    await declare(world);
    await put(world, OLD);
    await install(world);
    await put(world, NEWEST);
    expect((await doctor(world)).said).toEqual([]);
  });

  test('counts them as hooks that do not fire, everywhere', async ({ world }) => {
    await declare(world, HOOKS.slice(4, 5));
    await put(world, NEWEST);
    await install(world, '--client claude-code');
    expect((await world.run('verify')).code).toBe(0);
    await put(world, OLD);
    expect((await world.run('verify')).code).toBe(1);
    expect((await world.run('list')).out).toContain('does not fire: this version is too old');
    await install(world, '--client claude-code');
    expect((await world.run('verify')).code).toBe(0);
  });
});

describe('install', () => {
  test('warns below the first version, and writes the hooks for a newer one', async ({ world }) => {
    await declare(world, HOOKS.slice(0, 1));
    await put(world, { 'gemini-cli': '0.25.0' });
    const out = await install(world, '--client gemini-cli');
    expect(out.replace(/\s+/g, ' ')).toContain(
      'warning Gemini CLI 0.25.0 runs none of these hooks. 0.26.0 or newer does: npm install --global @google/gemini-cli@latest.',
    );
    expect(await world.read('~/.gemini/settings.json')).toContain('BeforeAgent');
    const { code } = await world.run(
      'install annal.json --client gemini-cli --yes --allow context-tool --strict',
    );
    expect(code).toBe(2);
  });

  test('--trust has nothing to do in a Codex that asks for no trust', async ({ world }) => {
    await declare(world);
    await put(world, { codex: '0.128.0' });
    const out = await install(world, '--client codex --trust');
    expect(out).toContain('Codex CLI: version 0.128.0 runs hooks without asking for trust');
    expect(out).not.toContain('Trust all and continue');
    const { out: said } = await world.run('doctor --json --client codex');
    expect(said).not.toContain('trusted');
  });
});

test('a version with gaps decides nothing, and the plan says from which one on it would', async ({
  world,
}) => {
  const declarations = [
    { event: 'pre_tool_use', block: 'Not now.' },
    { event: 'pre_tool_use', command: ['true'], may: ['modify'] },
  ];
  const document = JSON.stringify({ version: 2, hooks: { declarations } });
  await world.write('guard.json', document);
  const said = async (versions: Versions) => {
    await put(world, versions);
    const ids = Object.keys(versions).join(',');
    const args = `diff guard.json --client ${ids} --allow block,modify,command --json`;
    const { clients }: { clients: Planned[] } = JSON.parse((await world.run(args)).out);
    return Object.fromEntries(
      clients.map(({ id, hooks: [block, modify] }) => [
        id,
        [block?.grade === 'none' && block.when, modify?.notes.find((note) => /tried/.test(note))],
      ]),
    );
  };
  const untried = (client: string, until: string) => [
    `nobody has tried what hooks can stop in ${client}; update it to ${until} or later`,
    `Nobody has tried what hooks can change in ${client}; update it to ${until} or later.`,
  ];
  expect(
    await said({ 'claude-code': '2.1.162', codex: '0.144.6', 'gemini-cli': '0.43.0' }),
  ).toEqual({
    'claude-code': untried('Claude Code 2.1.162', '2.1.163'),
    codex: untried('Codex CLI 0.144.6', '0.145.0'),
    'gemini-cli': untried('Gemini CLI 0.43.0', '0.44.0'),
  });
  // Of several gaps, the last one counts.
  expect(await said({ 'claude-code': '2.1.8', codex: '0.128.0', 'gemini-cli': '0.32.1' })).toEqual({
    'claude-code': untried('Claude Code 2.1.8', '2.1.163'),
    codex: untried('Codex CLI 0.128.0', '0.145.0'),
    'gemini-cli': untried('Gemini CLI 0.32.1', '0.44.0'),
  });
  const known = { 'claude-code': '2.1.163', codex: '0.145.0', 'gemini-cli': '0.44.0' };
  expect(await said({ ...known, 'copilot-cli': '1.0.88' })).toEqual(
    Object.fromEntries(
      [...Object.keys(known), 'copilot-cli'].map((id) => [id, [false, undefined]]),
    ),
  );
});
