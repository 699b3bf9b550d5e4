// The role of a fleet, run by the real Ansible below a scratch root: it creates files, leaves other files alone, and removes
// all its own again. test/real-clients/fleet.test.ts shows that the clients run these hooks.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expected } from '../clients/expectations.ts';
import { contents, fleetOf, NO_ANSIBLE, play, write } from '../support/fleet.ts';
import { IDS } from '../support/runner/clients.ts';
import { scratch } from '../support/runner/world.ts';

const MANAGED = IDS.flatMap((id) => expected[id].managed ?? []);

const HOOKS = [
  { event: 'session_start', context: 'Of {{ 7 * 7 }} notes, {% if true %}all{% endif %} are new.' },
  { event: 'post_tool_use', matcher: { tool_name: '[{{]x' }, context: 'After a call.' },
] as const;

const REQUIREMENTS = '/etc/codex/requirements.toml';
const SETTINGS = '/etc/gemini-cli/settings.json';
const DROP_IN = '/etc/claude-code/managed-settings.d/mcp-hooks.annal.json';
const RUNNER = '/usr/local/lib/mcp-hooks/annal';

/** A file of the machine's administrator. */
const THEIRS = `# Ours since 2024
allow_managed_hooks_only = true

[[hooks.SessionStart]]
hooks = [{ type = "command", command = "true" }]`;

function machine(files: Readonly<Record<string, string>> = {}) {
  const at = scratch('fleet of two');
  const [root, home, out] = ['root', 'home', 'out'].map((name) => join(at, name));
  if (!root || !home || !out) throw new Error(at);
  for (const folder of [root, home]) mkdirSync(folder);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const laidOut = () =>
    Object.fromEntries(Object.entries(contents(root)).filter(([, is]) => is.includes(' ')));
  return { root, home, out, put, read, files: laidOut };
}

