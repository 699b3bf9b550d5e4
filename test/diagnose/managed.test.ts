// What users see on a machine whose administrator has set up hooks for everybody.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { test, type World } from '../support/world.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/doctor/managed-hooks/before/machine');
const FILE = 'etc/claude-code/managed-settings.d/mcp-hooks.annal.json';

/** With the client there, and the image of the machine below the world. */
async function machineOf(world: World): Promise<string> {
  const machine = join(world.root, 'machine');
  await cp(FIXTURE, machine, { recursive: true });
  await world.write('~/.claude/settings.json', '{}\n');
  return machine;
}

describe.concurrent('on a machine with hooks of its administrator', () => {
  test('list says where they come from', async ({ world, expect }) => {
    const machine = await machineOf(world);
    const env = { MCP_HOOKS_SYSTEM_ROOT: machine };
    const { code, out } = await world.run(['list'], { env });
    expect([code, out]).toEqual([
      0,
      `Nothing is installed.\nannal  Claude Code, from the administrator of this machine  ${machine}/${FILE}\n`,
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

  test('doctor says the same to somebody who has installed nothing', async ({ world, expect }) => {
    const machine = await machineOf(world);
    const env = { MCP_HOOKS_SYSTEM_ROOT: machine };
    const { out } = await world.run(['doctor'], { env });
    expect(out).toContain(
      'it has hooks of annal from the administrator of this machine  (managed-hooks)',
    );
  });
});
