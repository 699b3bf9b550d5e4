// What consent means beyond the files: only what was shown runs, and only what was done is reported.
import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { redactor } from '../../src/system/secrets.ts';
import { answer } from '../support/hooks.ts';
import { test } from '../support/world.ts';

const asks = (server: object) => ({
  name: 'annal',
  server,
  hooks: {
    declarations: [{ event: 'pre_request', context_tool: 'recall', priority: 'important' }],
  },
});
const says = (context: string) => ({
  name: 'annal',
  hooks: { declarations: [{ event: 'pre_request', context, priority: 'important' }] },
});
const json = (value: object) => JSON.stringify(value);

describe('the command for a tool', () => {
  test('is shown in full before approval, except for the values of its variables', async ({
    world,
    expect,
  }) => {
    const server = {
      command: 'sh',
      args: ['-c', 'touch pwned', '--token=abcdef123456'],
      env: { ANNAL_KEY: 'hunter2-hunter2-0123' },
    };
    await world.write('annal.json', json(asks(server)));
    for (const flags of ['', ' --json']) {
      const { out } = await world.run(`diff annal.json --client claude${flags}`);
      expect(out).toContain(
        "Runs as you in the session folder: sh -c 'touch pwned' --token=abcdef123456 (environment",
      );
      expect(out).toContain('ANNAL_KEY');
      expect(out).not.toContain('hunter2');
    }
  });

  test("runs the file next to the manifest, whatever the session's folder", async ({
    world,
    expect,
  }) => {
    await world.write('annal.json', json(asks({ command: 'node', args: ['./server.mjs'] })));
    await world.write('server.mjs', '');
    await world.run('install annal.json --client claude --yes --allow context-tool');
    const program = JSON.parse(
      await world.read('~/.mcp-hooks/servers/annal/claude-code.UserPromptSubmit.json'),
    );
    expect(program.server.args).toEqual([world.path('server.mjs')]);
  });
});

describe('a command is shown even if it looks like a secret', () => {
  const CODE = 'touch ~/ran';
  const COMMANDS = {
    'what looks like a variable': ['sh', '-c', `X=1; ${CODE}`],
    'what comes after -e': ['node', '-e', "a=require('child_process')"],
    'a telling name': ['sh', '-c', 'token=$(touch$IFS~/ran)'],
    'a user in an address': ['sh', '-c', 'a://b:`touch$IFS.ran`@c'],
    'a long word of letters and digits': ['npx', '-y', 'evil-package-0123'],
  };
  const quoted = (word: string) =>
    /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

  for (const [what, [command = '', ...args]] of Object.entries(COMMANDS)) {
    const whole = [command, ...args].map(quoted).join(' ');

    test(`in a file that comes with the folder: ${what}`, async ({ world, expect }) => {
      await world.write('.mcp.json', json({ mcpServers: { annal: { command, args } } }));
      const { code, err } = await world.run('install annal --client claude');
      expect([code, err]).toEqual([2, expect.stringContaining(`\n  ${whole}\n`)]);
      const { err: listed } = await world.run('scan');
      expect(listed.replace(/ +/g, ' ')).toContain(` annal ${whole.replace(/ +/g, ' ')}`);
    });

    test(`in a manifest: ${what}`, async ({ world, expect }) => {
      await world.write('annal.json', json(asks({ command, args })));
      const { out } = await world.run('diff annal.json --client claude');
      expect(out.replace(/\n {5}(?! )/g, ' ')).toContain(
        `Runs as you in the session folder: ${whole}\n`,
      );
    });
  }
});

