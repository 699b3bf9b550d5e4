/** Most tests run commands inside the test process. In a process of its own, the published package prints the same. */
import { CLIENTS, COMMITTED, manifest } from '../support/hooks.ts';
import { test } from '../support/world.ts';

const CALL = ['--tool', 'Bash', '--input', '{"command":"git commit"}'];

const LINES: readonly (readonly string[])[] = [
  '--version',
  '--help',
  'validate annal.json',
  'diff annal.json --client claude',
  'install annal.json --yes --client claude',
  'install annal.json --yes --json',
  'install nowhere.json --yes',
  'install --nothing',
  'list --json',
  'update annal --yes',
  'doctor --json --client claude',
  ['fire', 'annal', 'post_tool_use', ...CALL, '--client', 'claude'],
  'verify annal --client claude',
  'log',
  'matrix',
  'scan',
  'login nowhere',
  'logout https://annal.example/mcp',
  'uninstall annal --yes',
  'uninstall annal',
].map((line) => (typeof line === 'string' ? line.split(' ') : line));

/** The text without durations, times and messages about long waits, which differ between runs. */
const lasting = (text: string) =>
  text
    .replace(/^! .* \.\.\.\n/gm, '')
    .replace(/\d+(\.\d+)? ?m?s\b/g, '<time>')
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '<when>');

test('each command prints the same in a process of its own', { timeout: 120_000 }, async ({
  make,
  expect,
}) => {
  const worlds = [await make(), await make()] as const;
  for (const world of worlds) {
    for (const { config } of CLIENTS) await world.folder(config.replace(/\/[^/]*$/, ''));
    await world.write('annal.json', manifest(COMMITTED));
  }
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC' };
  const [here, apart] = worlds;
  for (const line of LINES) {
    const inside = await here.run(line, { env });
    const outside = await apart.runProcess(line, { env });
    expect(lasting(outside.transcript)).toBe(lasting(inside.transcript));
    expect(outside.transcript).not.toContain('Unexpected error');
  }
});
