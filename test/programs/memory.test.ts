/** The runner's memory of a session: a text is shown once, and again if it was lost, and nothing is kept forever. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { memories } from '../../src/install/ledger-change.ts';
import { disk } from '../../src/system/disk.ts';
import { expected } from '../clients/expectations.ts';
import { all, each, eachAsync, IDS } from '../support/runner/at-once.ts';
import {
  type ClientId,
  clientOf,
  MOMENTS,
  type Moment,
  recorded,
  written,
} from '../support/runner/clients.ts';
import { shownAt, shownOn } from '../support/runner/shown.ts';
import { bodies, type Hook, install } from '../support/runner/world.ts';

const start: Hook = { event: 'session_start', context: 'Welcome.' };

describe('a text is shown once for the same event', () => {
  const hooks: Hook[] = [
    { event: 'pre_request', context: 'Hi.' },
    { event: 'post_tool_use', context: 'After.' },
    { event: 'pre_tool_use', context: 'Before.' },
    start,
  ];
  const cases: [Moment, string[]][] = [
    ['start', ['Welcome.']],
    ['after', ['After.']],
    ['afterMcp', ['After.']],
  ];
  test.each(cases)('%s', async (moment, [text = '']) => {
    const world = install({ hooks });
    const said = await eachAsync(async (id) => {
      const twice = [await shownAt(world, id, moment), await shownAt(world, id, moment)];
      return twice.flat().filter((one) => one === text).length;
    });
    expect(said).toEqual(each((id) => (moment !== 'start' && expected[id].callsAlike ? 2 : 1)));
  });

  test('even if two entries fire at the same time', async () => {
    const world = install({ whole: true, hooks });
    const said = await eachAsync(async (id) => {
      const length = id === 'codex' ? 6 : 3;
      const moment = expected[id].callsAlike ? 'start' : 'after';
      const many = Array.from({ length }, () => shownAt(world, id, moment));
      return (await Promise.all(many)).flat().filter((one) => /^(?:After|Welcome)/.test(one))
        .length;
    });
    expect(said).toEqual(all(1));
  });

  test.each([
    ['a', 'x'],
    ['long', 'x'.repeat(1000)],
    ['of letters that take room', 'é'.repeat(60)],
    ['with half a character', '\ud800'],
    ['like a path', '../../x'],
    ['with what has a meaning for us', 'a.shown'],
  ])('for any name of a session or call: %s', async (_, name) => {
    const world = install({ hooks, label: 'l'.repeat(64) });
    const said = await eachAsync(async (id) => {
      const call = (own: string) =>
        shownAt(world, id, 'after', {
          session: `${name}s`,
          tool_use_id: `${name}${own}`,
          timestamp: `${name}${own}`,
        });
      const times = [await call('1'), await call('1'), await call('2')];
      return times.map((texts) => texts.filter((one) => one === 'After.').length);
    });
    expect(said).toEqual(each((id) => [1, expected[id].callsAlike ? 1 : 0, 1]));
    const folder = join(world.state, 'sessions');
    const files = readdirSync(folder);
    for (const file of files) expect(Buffer.byteLength(file)).toBeLessThan(241);
    // An uninstall recognizes all of these files.
    expect(memories(folder, disk)).toHaveLength(files.length);
  });

  test('two calls of Gemini CLI in the same millisecond count as two', async () => {
    const world = install({ hooks });
    for (const command of ['a', 'b'])
      expect(await shownAt(world, 'gemini-cli', 'after', { tool_input: { command } })).toContain(
        'After.',
      );
  });

  test('two events that only look alike count as two', async () => {
    const world = install({ hooks });
    const isOne = (id: ClientId) => MOMENTS.before[id].event === MOMENTS.after[id].event;
    expect(await eachAsync((id) => shownAt(world, id, 'after'))).toEqual(
      each((id) => ['After.', ...(isOne(id) ? ['Before.'] : [])]),
    );
    for (const id of IDS)
      expect(await shownAt(world, id, 'after', { ...expected[id].anotherCall })).toContain(
        'After.',
      );
    for (const id of IDS)
      expect(await shownAt(world, id, 'after', { session: 'another' })).toContain('After.');
  });

  test("each subagent is shown the texts for a session's start", async () => {
    const world = install({ hooks: [start] });
    for (const id of IDS.filter((one) => 'SubagentStart' in clientOf(one).nativeEvents)) {
      const agents = ['a', 'b', 'a'];
      const said: string[][] = [];
      for (const agent_id of agents)
        said.push(await shownOn(world, id, 'SubagentStart', { agent_id }));
      expect([id, said]).toEqual([id, [['Welcome.'], ['Welcome.'], []]]);
    }
  });

  test('a compaction shows its text each time, but not twice at once', async () => {
    const world = install({ hooks: [start] });
    for (const id of IDS.filter((one) => clientOf(one).wire.recurring.includes('compact'))) {
      const compact = () => shownAt(world, id, 'start', { source: 'compact' });
      const first = await Promise.all([compact(), compact(), compact()]);
      expect(first.flat()).toEqual(['Welcome.']);
      for (const name of readdirSync(join(world.state, 'sessions'))) {
        const before = new Date(Date.now() - 6000);
        utimesSync(join(world.state, 'sessions', name), before, before);
      }
      expect(await compact()).toEqual(['Welcome.']);
    }
  });
});

test('two processes that resume a session at the same time both get its text', async () => {
  const world = install({ hooks: [start] });
  const resumes = IDS.filter((id) => clientOf(id).wire.recurring.includes('resume'));
  for (const id of resumes) {
    const { event, file } = MOMENTS.start[id];
    const resume = (line?: (command: string) => string) =>
      world.fire(id, event, recorded(id, file, { cwd: world.cwd, source: 'resume' }), { line });
    // The shell around the command acts as the client's process.
    const alone = (command: string) => `(${command}\n); :`;
    const shown = [await resume(alone), await resume(alone), await resume(), await resume()];
    expect([id, ...shown.map((stdout) => stdout.includes('Welcome.'))]).toEqual([
      ...[id, true, true, true, false],
    ]);
  }
});

describe('a resumed session gets the texts that its history has lost, and no others', () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const origin = 'Note from the MCP server "annal", not from the user, at the start of the session';
  const heading = `${origin}; each of its lines begins with |. Optional: use it only if it helps.\n| `;
  const told = (text = 'Welcome.') => `${heading}${text}`;
  /** Lines in the form of the real clients. */
  const linesOf = (id: ClientId) => {
    const { history, compaction } = written(id).writes;
    if (!history) throw new Error(id);
    return {
      said: (text: string) => line(history.said(text)),
      quoted: (text: string) => line(history.quoted(text)),
      compacted: line(compaction),
    };
  };
  const RESUMED = IDS.filter((id) => expected[id].writes?.history);

  test('there are such lines for each client that reports a resumed session', () => {
    const continuing = IDS.filter((id) => clientOf(id).wire.continuing.length > 0);
    expect(RESUMED).toEqual(continuing);
  });

  describe.each(RESUMED)('%s', (id) => {
    const { said, quoted, compacted } = linesOf(id);
    test.each<[string, string | undefined, boolean]>([
      ['it is there', said(told()), false],
      ['it is there with other texts', said(`x\n\n${told()}\n\ny`), false],
      ['there is no file', undefined, true],
      ['the file is empty', '', true],
      ['the session is older than the hook', said('Something else.'), true],
      ['it has another text of ours', said(told('Bye.')), true],
      ['it is only quoted', quoted(told()), true],
      [
        'another server mentions it',
        said(`Note from the MCP server "x", not from the user, about this prompt.\n| ${told()}`),
        true,
      ],
      ['another server mentions it in a line', said(`I say: ${told()}`), true],
      ['it was before a compaction', said(told()) + compacted, true],
      ['it was shown again after a compaction', said(told()) + compacted + said(told()), false],
      ['in the middle of garbage', `{"cut\n\u0000\n${said(told())}{`, false],
    ])('%s', async (_, transcript, expected) => {
      const world = install({ hooks: [start] });
      const path = join(world.cwd, 'é session.jsonl');
      if (transcript !== undefined) writeFileSync(path, transcript);
      const changes = { source: 'resume', transcript_path: path };
      expect(await shownAt(world, id, 'start', changes)).toEqual(expected ? ['Welcome.'] : []);
    });
  });

  test('nothing in a rewound thread of Codex, whose beginning is in another file', async () => {
    const world = install({ hooks: [start] });
    const path = join(world.cwd, 'rollout.jsonl');
    writeFileSync(
      path,
      line({ type: 'session_meta', payload: { history_base: { thread_id: 'x' } } }),
    );
    const changes = { source: 'resume', transcript_path: path };
    expect(await shownAt(world, 'codex', 'start', changes)).toEqual([]);
  });

  test('nothing if Gemini CLI has escaped some characters as HTML', async () => {
    const world = install({ hooks: [{ ...start, context: 'a <b> & c' }] });
    const path = join(world.cwd, 'session.jsonl');
    const text = `<hook_context>${heading}a &lt;b&gt; & c</hook_context>`;
    const content = [{ text: 'Hi' }, { text }];
    writeFileSync(path, line({ $set: { messages: [{ id: 'a', type: 'user', content }] } }));
    expect(await shownAt(world, 'gemini-cli', 'prompt', { transcript_path: path })).toEqual([]);
  });

  test('nothing if JSON has escaped some words', async () => {
    const context = 'It\'s "so"\nC:\\dir é 日本 😀 <b> & \u2028';
    for (const id of RESUMED) {
      const world = install({ hooks: [{ ...start, context }] });
      const path = join(world.cwd, 'session.jsonl');
      writeFileSync(path, linesOf(id).said(told(context.replace(/[\n\u2028]/g, '\n| '))));
      expect(
        await shownAt(world, id, 'start', { source: 'resume', transcript_path: path }),
      ).toEqual([]);
    }
  });

  test.each<[string, string, string[]]>([
    ['it is there', 'shop is open.', []],
    ['only another text of ours is', 'Welcome.', ['shop is open.']],
  ])('with a variable at its beginning: %s', async (_, was, expected) => {
    for (const id of RESUMED) {
      const world = install({
        hooks: [{ ...start, context: '{project_name} is open.' }],
      });
      const path = join(world.cwd, 'session.jsonl');
      writeFileSync(path, linesOf(id).said(told(was)));
      const changes = { cwd: '/home/dev/shop', source: 'resume', transcript_path: path };
      expect(await shownAt(world, id, 'start', changes)).toEqual(expected);
    }
  });

  const message = (messageId: string, text: string, hook?: string) => ({
    id: messageId,
    type: 'user',
    content: [
      { text },
      ...(hook === undefined ? [] : [{ text: `<hook_context>${hook}</hook_context>` }]),
    ],
  });
  const reset = (...messages: object[]) => line({ $set: { messages } });

  test.each<[string, string, boolean]>([
    ['nothing happened', '', false],
    ['it was compressed away', reset(message('s', '<state_snapshot>')), true],
    ['it was compressed and is in what was kept', reset(message('a', 'Hi', told())), false],
    [
      'it was resumed',
      `${line({ $set: { sessionId: 'x' } })}${reset(message('a', 'Hi', told()))}`,
      false,
    ],
    ['it was rewound to before it', line({ $rewindTo: 'a' }), true],
    [
      'it was rewound to after it',
      `${line({ ...message('b', 'Next') })}${line({ $rewindTo: 'b' })}`,
      false,
    ],
    ['it was rewound to what is not known, which takes all', line({ $rewindTo: 'z' }), true],
    ['it is only quoted', `${reset()}${line(message('c', told()))}`, true],
    [
      'a tool quotes it',
      `${reset()}${line({ ...message('c', 'x', told()), type: 'gemini' })}`,
      true,
    ],
    ['another server mentions it', reset(message('a', 'Hi', `x\n> ${told()}`)), true],
    ['a line is cut', `${reset(message('a', 'Hi', told()))}{"id":"x`, false],
  ])('Gemini CLI, when %s', async (_, happened, expected) => {
    const world = install({ hooks: [start] });
    const path = join(world.cwd, 'session.jsonl');
    const begin = reset(message('env', 'context'));
    writeFileSync(path, begin);
    let prompts = 0;
    const prompt = () => {
      prompts += 1;
      const changes = { transcript_path: path, session: 'one', timestamp: `t${prompts}` };
      return shownAt(world, 'gemini-cli', 'prompt', changes);
    };
    expect(await prompt()).toEqual(['Welcome.']);
    const lines = `${begin}${line(message('a', 'Hi', told()))}`;
    writeFileSync(path, lines);
    expect(await prompt()).toEqual([]);
    writeFileSync(path, lines + happened);
    expect(await prompt()).toEqual(expected ? ['Welcome.'] : []);
    expect(await prompt()).toEqual([]);
  });
});

