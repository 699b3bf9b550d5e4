/** A clone contains files that the user's own server would look for in its folder, so the server starts elsewhere. */
import { describe } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import type { World } from '../support/world.ts';
import { attack, env, Trap } from './attack.ts';

const NODE = process.execPath;

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Servers that run files of their folder, as `python3 -m` and `npx` do. */
const STYLES: Readonly<Record<string, (trap: Trap, name: string) => Launch>> = {
  'a file of the folder': (trap, name) => ({
    command: '/bin/sh',
    args: ['-c', `${MODULE}\n${trap.shellServer(name)}`],
  }),
  'a package in node_modules': (trap, name) => ({
    command: NODE,
    args: ['-e', `try { require('pkg') } catch {} ${trap.server(name).args[1]}`],
  }),
};
const MODULE = 'if [ -f ./module ]; then . ./module; fi';

/** The user's own server, which leaves the mark `own` when it is started. */
const own = (trap: Trap, style: string): Launch =>
  STYLES[style]?.(trap, 'own') ?? trap.server('own');

/** Puts a clone into a folder. It leaves the mark `clone` if anything of it is run. */
async function clone(world: World, trap: Trap, folder = '.'): Promise<void> {
  await world.write(`${folder}/module`, trap.shell('clone'));
  await world.write(`${folder}/node_modules/pkg/index.js`, trap.script('clone'));
}

