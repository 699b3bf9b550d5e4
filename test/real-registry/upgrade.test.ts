// Installs by real packed builds of several versions, each updated, downgraded and removed by the other versions.
import { execa } from 'execa';
import { afterAll, beforeAll, describe } from 'vitest';
import { CLIENTS, COMMITTED, commands, fire } from '../support/hooks.ts';
import { test as base, World } from '../support/world.ts';
import { packed, unpacked, VERSIONS, type Version } from './builds.ts';

/** The settings of a user, with hooks of their own. */
const SETTINGS: Readonly<Record<string, string>> = {
  '~/.claude/settings.json':
    '{"model": "opus",\n "hooks": { "PostToolUse": [ {"matcher":"Bash", "hooks":[{"type":"command","command":"true"}]} ] } }',
  '~/.codex/config.toml': '# mine\nmodel = "gpt"\n[tui]\nnotifications = true\n',
  '~/.gemini/settings.json': '{\n\t"theme": "dark",\n\t"hooks": {}\n}\n',
};

/** All that the record of an install can hold: a text, a block with its permission, a server's name, a server. */
const MANIFEST = {
  version: 2,
  server: { command: 'node', args: ['/notes.mjs'] },
  hooks: {
    declarations: [
      { ...COMMITTED, context: `${COMMITTED.context} {server} keeps it.` },
      { event: 'session_start', context: 'Hello.', once: 'session', priority: 'suggestion' },
      { event: 'pre_tool_use', matcher: { input_contains: 'rm -rf /' }, block: 'No.' },
    ],
  },
};
const COMMAND = { hooks: { declarations: [{ ...COMMITTED, context: 'A second label.' }] } };

let shelf: World;
const programs = new Map<Version, string>();
beforeAll(async () => {
  shelf = await World.make();
  for (const version of VERSIONS)
    programs.set(version, await unpacked(await packed(version, shelf.work)));
});
afterAll(() => shelf?.remove());

class Machine {
  constructor(readonly world: World) {}

  async run(version: Version, line: string) {
    const { world } = this;
    const words = [programs.get(version) ?? '', ...line.split(' ')];
    const { exitCode, stdout, stderr } = await execa(process.execPath, words, {
      cwd: world.work,
      env: world.env({ PATH: '/usr/bin:/bin' }),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    return { code: exitCode, out: stdout, err: stderr };
  }

  /** The same for a command that must succeed. */
  async does(version: Version, line: string) {
    const { code, out, err } = await this.run(version, line);
    if (code !== 0) throw new Error(`${version}: ${line}: exit ${code}\n${out}\n${err}`);
    return out;
  }

  /** The home without the files that a firing leaves. Versions may write the keys of the ledger in any order. */
  async installed() {
    const { '.mcp-hooks/ledger.json': file, ...all } = await this.world.snapshot();
    const files = Object.entries(all);
    return {
      files: files.filter(([path]) => !/^\.mcp-hooks\/(?:log|sessions)\b/.test(path)),
      mode: file?.slice(0, 'file 600'.length),
      ledger: JSON.parse(await this.world.read('~/.mcp-hooks/ledger.json')),
    };
  }

  /** How often each client shows a text after a commit. */
  async shows(text: string) {
    const counts = CLIENTS.map(async (client) => {
      const all = await commands(this.world, client);
      const fired = await Promise.all(all.map((one) => fire(this.world, client, 'sh', one)));
      return fired.map(({ out }) => out.split(text).length - 1).reduce((a, b) => a + b, 0);
    });
    return Promise.all(counts);
  }
}

const test = base.extend<{ machine: Machine }>({
  machine: async ({ world }, use) => {
    for (const [file, text] of Object.entries(SETTINGS)) await world.write(file, text);
    await world.write('notes.json', JSON.stringify(MANIFEST));
    await world.write('second.json', JSON.stringify(COMMAND));
    await use(new Machine(world));
  },
});

const INSTALL = 'install notes.json --yes --allow block --with-server';
const once = CLIENTS.map(() => 1);
const never = CLIENTS.map(() => 0);
const PAIRS = VERSIONS.flatMap((one) =>
  VERSIONS.filter((other) => other !== one).map((other) => [one, other] as const),
);

describe.each(PAIRS)('installed by %s, then by %s', (first, second) => {
  test('update: nothing is lost, and nothing is installed twice', async ({ machine, expect }) => {
    const { world } = machine;
    const before = await world.snapshot();
    await machine.does(first, INSTALL);
    expect(await machine.shows(COMMITTED.context)).toEqual(once);
    // All versions share one ledger, so each lists the install before the update.
    for (const version of VERSIONS)
      expect(await machine.does(version, 'list')).toMatch(/^notes\b/m);
    await machine.does(second, 'update notes --yes');
    expect(await machine.shows(COMMITTED.context)).toEqual(once);
    const updated = await machine.installed();
    await machine.does(second, 'uninstall notes --yes');
    expect(await world.snapshot()).toEqual(before);
    // The result is the same as if only the second version had ever been installed.
    await machine.does(second, INSTALL);
    expect(updated).toEqual(await machine.installed());
  });

  test('install again, and uninstall with the first version', async ({ machine, expect }) => {
    const { world } = machine;
    const before = await world.snapshot();
    await machine.does(first, INSTALL);
    await machine.does(second, INSTALL);
    expect(await machine.shows(COMMITTED.context)).toEqual(once);
    await machine.does(first, 'uninstall notes --yes');
    expect(await world.snapshot()).toEqual(before);
  });

  test('a label of each version in one home', async ({ machine, expect }) => {
    const { world } = machine;
    const before = await world.snapshot();
    await machine.does(first, INSTALL);
    await machine.does(second, 'install second.json --yes');
    expect(await machine.shows('A second label.')).toEqual(once);
    expect(await machine.shows(COMMITTED.context)).toEqual(once);
    await machine.does(second, 'uninstall notes --yes');
    expect(await machine.shows(COMMITTED.context)).toEqual(never);
    expect(await machine.shows('A second label.')).toEqual(once);
    await machine.does(first, 'uninstall second --yes');
    expect(await world.snapshot()).toEqual(before);
  });
});

describe.each(VERSIONS)('%s and the record of a newer version', (version) => {
  test.for(['list', 'update', INSTALL, 'uninstall notes --yes', 'doctor'])(
    '%s: one sentence is printed, and nothing is changed',
    async (line, { machine, expect }) => {
      const { world } = machine;
      await machine.does('current', INSTALL);
      const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
      await world.write('~/.mcp-hooks/ledger.json', JSON.stringify({ ...ledger, version: 2 }));
      const before = await world.stamps();
      const { code, out, err } = await machine.run(version, line);
      expect([code, out, err]).toEqual([
        2,
        '',
        `${world.home}/.mcp-hooks/ledger.json, the record of what is installed, was written by a newer mcp-hooks. Nothing was written. Use that version.`,
      ]);
      expect(await world.stamps()).toEqual(before);
    },
  );
});
