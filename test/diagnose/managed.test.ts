// What users see on a machine whose administrator has set up hooks for all users.
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { expected } from '../clients/expectations.ts';
import { fleetOf } from '../support/fleet.ts';
import { clientOf, IDS } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/doctor/managed-hooks/before/machine');
const FILE = 'etc/claude-code/managed-settings.d/mcp-hooks.annal.json';

/** Makes the client's folder, and an image of the machine's own files. */
async function machineOf(world: World): Promise<string> {
  const machine = join(world.root, 'machine');
  await cp(FIXTURE, machine, { recursive: true });
  await world.write('~/.claude/settings.json', '{}\n');
  return machine;
}

describe.concurrent('on a machine with hooks of its administrator', () => {
  test('list shows where they come from', async ({ world }) => {
    const machine = await machineOf(world);
    const env = { MCP_HOOKS_SYSTEM_ROOT: machine };
    // That they have fired is not worth a message here.
    const fired = { at: Date.UTC(2026, 0, 5), client: 'claude-code', event: 'SessionStart' };
    const line = JSON.stringify({ ...fired, hooks: [1], characters: 170 });
    await world.write('~/.mcp-hooks/log/annal.jsonl', `${line}\n`);
    const { code, out } = await world.run(['list'], { env });
    expect([code, out]).toEqual([
      0,
      `annal  Claude Code, from the administrator of this machine  ${machine}/${FILE}\n`,
    ]);
    const json = await world.run(['list', 'annal', '--json'], { env });
    const { installed, managed } = JSON.parse(json.out);
    expect({ installed, managed }).toEqual({
      installed: [],
      managed: [
        {
          label: 'annal',
          client: 'claude-code',
          file: `${machine}/${FILE}`,
          events: ['SessionStart', 'SubagentStart'],
          fires: true,
        },
      ],
    });
    const other = await world.run(['list', 'other'], { env });
    expect(other.code).toBe(2);
  });

  test('every command that needs an install says where the hooks come from', async ({ world }) => {
    const env = { MCP_HOOKS_SYSTEM_ROOT: await machineOf(world) };
    const who =
      'The administrator of this machine has installed hooks called annal in Claude Code. Only the administrator can change or remove them. To switch off all of them for yourself: mcp-hooks mute annal\n';
    const commands = ['doctor', 'verify', 'verify --live', 'fire', 'update', 'uninstall', 'trust'];
    for (const command of [...commands, 'unmute']) {
      const { code, err } = await world.run(`${command} annal`, { env });
      expect([command, code, err]).toEqual([command, 2, expect.stringContaining(who)]);
      const other = await world.run(`${command} other`, { env });
      expect([command, other.code]).toEqual([command, 2]);
      expect(other.err).not.toContain('administrator');
    }
    const one = await world.run('mute annal 2', { env });
    expect([one.code, one.err]).toEqual([2, expect.stringContaining(who)]);
    // All of them can be muted, though.
    expect((await world.run('mute annal', { env })).code).toBe(0);
    expect(JSON.parse(await world.read('~/.mcp-hooks/policy.json')).servers).toEqual({
      annal: { muted: true },
    });
    expect((await world.run('unmute annal', { env })).code).toBe(0);
    expect((await world.run('mute other', { env })).code).toBe(2);
  });

  test('several files, labels and clients are each named once', async ({ world }) => {
    const machine = join(world.root, 'machine');
    const entry = (label: string, event: string) => {
      const file = `/opt/${label}/${event}.sh`;
      const command = `{ \\trap '\\exit 0' EXIT; \\. ${file}; } 2>/dev/null # mcp-hooks: ${label}`;
      return { hooks: [{ type: 'command', command }] };
    };
    const hooks = {
      SessionStart: [entry('annal', 'a'), entry('annal', 'b'), entry('notes', 'a')],
      Stop: [entry('notes', 'a'), entry('diary', 'a')],
    };
    const claude = `${machine}/etc/claude-code/managed-settings.json`;
    const gemini = `${machine}/etc/gemini-cli/system-defaults.json`;
    await world.write(claude, JSON.stringify({ hooks }));
    await world.write(
      gemini,
      JSON.stringify({ hooks: { AfterAgent: [entry('annal', 'a'), entry('other', 'a')] } }),
    );
    for (const name of ['annal/a.sh', 'annal/b.sh', 'diary/a.sh'])
      await world.write(`${machine}/opt/${name}`, '');
    for (const folder of ['.claude', '.gemini'])
      await world.write(`~/${folder}/settings.json`, '{}\n');
    const env = { MCP_HOOKS_SYSTEM_ROOT: machine };

    const { managed } = JSON.parse((await world.run(['list', '--json'], { env })).out);
    const claudeHas = { client: 'claude-code', file: claude };
    const geminiHas = { client: 'gemini-cli', file: gemini };
    expect(managed).toEqual([
      { label: 'annal', ...claudeHas, events: ['SessionStart'], fires: true },
      { label: 'notes', ...claudeHas, events: ['SessionStart', 'Stop'], fires: false },
      { label: 'diary', ...claudeHas, events: ['Stop'], fires: true },
      { label: 'annal', ...geminiHas, events: ['AfterAgent'], fires: true },
      { label: 'other', ...geminiHas, events: ['AfterAgent'], fires: false },
    ]);

    const findings = async (...args: string[]) => {
      const { out } = await world.run(['doctor', ...args, '--json'], { env });
      const all: { check: string; level: string; about: string; what: string }[] =
        JSON.parse(out).findings;
      return all
        .filter(({ check }) => check === 'managed-hooks')
        .map(({ level, about, what }) => `${level} ${about}: ${what}`);
    };
    const declarations = [{ event: 'session_start', context: 'a', priority: 'suggestion' }];
    await world.write('annal.json', JSON.stringify({ name: 'annal', hooks: { declarations } }));
    const own = 'install annal.json --client claude-code --yes';
    expect(await world.run(own, { env })).toMatchObject({ code: 0, err: '' });
    const by = 'from the administrator of this machine';
    const gone = `${by}, but their runner is missing: they do nothing`;
    expect(await findings('annal')).toEqual([
      `info Claude Code: it also has hooks of annal ${by}; yours take precedence`,
    ]);
    expect(await findings()).toEqual([
      `info Claude Code: it also has hooks of annal ${by}; yours take precedence`,
      `warning Claude Code: it has hooks of notes ${gone}`,
      `info Claude Code: it has hooks of diary ${by}`,
      `info Gemini CLI: it has hooks of annal ${by}`,
      `warning Gemini CLI: it has hooks of other ${gone}`,
    ]);
  });

  test('doctor reports the same to a user who has installed nothing', async ({ world }) => {
    const machine = await machineOf(world);
    const env = { MCP_HOOKS_SYSTEM_ROOT: machine };
    const { out } = await world.run(['doctor'], { env });
    expect(out.replace(/\s+/g, ' ')).toContain(
      'Claude Code has hooks of annal from the administrator of this machine (managed-hooks)',
    );
  });

  test('list names the hooks of a fleet instead of reporting that there are none', async ({
    world,
  }) => {
    const { files } = fleetOf([{ event: 'session_start', context: 'Known.' }]);
    const machine = join(world.root, 'machine');
    const put = (name: string, to: string) => {
      const found = files.find(({ path }) => path.endsWith(`/files/${name}`));
      return world.write(join(machine, to), found?.bytes.toString() ?? `no ${name}`);
    };
    const managed = IDS.flatMap((id) => {
      const { managed: path } = expected[id];
      return path === undefined ? [] : [{ id, path }];
    });
    for (const { id, path } of managed) await put(`${id}/${basename(path)}`, path);
    for (const { path } of files) {
      const [, runner] = path.split('/files/runner/');
      if (runner) await put(`runner/${runner}`, `usr/local/lib/mcp-hooks/annal/${runner}`);
    }
    const env = { MCP_HOOKS_SYSTEM_ROOT: machine };
    const { out } = await world.run(['list'], { env });
    expect(out.replaceAll(`${machine}/`, '')).toBe(
      managed
        .map(
          ({ id, path }) =>
            `annal  ${clientOf(id).name}, from the administrator of this machine  ${path}\n`,
        )
        .join(''),
    );
  });
});
