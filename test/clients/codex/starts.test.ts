// A Codex that does not start. Only Codex knows all of its settings, so we ask it about a copy of them.
import { existsSync } from 'node:fs';
import { describe } from 'vitest';
import { test, type World } from '../../support/world.ts';

const CONFIG = '~/.codex/config.toml';
const ASKED = '~/asked';

/** Answers and writes files like the real Codex, and records what it was asked. */
const PROGRAM = (world: World) => `#!/bin/sh
PATH=/usr/bin:/bin
echo "$CODEX_HOME $*" >> '${world.path(ASKED)}'
touch "$CODEX_HOME/state_5.sqlite"
case "$1 $(cat "$CODEX_HOME/config.toml")" in
features*zzz*) printf 'Error: failed to load configuration\\n\\nCaused by:\\n    not found: zzz\\n' >&2; exit 1 ;;
login*zzz*) echo "Error loading configuration: $CODEX_HOME/config.toml:1:1: not found: zzz" >&2; exit 1 ;;
features*) exit 0 ;;
esac
exit 2
`;

const MANIFEST = {
  name: 'annal',
  hooks: {
    declarations: [{ event: 'pre_request', context: 'Write it down.', priority: 'suggestion' }],
  },
};

async function furnish(world: World, config: string) {
  await world.write('annal.json', JSON.stringify(MANIFEST));
  await world.write(CONFIG, config);
  await world.write(`${world.bin}/codex`, PROGRAM(world), 0o755);
}

const install = (world: World, more = '') =>
  world.run(`install annal.json --yes --client codex ${more}`);

describe.concurrent('a Codex that does not start', () => {
  test('gets no hooks: its reason is shown, and nothing is written', async ({ world, expect }) => {
    await furnish(world, 'model_provider = "zzz"\n');
    const before = await world.read(CONFIG);
    const { code, err } = await install(world);
    expect(err).toContain(
      'Codex CLI does not start with its configuration, so no hook would run: ~/.codex/config.toml:1:1: not found: zzz. Nothing was written.',
    );
    expect(err).toContain('leave Codex CLI out with --client');
    expect(code).toBe(2);
    expect(await world.read(CONFIG)).toBe(before);
    expect(existsSync(world.path('~/.mcp-hooks/servers'))).toBe(false);
    // Codex wrote into a copy, which was removed.
    expect(existsSync(world.path('~/.codex/state_5.sqlite'))).toBe(false);
    const [folder = ''] = (await world.read(ASKED)).split(' ');
    expect(existsSync(folder)).toBe(false);
  });

  test('is an error in doctor, and not an error about trust', async ({ world, expect }) => {
    await furnish(world, 'model_provider = "mine"\n');
    expect((await install(world)).code).toBe(0);
    await world.write(
      CONFIG,
      `model_provider = "zzz"\n${await world.read(CONFIG)}`.replace(
        'model_provider = "mine"\n',
        '',
      ),
    );
    const { code, out } = await world.run('doctor --json');
    const {
      findings,
    }: { findings: { check: string; level: string; what: string; todo?: string }[] } =
      JSON.parse(out);
    const told = findings.filter(({ level }) => level === 'error');
    expect(told.map(({ check, what }) => `${check}: ${what}`)).toEqual([
      'settings-valid: Codex CLI does not start with its configuration: ~/.codex/config.toml:1:1: not found: zzz',
    ]);
    expect(told[0]?.todo).toContain('Fix its configuration; until then no hook runs.');
    expect(findings.find(({ check }) => check === 'codex-trust')?.what).toBe(
      'Codex CLI has to start before it can trust anything',
    );
    expect(code).toBe(1);
    expect(existsSync(world.path('~/.codex/state_5.sqlite'))).toBe(false);
  });

  test('is not asked if we know all of its settings', async ({ world, expect }) => {
    await furnish(world, 'model = "gpt-6"\n\n[projects."/x"]\ntrust_level = "trusted"\n');
    expect((await install(world)).code).toBe(0);
    expect(existsSync(world.path(ASKED))).toBe(false);
  });

  test.for<[what: string, server: string, asked: boolean]>([
    [
      'a server as codex mcp add writes it',
      'command = "npx"\nargs = ["-y", "x"]\n[mcp_servers.memory.env]\nA = "b"',
      false,
    ],
    [
      'a server with a setting that only Codex knows',
      'command = "npx"\nstartup_timeout_sec = "soon"',
      true,
    ],
    ['a server with a value of the wrong type', 'command = "npx"\nargs = "-y"', true],
    ['a server without a command or an address', '', true],
  ])('is asked only about unusual servers: %s', async ([, server, asked], { world, expect }) => {
    await furnish(world, `[mcp_servers.memory]\n${server}\n`);
    expect((await install(world)).code).toBe(0);
    expect(existsSync(world.path(ASKED))).toBe(asked);
  });

  test('is assumed to start if it cannot be asked', async ({ world, expect }) => {
    await furnish(world, 'model_provider = "zzz"\n');
    await world.write(`${world.bin}/codex`, '#!/bin/sh\necho no such command >&2\nexit 2\n', 0o755);
    expect((await install(world)).code).toBe(0);
  });

  test('is not started by diff, or before the user has agreed', async ({ world, expect }) => {
    await furnish(world, 'model_provider = "zzz"\n');
    expect((await world.run('diff annal.json --client codex')).code).toBe(1);
    expect((await install(world, '--dry-run')).code).toBe(0);
    expect(existsSync(world.path(ASKED))).toBe(false);
  });
});
