/** Changes that others make to a client's settings or to a runner are reported, and nothing of them is run. */
import { parse, stringify } from 'smol-toml';
import { describe } from 'vitest';
import { hookCommand } from '../../src/compile/command.ts';
import { CONFIGS, type Group, IDS, type Id, installed } from '../support/fired.ts';
import type { World } from '../support/world.ts';
import { attack, env, Trap } from './attack.ts';

const PROMPT = [{ event: 'pre_request' }] as const;
const NATIVE = {
  'claude-code': 'UserPromptSubmit',
  codex: 'UserPromptSubmit',
  'gemini-cli': 'BeforeAgent',
} as const;
type Scope = 'user' | 'project';

const fileOf = (id: Id, scope: Scope): string =>
  scope === 'user' ? CONFIGS[id].path : CONFIGS[id].path.slice(2);

/** Changes the groups for a prompt in a client's settings. */
async function change(world: World, id: Id, scope: Scope, to: (groups: Group[]) => Group[]) {
  const path = fileOf(id, scope);
  const isToml = path.endsWith('.toml');
  const text = await world.read(path);
  const settings = isToml ? parse(text) : JSON.parse(text);
  settings.hooks[NATIVE[id]] = to(settings.hooks[NATIVE[id]] ?? []);
  await world.write(path, isToml ? stringify(settings) : JSON.stringify(settings, null, 1));
}

const commands = (to: (command: string) => string) => (groups: Group[]) =>
  groups.map((group) => ({
    ...group,
    hooks: group.hooks.map((hook) => ({ ...hook, command: to(hook.command) })),
  }));

/** Ways in which an attacker could alter an entry of ours. */
const ALTERED: Record<string, (shell: string) => (groups: Group[]) => Group[]> = {
  'before ours': (shell) => commands((command) => `${shell}; ${command}`),
  'after ours': (shell) => commands((command) => `${command}\n${shell}`),
  'within ours': (shell) => commands((command) => command.replace('EXIT; ', `EXIT; ${shell}; `)),
  'before ours that does nothing': (shell) =>
    commands((command) => `${shell} # ${/\S+\.sh/.exec(command)?.[0]}`),
  'a second entry': (shell) => (groups) => [
    ...groups,
    ...commands((command) => `${shell}; ${command}`)(groups),
  ],
};

const SAYS = /not the one that was installed/;
const said = (text: string) => text.replace(/\s+/g, ' ');

async function expectNotRun(
  world: World,
  trap: Trap,
  { scope, says = SAYS }: { scope: Scope; says?: RegExp },
  expect: import('vitest').ExpectStatic,
) {
  const flags = scope === 'user' ? [] : ['--scope', 'project'];
  const fired = await world.run(['fire', 'annal', 'pre_request', ...flags], { env });
  expect(said(fired.out)).toMatch(says);
  const verified = await world.run(['verify', ...flags], { env });
  expect(verified.code).toBe(1);
  // A reason that all clients share is printed once.
  expect(verified.out.match(/ failed {2}/g)).toHaveLength(IDS.length);
  expect(said(verified.out)).toMatch(says);
  expect(verified.out).not.toMatch(/Everything fires|fires on/);
  expect(trap.sprung()).toEqual([]);
}

describe('an entry of ours is altered', () => {
  for (const scope of ['user', 'project'] as const)
    attack(
      `fire and verify do not run an altered entry in ${scope} scope`,
      async ({ world, trap, expect }) => {
        await installed(world, PROMPT, {}, ['--scope', scope]);
        const files = await Promise.all(IDS.map((id) => world.read(fileOf(id, scope))));
        const ways = Object.values(ALTERED);
        // Each client gets a different change.
        for (const round of [0, IDS.length])
          for (const [at, id] of IDS.entries()) {
            await world.write(fileOf(id, scope), files[at] ?? '');
            const alter = ways[(at + round) % ways.length];
            if (alter) await change(world, id, scope, alter(trap.shell(id)));
            if (at === IDS.length - 1) await expectNotRun(world, trap, { scope }, expect);
          }
      },
    );

  attack(
    'an altered entry is not run where nothing is installed',
    async ({ world, trap, expect }) => {
      await installed(world, PROMPT, {}, ['--scope', 'project']);
      const kept = await Promise.all(IDS.map((id) => world.read(fileOf(id, 'project'))));
      await world.run('uninstall annal --scope project --yes', { env });
      for (const [at, id] of IDS.entries()) {
        await world.write(fileOf(id, 'project'), kept[at] ?? '');
        await change(
          world,
          id,
          'project',
          commands((command) => `${trap.shell(id)}; ${command}`),
        );
      }
      await expectNotRun(
        world,
        trap,
        { scope: 'project', says: /is not in the record of what is installed/ },
        expect,
      );
    },
  );

  attack(
    'fire, verify and doctor do not run the runner that a clone brings',
    async ({ world, trap, expect }) => {
      const folder = world.path('.mcp-hooks/servers/annal');
      await world.write(`${folder}/claude-code.UserPromptSubmit.sh`, trap.shell('runner'));
      const stage = `${folder}/claude-code.UserPromptSubmit.sh`;
      await world.write('.mcp-hooks/ledger.json', '{"version":1}');
      const handler = { type: 'command', command: hookCommand(stage), timeout: 15 };
      const hooks = { UserPromptSubmit: [{ hooks: [handler] }] };
      await world.write('.claude/settings.json', JSON.stringify({ hooks }));
      await world.run('fire annal pre_request --scope project', { env });
      await world.run('verify --scope project', { env });
      await world.run('doctor', { env });
      expect(trap.sprung()).toEqual([]);
    },
  );

  attack('another hook in the same group as ours is not run', async ({ world, trap, expect }) => {
    await installed(world, PROMPT);
    for (const id of IDS)
      await change(world, id, 'user', (groups) =>
        groups.map(({ hooks, ...group }) => ({
          ...group,
          hooks: hooks.flatMap((hook) => [{ ...hook, command: trap.shell(id) }, hook]),
        })),
      );
    await world.run('fire annal pre_request', { env });
    await world.run('verify', { env });
    expect(trap.sprung()).toEqual([]);
  });
});

