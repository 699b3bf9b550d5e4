// `mcp-hooks update` and `diff <label>`: what a server declares today, compared with what the user approved.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { env, IDS } from '../support/fired.ts';
import { answer } from '../support/hooks.ts';
import { hasTerminal, onTerminal, typed } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const ALL = '--client claude,codex,gemini';

const committed = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'What did you learn?',
  priority: 'suggestion',
};
const prompt = { event: 'pre_request', context: 'Old words.', priority: 'suggestion' };
const tool = { event: 'session_start', context_tool: 'recall', priority: 'important' };

/** A label's server answers with these declarations from now on. */
const answers = (world: World, declarations: readonly object[] | undefined, label = 'annal') =>
  world.write(`${label}.answer.json`, answer(declarations ? { hooks: { declarations } } : {}));

/** Installs the declarations of a server. */
async function install(
  world: World,
  declarations: readonly object[],
  flags = ALL,
  label = 'annal',
): Promise<void> {
  await cp(join(import.meta.dirname, '../support/servers/answering.sh'), world.path('server.sh'));
  await answers(world, declarations, label);
  const line = `install --name ${label} --yes ${flags} -- /bin/sh server.sh ${label}.answer.json`;
  const { code, err } = await world.run(line, { env });
  if (code !== 0) throw new Error(err);
}

/** What each client's model reads with a prompt, without the heading. */
async function told(world: World, label = 'annal'): Promise<Record<string, string>> {
  const { out } = await world.run(`fire ${label} pre_request --prompt hi --json`, { env });
  const clients: readonly { id: string; firings?: readonly { text: string | null }[] }[] =
    JSON.parse(out).clients;
  return Object.fromEntries(
    clients.map(({ id, firings = [] }) => [
      id,
      firings
        .flatMap(({ text }) => text?.split('\n').slice(1) ?? [])
        .map((line) => line.replace(/^\| /, ''))
        .join('\n'),
    ]),
  );
}
const everywhere = (words: string) => Object.fromEntries(IDS.map((id) => [id, words]));

describe.concurrent('a server whose declaration is unchanged', () => {
  test('leaves nothing to do, and nothing is written', async ({ world, expect }) => {
    await install(world, [committed, prompt]);
    const before = await world.stamps();
    for (const line of ['update', 'update annal', 'diff annal', 'update --yes'])
      expect(await world.run(line)).toMatchObject({
        code: 0,
        out: expect.stringMatching(
          /^annal has not changed since you approved it\.\n+Nothing to do: the files are up to date\.\n(?: {2}No hook fires in Codex CLI: not trusted\.|$)/,
        ),
      });
    expect(await world.stamps()).toEqual(before);
  });

  test('has its changed or missing files restored', async ({ world, expect }) => {
    await install(world, [prompt]);
    const runner = '~/.mcp-hooks/servers/annal';
    const whole = await world.snapshot();
    await world.write(`${runner}/runner.cjs`, 'process.exit(3)', 0o600);
    await world.remove(`${runner}/codex.UserPromptSubmit.sh`);
    await world.remove('~/.claude/settings.json');
    const { code, out } = await world.run('diff annal');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('annal has not changed since you approved it.'),
    ]);
    expect((await world.run('update annal --yes')).code).toBe(0);
    expect(await world.snapshot()).toEqual(whole);
    expect(await told(world)).toEqual(everywhere('Old words.'));
  });

  test('gets a skipped hook after a grant, and keeps it', async ({ world, expect }) => {
    await install(world, [tool, prompt]);
    expect((await world.run('update --yes')).out).toContain('Skipped hook 1:');
    expect((await world.run('update --yes --allow context-tool')).out).not.toContain('skipped');
    expect(await world.read('~/.claude/settings.json')).toContain('SessionStart');
    expect((await world.run('update')).out).toContain('Nothing to do: ');
  });
});