/** The user's configuration of each client. */
const CONFIGURED: Readonly<Record<string, (server: Launch) => [file: string, text: string]>> = {
  'claude-code': (pkg) => ['~/.claude.json', JSON.stringify({ mcpServers: { pkg } })],
  codex: ({ command, args }) => [
    '~/.codex/config.toml',
    `[mcp_servers.pkg]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  ],
  'gemini-cli': (pkg) => ['~/.gemini/settings.json', JSON.stringify({ mcpServers: { pkg } })],
  cursor: (pkg) => ['~/.cursor/mcp.json', JSON.stringify({ mcpServers: { pkg } })],
  'vs-code': (pkg) => ['~/.config/Code/User/mcp.json', JSON.stringify({ servers: { pkg } })],
};

/** Commands for a server that is not installed; those of AGAIN need it installed. */
const NEW = ['scan', 'diff pkg --client claude', 'install pkg --client claude --yes'];
const AGAIN = [
  'diff pkg',
  'update pkg',
  'update --yes',
  'doctor --servers',
  'install pkg --yes --client claude',
];

/** Both ways to a configured server: all of them, and one by its name. */
const FEW = ['scan', 'install pkg --client claude --yes'];

for (const style of Object.keys(STYLES)) {
  describe(`a server that would run ${style}`, () => {
    attack(`a configured server runs nothing of a clone: ${style}`, async ({ make, expect }) => {
      for (const [client, file] of Object.entries(CONFIGURED)) {
        const world = await make();
        const trap = new Trap(world);
        await clone(world, trap);
        await world.write(...file(own(trap, style)));
        for (const line of client === 'claude-code' ? [...NEW, ...AGAIN] : FEW) {
          trap.reset();
          await world.run(line, { env });
          expect([client, line, trap.sprung()]).toEqual([client, line, ['own']]);
        }
      }
    });

    attack(
      `a server that was installed by its command runs nothing of a clone: ${style}`,
      async ({ world, trap, expect }) => {
        const { command, args } = own(trap, style);
        const typed = ['install', '--name', 'pkg', '--client', 'claude', '--yes', '--'];
        await world.folder('~/tools');
        await world.run([...typed, command, ...args], { env, cwd: world.path('~/tools') });
        expect(trap.sprung()).toEqual(['own']);
        await clone(world, trap);
        for (const line of AGAIN) {
          trap.reset();
          await world.run(line, { env });
          expect([line, trap.sprung()]).toEqual([line, ['own']]);
        }
      },
    );

    attack(
      `the server of a manifest runs nothing of a clone: ${style}`,
      async ({ world, trap, expect }) => {
        const server = own(trap, style);
        const hook = { event: 'session_start', context_tool: 'tell', priority: 'suggestion' };
        const manifest = { name: 'pkg', server, hooks: { declarations: [hook] } };
        await world.write('~/pkg.json', JSON.stringify(manifest));
        const install = 'install pkg.json --client claude --yes --allow context-tool';
        expect(await world.run(install, { env, cwd: world.home })).toMatchObject({ code: 0 });
        await clone(world, trap);
        for (const line of ['doctor --servers', 'fire pkg session_start', 'verify']) {
          trap.reset();
          await world.run(line, { env });
          expect([line, trap.sprung()]).toEqual([line, ['own']]);
        }
      },
    );
  });
}

attack(
  'the server of a manifest loads files beside the manifest, not those of a clone',
  async ({ world, trap, expect }) => {
    const hook = { event: 'session_start', context_tool: 'tell', priority: 'suggestion' };
    await world.write('~/own.cjs', '');
    await world.write('~/lib/index.js', '');
    for (const [args, started] of [
      [
        ['--require=./gone.cjs', './own.cjs'],
        ['--require=~/gone.cjs', '~/own.cjs'],
      ],
      [
        ['-r', './gone', './own.cjs'],
        ['-r', '~/gone', '~/own.cjs'],
      ],
      [['./lib'], ['~/lib']],
      [
        ['./main', './data'],
        ['~/main', './data'],
      ],
    ] as const) {
      const server = { command: NODE, args };
      const manifest = { name: 'pkg', server, hooks: { declarations: [hook] } };
      await world.write('~/pkg.json', JSON.stringify(manifest));
      const install = 'install pkg.json --client claude --yes --allow context-tool';
      expect(await world.run(install, { env, cwd: world.home })).toMatchObject({ code: 0 });
      const program = await world.read('~/.mcp-hooks/servers/pkg/claude-code.SessionStart.json');
      const paths = started.map((word) => word.replace('~', world.home));
      expect(JSON.parse(program).server.args).toEqual(paths);
    }
    expect(trap.sprung()).toEqual([]);
  },
);

/** A server that writes down the folder in which it was started, and what its environment says about it. */
const telling = (trap: Trap, world: World): Launch => {
  const names = ['PWD', 'CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR'];
  const places = `[process.cwd(), ...${JSON.stringify(names)}.map((name) => process.env[name])]`;
  const file = JSON.stringify(world.path('~/places.json'));
  const tell = `require('node:fs').writeFileSync(${file}, JSON.stringify(${places}))`;
  return { command: NODE, args: ['-e', `${tell};${trap.server('own').args[1]}`] };
};

attack(
  'PWD and the like name the folder in which a server is started, not the clone',
  async ({ world, trap, expect }) => {
    const folders = {
      PWD: world.work,
      CLAUDE_PROJECT_DIR: world.work,
      GEMINI_PROJECT_DIR: world.work,
    };
    for (const client of ['claude-code', 'gemini-cli', 'codex', 'cursor']) {
      const [file, text] = CONFIGURED[client]?.(telling(trap, world)) ?? ['', ''];
      await world.write(file, text);
      await world.run(`scan --from ${client} --json`, { env: { ...env, ...folders } });
      // Not every client gives its servers all of these variables.
      const places = new Set<unknown>(JSON.parse(await world.read('~/places.json')));
      places.delete(null);
      expect([client, ...places]).toEqual([client, world.home]);
    }
  },
);

attack(
  'a relative folder or envFile of a server is not looked for in a clone',
  async ({ world, trap, expect }) => {
    await clone(world, trap, 'srv');
    await world.write('evil.env', `NODE_OPTIONS="--require ${trap.file('file')}"\n`);
    // The server is a node, because only node obeys the variable in the envFile.
    const { command, args: rest } = trap.server('own');
    const server = {
      command: '/bin/sh',
      args: ['-c', `${MODULE}; exec "$@"`, 'sh', command, ...rest],
    };
    const pkg = { ...server, cwd: 'srv' };
    const inClone = { ...server, envFile: `\${workspaceFolder}/evil.env` };
    await world.write('~/.cursor/mcp.json', JSON.stringify({ mcpServers: { pkg, inClone } }));
    await world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers: { pkg } }));
    await world.run('scan', { env });
    for (const from of ['cursor', 'gemini'])
      await world.run(`diff pkg --client claude --from ${from}`, { env });
    expect(trap.sprung()).toEqual([]);
  },
);

attack('a command whose folder is gone is not run in a clone', async ({ world, trap, expect }) => {
  const { command, args } = own(trap, 'a file of the folder');
  const typed = ['install', '--name', 'pkg', '--client', 'claude', '--yes', '--', command];
  await world.folder('~/tools');
  await world.run([...typed, ...args], { env, cwd: world.path('~/tools') });
  await clone(world, trap);
  const ledger = await world.read('~/.mcp-hooks/ledger.json');
  const cwd = JSON.stringify(world.path('~/tools'));
  expect(ledger).toContain(`"cwd": ${cwd}`);

  // The folder does not exist any more, or is not on record.
  await world.remove('~/tools');
  for (const known of [ledger, ledger.replace(/,\s*"cwd": "[^"]*"/, '')]) {
    await world.write('~/.mcp-hooks/ledger.json', known);
    trap.reset();
    await world.run('update pkg', { env });
    expect(trap.sprung()).toEqual(['own']);
  }
});

attack(
  'an argument of a granted command is not taken for a file of a clone',
  async ({ world, trap, expect }) => {
    await world.write('~/tools/keep', '');
    const code = `if (process.argv[1] !== 'tool.mjs') ${trap.script('clone')};${trap.server('own').args[1]}`;
    const typed = ['install', '--name', 'pkg', '--client', 'claude', '--yes', '--'];
    const cwd = world.path('~/tools');
    await world.run([...typed, NODE, '-e', code, '--', 'tool.mjs'], { env, cwd });
    await world.write('tool.mjs', '');
    trap.reset();
    await world.run('update pkg', { env });
    expect(trap.sprung()).toEqual(['own']);
  },
);

attack(
  'no program of a clone is run through relative entries of PATH',
  async ({ world, trap, expect }) => {
    const clients = CLIENTS.map(({ executable }) => executable);
    const names = [...clients, 'npm', 'npx', 'node', 'pkg', 'git', 'bash', 'sh', 'cat', 'grep'];
    for (const name of names)
      for (const folder of ['.', 'node_modules/.bin'])
        await world.write(`${folder}/${name}`, `#!/bin/sh\n${trap.shell(name)}\n`, 0o755);
    await world.write('~/annal.json', JSON.stringify({ hooks: { declarations: [HELLO] } }));
    const relative = { env: { PATH: `.::./node_modules/.bin:node_modules/.bin:${env.PATH}` } };
    await world.write(
      '~/.claude.json',
      JSON.stringify({ mcpServers: { pkg: { command: 'pkg' } } }),
    );
    const file = world.path('~/annal.json');
    for (const line of [
      `install ${file} --client codex,claude --yes --trust`,
      'doctor --servers',
      'scan',
      'diff pkg --client claude',
      'install npm:@example/no-such --client claude --yes --timeout 5',
      'fire annal session_start',
      'verify annal',
    ])
      await world.run(line, relative);
    expect(trap.sprung()).toEqual([]);
  },
);

const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
