/** What the runner remembers about a session: a text is said once, again when it is lost, and nothing is kept forever. */
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memories } from '../../src/install/ledger-change.ts';
import { disk } from '../../src/system/disk.ts';
import {
  all,
  type ClientId,
  clientOf,
  type Each,
  eachAsync,
  IDS,
  MOMENTS,
  type Moment,
  type Payload,
  recorded,
} from '../support/runner/clients.ts';
import { textIn } from '../support/runner/shape.ts';
import { bodies, type Hook, install, type World } from '../support/runner/world.ts';

type Env = Readonly<Record<string, string>>;

const start: Hook = { event: 'session_start', context: 'Welcome.' };

/** The texts of the hooks that are told when exactly this arrives. */
const hears = (world: World, id: ClientId, moment: Moment, changes: Payload = {}, env?: Env) =>
  hearsOf(world, id, MOMENTS[moment][id].file, changes, env);

/** The same of any recording. */
async function hearsOf(world: World, id: ClientId, file: string, changes: Payload = {}, env?: Env) {
  const [event = ''] = file.split('.');
  const payload = recorded(id, file, { cwd: world.cwd, ...changes });
  const stdout = await world.fire(id, event, payload, {
    ...(env && { env: { PATH: process.env.PATH ?? '', ...env } }),
  });
  return bodies(textIn(id, event, stdout));
}

