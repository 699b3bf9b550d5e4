// Grants for `required` and `context_tool`, in all clients side by side.
import { join } from 'node:path';
import { describe } from 'vitest';
import type { ServerHooks } from '../../src/declaration/declared.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { decide, declarationDigest } from '../../src/install/consent/grants.ts';
import { env, policy } from '../support/fired.ts';
import { all, IDS } from '../support/runner/at-once.ts';
import { entriesIn } from '../support/runner/clients.ts';
import { hasTerminal, typed } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const SERVER = join(import.meta.dirname, '../support/runner/server.cjs');
const server = { command: process.execPath, args: [SERVER, '{}'], env: { WORD: 'open' } };
const ALL = `--client ${IDS.join()}`;
const CODEX = '--client codex';

const text = { event: 'pre_request', context: 'TEXT', priority: 'suggestion' };
const required = { event: 'pre_request', context: 'MUST', priority: 'required' };
const tool = {
  event: 'pre_request',
  context_tool: 'recall',
  context_tool_args: { said: 'ANSWER' },
  priority: 'important',
};

const write = (world: World, declarations: readonly object[], rest: object = { server }) =>
  world.write('annal.json', JSON.stringify({ name: 'annal', ...rest, hooks: { declarations } }));

interface Firing {
  readonly text: string | null;
}
interface Fired {
  readonly id: string;
  readonly firings?: readonly Firing[];
}

/** What each client's model reads with a prompt: the priorities and words, in order. */
async function told(world: World): Promise<Record<string, string>> {
  const { out, err } = await world.run('fire annal pre_request --prompt hi --json', { env });
  const clients: readonly Fired[] | undefined = JSON.parse(out).clients;
  if (!clients) throw new Error(err);
  return Object.fromEntries(
    clients.map(({ id, firings = [] }) => [
      id,
      firings
        .flatMap(
          ({ text: words }) =>
            words?.match(/Optional|Consider|allowed this as required|TEXT|MUST|ANSWER/g) ?? [],
        )
        .join(' ')
        .replaceAll('Optional', 'suggestion')
        .replaceAll('Consider', 'important')
        .replaceAll('allowed this as required', 'required'),
    ]),
  );
}
/** The expected words for Codex, which the tests use as the example client. */
const inCodex = (words: string) => ({ codex: words });

/** The text without the line breaks and indentation of the terminal. */
const unfolded = (out: string) => out.replace(/\s+/g, ' ');

const install = (world: World, flags = '', clients = CODEX) =>
  world.run(`install annal.json --yes ${clients} ${flags}`.trim(), { env });

describe.concurrent('the text for each model', () => {
  test('with --yes alone, no tool is called, and required counts as important', async ({
    world,
    expect,
  }) => {
    await write(world, [text, tool, required]);
    const { code, out } = await install(world, '', ALL);
    expect(code).toBe(0);
    expect(await told(world)).toEqual(all('important MUST suggestion TEXT'));
    expect(out).toMatch(/ created\. Hook 2 skipped\.$/m);
    expect(out).toMatch(/^ {2}mcp-hooks update annal --allow context-tool {2}allow hook 2$/m);
    expect(out).toMatch(
      /^ {2}mcp-hooks update annal --allow required {6}let hook 3 count as required$/m,
    );
  });

  test.for<[string, string]>([
    ['--allow required --allow context-tool', 'required MUST important ANSWER suggestion TEXT'],
    ['--allow required', 'required MUST suggestion TEXT'],
    // Hooks of the same strength keep the declared order.
    ['--allow context-tool', 'important ANSWER important MUST suggestion TEXT'],
  ])('with %s', async ([flags, words], { world, expect }) => {
    await write(world, [text, tool, required]);
    expect((await install(world, flags)).code).toBe(0);
    expect(await told(world)).toEqual(inCodex(words));
  });

  test('with both grants, has everything in every client', async ({ world, expect }) => {
    await write(world, [text, tool, required]);
    await install(world, '--allow required,context-tool', ALL);
    expect(await told(world)).toEqual(all('required MUST important ANSWER suggestion TEXT'));
  });

  test('with a policy that allows it, has everything as long as the policy does', async ({
    world,
    expect,
  }) => {
    await write(world, [text, tool, required]);
    await policy(world, { servers: { annal: { trusted: true, contextTool: true } } });
    const { out } = await install(world);
    expect(out).not.toMatch(/skipped|--allow/);
    expect(unfolded(out).match(/Your policy\.json allows it\./g)).toHaveLength(2);
    expect(await told(world)).toEqual(inCodex('required MUST important ANSWER suggestion TEXT'));
    await policy(world, {});
    expect(await told(world)).toEqual(inCodex('important MUST suggestion TEXT'));
  });

  test('a policy takes back grants as soon as it is written', async ({ world, expect }) => {
    await write(world, [text, tool, required]);
    await install(world, '--allow required,context-tool');
    await policy(world, { trusted: false, contextTool: false });
    expect(await told(world)).toEqual(inCodex('important MUST suggestion TEXT'));
    await policy(world, { servers: { other: { contextTool: false } } });
    expect(await told(world)).toEqual(inCodex('required MUST important ANSWER suggestion TEXT'));
  });

  test('a tool that was left out is in no file of a client or of the runner', async ({
    world,
    expect,
  }) => {
    await write(world, [{ ...tool, event: 'session_start' }, text]);
    await install(world, '', ALL);
    // The code after the list of hooks in our own program is the same for all hooks.
    for (const id of IDS)
      expect((await world.read(entriesIn(id, 'annal'))).split(' /* its end */')[0]).not.toContain(
        'SessionStart',
      );
    const runner = '~/.mcp-hooks/servers/annal';
    for (const name of Object.keys(await world.snapshot(runner)))
      if (/^[a-z-]+\.\w+\.(json|sh)$/.test(name))
        expect(await world.read(`${runner}/${name}`)).not.toMatch(/recall|server\.mjs/);
  });
});