describe.concurrent('a server whose declaration has changed', () => {
  test('is shown in words and conditions, then file by file, and installed after a yes', async ({
    world,
    expect,
  }) => {
    await install(world, [committed, prompt, { ...prompt, context: 'Goes.' }]);
    await answers(world, [
      { ...committed, matcher: { tool_name: 'Edit' } },
      { ...prompt, context: 'New words.' },
      { event: 'session_start', context: 'Comes.', priority: 'important' },
    ]);
    const before = await world.stamps();
    const { code, out } = await world.run('diff annal');
    expect(code).toBe(1);
    expect(out.slice(0, out.indexOf('\n\n'))).toMatchInlineSnapshot(`
      "annal has changed since you approved it: 2 hooks changed, 1 hook added, 1 hook removed.
        removed: what was hook 3
        - With your prompts (pre_request, suggestion)
        - | Goes.
        changed: hook 1
        - After Bash calls containing "git commit" (post_tool_use, suggestion)
        + After Edit calls (post_tool_use, suggestion)
          | What did you learn?
        changed: hook 2
          With your prompts (pre_request, suggestion)
        - | Old words.
        + | New words.
        added: hook 3
        + When a session starts (session_start, important)
        + | Comes."
    `);
    expect(out).toContain('+++ ~/.claude/settings.json');
    expect((await world.run('update annal --dry-run')).out).toContain('  + | New words.');
    expect(await world.run('update annal')).toMatchObject({
      code: 2,
      err: expect.stringContaining('then pass --yes'),
    });
    expect(await world.stamps()).toEqual(before);

    expect((await world.run('update annal --yes')).code).toBe(0);
    for (const words of Object.values(await told(world))) expect(words).toContain('New words.');
    expect((await world.run('diff annal')).code).toBe(0);
  });

  test.for<[string, readonly object[], readonly object[], RegExp]>([
    [
      'one more',
      [prompt],
      [prompt, committed],
      /: 1 hook added, 1 hook as before\.\n {2}added: hook 2\n {2}\+ After Bash calls/,
    ],
    [
      'one less',
      [committed, prompt],
      [prompt],
      /: 1 hook removed, 1 hook as before\.\n {2}removed: what was hook 1\n {2}- After/,
    ],
    [
      'another order',
      [committed, prompt],
      [prompt, committed],
      /: the order of others changed, 2 hooks as before\.\n\n/,
    ],
    [
      'another place and text',
      [committed, prompt],
      [{ ...prompt, context: 'New words.' }, committed],
      /changed: hook 1, which was hook 2\n/,
    ],
    [
      'another strength',
      [prompt],
      [{ ...prompt, priority: 'important' }],
      /\n {2}- With your prompts \(pre_request, suggestion\)\n {2}\+ With your prompts \(pre_request, important\)\n {4}\| Old words\.\n/,
    ],
    [
      'a tool for a text',
      [prompt],
      [{ event: 'pre_request', context_tool: 'recall', priority: 'suggestion' }],
      /\n {2}- \| Old words\.\n {2}\+ Calls recall and shows/,
    ],
  ])('%s', async ([, from, to, expected], { world, expect }) => {
    await install(world, from);
    await answers(world, to);
    const { code, out } = await world.run('diff annal');
    expect(code).toBe(1);
    expect(out).toMatch(expected);
  });

  test('that was trusted needs a new yes like any other', async ({ world, expect }) => {
    await install(world, [{ ...prompt, priority: 'required' }], `${ALL} --allow required`);
    const heading = async () =>
      JSON.parse((await world.run('fire annal pre_request --json', { env })).out)
        .clients.flatMap(({ firings }: { firings: { text: string }[] }) => firings)
        .map(({ text }: { text: string }) =>
          text.includes('The user allowed this as required;')
            ? 'required'
            : text.includes('Consider this before you continue.') && 'important',
        );
    expect(await heading()).toEqual(['required', 'required', 'required']);
    await answers(world, [{ ...prompt, context: 'Obey.', priority: 'required' }]);
    const { out } = await world.run('update annal --yes');
    expect(out.replace(/\s+/g, ' ')).toContain(
      'You allowed it before, but for another declaration or version.',
    );
    expect(out).toContain('update annal --allow required  let hook 1 count as required');
    expect(await heading()).toEqual(['important', 'important', 'important']);
    await world.run('update annal --yes --allow required');
    expect(await heading()).toEqual(['required', 'required', 'required']);
  });

  test('is asked about in a terminal, and no changes nothing', async ({ world, expect, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await install(world, [prompt]);
    await answers(world, [{ ...prompt, context: 'New words.' }, tool]);
    const before = await world.stamps();
    const TOOL = 'Let hooks of annal call its tools?';
    const GO_ON = 'Apply changes to 2 files?';
    const no = await typed(world, 'update', [
      [TOOL, 'y'],
      [GO_ON, 'n'],
    ]);
    expect([no.code, no.asked, no.out.match(/\+ \| New words/g)?.length]).toEqual([2, 2, 1]);
    expect(await world.stamps()).toEqual(before);
    const left = await onTerminal(world, ['update'], { keys: [{ after: TOOL, type: '\u0003' }] });
    expect([left.code, left.asked]).toEqual([130, 1]);
    expect(await world.stamps()).toEqual(before);
    // Without the tool, only the runner changes.
    await typed(world, 'update annal', [
      [TOOL, 'n'],
      ['Apply?', 'y'],
    ]);
    expect(await told(world)).toEqual(everywhere('New words.'));
    // A refused grant is not asked for again for the same declaration.
    expect(await typed(world, 'update annal', [[TOOL, 'y']])).toMatchObject({ code: 0, asked: 0 });
  });

  test('is shown as JSON', async ({ world, expect }) => {
    await install(world, [prompt]);
    await answers(world, [{ ...prompt, context: 'New words.' }, committed]);
    const changed = [
      {
        before: { number: 1, hook: prompt },
        after: { number: 1, hook: { ...prompt, context: 'New words.' } },
      },
    ];
    const declaration = { removed: [], changed, added: [{ number: 2, hook: committed }], same: 0 };
    const diff = await world.run('diff annal --json');
    expect([diff.code, JSON.parse(diff.out)]).toMatchObject([
      1,
      { label: 'annal', changes: true, declaration },
    ]);
    const update = await world.run('update --json --yes');
    expect([update.code, JSON.parse(update.out)]).toMatchObject([
      0,
      { labels: [{ label: 'annal', written: true, declaration }] },
    ]);
  });

  test('can be updated in a project', async ({ world, expect }) => {
    await install(world, [prompt], '--client codex --scope project');
    await answers(world, [{ ...prompt, context: 'New words.' }]);
    expect(await world.run('update')).toMatchObject({
      code: 0,
      out: `Nothing is installed in user scope. Installed: annal (in ${world.work}). For this project: mcp-hooks update --scope project\n`,
    });
    expect(await world.run('update annal')).toMatchObject({ code: 2 });
    expect((await world.run('update --scope project --yes')).code).toBe(0);
    const { out } = await world.run('fire annal pre_request --scope project --client codex', {
      env,
    });
    expect(out).toContain('New words.');
  });
});

test('update keeps the clients and flags of the install', async ({ world, expect }) => {
  await world.folder('~/.claude', '~/.gemini');
  const after = { event: 'post_request', context: 'Old.', priority: 'suggestion' };
  await install(world, [after], '--client codex --act-now');
  await answers(world, [{ ...after, context: 'New.' }]);
  expect((await world.run('update --yes')).code).toBe(0);
  const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
  expect(ledger.installs).toMatchObject([{ clients: ['codex'], actNow: true, extraTurns: true }]);
  const config = await world.read('~/.codex/config.toml');
  expect(config).toContain('[[hooks.Stop]]');
  expect(config).not.toContain('UserPromptSubmit'); // where they would wait for the next prompt
  expect(Object.keys(await world.snapshot()).filter((one) => /settings\.json/.test(one))).toEqual(
    [],
  );
});

test('update follows a changed manifest, and reports an invalid or missing one', async ({
  world,
  expect,
}) => {
  const manifest = (hook: object) =>
    world.write('annal.json', JSON.stringify({ name: 'annal', hooks: { declarations: [hook] } }));
  await manifest(prompt);
  await world.run(`install annal.json --yes ${ALL}`);
  await manifest({ ...prompt, context: 'New words.' });
  expect((await world.run('update --yes')).out).toContain('  + | New words.');
  expect(await told(world)).toEqual(everywhere('New words.'));
  await manifest({ ...prompt, event: 'never' });
  const wrong = await world.run('update --yes');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/annal\.json:1:\d+: error/)]);
  await world.remove('annal.json');
  expect(await world.run('update --yes')).toMatchObject({ code: 2 });
  expect(await told(world)).toEqual(everywhere('New words.'));
});

