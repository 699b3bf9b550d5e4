// Hooks that name tools of MCP servers that the client has not configured, or has under another name.
import { describe, expect, test as plain } from 'vitest';
import { unknownServers } from '../../src/compile/mentions.ts';
import { env } from '../support/fired.ts';
import { trustInCodex } from '../support/trusted.ts';
import { test, type World } from '../support/world.ts';

const HOOK = { event: 'post_tool_use', priority: 'suggestion' } as const;
const named = (hook: object, ...names: string[]) =>
  unknownServers({ ...HOOK, context: 'Hi.', ...hook }, { names }).map(({ text }) => text);

plain.each([
  [{ context: 'Use mcp__acme__add_note.' }, ['mcp__acme__add_note']],
  [{ context: 'mcp__acme__a or mcp__acme__b, mcp__acme__a' }, ['mcp__acme__a', 'mcp__acme__b']],
  [{ context: 'mcp__notes__a, mcp__my_notes__b, mcp__two__parts__c' }, []],
  [{ context: 'mcp__plugin_x_y__a, mcp__claude_ai_Gmail__b, mcp__ide__c' }, []],
  [{ context: 'xmcp__acme__a and mcp__ and mcp__acme' }, []],
  [{ matcher: { tool_name: 'mcp__acme__*' } }, ['mcp__acme__']],
  [{ matcher: { tool_name: '{Bash,mcp__notes__*}' } }, []],
  [{ matcher: { tool_name: 'mcp__*' } }, []],
  [{ matcher: { tool_server: 'acme' } }, ['acme']],
  [{ matcher: { tool_server: 'my notes' } }, []],
  [{ event: 'session_start', matcher: { tool_server: 'acme' } }, []],
])('%j names %j', (hook, said) => {
  expect(named(hook, 'notes', 'my notes', 'two__parts')).toEqual(said);
});

plain('the likely intended server is found', () => {
  const hook = { ...HOOK, context: 'mcp__acme__add_note' };
  expect(unknownServers(hook, { names: ['x', 'mynotes'], own: 'mynotes' })).toEqual([
    { text: 'mcp__acme__add_note', server: 'acme', near: 'mynotes' },
  ]);
  expect(unknownServers(hook, { names: ['x', 'acme-mcp'] })[0]?.near).toBe('acme-mcp');
  expect(unknownServers(hook, { names: [] })).toEqual([
    { text: 'mcp__acme__add_note', server: 'acme' },
  ]);
});

describe.concurrent('mcp__acme__add_note, if the server is called mynotes', () => {
  const server = { command: 'acme-server', args: ['--notes'] };
  const says = (clients: string, near = '; did you mean "mynotes"?') =>
    `no MCP server for mcp__acme__add_note in ${clients}${near}`;
  const furnish = async (world: World, name = 'mynotes') => {
    await world.folder('~/.claude', '~/.codex', '~/.gemini');
    const mcpServers = { [name]: server };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers }));
    await world.write(
      '~/.codex/config.toml',
      `[mcp_servers.${name}]\ncommand = "acme-server"\nargs = ["--notes"]\n`,
    );
    await world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers }));
    const hook = {
      ...HOOK,
      matcher: { tool_name: 'Bash' },
      context: 'mcp__acme__add_note keeps it.',
    };
    await world.write('annal.json', JSON.stringify({ server, hooks: { declarations: [hook] } }));
  };
  const flat = (text: string) => text.replace(/\s+/g, ' ');

  test('is reported by the plan for each client, and by verify and doctor for all in one sentence', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    const installed = await world.run('install annal.json --yes');
    expect(installed.code).toBe(0);
    await trustInCodex(world);
    const verified = await world.run('verify', { env });
    expect(verified.code).toBe(0);
    const doctor = await world.run('doctor');
    const named = 'hook 1: no MCP server for mcp__acme__add_note in';
    expect(flat(installed.out)).toContain(says('these clients'));
    const everywhere = `${named} Claude Code, Codex CLI and Gemini CLI; did you mean "mynotes"?`;
    expect(flat(verified.out)).toContain(`warning: annal: ${everywhere}`);
    expect(flat(doctor.out)).toContain(`${everywhere} (mentions)`);
    const { warnings } = JSON.parse((await world.run('verify --json', { env })).out);
    expect(warnings).toHaveLength(3);
  });

  test('is added by the command that doctor names, if it is the server of the hooks', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await world.write('~/.claude.json', '{}');
    await world.write('~/.codex/config.toml', '');
    await world.write('~/.gemini/settings.json', '{}');
    await world.run('install annal.json --name acme --yes');
    const { out } = await world.run('doctor');
    const [, command = ''] =
      /no MCP server for mcp__acme__add_note in.*\n(?:.*\n)?\s+mcp-hooks (.*)/.exec(out) ?? [];
    expect(command).toBe('update acme --with-server');
    expect((await world.run(`${command} --yes`)).code).toBe(0);
    expect((await world.run('doctor')).out).not.toMatch(/no (such )?MCP server/);
  });

  test('gets no suggestion if no name is similar', async ({ world, expect }) => {
    await furnish(world, 'zzz');
    await world.write('~/.claude.json', '{}');
    expect(flat((await world.run('diff annal.json --client claude-code')).out)).toContain(
      says('Claude Code', ''),
    );
  });

  test('is accepted if the server has this name, or if the names are not known', async ({
    world,
    expect,
  }) => {
    await furnish(world, 'acme');
    await world.write('~/.claude.json', '{');
    expect((await world.run('install annal.json --yes')).out).not.toMatch(/no (such )?MCP server/);
    expect((await world.run('verify', { env })).out).not.toContain('warning');
    expect((await world.run('doctor')).out).not.toMatch(/no (such )?MCP server/);
  });
});