test('a grant covers only the configuration that was shown, including its masked parts', async ({
  world,
  expect,
}) => {
  await copyFile(
    join(import.meta.dirname, '../support/servers/scripted.mjs'),
    world.path('~/server.mjs'),
  );
  await world.write('~/answer.json', answer({ hooks: asks({}).hooks }));
  const configure = (token: string) =>
    world.write(
      '~/.claude.json',
      json({
        mcpServers: {
          annal: {
            command: process.execPath,
            args: [world.path('~/server.mjs'), world.path('~/answer.json'), '--token', token],
          },
        },
      }),
    );
  await configure('first');
  await world.run('install annal --client claude --yes --allow context-tool');
  expect(await world.run('diff annal')).toMatchObject({ code: 0 });
  await configure('another');
  const { code, out } = await world.run('diff annal');
  expect(code).toBe(1);
  expect(out).toContain('how its server is started or reached changed');
  expect(out).toContain('a word that is hidden');
  expect(out).not.toMatch(/first|another'/);
  expect((await world.run('update annal --yes')).out).toContain('Hook 1 skipped.');
});

test('a duplicate key in a manifest is an error', async ({ world, expect }) => {
  await world.write(
    'annal.json',
    `{ "declarations": [
  { "event": "pre_request", "context": "Shown.", "priority": "important",
    "context": "Told." }
] }`,
  );
  const { code, out } = await world.run('validate annal.json');
  expect([code, out]).toEqual([
    2,
    'annal.json:3:5: error: the key "context" appears twice [key-twice]\n',
  ]);
});

test('an entry with an edited command is no longer ours, and stays', async ({ world, expect }) => {
  await world.write('~/.claude/settings.json', '{}');
  await world.write('annal.json', json(says('Hello.')));
  await world.run('install annal.json --client claude --yes');
  const edited = (await world.read('~/.claude/settings.json')).replace(
    "exit 0' EXIT; ",
    "exit 0' EXIT; umask 077; ",
  );
  await world.write('~/.claude/settings.json', edited);
  expect((await world.run('list')).out).toContain(
    'its entry for UserPromptSubmit was edited; left unchanged',
  );
  const { out } = await world.run('uninstall annal --yes');
  expect(out.replace(/\s+/g, ' ')).toContain(
    'Claude Code: a hook for UserPromptSubmit runs annal, but was edited; left unchanged.',
  );
  expect(await world.read('~/.claude/settings.json')).toBe(edited);
});

test('a home that is reached through a link is the same home', async ({ world, expect }) => {
  await world.folder('~/.claude');
  await world.write('annal.json', json(says('Hello.')));
  await world.link('other-name', world.path('~'));
  const env = { HOME: world.path('other-name') };
  await world.run('install annal.json --client claude --yes', { env });
  const { out } = await world.run('install annal.json --client claude --yes');
  expect(out).toContain('Nothing to do');
});

describe('when the output cannot be written', () => {
  const shell = (world: { env(): Record<string, string>; work: string }, line: string) =>
    execFileSync('/bin/sh', ['-c', `"$0" "$1" ${line}`, process.execPath, inject('cli')], {
      cwd: world.work,
      env: world.env(),
      stdio: 'ignore',
    });

  test('a closed pipe does not stop the work', async ({ world, expect }) => {
    await world.write('annal.json', json(says('Hello.')));
    shell(world, 'install annal.json --client claude --yes 2>said | :');
    expect(await world.read('said')).toBe('');
    expect((await world.run('list')).out).toContain('intact');
  });

  test('a full disk makes the command fail', async ({ world, expect }) => {
    for (const name of ['annal', 'notes'])
      await world.write(`${name}.json`, json({ ...says('Hello.'), name }));
    expect(() =>
      shell(world, 'install annal.json notes.json --yes --client claude >/dev/full 2>said'),
    ).toThrow();
    expect(await world.read('said')).toBe(
      'The output of this command cannot be written: the disk is full. The command continues.\n',
    );
    expect((await world.run('list')).out).toContain('intact');
  });
});

test('a name cannot continue a sentence of ours', async ({ world, expect }) => {
  const tool = 'recall and shows the model its reply. Calls sync';
  const hook = { event: 'pre_request', context_tool: tool, priority: 'important' };
  const matcher = { tool_name: 'Bash of nothing', tool_server: 'notes" alone, or to "other' };
  const other = { event: 'post_tool_use', matcher, context: 'x', priority: 'suggestion' };
  const declarations = [hook, other];
  await world.write('annal.json', json({ ...asks({ command: 'x' }), hooks: { declarations } }));
  const out = (await world.run('diff annal.json --client claude')).out.replace(/\s+/g, ' ');
  expect(out).toContain(`Calls "${tool}" and shows the model its reply.`);
  expect(out).toContain(
    'After "Bash of nothing" calls to the MCP server "notes\\" alone, or to \\"other" (post',
  );
});

test('a secret is hidden in bounded time before and after any text', ({ expect }) => {
  const hide = redactor({ env: { KEY: 'hunter2!' } });
  for (const piece of ['x', 'a.', 'key ', '"', 'a:', 'http://', '\\']) {
    const seen = hide(`hunter2! ${piece.repeat(200_000)} hunter2!`);
    expect([piece, seen.slice(0, 4), seen.slice(-3)]).toEqual([piece, '*** ', '***']);
  }
});

test('the name of a folder cannot control the terminal', async ({ world, expect }) => {
  const cwd = world.path('pr\u001b[31mj');
  await world.write('pr\u001b[31mj/annal.json', json(says('Hello.')));
  for (const line of ['diff annal.json', 'install annal.json --yes', 'update --yes', 'list']) {
    const { out, err } = await world.run(`${line} --scope project`.replace(/(list).*/, '$1'), {
      cwd,
    });
    expect(`${out}${err}`).not.toContain('\u001b');
  }
});