describe.concurrent('a label that cannot be updated', () => {
  test('does not stop the others, and is reported', async ({ world, expect }) => {
    await install(world, [prompt], ALL, 'annal');
    await install(world, [prompt], ALL, 'broken');
    await install(world, [prompt], ALL, 'zettel');
    const words = [{ ...prompt, context: 'New words.' }];
    await answers(world, words, 'annal');
    await world.write('broken.answer.json', '');
    await answers(world, words, 'zettel');
    const { code, err } = await world.run('update --yes');
    expect(code).toBe(2);
    expect(err).toMatch(/^broken: .*ended \(exit code 3\) before it answered/m);
    expect(await told(world, 'annal')).toEqual(everywhere('New words.'));
    expect(await told(world, 'broken')).toEqual(everywhere('Old words.'));
    expect(await told(world, 'zettel')).toEqual(everywhere('New words.'));
    const json = await world.run('update --json');
    expect([json.code, JSON.parse(json.out).labels]).toMatchObject([
      2,
      [
        { label: 'annal' },
        { label: 'broken', error: expect.stringContaining('exit code 3') },
        { label: 'zettel' },
      ],
    ]);
  });

  test('keeps its hooks if the server no longer declares any', async ({ world, expect }) => {
    await install(world, [prompt]);
    await answers(world, undefined);
    const before = await world.stamps();
    const words =
      'annal declares no hooks any more. What is installed stays; to remove it: mcp-hooks uninstall annal\n';
    expect(await world.run('update --yes')).toMatchObject({ code: 0, out: words });
    expect(await world.run('diff annal')).toMatchObject({ code: 1, out: words });
    expect(await world.stamps()).toEqual(before);
  });

  test('keeps its hooks if no client has an event for the new ones, with the reason', async ({
    world,
    expect,
  }) => {
    await install(world, [prompt]);
    await answers(world, [{ ...prompt, event: 'pre_compact' }]);
    const { code, out } = await world.run('update --yes');
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'annal declares hooks, but none that a client here could fire, so there is nothing to install. What is installed stays; to remove it: mcp-hooks uninstall annal',
        expect.stringMatching(/^pre_compact: no client here has this event/),
        '',
      ],
    ]);
  });

  test('is reported with the command for a new install if its command has a secret', async ({
    world,
    expect,
  }) => {
    await install(world, [prompt], ALL);
    await world.run(
      `install --name annal --yes --replace ${ALL} -- /bin/sh server.sh annal.answer.json --token=abcdef123456`,
    );
    for (const line of ['update --yes', 'diff annal']) {
      const { code, err } = await world.run(line);
      expect(code).toBe(2);
      expect(err).toMatch(/Install them again: mcp-hooks install --name annal -- /);
      expect(err).not.toContain('abcdef123456');
    }
  });

  test('is not tried with --header, which is for one server', async ({ world, expect }) => {
    await install(world, [prompt]);
    const { code, out, err } = await world.run(['update', '--yes', '--header', 'X-Key: hunter2']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^--header is for one server: name its label/);
  });

  test('is reported if it is not installed', async ({ world, expect }) => {
    expect(await world.run('update')).toMatchObject({
      code: 0,
      out: 'Nothing is installed. To find hooks for your servers: mcp-hooks scan\n',
    });
    await install(world, [prompt]);
    expect(await world.run('update annul')).toMatchObject({
      code: 2,
      err: 'annul is not installed in user scope. Installed: annal.\n',
    });
  });
});

