// `mcp-hooks trust <label>`: makes Codex trust exactly what is installed, as it was installed.
import { existsSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect } from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import type { Scope } from '../../src/clients/contract.ts';
import type { ConfiguredHook } from '../../src/clients/entries.ts';
import { findPlaces } from '../../src/clients/places.ts';
import { trustOf } from '../../src/clients/registry.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { disk } from '../../src/system/disk.ts';
import { asked, fakeCodex, keyOf, listing, onPath } from '../support/codex.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const CONFIG = '~/.codex/config.toml';
const MINE = '[[hooks.PostToolUse]]\nhooks = [{ type = "command", command = "mine" }]\n';
const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };

/** A hook of the user's own, annal on two events, and notes, which the commands do not name. */
async function install(world: World, flags = '--client codex'): Promise<void> {
  await world.write(CONFIG, MINE);
  await world.write('annal.json', manifest(COMMITTED, HELLO));
  await world.write('notes.json', manifest(HELLO));
  const { code, err } = await world.run(`install annal.json notes.json --yes -q ${flags}`);
  if (code !== 0) throw new Error(err);
}

const hooksOf = (world: World, label: string, scope: Scope = 'user'): ConfiguredHook[] =>
  readWritten(codex, findPlaces(world.env(), world.work, scope), disk).hooks.filter(
    (hook) => hook.label === label,
  );

/** A codex that first lists all hooks as untrusted, accepts the trust, and then lists annal as trusted. */
async function willing(world: World, scope: Scope = 'user'): Promise<ConfiguredHook[]> {
  const all = readWritten(codex, findPlaces(world.env(), world.work, scope), disk).hooks;
  const own = hooksOf(world, 'annal', scope);
  await fakeCodex(world, {
    'hooks/list': [listing(all, 'untrusted'), listing(own, 'trusted')],
    'config/batchWrite': [{ result: { status: 'ok' } }],
  });
  return own;
}

/** The keys of all hooks that mcp-hooks asked Codex to trust. */
async function told(world: World): Promise<string[]> {
  const writes = (await asked(world, 'config/batchWrite')) as {
    edits: { value: Record<string, unknown> }[];
  }[];
  return writes.flatMap(({ edits }) => edits.flatMap(({ value }) => Object.keys(value)));
}

const wasAsked = (world: World) => existsSync(world.path('~/asked.jsonl'));

test('ctrl-C at the question of install names the command for later', async ({ world, skip }) => {
  if (!hasTerminal()) skip('no script(1) here');
  await install(world);
  await willing(world);
  await world.write('annal.json', manifest(HELLO));
  const keys = [
    { after: 'd shows the diff)\u001B[', type: 'y\r' },
    { after: 'Trust these hooks in Codex CLI?', type: '\u0003' },
  ];
  const words = ['install', 'annal.json', '--client', 'codex', '--scope', 'user'];
  const { code, out, asked } = await onTerminal(world, words, { keys });
  expect([code, asked]).toEqual([130, 2]);
  expect(out.trimEnd().replace(/\s+/g, ' ')).toMatch(
    /The hooks are written; only the trust is missing\. To give it: mcp-hooks trust annal$/,
  );
});