test('if all hooks of a server are left out, no client is changed', async ({ world, expect }) => {
  await write(world, [tool]);
  expect((await install(world)).out).toContain(
    "Saved. No hook of annal is active yet; no client's file changes. Hook 1 skipped.\n",
  );
  const files = Object.keys(await world.snapshot());
  expect(files.filter((one) => /settings|config\.toml/.test(one))).toEqual([]);
  await world.run('update annal --yes --allow context-tool');
  expect(await told(world)).toEqual(inCodex('important ANSWER'));
});

describe.concurrent('a grant', () => {
  test('stays with the declaration, even if its keys are reordered or a secret changes', async ({
    world,
    expect,
  }) => {
    await write(world, [tool, required]);
    await install(world, '--allow required,context-tool');
    const same = [
      {
        priority: 'important',
        context_tool_args: { said: 'ANSWER' },
        context_tool: 'recall',
        event: 'pre_request',
      },
      required,
    ];
    await write(world, same, { server: { ...server, env: { WORD: 'closed' } } });
    const { out } = await install(world);
    expect(out).not.toMatch(/skipped|--allow/);
    expect(unfolded(out).match(/You allowed it, for this declaration only\./g)).toHaveLength(2);
    expect(await told(world)).toEqual(inCodex('required MUST important ANSWER'));
  });

  test.for<[string, readonly object[], object]>([
    ['another text', [tool, { ...required, context: 'MUST!' }], { server }],
    [
      'another argument',
      [{ ...tool, context_tool_args: { said: 'ANSWER {session_id}' } }, required],
      { server },
    ],
    ['one more hook', [tool, required, text], { server }],
    ['another order', [required, tool], { server }],
    ['another command', [tool, required], { server: { ...server, args: [SERVER, '{ }'] } }],
    ['another variable', [tool, required], { server: { ...server, env: { WORD: '', MORE: '' } } }],
  ])('does not hold for %s', async ([, declarations, rest], { world, expect }) => {
    await write(world, [tool, required]);
    await install(world, '--allow required,context-tool');
    await write(world, declarations, rest);
    const { out } = await install(world);
    expect(out).toMatch(/ Hook \d skipped\.\n[\s\S]*--allow context-tool {2}allow hook \d\n/);
    expect(out).toMatch(/--allow required +let hook \d count as required\n/);
    expect(unfolded(out).match(/You allowed it before, but for another/g)).toHaveLength(2);
    for (const words of Object.values(await told(world))) {
      expect(words).not.toContain('ANSWER');
      expect(words).not.toContain('required');
    }
    expect(await world.read('~/.mcp-hooks/ledger.json')).not.toContain('"grants"');
  });

  test('in one scope does not count in another', async ({ world, expect }) => {
    await write(world, [tool]);
    await install(world, '--allow context-tool');
    expect((await install(world, '--scope project')).out).toContain('Hook 1 skipped.');
    expect((await install(world)).out).toContain('Nothing to do');
  });

  test('stays if one client is uninstalled, and ends with the label', async ({ world, expect }) => {
    await world.folder('~/.codex');
    const before = await world.snapshot();
    await write(world, [tool]);
    await install(world, '--allow context-tool', ALL);
    await world.run('uninstall annal --yes --client codex');
    expect((await install(world, '', ALL)).out).not.toContain('skipped');
    await world.run('uninstall annal --yes');
    expect(await world.snapshot()).toEqual(before);
    expect((await install(world, '', ALL)).out).toContain('skipped');
  });

  test('stays in force in clients that an install does not update, which is reported', async ({
    world,
    expect,
  }) => {
    const asks = (context: string) =>
      world.write(
        'annal.json',
        JSON.stringify({
          name: 'annal',
          hooks: { declarations: [{ event: 'pre_request', context, priority: 'required' }] },
        }),
      );
    await asks('Old.');
    await world.run('install annal.json --client claude,codex --yes --allow required');
    await asks('New.');
    const { out } = await world.run('install annal.json --client codex --yes');
    const stays =
      /^Claude Code: the earlier install of annal stays, .*\sTo update it too:\s+mcp-hooks update annal$/m;
    expect(out).toMatch(stays);
    // Claude Code is still behind, although the approved declaration is the current one.
    const json = await world.run('diff annal.json --client gemini --json');
    expect(JSON.parse(json.out)).toMatchObject({
      behind: ['claude-code'],
      catchUp: 'mcp-hooks update annal',
    });
    expect((await world.run('install annal.json --client gemini --dry-run')).out).toMatch(stays);
    expect((await world.run('update annal --yes')).out).toContain('Updated: the runner of annal');
    const { behind } = JSON.parse((await world.run('diff annal.json --client gemini --json')).out);
    expect(behind).toEqual([]);
    expect((await world.run('fire annal pre_request --prompt hi --client claude')).out).toContain(
      'Consider this before you continue.',
    );
    await asks('Newer.');
    expect(
      JSON.parse((await world.run('diff annal.json --client codex --json')).out),
    ).toMatchObject({ behind: ['claude-code'] });
  });

  test('in a client that stays behind comes with the command that updates it', async ({
    world,
    expect,
  }) => {
    await write(world, [text]);
    const both = '--client claude,codex --yes';
    const look = async (words: string) => {
      const { out } = await world.run(`install ${words} --dry-run --json`);
      const { behind, catchUp } = JSON.parse(out);
      return [behind, catchUp];
    };
    await world.run(`install annal.json ${both} --scope project`);
    await write(world, [{ ...text, context: 'New.' }]);
    expect(await look('annal.json --client codex --scope project')).toEqual([
      ['claude-code'],
      'mcp-hooks update annal --scope project',
    ]);
    await world.run(`install annal.json ${both}`);
    expect(await look('annal.json --client codex')).toEqual([[], undefined]);
    // From another source, all hooks count as different, even if they are the same.
    await world.write('other.json', await world.read('annal.json'));
    const other = 'other.json --name annal --client codex --replace';
    expect(await look(other)).toEqual([['claude-code'], undefined]);
    expect((await world.run(`install ${other} --dry-run`)).out.replace(/\s+/g, ' ')).toContain(
      'Leave out --client to replace it too.',
    );
    // An install would restore the missing entries.
    await world.write('~/.claude/settings.json', '{}');
    expect(await look('annal.json --client codex')).toEqual([
      ['claude-code'],
      'mcp-hooks update annal',
    ]);
  });

  test('that is not needed is not recorded', async ({ world, expect }) => {
    await write(world, [text]);
    await install(world, '--allow required,context-tool');
    expect(await world.read('~/.mcp-hooks/ledger.json')).not.toContain('"grants"');
  });
});

