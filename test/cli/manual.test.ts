// `man` and `completion`: made of the same commands, flags and examples as --help.
import { execaSync } from 'execa';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { test } from '../support/world.ts';

const commandsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, name = '']) => name);

test('the manual page has every command, with its flags', async ({ world, expect }) => {
  const { code, out, err } = await world.run('man');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^\.TH MCP\\-HOOKS 1 /);
  const { out: help } = await world.run('--help');
  const sections = [...out.matchAll(/^\.SS (\w+)/gm)].map(([, name]) => name);
  expect(sections.toSorted()).toEqual(commandsIn(help).toSorted());
  for (const flag of ['\\-\\-allow <grants>', '\\-q, \\-\\-quiet', '\\-\\-live'])
    expect(out).toContain(`\\fB${flag}\\fR`);
  // What begins with a dot is a request; there are those that we mean, and no others.
  const requests = [...out.matchAll(/^[.'](\S*)/gm)].map(([, name]) => name);
  expect([...new Set(requests)].toSorted()).toEqual(['PP', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf']);
});

test.for(['bash', 'zsh', 'fish'])(
  'a completion for %s, which it can read',
  async (shell, { world, expect, skip }) => {
    const { code, out, err } = await world.runProcess(`completion ${shell}`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('mcp-hooks');
    const read = execaSync(shell, ['-n'], { input: out, reject: false });
    if (read.exitCode === undefined) skip(`no ${shell} here`);
    expect([read.exitCode, read.stderr]).toEqual([0, '']);
  },
);

test('another shell is wrong usage', async ({ world, expect }) => {
  expect(await world.run('completion tcsh')).toMatchObject({
    code: 2,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});

test('a tab offers commands, flags, and labels that are installed', async ({ world, expect }) => {
  await world.folder('~/.claude');
  await world.write('annal.json', manifest(COMMITTED));
  await world.run('install annal.json --yes');
  const before = await world.stamps();
  const offered = async (...words: string[]) => {
    const { out } = await world.runProcess(['complete', '--', ...words]);
    return out.split('\n').map((line) => line.split('\t')[0]);
  };
  expect(await offered('')).toEqual(expect.arrayContaining(['install', 'trust', 'uninstall']));
  expect(await offered('un')).not.toContain('install');
  for (const command of ['update', 'uninstall', 'trust', 'list', 'verify', 'fire', 'log', 'doctor'])
    expect([command, await offered(command, '')]).toEqual([
      command,
      expect.arrayContaining(['annal']),
    ]);
  expect(await offered('install', '--')).toContain('--scope');
  expect(await offered('login', '')).not.toContain('annal');
  // A path is the shell's; and a record that is broken is no matter.
  expect(await offered('verify', './an')).not.toContain('annal');
  expect(await world.stamps()).toEqual(before);
  await world.write('~/.mcp-hooks/ledger.json', '{');
  expect(await offered('uninstall', '')).not.toContain('annal');
});