describe.skipIf(NO_ANSIBLE !== undefined)(
  `a role that Ansible plays${NO_ANSIBLE ? `: ${NO_ANSIBLE}` : ''}`,
  () => {
    test('installs everything once, follows a new build, and removes everything', {
      timeout: 600_000,
    }, () => {
      const { root, home, out, read, files, put } = machine({
        [REQUIREMENTS]: THEIRS,
        '/etc/claude-code/managed-settings.d/10-theirs.json': '{ "model": "opus" }\n',
      });
      const before = files();
      write(out, fleetOf(HOOKS));

      const tried = play(out, { root, home, flags: ['--check'] });
      expect([tried.ok, files()], tried.said).toEqual([true, before]);

      const first = play(out, { root, home });
      expect([first.ok, first.changed > 0], first.said).toEqual([true, true]);
      const laid = files();
      expect(Object.keys(laid).filter((name) => name.startsWith('etc/'))).toEqual(
        ['etc/claude-code/managed-settings.d/10-theirs.json', ...MANAGED].sort(),
      );
      const role = join(out, 'roles/mcp_hooks_annal/files');
      expect(read(DROP_IN)).toBe(
        readFileSync(join(role, 'claude-code/mcp-hooks.annal.json'), 'utf8'),
      );
      expect(read(REQUIREMENTS)).toBe(
        `${THEIRS}\n# BEGIN mcp-hooks annal\n${readFileSync(join(role, 'codex/requirements.toml'), 'utf8')}# END mcp-hooks annal\n`,
      );
      // Ansible left the templates unfilled.
      expect(read(`${RUNNER}/claude-code.SessionStart.json`)).toContain(HOOKS[0].context);
      expect(read(SETTINGS)).toContain('{{');
      // All users may read, and only the owner may write.
      const modes = Object.entries(contents(join(root, 'usr'))).map(([, is]) => is.split(' ')[0]);
      expect(new Set(modes)).toEqual(new Set(['755', '644']));

      const second = play(out, { root, home });
      expect([second.ok, second.changed, files()], second.said).toEqual([true, 0, laid]);

      write(out, fleetOf([{ event: 'session_start', context: 'Another text.' }]));
      const anew = play(out, { root, home });
      expect([anew.ok, anew.changed > 0], anew.said).toEqual([true, true]);
      const names = Object.keys(files()).filter((name) => name.includes('PostToolUse'));
      expect([names, read(REQUIREMENTS).includes('PostToolUse')]).toEqual([[], false]);
      expect(read(SETTINGS)).not.toContain('AfterTool');

      // A later change to the file by its administrator is kept.
      const ours = read(SETTINGS);
      put(SETTINGS, ours.replace('{', '{ "ui": {},'));
      const changed = files();
      for (const mcp_hooks_state of ['present', 'absent']) {
        const refused = play(out, { root, home, mcp_hooks_state });
        expect([refused.ok, files()]).toEqual([false, changed]);
        expect(refused.said).toContain(
          `${SETTINGS} is there, and is not what this role has written`,
        );
      }
      put(SETTINGS, ours);

      const gone = play(out, { root, home, mcp_hooks_state: 'absent' });
      expect([gone.ok, gone.changed > 0], gone.said).toEqual([true, true]);
      // Only the newline at the end of the last line stays, which the block needed.
      expect(files()).toEqual({ ...before, 'etc/codex/requirements.toml': `644 ${THEIRS}\n` });
      const again = play(out, { root, home, mcp_hooks_state: 'absent' });
      expect([again.ok, again.changed], again.said).toEqual([true, 0]);
    });

    test.each<[string, string, string | null, string, Readonly<Record<string, unknown>>]>([
      [
        'settings of an administrator',
        SETTINGS,
        '{ "ui": {} }\n',
        'is not what this role has written',
        {},
      ],
      ['hooks in one value', REQUIREMENTS, 'hooks = { SessionStart = [] }\n', 'in one value', {}],
      ['an event in one value', REQUIREMENTS, '[hooks]\nSessionStart = []\n', 'in one value', {}],
      ['a link', REQUIREMENTS, null, 'is a link', {}],
      [
        'a folder that the role did not create',
        `${RUNNER}/node`,
        'bin',
        'it is not a folder of this role',
        {},
      ],
      [
        'an unknown state',
        '/etc/hostname',
        'a\n',
        'present or absent',
        { mcp_hooks_state: 'gone' },
      ],
      [
        'an unknown client',
        '/etc/hostname',
        'a\n',
        'are some of',
        { mcp_hooks_clients: ['cursor'] },
      ],
    ])('changes nothing for %s', { timeout: 120_000 }, (_, path, text, why, vars) => {
      const { root, home, out, put } = machine();
      if (text === null) {
        put('/srv/ours.toml', '# theirs\n');
        mkdirSync(dirname(join(root, path)), { recursive: true });
        symlinkSync(join(root, 'srv/ours.toml'), join(root, path));
      } else put(path, text);
      const before = contents(root);
      write(out, fleetOf(HOOKS));
      const { ok, said } = play(out, { root, home, ...vars });
      expect([ok, contents(root)], said).toEqual([false, before]);
      expect(said).toContain(why);
    });

    test('leaves out the clients that mcp_hooks_clients does not name', {
      timeout: 300_000,
    }, () => {
      const { root, home, out, put, read } = machine();
      put(SETTINGS, '{ "ui": {} }\n');
      write(out, fleetOf(HOOKS));
      const mcp_hooks_clients = ['claude-code', 'codex'];
      const { ok, said } = play(out, { root, home, mcp_hooks_clients });
      expect([ok, read(SETTINGS)], said).toEqual([true, '{ "ui": {} }\n']);
      for (const path of MANAGED.filter((one) => !/claude-code|codex|gemini/.test(one)))
        expect(existsSync(join(root, path))).toBe(false);
      // The removal works without mcp_hooks_clients, although the role was installed with it.
      const gone = play(out, { root, home, mcp_hooks_state: 'absent' });
      expect([gone.ok, read(SETTINGS), existsSync(join(root, DROP_IN))], gone.said).toEqual([
        true,
        '{ "ui": {} }\n',
        false,
      ]);
      expect(existsSync(join(root, REQUIREMENTS))).toBe(false);
    });
  },
);