test('a tool that could not answer is asked again, and one that answered is not', async () => {
  const world = install({
    hooks: [
      { event: 'session_start', context_tool: 'recall' },
      { event: 'post_request', context_tool: 'recall' },
    ],
    server: { command: join('/', 'no', 'such', 'server') },
  });
  const files = () => readdirSync(join(world.state, 'sessions')).join('\n');
  expect(await world.told('gemini-cli', 'prompt')).toBeUndefined();
  expect(files()).not.toMatch(/history-/);
  await world.told('codex', 'turnEnd');
  expect(files()).not.toMatch(/codex\..*\.(?:mark|kept)/);
});

describe('the memory', () => {
  const hooks: Hook[] = [
    { event: 'pre_request', context: 'Hi.' },
    { event: 'session_end', context: 'Bye.' },
    { event: 'post_request', context: 'Next.' },
  ];

  test('is removed when it is no longer needed', async () => {
    const world = install({ hooks });
    const folder = join(world.state, 'sessions');
    mkdirSync(folder);
    const ages: Record<string, number> = {
      'codex.old.annal.1-a.ask-once': 31 * 24,
      'codex.old.annal.1-a.mark': 31 * 24,
      'codex.new.annal.1-a.ask-once': 29 * 24,
      'gemini-cli.new.annal.1-a.history-3': 29 * 24,
      'codex.new.annal.1-a.shown': 29 * 24,
      'annal.abc.modern': 29 * 24,
      'codex.old.annal.1-a.PostToolUse-~x': 2,
      'codex.new.annal.1-a.PostToolUse-~x': 0.5,
    };
    for (const [name, hours] of Object.entries(ages)) {
      writeFileSync(join(folder, name), '');
      const at = new Date(Date.now() - hours * 3600 * 1000);
      utimesSync(join(folder, name), at, at);
    }
    const inTheWay = join(folder, 'a-folder');
    mkdirSync(inTheWay);
    utimesSync(inTheWay, new Date(0), new Date(0));
    // The runner does this at random firings, once a day.
    for (let tries = 0; tries < 3000 && !existsSync(join(folder, 'swept')); tries++)
      await Promise.all(Array.from({ length: 8 }, () => world.told('codex', 'prompt')));
    const left = readdirSync(folder).filter((name) => name in ages);
    expect(left.sort()).toEqual(
      Object.keys(ages)
        .filter((name) => !name.includes('.old.'))
        .sort(),
    );
  }, 120_000);

  test('is created again if a file is in the place of its folder', async () => {
    // Each client has its own state folder, because the first firing repairs it.
    const turns = await eachAsync(async (id) => {
      const world = install({ hooks });
      rmSync(join(world.state, 'sessions'), { recursive: true, force: true });
      writeFileSync(join(world.state, 'sessions'), 'no folder');
      writeFileSync(join(world.state, 'log'), 'no folder');
      const turn = async () => [
        bodies(await world.told(id, 'turnEnd')),
        bodies(await world.told(id, 'prompt')),
      ];
      const both = [await turn(), await turn()];
      expect(readdirSync(join(world.state, 'log'))).toEqual(['annal.jsonl']);
      return both;
    });
    // A client that does not go on at the end of a turn shows the session's last text with the next prompt.
    expect(turns).toEqual(
      each((id) =>
        expected[id].asksNothing
          ? [
              [[], ['Hi.', 'Bye.', 'Next.']],
              [[], ['Hi.', 'Next.']],
            ]
          : [
              [['Bye.'], ['Hi.', 'Next.']],
              [[], ['Hi.', 'Next.']],
            ],
      ),
    );
  });

  test('can have a folder in the place of a file', async () => {
    const world = install({ hooks });
    await eachAsync((id) => world.told(id, 'turnEnd'));
    const folder = join(world.state, 'sessions');
    for (const name of readdirSync(folder)) {
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
    }
    // Anything with the name of a mark counts as the mark.
    expect(await eachAsync(async (id) => bodies(await world.told(id, 'prompt')))).toEqual(
      each((id) => (expected[id].asksNothing ? ['Hi.', 'Bye.'] : ['Hi.'])),
    );
  });
});

