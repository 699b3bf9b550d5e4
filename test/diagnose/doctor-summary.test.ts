// What people read of `mcp-hooks doctor` in a terminal of 80 columns: the result first, and each finding once for all clients.
import { describe, expect } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { runAt } from '../support/columns.ts';
import { ALL_IDS, FOLDERS, namesOf } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const NAMES_A_TOOL = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'Save it with mcp__memory__create_entities.',
  priority: 'suggestion',
};
const CALLS = { event: 'session_start', context_tool: 'read_graph', priority: 'important' };

/** A folder in the home, so that its path is as short as a user's. */
const DESK = '~/desk';

/** Every client has a folder, but none is on the PATH. */
async function furnish(world: World): Promise<void> {
  await world.folder(...FOLDERS, DESK);
  const server = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
  const hooks = { declarations: [NAMES_A_TOOL, CALLS] };
  await world.write('memory.json', JSON.stringify({ server, hooks }));
}

const install = (world: World, args = '') => world.run(`install memory.json --yes ${args}`);

const doctor = async (world: World, args = '') => {
  const words = ['doctor', ...args.split(' ').filter((word) => word !== '')];
  const { code, out, lines } = await runAt(80, world, words, {
    cwd: world.path(DESK),
  });
  return { code, out, lines, flat: out.replace(/\s+/g, ' ') };
};

/** The findings in the printed order, by level and check. */
const printed = (out: string): string[] =>
  [...out.matchAll(/^ {2}(error|warning|note) .*(?:\n {11}.*)*?\(([a-z-]+)\)$/gm)].map(
    ([, level, check]) => `${level} ${check}`,
  );

const timesIn = (text: string, part: string): number => text.split(part).length - 1;

describe.concurrent('in a terminal of 80 columns', () => {
  test('all clients with one server fit on a screen', async ({ world }) => {
    await furnish(world);
    await install(world);
    const { code, out, lines, flat } = await doctor(world);
    expect(code).toBe(1);
    expect(lines.length).toBeLessThanOrEqual(20 + Math.max(0, ALL_IDS.length - 4));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toMatch(
      /^1 error, 3 warnings: a hook does not fire( in .+)?\. \d+ checks passed/,
    );
    expect(lines.indexOf('memory')).toBeLessThan(lines.indexOf('This machine'));
    // Each finding is printed once for all clients.
    const found = printed(out);
    expect(new Set(found).size).toBe(found.length);
    const levels = found.map((one) => one.split(' ')[0]);
    expect(levels.slice(0, 3)).toEqual(['error', 'warning', 'note']);
    for (const name of namesOf(ALL_IDS)) expect(flat).toContain(name);
    for (const { executable } of CLIENTS) expect(flat).toContain(executable);
    expect(timesIn(flat, 'mcp__memory__create_entities')).toBe(1);
    expect(timesIn(flat, 'on the PATH')).toBe(1);
    // Commands have lines of their own, to be copied.
    expect(lines).toContain('           mcp-hooks trust memory');
    expect(lines).toContain('           mcp-hooks update memory --allow context-tool');
    const at = { cwd: world.path(DESK), colour: true };
    const { out: painted } = await runAt(80, world, ['doctor'], at);
    for (const level of ['31merror', '33mwarning', '36mnote'])
      expect(painted).toContain(`\n  \u001B[${level} `);
  });

  test('scripts still get each finding separately', async ({ world }) => {
    await furnish(world);
    await install(world);
    const { findings } = JSON.parse((await doctor(world, '--json')).out);
    const of = (name: string) =>
      findings.filter(({ check }: { check: string }) => check === name).length;
    expect([of('client-there'), of('mentions')]).toEqual([ALL_IDS.length, ALL_IDS.length]);
  });

  test('an unreadable record is printed first, and entries are named once', async ({ world }) => {
    await furnish(world);
    await install(world);
    await world.write('~/.mcp-hooks/ledger.json', '{');
    const { code, out, lines, flat } = await doctor(world);
    expect(code).toBe(1);
    expect(flat).toMatch(/^1 error, \d+ warnings\. mcp-hooks cannot tell what is installed\. /);
    expect(printed(out)[0]).toBe('error ledger');
    expect(timesIn(flat, 'entries of memory')).toBe(1);
    expect(lines.length).toBeLessThanOrEqual(24 + Math.max(0, ALL_IDS.length - 4));
  });

  test('clients without hooks are one note', async ({ world }) => {
    await furnish(world);
    const { code, flat } = await doctor(world);
    expect(code).toBe(0);
    expect(flat).toMatch(/^No problems found\. Nothing is installed\. \d+ checks passed/);
    expect(timesIn(flat, '(client-there)')).toBe(1);
  });

  test('a label that is not installed in the given client is reported', async ({ world }) => {
    const [first = '', second = ''] = ALL_IDS;
    await furnish(world);
    await install(world, `--client ${first}`);
    const { flat } = await doctor(world, `--client ${second}`);
    expect(flat).toContain('No matching hooks are installed.');
  });

  test('the servers of several labels are one note', async ({ world }) => {
    await furnish(world);
    for (const name of ['memory', 'other'])
      await install(world, `--allow context-tool --name ${name}`);
    expect((await doctor(world)).flat).toContain(
      'the servers of memory and other were not started; --servers does that (server)',
    );
  });

  test('a finding that several labels have is printed once, with the labels', async ({ world }) => {
    await furnish(world);
    for (const name of ['one', 'two', 'three']) {
      const server = { command: 'npx', args: ['-y', `@example/${name}`] };
      const context = `Save it for ${name} with mcp__{server}__create_entities.`;
      const hooks = { declarations: [{ ...NAMES_A_TOOL, context }] };
      await world.write('memory.json', JSON.stringify({ server, hooks }));
      await install(world, `--name ${name}`);
    }
    const { out, flat } = await doctor(world);
    expect(out).toContain('\none, two and three\n');
    const found = printed(out);
    expect(new Set(found).size).toBe(found.length);
    expect(flat).toContain('mcp-hooks trust one two three');
    expect(flat).toContain('so the hooks call them "one", "two" and "three" (mentions)');
    expect(flat).toContain('mcp-hooks update one two three --with-server');
  });

  test('a runner that is gone completely is one finding', async ({ world }) => {
    await furnish(world);
    await install(world);
    await world.remove('~/.mcp-hooks/servers/memory');
    const { out } = await doctor(world);
    expect(printed(out).filter((one) => one === 'error runner')).toHaveLength(1);
    expect(out.replace(/\s+/g, ' ')).toMatch(/runner damaged \(.* more are missing\)/);
  });

  test('--verbose names passed checks, which are counted otherwise, and finds the same problems', async ({
    world,
  }) => {
    await furnish(world);
    await install(world);
    const [short, long] = [await doctor(world), await doctor(world, '--verbose')];
    expect(printed(long.out)).toEqual(printed(short.out));
    expect(short.flat).not.toContain('settings readable');
    expect(timesIn(long.flat, 'settings readable')).toBe(ALL_IDS.length);
  });
});