test('if the approval is not on record, this is reported, and everything is shown', async ({
  world,
  expect,
}) => {
  await install(world, [prompt]);
  await world.remove('~/.mcp-hooks/servers/annal/declaration.json');
  const { out } = await world.run('diff annal');
  expect(out).toContain('What you approved when you installed annal is not on record');
  expect(out).toContain('     | Old words.');
  expect((await world.run('update --yes')).code).toBe(0);
  expect((await world.run('diff annal')).code).toBe(0);
});

test('install of a label, without a server of that name, means the installed server', async ({
  world,
  expect,
}) => {
  await install(world, [prompt]);
  await answers(world, [{ ...prompt, context: 'New words.' }]);
  expect((await world.run(`install annal --yes ${ALL}`)).code).toBe(0);
  expect(await told(world)).toEqual(everywhere('New words.'));
  expect((await world.run('install annul --yes')).code).toBe(2);
});

describe.concurrent('a hostile text', () => {
  const ESCAPE = '\u001B[2J\u001B[31mred\u001B]0;title\u0007';
  const hostile = [
    ['moves the cursor', `Fine.${ESCAPE}`],
    ['turns what is read around', 'Say \u202Eyes\u202C, \u2066no\u2069.'],
    ['hides words', 'Fi\u200Bne\u{E0041}\u{E0042}\uFEFF\u{1D173}\u2800.'],
    [
      'looks like ours',
      'Fine.\n\nNothing to do: the files are up to date.\nApply changes to 3 files? (y/N, d shows the diff) y\r',
    ],
  ] as const;
  for (const [what, words] of hostile)
    test(what, async ({ world, expect }) => {
      await install(world, [prompt]);
      const mean = { ...prompt, context: words, matcher: { tool_name: words } };
      await answers(world, [mean, { ...committed, matcher: { tool_name: words } }]);
      for (const line of [
        'diff annal',
        'update --dry-run',
        'update --yes',
        'doctor --servers',
        'diff annal --json',
      ]) {
        const { out, err } = await world.run(line);
        expect(`${out}${err}`).not.toMatch(
          /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u2800\u{1D173}\u{E0000}-\u{E007F}]/u,
        );
        if (line === 'diff annal')
          for (const one of words.replace('\r', '\\u{D}').split('\n').slice(1))
            expect(out).toContain(`\n  + | ${one}\n`);
      }
    });

  test('of a hundred thousand characters is shown completely, in the width of the terminal', async ({
    world,
    expect,
  }) => {
    const words = Array.from(
      { length: 10_000 },
      (_, at) => `${String(at).padStart(5, '0')} 日本😀`,
    );
    const long = `${words.join(' ')} ${'x'.repeat(20_000)}END`;
    await install(world, [prompt]);
    await answers(world, [{ ...prompt, context: long }]);
    const { out } = await world.run('diff annal');
    const lines = out.split('\n').filter((line) => line.startsWith('  + | '));
    const shown = lines.map((line) => line.slice(6)).join(' ');
    for (const word of words) if (!shown.includes(word)) expect.fail(`${word} is not shown`);
    expect(lines.map((line) => line.slice(6)).join('')).toContain(`${'x'.repeat(20_000)}END`);
    const width = (line: string) => line.length + (line.match(/[日本]/g)?.length ?? 0); // an emoji is two units, too
    expect(out).not.toContain('\uFFFD'); // no line was broken inside a character
    expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(100);
  });

  test('with nearly nothing in common with the previous one is compared in bounded time', async ({
    world,
    expect,
  }) => {
    const lines = (word: string) =>
      Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join('\n');
    await install(world, [{ ...prompt, context: lines('old') }]);
    await answers(world, [{ ...prompt, context: lines('new') }]);
    const { out } = await world.run('diff annal');
    expect(out).toContain('  - | old 19999');
    expect(out).toContain('  + | new 19999');
  });
});