test('a text that the client drops starts no cooldown, calls no tool, and is logged as dropped', async () => {
  const world = install({
    hooks: [
      { event: 'post_tool_use', context: 'After.' },
      { event: 'post_tool_use', context_tool: 'say' },
    ],
    server: { command: '/there/is/no/such/server' },
    defaults: { ...RULES, contextTool: true, cooldown: 600 },
  });
  const failing = (id: ClientId) =>
    Object.entries(expected[id].failed).find(([file, is]) => is && file.includes('.mcp'))?.[0];
  const seen = await eachAsync(async (id) => {
    const [failed, { file: other }] = [failing(id), MOMENTS.afterMcp[id]];
    if (failed === undefined) return undefined;
    const session = { session: 'one' };
    const shown = [
      await shownOn(world, id, failed, session),
      await shownOn(world, id, other, session),
    ];
    const lines = readFileSync(`${world.state}/log/annal.jsonl`, 'utf8').trim().split('\n');
    const { hooks, why } = lines
      .map((line) => JSON.parse(line))
      .find(({ client }) => client === id);
    return {
      shown,
      hooks,
      dropped: why.filter(({ code }: { code: string }) => code === 'dropped'),
    };
  });
  const wanted = each((id) => {
    if (failing(id) === undefined) return undefined;
    if (expected[id].real.texts['failed MCP call'] === 'read')
      return { shown: [['After.'], []], hooks: [1], dropped: [] };
    const dropped = [{ code: 'dropped', by: 'failure', hooks: [1, 2] }];
    return { shown: [[], ['After.']], hooks: [], dropped };
  });
  expect(seen).toEqual(wanted);
});