describe.concurrent('the output', () => {
  test('has the grants in JSON', async ({ world, expect }) => {
    await write(world, [text, tool, required, { ...tool, priority: 'required' }]);
    const said = async (flags: string) =>
      JSON.parse((await world.run(`diff annal.json --json --client codex ${flags}`.trim())).out);
    const none = await said('');
    expect(none).toMatchObject({
      grants: [
        { grant: 'required', hooks: [3, 4], by: null },
        { grant: 'context-tool', hooks: [2, 4], by: null },
      ],
      leftOut: [2, 4],
      downgraded: [3],
    });
    expect(none.clients[0].hooks[1]).toMatchObject({
      grade: 'none',
      when: expect.stringContaining('--allow context-tool'),
    });
    expect(none.clients[0].hooks[2].notes).toEqual([expect.stringContaining('--allow required')]);
    expect(await said('--allow required,context-tool')).toMatchObject({
      grants: [
        { grant: 'required', by: 'user' },
        { grant: 'context-tool', by: 'user' },
      ],
      leftOut: [],
      downgraded: [],
    });
  });

  test.for([
    ['required', required],
    ['context-tool', tool],
  ])('--strict refuses hooks without their grant: %s', async ([grant, hook], { world, expect }) => {
    await write(world, [hook as object]);
    const before = await world.stamps();
    expect(await install(world, '--strict')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--strict: not every hook arrives'),
    });
    expect(await world.stamps()).toEqual(before);
    expect((await install(world, `--strict --allow ${grant}`)).code).toBe(0);
  });

  test('lists the grants if one is unknown', async ({ world, expect }) => {
    await write(world, [text]);
    for (const command of ['install annal.json', 'diff annal.json', 'update'])
      expect(await world.run(`${command} --allow all`)).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          'Known: required, context-tool, block, modify, command, project-code, policy.',
        ),
      });
  });

  test('says what a server reads with each call of a tool', async ({ world, expect }) => {
    const asked = (event: string, args?: object) => ({
      event,
      context_tool: 'recall',
      ...(args && { context_tool_args: args }),
      priority: 'important',
    });
    await write(world, [
      asked('session_start'),
      asked('pre_request', { '{tool_input}': 'no variable', tool: '{tool_name}' }),
      asked('post_tool_use', { a: ['{tool_name}', { b: '{tool_input} {tool_output}' }] }),
      asked('pre_tool_use', { a: '{tool_output}' }),
      asked('pre_tool_use', { a: '{input.file_path}' }),
      asked('pre_request', { a: '{input.file_path}' }),
      asked('post_request', { in: '{project_name}, {session_id}, {{tool_input}}, {other}' }),
    ]);
    const { out } = await world.run('diff annal.json --client codex');
    expect(unfolded(out).match(/It sends [^.]*\./g)).toEqual([
      'It sends no data of yours.',
      'It sends no data of yours.',
      "It sends the tool's name, the whole input of the call and the whole output of the call.",
      'It sends the whole output of the call where a client runs this after the call.',
      'It sends "file_path" of the call\'s input.',
      'It sends no data of yours.',
      "It sends the name of the session's project and the session's id.",
    ]);
  });
});