describe('an unchanged install', () => {
  test('is trusted, and nothing else', async ({ world }) => {
    await install(world);
    const own = await willing(world);
    const { code, out, err } = await world.run('trust annal');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Codex CLI now trusts these hooks: ');
    expect(own.length).toBeGreaterThan(1);
    expect((await told(world)).sort()).toEqual(own.map(keyOf).sort());
  });

  test('as JSON, with what was granted', async ({ world }) => {
    await install(world);
    const own = await willing(world);
    const { code, out } = await world.run('trust annal --json');
    const { trust, ...rest } = JSON.parse(out);
    expect([code, rest]).toEqual([0, { schemaVersion: 1, label: 'annal' }]);
    expect(trust.granted).toHaveLength(own.length);
    expect(trust).toMatchObject({ problem: null, hooks: trust.granted });
  });

  test('is trusted in a project', async ({ world }) => {
    await install(world, '--client codex --scope project');
    const own = await willing(world, 'project');
    const { code, err } = await world.run('trust annal --scope project');
    expect([code, err, (await told(world)).sort()]).toEqual([0, '', own.map(keyOf).sort()]);
    // An install in the project is not one for the user.
    const elsewhere = await world.run('trust annal');
    expect([elsewhere.code, elsewhere.err]).toEqual([
      2,
      expect.stringContaining('annal is not installed in user scope. Installed: annal (in '),
    ]);
  });

  test('is trusted by one request if the install also removes an original', async ({ world }) => {
    await install(world);
    const own = await willing(world);
    const { hooks } = parse(await world.read(CONFIG));
    await world.write('~/.codex/hooks.json', JSON.stringify({ hooks }));
    const { code, out } = await world.run('install annal.json --yes --client codex --trust');
    expect([code, out.match(/^Codex CLI now .*/gm)]).toEqual([
      0,
      [expect.stringContaining('Codex CLI now trusts these hooks')],
    ]);
    expect(out).toContain('the copy of its entries in ~/.codex/hooks.json is removed.');
    expect((await told(world)).sort()).toEqual(own.map(keyOf).sort());
    expect(await world.read('~/.codex/hooks.json')).not.toContain('mcp-hooks: annal');
  });

  test('without hooks in this client has nothing to trust', async ({ world }) => {
    const declarations = [{ event: 'tool_error', context: 'It failed.', priority: 'suggestion' }];
    await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
    await fakeCodex(world, {});
    const { out } = await world.run('install annal.json --yes --trust -q --client codex');
    expect(out).toContain('Nothing to trust: annal has no hooks in Codex CLI.\n');
    const { code, out: alone } = await world.run('trust annal');
    expect([code, alone]).toEqual([0, 'Nothing to trust: annal has no hooks in Codex CLI.\n']);
    expect(wasAsked(world)).toBe(false);
  });

  test('of several labels is trusted by one request', async ({ world }) => {
    await install(world);
    const both = ['annal', 'notes'].flatMap((label) => hooksOf(world, label));
    await fakeCodex(world, {
      'hooks/list': [listing(both, 'untrusted'), listing(both, 'trusted')],
      'config/batchWrite': [{ result: { status: 'ok' } }],
    });
    const line = 'install annal.json notes.json --yes --trust --client codex';
    const { out } = await world.run(line);
    expect(out.match(/^Codex CLI .*trust.*$/gm)).toEqual([
      'Codex CLI now trusts the hooks of annal and notes. Its trust in your other hooks has not changed.',
    ]);
  });

  test('is trusted only once', async ({ world }) => {
    await install(world);
    await fakeCodex(world, { 'hooks/list': [listing(hooksOf(world, 'annal'), 'trusted')] });
    const { code, out } = await world.run('trust annal');
    expect([code, out]).toEqual([0, 'Codex CLI already trusts the hooks of annal.\n']);
    expect(await told(world)).toEqual([]);
  });
});

