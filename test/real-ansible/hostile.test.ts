// The role of a fleet with values that YAML, Jinja, a shell or TOML could take for their own syntax.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fleetOf, NO_ANSIBLE, play, write } from '../support/fleet.ts';
import { scratch } from '../support/runner/world.ts';

const HOSTILE = [
  '{{ 7 * 7 }}',
  '{{ lookup("pipe", "touch pwned") }}',
  "{{ lookup('ansible.builtin.file', '/etc/passwd') }}",
  '{% for x in [1] %}{{ x }}{% endfor %}',
  '{# gone #}',
  '{{ mcp_hooks_label }} {{ undefined_name }}',
  '{% raw %}x{% endraw %}',
  '#jinja2: variable_start_string: "[%"',
  '!!python/object/apply:os.system ["touch pwned"]',
  '!unsafe x',
  '!vault |\n  $ANSIBLE_VAULT;1.1;AES256',
  '&anchor *anchor <<: *anchor',
  '---\n- hosts: all',
  '...',
  'key: value: [unclosed',
  '"\'`$(touch pwned)`touch pwned`',
  `$HOME \${HOME} %HOME% $1`,
  '\'\'\'\n"""',
  '\\u0041\\x41\\n\\',
  '# END mcp-hooks annal\n[hooks]\nx = 1',
  '# BEGIN mcp-hooks annal',
  '\ttab and\u2028separator\u0085and\u00a0space',
  'yes no null ~ 0x1F 1_000 2026-01-01',
  '%s %d %% %(x)s',
  '🦊 ÄÖÜ ̈',
];

describe.skipIf(NO_ANSIBLE !== undefined)(
  `a role with hostile values${NO_ANSIBLE ? `: ${NO_ANSIBLE}` : ''}`,
  () => {
    test('installs exactly the bytes that were built', { timeout: 600_000 }, () => {
      const at = scratch('fleet\'s "own" $x');
      const [root, out] = [join(at, 'root'), join(at, 'out')];
      // Ansible puts this path unquoted into its own commands.
      const home = scratch('home');
      mkdirSync(root, { recursive: true });
      const fleet = fleetOf(
        HOSTILE.flatMap((context, index) => [
          { event: 'session_start' as const, context },
          {
            event: 'post_tool_use' as const,
            context: `After ${index}.`,
            matcher: { input_contains: context },
          },
        ]),
      );
      write(out, fleet);
      const { ok, said } = play(out, { root, home });
      expect(ok, said).toBe(true);
      const role = join(out, 'roles/mcp_hooks_annal/files');
      const runner = join(root, 'usr/local/lib/mcp-hooks/annal');
      for (const name of readdirSync(join(role, 'runner')))
        expect([name, readFileSync(join(runner, name), 'utf8')]).toEqual([
          name,
          readFileSync(join(role, 'runner', name), 'utf8'),
        ]);
      expect(readFileSync(join(root, 'etc/gemini-cli/settings.json'), 'utf8')).toBe(
        readFileSync(join(role, 'gemini-cli/settings.json'), 'utf8'),
      );
      expect(readFileSync(join(root, 'etc/codex/requirements.toml'), 'utf8')).toBe(
        `# BEGIN mcp-hooks annal\n${readFileSync(join(role, 'codex/requirements.toml'), 'utf8')}# END mcp-hooks annal\n`,
      );
      for (const folder of [home, root, out, process.cwd()])
        expect(existsSync(join(folder, 'pwned'))).toBe(false);
      expect(said).not.toContain('root:x:0');
      const again = play(out, { root, home });
      expect([again.ok, again.changed], again.said).toEqual([true, 0]);
      const gone = play(out, { root, home, mcp_hooks_state: 'absent' });
      expect([gone.ok, existsSync(runner)], gone.said).toEqual([true, false]);
    });
  },
);