describe('the same event twice is told once', () => {
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
      const twice = [await hears(world, id, moment), await hears(world, id, moment)];
      return twice.flat().filter((one) => one === text).length;
    });
    expect(said).toEqual(all(1));
  });

  test('also at the same time, as of two entries of ours', async () => {
    const world = install({ whole: true, hooks });
    const said = await eachAsync(async (id) => {
      const length = id === 'codex' ? 6 : 3;
      const many = Array.from({ length }, () => hears(world, id, 'after'));
      return (await Promise.all(many)).flat().filter((one) => one === 'After.').length;
    });
    expect(said).toEqual(all(1));
  });

  test.each([
    ['a', 'x'],
    ['long', 'x'.repeat(1000)],
    ['of letters that take room', 'é'.repeat(60)],
    ['with half a character', '\ud800'],
    ['like a path', '../../x'],
    ['with what has a meaning for us', 'a.told'],
  ])('by its name, whatever that is: %s', async (_, name) => {
    const world = install({ hooks, label: 'l'.repeat(64) });
    const said = await eachAsync(async (id) => {
      const call = (own: string) =>
        hears(world, id, 'after', {
          session: `${name}s`,
          tool_use_id: `${name}${own}`,
          timestamp: `${name}${own}`,
        });
      const times = [await call('1'), await call('1'), await call('2')];
      return times.map((texts) => texts.filter((one) => one === 'After.').length);
    });
    expect(said).toEqual(all([1, 0, 1]));
    const folder = join(world.state, 'sessions');
    const files = readdirSync(folder);
    for (const file of files) expect(Buffer.byteLength(file)).toBeLessThan(241);
    // An uninstall knows them.
    expect(memories(folder, disk)).toHaveLength(files.length);
  });

  test('two calls of Gemini CLI in one millisecond are two', async () => {
    const world = install({ hooks });
    for (const command of ['a', 'b'])
      expect(await hears(world, 'gemini-cli', 'after', { tool_input: { command } })).toContain(
        'After.',
      );
  });

  test('two events that only look alike are two', async () => {
    const world = install({ hooks });
    const other: Each<Payload> = {
      'claude-code': { tool_use_id: 'other' },
      codex: { tool_use_id: 'other' },
      'gemini-cli': { timestamp: '2026-11-20T17:11:22.415Z' },
      'copilot-cli': { timestamp: '2026-11-20T17:11:22.415Z' },
    };
    expect(await eachAsync((id) => hears(world, id, 'after'))).toEqual({
      ...all(['After.']),
      'gemini-cli': ['After.', 'Before.'],
    });
    for (const id of IDS) expect(await hears(world, id, 'after', other[id])).toContain('After.');
    for (const id of IDS)
      expect(await hears(world, id, 'after', { session: 'another' })).toContain('After.');
  });

  test('each subagent is told what a session starts with', async () => {
    const world = install({ hooks: [start] });
    for (const id of IDS.filter((one) => 'SubagentStart' in clientOf(one).nativeEvents)) {
      const agents = ['a', 'b', 'a'];
      const said: string[][] = [];
      for (const agent_id of agents)
        said.push(await hearsOf(world, id, 'SubagentStart', { agent_id }));
      expect([id, said]).toEqual([id, [['Welcome.'], ['Welcome.'], []]]);
    }
  });

  test('a compaction is told each time, but not twice at once', async () => {
    const world = install({ hooks: [start] });
    for (const id of IDS.filter((one) => clientOf(one).wire.recurring.includes('compact'))) {
      const compact = () => hears(world, id, 'start', { source: 'compact' });
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

describe('Copilot, in whose history a start is not', () => {
  const copilot = (world: World) => (file: string, changes?: Payload) =>
    hearsOf(world, 'copilot-cli', file, changes);

  test('is told in each process that goes on with a session', async () => {
    const fire = copilot(install({ hooks: [start] }));
    expect(await fire('SessionStart')).toEqual(['Welcome.']);
    for (const timestamp of ['2026-11-22T12:00:00.001Z', '2026-11-22T12:00:00.002Z'])
      expect(await fire('SessionStart.resume', { timestamp })).toEqual(['Welcome.']);
  });

  test('is told with the next prompt after a compaction, once', async () => {
    const fire = copilot(install({ hooks: [start] }));
    const prompt = (timestamp: number) => fire('userPromptTransformed', { timestamp });
    expect(await prompt(1)).toEqual([]);
    expect(await fire('PreCompact')).toEqual([]);
    expect(await prompt(2)).toEqual(['Welcome.']);
    expect(await prompt(3)).toEqual([]);
  });
});

describe('another client that runs the hooks of Claude Code', () => {
  const hooks: Hook[] = [{ event: 'post_tool_use', context: 'After.' }, start];
  const markers: [string, string][] = [
    ['copilot-cli', 'COPILOT_CLI'],
    ['cursor', 'CURSOR_VERSION'],
    ['devin', 'DEVIN_PROJECT_DIR'],
    ['droid', 'FACTORY_PROJECT_DIR'],
    ['grok', 'GROK_SESSION_ID'],
    ['qwen-code', 'QWEN_PROJECT_DIR'],
  ];

  test.each(markers)('%s, told by %s: it hears us once', async (id, marker) => {
    const world = install({ hooks });
    for (const name of readdirSync(world.runner))
      if (name.startsWith(`${id}.`)) rmSync(join(world.runner, name));
    const env = { [marker]: '1', CLAUDE_PROJECT_DIR: world.cwd };
    expect(await hears(world, 'claude-code', 'start', {}, env)).toEqual(['Welcome.']);
    // It has no hooks of its own from us, so it hears those of Claude Code.
    expect(await hears(world, 'claude-code', 'after', {}, env)).toEqual(['After.']);
    // It has, so those of Claude Code are silent in it.
    writeFileSync(join(world.runner, `${id}.postToolUse.json`), '{}');
    const other = { tool_use_id: 'other' };
    expect(await hears(world, 'claude-code', 'after', other, env)).toEqual([]);
    expect(await hears(world, 'claude-code', 'start', { session: 'x' }, env)).toEqual([]);
    expect(await hears(world, 'claude-code', 'after', other)).toEqual(['After.']);
    // Hooks of the other clients mean nothing to it.
    expect(await hears(world, 'codex', 'after', {}, env)).toEqual(['After.']);
  });

  test('Claude Code itself, started from a terminal in one, is told', async () => {
    const world = install({ hooks });
    writeFileSync(join(world.runner, 'cursor.postToolUse.json'), '{}');
    const { event, file } = MOMENTS.after['claude-code'];
    const fire = (line: string) =>
      world.fire('claude-code', event, recorded('claude-code', file), {
        env: {
          PATH: process.env.PATH ?? '',
          CURSOR_VERSION: '3',
          COMMAND: world.command('claude-code', event) ?? '',
        },
        line: () => line,
      });
    // The one that has this process id is the parent of the shell that runs the hook.
    expect(await fire('CLAUDE_PID=1 sh -c "$COMMAND"; :')).toBe('');
    expect(await fire('export CLAUDE_PID=$$; sh -c "$COMMAND"; :')).toContain('After.');
  });
});

describe('a session that is resumed is told what its history has lost, and nothing else', () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const origin = 'Note from the MCP server "annal", not from the user, at the start of the session';
  const heading = `${origin}; each of its lines begins with |. Optional: use it only if it helps.\n| `;
  const told = (text = 'Welcome.') => `${heading}${text}`;
  /** Lines as the real clients write them. */
  const LINES = {
    'claude-code': {
      said: (text: string) =>
        line({
          attachment: {
            type: 'hook_additional_context',
            content: ['other', text],
            hookName: 'SessionStart',
          },
          type: 'attachment',
        }),
      quoted: (text: string) => line({ type: 'user', message: { role: 'user', content: text } }),
      compacted: line({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
      }),
    },
    codex: {
      said: (text: string) =>
        line({
          type: 'response_item',
          payload: { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] },
        }),
      quoted: (text: string) =>
        line({
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        }),
      compacted: line({ timestamp: 't', ordinal: 4, type: 'compacted', payload: { message: 'x' } }),
    },
  } as const;

  test('there are such lines of each client that says that a session goes on', () => {
    expect(Object.keys(LINES)).toEqual(IDS.filter((id) => clientOf(id).wire.continuing.length > 0));
  });

  describe.each(['claude-code', 'codex'] as const)('%s', (id) => {
    const { said, quoted, compacted } = LINES[id];
    test.each<[string, string | undefined, boolean]>([
      ['it is there', said(told()), false],
      ['it is there with other texts', said(`x\n\n${told()}\n\ny`), false],
      ['there is no file', undefined, true],
      ['the file is empty', '', true],
      ['the session is older than the hook', said('Something else.'), true],
      ['it has another text of ours', said(told('Bye.')), true],
      ['somebody quotes it', quoted(told()), true],
      [
        'another server speaks of it',
        said(`Note from the MCP server "x", not from the user, about this prompt.\n| ${told()}`),
        true,
      ],
      ['another server speaks of it in a line', said(`I say: ${told()}`), true],
      ['it was before a compaction', said(told()) + compacted, true],
      ['it was told again after a compaction', said(told()) + compacted + said(told()), false],
      ['in the middle of garbage', `{"cut\n\u0000\n${said(told())}{`, false],
    ])('%s', async (_, transcript, expected) => {
      const world = install({ hooks: [start] });
      const path = join(world.cwd, 'é session.jsonl');
      if (transcript !== undefined) writeFileSync(path, transcript);
      const changes = { source: 'resume', transcript_path: path };
      expect(await hears(world, id, 'start', changes)).toEqual(expected ? ['Welcome.'] : []);
    });
  });

  test('a thread of Codex that was rewound has its beginning elsewhere', async () => {
    const world = install({ hooks: [start] });
    const path = join(world.cwd, 'rollout.jsonl');
    writeFileSync(
      path,
      line({ type: 'session_meta', payload: { history_base: { thread_id: 'x' } } }),
    );
    const changes = { source: 'resume', transcript_path: path };
    expect(await hears(world, 'codex', 'start', changes)).toEqual([]);
  });

  test('Gemini CLI writes some characters as HTML has them', async () => {
    const world = install({ hooks: [{ ...start, context: 'a <b> & c' }] });
    const path = join(world.cwd, 'session.jsonl');
    const text = `<hook_context>${heading}a &lt;b&gt; & c</hook_context>`;
    const content = [{ text: 'Hi' }, { text }];
    writeFileSync(path, line({ $set: { messages: [{ id: 'a', type: 'user', content }] } }));
    expect(await hears(world, 'gemini-cli', 'prompt', { transcript_path: path })).toEqual([]);
  });

  test('with words that JSON escapes', async () => {
    const context = 'It\'s "so"\nC:\\dir é 日本 😀 <b> & \u2028';
    for (const id of ['claude-code', 'codex'] as const) {
      const world = install({ hooks: [{ ...start, context }] });
      const path = join(world.cwd, 'session.jsonl');
      writeFileSync(path, LINES[id].said(told(context.replace(/[\n\u2028]/g, '\n| '))));
      expect(await hears(world, id, 'start', { source: 'resume', transcript_path: path })).toEqual(
        [],
      );
    }
  });

  test.each<[string, string, string[]]>([
    ['it is there', 'shop is open.', []],
    ['only another text of ours is', 'Welcome.', ['shop is open.']],
  ])('with a variable at its beginning: %s', async (_, was, expected) => {
    for (const id of ['claude-code', 'codex'] as const) {
      const world = install({
        hooks: [{ ...start, context: '{project_name} is open.' }],
      });
      const path = join(world.cwd, 'session.jsonl');
      writeFileSync(path, LINES[id].said(told(was)));
      const changes = { cwd: '/home/dev/shop', source: 'resume', transcript_path: path };
      expect(await hears(world, id, 'start', changes)).toEqual(expected);
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
    ['somebody quotes it', `${reset()}${line(message('c', told()))}`, true],
    [
      'a tool quotes it',
      `${reset()}${line({ ...message('c', 'x', told()), type: 'gemini' })}`,
      true,
    ],
    ['another server speaks of it', reset(message('a', 'Hi', `x\n> ${told()}`)), true],
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
      return hears(world, 'gemini-cli', 'prompt', changes);
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

test('what a tool could not say is asked again, and what it said is not', async () => {
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
  expect(files()).toMatch(/codex\..*\.mark/);
  expect(await world.told('codex', 'prompt')).toBeUndefined();
  expect(files()).toMatch(/codex\..*\.mark/);
});

describe('what is remembered', () => {
  const hooks: Hook[] = [
    { event: 'pre_request', context: 'Hi.' },
    { event: 'session_end', context: 'Bye.' },
    { event: 'post_request', context: 'Next.' },
  ];

  test('is put away when nobody needs it any more', async () => {
    const world = install({ hooks });
    const folder = join(world.state, 'sessions');
    mkdirSync(folder);
    const ages: Record<string, number> = {
      'codex.old.annal.1-a.ask-once': 31 * 24,
      'codex.old.annal.1-a.mark': 31 * 24,
      'codex.new.annal.1-a.ask-once': 29 * 24,
      'gemini-cli.new.annal.1-a.history-3': 29 * 24,
      'codex.new.annal.1-a.told': 29 * 24,
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
    // It does so now and then, once a day.
    for (let tries = 0; tries < 3000 && !existsSync(join(folder, 'swept')); tries++)
      await Promise.all(Array.from({ length: 8 }, () => world.told('codex', 'prompt')));
    const left = readdirSync(folder).filter((name) => name in ages);
    expect(left.sort()).toEqual(
      Object.keys(ages)
        .filter((name) => !name.includes('.old.'))
        .sort(),
    );
  }, 120_000);

  test('in a folder that is broken: it is begun anew', async () => {
    const world = install({ hooks });
    const turn = () =>
      eachAsync(async (id) => [
        bodies(await world.told(id, 'turnEnd')),
        bodies(await world.told(id, 'prompt')),
      ]);
    rmSync(join(world.state, 'sessions'), { recursive: true, force: true });
    writeFileSync(join(world.state, 'sessions'), 'no folder');
    writeFileSync(join(world.state, 'log'), 'no folder');
    const first = await turn();
    for (const id of IDS) expect(first[id].flat()).toContain('Hi.');
    expect(await turn()).toEqual(all([[], ['Hi.', 'Next.']]));
    expect(readdirSync(join(world.state, 'log'))).toEqual(['annal.jsonl']);
  });

  test('with something else in the place of a file', async () => {
    const world = install({ hooks });
    await eachAsync((id) => world.told(id, 'turnEnd'));
    const folder = join(world.state, 'sessions');
    for (const name of readdirSync(folder)) {
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
    }
    expect(await eachAsync(async (id) => bodies(await world.told(id, 'prompt')))).toEqual(
      all(['Hi.']),
    );
  });
});