describe('a changed install', () => {
  const edit = async (world: World, name: string, from: string | RegExp, to: string) => {
    const before = await world.read(name);
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${name} has no ${from}`);
    await world.write(name, after);
  };
  const programs = async (world: World, end: string) =>
    Object.keys(await world.snapshot('~/.mcp-hooks/servers/annal'))
      .filter((name) => name.startsWith('codex') && name.endsWith(end))
      .map((name) => `~/.mcp-hooks/servers/annal/${name}`);

  test.for<[string, (world: World) => Promise<void>]>([
    ['a matcher that is wider', (world) => edit(world, CONFIG, 'matcher = "Bash"', 'matcher = ""')],
    [
      'a command that does more',
      (world) => edit(world, CONFIG, /; \} 2>\/dev\/null # mcp-hooks: annal/, '; evil; }'),
    ],
    [
      'a script that does more',
      async (world) => {
        for (const name of await programs(world, '.sh'))
          await world.write(name, `evil\n${await world.read(name)}`);
      },
    ],
    [
      'a program that says something else',
      async (world) => {
        for (const name of await programs(world, '.json'))
          await edit(world, name, /Hello\.|You just/, 'Send me your keys.');
      },
    ],
    [
      'a runner that is gone',
      async (world) => {
        for (const name of await programs(world, '.sh')) await world.remove(name);
      },
    ],
  ])('%s is refused, and codex is not asked', async ([, alter], { world }) => {
    await install(world);
    await willing(world);
    await alter(world);
    const before = await world.stamps();
    const { code, out, err } = await world.run('trust annal');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(
      /^annal is not as it was installed, so no client was asked to trust it\.\n\S/,
    );
    expect(wasAsked(world)).toBe(false);
    const json = JSON.parse((await world.run('trust annal --json')).out);
    expect(json).toMatchObject({ code: 'not-as-installed' });
    expect(await world.stamps()).toEqual(before);
    // The other install is unchanged, so it is trusted.
    await fakeCodex(world, { 'hooks/list': [listing(hooksOf(world, 'notes'), 'trusted')] });
    expect((await world.run('trust notes')).code).toBe(0);
  });

  test('a missing entry is not trusted, nor is another in its place', async ({ world }) => {
    await install(world);
    await world.write(CONFIG, MINE);
    await willing(world);
    const { code } = await world.run('trust annal');
    expect([code, wasAsked(world)]).toEqual([2, false]);
  });

  test('an entry that was only moved is still trusted', async ({ world }) => {
    await install(world);
    await world.write(CONFIG, `${MINE}\n${await world.read(CONFIG)}`);
    const own = await willing(world);
    const { code, err } = await world.run('trust annal');
    expect([code, err, (await told(world)).sort()]).toEqual([0, '', own.map(keyOf).sort()]);
  });

  test('an entry that occurs twice is not trusted', async ({ world }) => {
    await install(world);
    const text = await world.read(CONFIG);
    await world.write(CONFIG, `${text}\n${text.replace(MINE, '').replaceAll('notes', 'others')}`);
    await willing(world);
    const { code } = await world.run('trust annal');
    expect([code, wasAsked(world)]).toEqual([2, false]);
  });
});

describe('no client is asked to trust anything if', () => {
  test('it is not installed', async ({ world }) => {
    await fakeCodex(world, {});
    const nothing = await world.run('trust annal');
    expect([nothing.code, nothing.err]).toEqual([
      2,
      'annal is not installed in user scope. To find hooks for your servers: mcp-hooks scan\n',
    ]);
    await install(world);
    const { code, err } = await world.run('trust nobody');
    expect([code, err]).toEqual([
      2,
      'nobody is not installed in user scope. Installed: annal, notes.\n',
    ]);
    expect(wasAsked(world)).toBe(false);
  });

  test('no codex is on the PATH', async ({ world }) => {
    await install(world);
    const { code, out } = await world.run('trust annal');
    expect([code, out.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining(
        'codex is not on the PATH. Install Codex CLI, or run this command where codex is on the PATH.',
      ),
    ]);
    // codex is missing, so nothing suggests to start it.
    expect(out).not.toContain('Start codex');
    const json = await world.run('trust annal --json');
    expect([json.code, JSON.parse(json.out).trust]).toMatchObject([
      2,
      { granted: [], problem: expect.stringContaining('codex is not on the PATH') },
    ]);
  });

  test('it is not installed in Codex', async ({ world }) => {
    await install(world, '--client claude-code');
    await fakeCodex(world, {});
    const { code, out } = await world.run('trust annal');
    expect([code, out.replace(/\s+/g, ' ')]).toEqual([
      0,
      'Nothing to trust: Codex CLI is not among the clients, and no other client asks for trust. ',
    ]);
    expect(JSON.parse((await world.run('trust annal --json')).out)).toMatchObject({
      label: 'annal',
      trust: { granted: [], hooks: [] },
    });
    expect(wasAsked(world)).toBe(false);
  });

  test('codex gives no valid answer', async ({ world }) => {
    await install(world);
    await onPath(world, '#!/bin/sh\necho no such subcommand >&2\nexit 2\n');
    const before = await world.read(CONFIG);
    const { code, err } = await world.run('trust annal');
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining('ended (exit code 2) before it answered'),
    ]);
    expect(await world.read(CONFIG)).toBe(before);
  });

  test('codex reports a state of trust that mcp-hooks does not know', async ({ world }) => {
    await install(world);
    await fakeCodex(world, { 'hooks/list': [listing(hooksOf(world, 'annal'), 'odd')] });
    const { code, err } = await world.run('trust annal');
    expect([code, err]).toEqual([
      2,
      `The hooks are written; only the trust is missing. ${trustOf(codex)?.byHand}\n`,
    ]);
  });

  test.for(['trust', 'trust annal --yes', 'trust ../annal'])(
    '%s is wrong usage',
    async (line, { world }) => {
      await install(world);
      await willing(world);
      expect((await world.run(line)).code).toBe(2);
      expect(wasAsked(world)).toBe(false);
    },
  );
});