describe('in a terminal', () => {
  const REQUIRED = 'Allow annal to mark texts as required?';
  const TOOL = 'Let hooks of annal call its tools?';
  const GO_ON = 'Apply changes to 1 file?';

  test('each grant is asked for once, after the hooks that need it were shown', async ({
    world,
    expect,
    skip,
  }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await write(world, [text, tool, required]);
    const { code, out, asked } = await typed(world, `install annal.json ${CODEX}`, [
      [REQUIRED, 'n'],
      [TOOL, 'y'],
      [GO_ON, 'y'],
    ]);
    expect([code, asked]).toEqual([0, 3]);
    expect(out.indexOf('| MUST')).toBeLessThan(out.indexOf(REQUIRED));
    expect(out.match(/\| MUST/g)).toHaveLength(1);
    expect(await told(world)).toEqual(inCodex('important ANSWER important MUST suggestion TEXT'));
  });

  test('no grant is asked for if none is missing, or nothing is written', async ({
    world,
    expect,
    skip,
  }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await write(world, [tool]);
    for (const line of [
      `diff annal.json ${CODEX}`,
      `install annal.json ${CODEX} --dry-run`,
      `install annal.json ${CODEX} --yes`,
    ])
      expect((await typed(world, line, [])).out).not.toContain('Let annal');
    const given = `install annal.json ${CODEX} --allow context-tool`;
    expect((await typed(world, given, [[GO_ON, 'y']])).out).not.toContain('Let annal');
    expect((await typed(world, `install annal.json ${CODEX}`, [])).out).not.toContain('Let annal');
  });
});

describe('the decision', () => {
  const declared = (hooks: readonly object[]): ServerHooks =>
    ({
      label: 'annal',
      hooks,
      source: { kind: 'manifest', path: '/m' },
      problems: [],
    }) as ServerHooks;

  test('needs nothing for hooks that only add text', ({ expect }) => {
    const decision = decide(declared([text]), { given: ['required'], policy: {} });
    expect(decision).toEqual({ needs: [], defaults: RULES, rules: RULES });
  });

  test('is bound to a cryptographic hash of the declaration', ({ expect }) => {
    expect(declarationDigest(declared([text]))).toMatch(/^[0-9a-f]{64}$/);
    expect(declarationDigest(declared([text]))).not.toBe(
      declarationDigest(declared([{ ...text, context: 'TEXt' }])),
    );
  });
});