describe('a runner is altered', () => {
  const STAGE = (id: Id) => `${id}.${NATIVE[id]}.sh`;
  attack('fire and verify do not run an altered runner', async ({ make, expect }) => {
    const files = (id: Id) => [STAGE(id), 'runner.cjs', `${id}.${NATIVE[id]}.json`];
    for (const at of [0, 1, 2]) {
      const world = await make();
      const trap = new Trap(world);
      await installed(world, PROMPT);
      for (const id of IDS) {
        const name = files(id)[at] ?? '';
        const path = `~/.mcp-hooks/servers/annal/${name}`;
        const code = name.endsWith('.sh') ? trap.shell(id) : trap.script(id);
        const line = name.endsWith('.json') ? '' : `${code}\n`;
        await world.write(path, `${line}${await world.read(path)} `);
      }
      await expectNotRun(world, trap, { scope: 'user', says: /runner was modified/ }, expect);
    }
  });

  attack('a first stage that was never installed is not run', async ({ world, trap, expect }) => {
    await installed(world, PROMPT);
    const path = '~/.mcp-hooks/servers/annal/claude-code.Stop.sh';
    await world.write(path, trap.shell('stop'));
    const settings = JSON.parse(await world.read('~/.claude/settings.json'));
    settings.hooks.Stop = JSON.parse(
      JSON.stringify(settings.hooks.UserPromptSubmit).replaceAll('UserPromptSubmit', 'Stop'),
    );
    await world.write('~/.claude/settings.json', JSON.stringify(settings));
    await world.run('fire annal Stop', { env });
    expect((await world.run('verify', { env })).code).toBe(1);
    expect(trap.sprung()).toEqual([]);
  });
});

attack('verify --live does not run an altered entry or runner', async ({ make, expect }) => {
  const stage = '~/.mcp-hooks/servers/annal/claude-code.UserPromptSubmit.sh';
  const ways: ((world: World, trap: Trap) => Promise<void>)[] = [
    async () => {},
    (world, trap) =>
      change(
        world,
        'claude-code',
        'user',
        commands((one) => `${trap.shell('entry')}; ${one}`),
      ),
    async (world, trap) =>
      world.write(stage, `${trap.shell('runner')}\n${await world.read(stage)}`),
    async (world, trap) => {
      await world.write(stage, `${trap.shell('unrecorded')}\n${await world.read(stage)}`);
      await world.remove('~/.mcp-hooks/ledger.json');
    },
  ];
  for (const [at, alter] of ways.entries()) {
    const world = await make();
    const trap = new Trap(world);
    await installed(world, PROMPT);
    await world.write(`${world.bin}/claude`, CLAUDE(world.path('ran')), 0o755);
    await alter(world, trap);
    const path = { PATH: `${world.bin}:${process.env.PATH}` };
    const { code, out } = await world.run('verify annal --live --client claude', { env: path });
    expect({ at, code, sprung: trap.sprung() }).toEqual({ at, code: 1, sprung: [] });
    expect(out.includes('is not as it was installed')).toBe(at > 0);
    // An intact entry does run, which proves that the trap works.
    expect((await world.read('ran')).trim()).toBe(at === 0 || at === 2 ? '1' : '0');
  }
});

/** A client that only runs each of its hooks once, and writes their number to a file. */
const CLAUDE = (file: string) => `#!${process.execPath}
if (process.argv.includes('--version')) { console.log('9.9.9 (Claude Code)'); process.exit(); }
const { readFileSync, existsSync, writeFileSync } = require('node:fs');
const path = process.env.HOME + '/.claude/settings.json';
const { hooks = {} } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
const all = Object.values(hooks).flat().flatMap((group) => group.hooks);
for (const { command } of all) require('node:child_process').spawnSync('/bin/sh', ['-c', command], { input: '{}' });
writeFileSync(${JSON.stringify(file)}, String(all.length));
`;
