// `mcp-hooks log`: the runner's log, through the built command line.
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { table } from '../../src/system/table.ts';
import {
  CLIENTS,
  type ClientUnderTest,
  COMMITTED,
  commands,
  fire,
  manifest,
} from '../support/hooks.ts';
import { NO_TERMINAL, type Ran, test, type World } from '../support/world.ts';

const [CLAUDE, CODEX] = CLIENTS;
const UTC = { env: { TZ: 'UTC' } };
const LOG = '~/.mcp-hooks/log/annal.jsonl';
const NOTHING =
  'No hook has fired yet. (A hook that adds nothing is not logged; mcp-hooks list shows whether\neverything is in place.)\n';

const ONLY_TRIALS =
  /^No hook has fired in a client yet. To see the \d that fire and verify ran, add: --trials\n$/;

/** A time as the runner writes it. */
const ms = (iso: string) => Date.parse(iso);

/** A line as the runner writes it. */
const line = (more: object = {}): string =>
  `${JSON.stringify({ at: ms('2026-01-05T13:03:22.125Z'), client: 'claude-code', event: 'PostToolUse', milliseconds: 31, hooks: [1], characters: 164, ...more })}\n`;

/** Lines with the numbers of characters 1, 2, 3 and so on. */
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => line({ characters: at + 1 })).join('');

/** The cells of each row below the head of the table. */
const cells = ({ out }: Ran): string[][] =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/));

/** The numbers of characters in the printed order. */
const characters = async (world: World, args: string): Promise<number[]> => {
  const { out } = await world.run(`log ${args} --json`);
  const { entries }: { entries: { characters: number }[] } = JSON.parse(out);
  return entries.map((entry) => entry.characters);
};

/** Makes a home with these clients, and installs annal. */
async function install(world: World, ...clients: ClientUnderTest[]): Promise<void> {
  for (const { config } of clients) await world.folder(config.replace(/\/[^/]*$/, ''));
  await world.write('annal.json', manifest(COMMITTED));
  const { code, err } = await world.run('install annal.json --yes');
  if (code !== 0) throw new Error(err);
}

async function commit(world: World, client: ClientUnderTest): Promise<void> {
  const [command] = await commands(world, client);
  await fire(world, client, 'sh', command);
}

/** Runs the second stage at a time at which it checks the size of the log, which it does in one of 64 milliseconds. */
async function commitAtTidyTime(world: World, { id, event, payload }: ClientUnderTest) {
  await world.write(
    'clock.cjs',
    'const { now } = Date; Date.now = () => Math.floor(now() / 64) * 64;',
  );
  const runner = world.path('~/.mcp-hooks/servers/annal/runner.cjs');
  const input = JSON.stringify({ session_id: 's-1', cwd: world.work, ...payload });
  const args = ['--require', world.path('clock.cjs'), runner, id, event];
  const { stdout } = await execa(process.execPath, args, { input, env: { HOME: world.home } });
  if (stdout === '') throw new Error('it printed nothing');
}

describe.concurrent('the log', () => {
  test('lists every client, oldest first, without hooks that showed nothing', async ({ world }) => {
    await install(world, ...CLIENTS);
    for (const client of CLIENTS) await commit(world, client);
    const [command = ''] = await commands(world, CLAUDE);
    const other = { tool_name: 'Edit', tool_input: { new_string: 'git commit' } };
    const input = JSON.stringify({ session_id: 's-1', ...other });
    await execa('sh', ['-c', command], { input, env: { HOME: world.home } });
    await world.write('~/.mcp-hooks/policy.json', '{ not JSON');
    await commit(world, CODEX);

    const before = await world.stamps();
    const ran = await world.run('log annal', UTC);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const took = expect.stringMatching(/^(?:\d+|-)$/);
    const said = expect.stringMatching(/^\d{3}$/);
    expect(cells(ran)).toEqual([
      ...CLIENTS.map(({ id, event }) => [time, id, event, 'hook 1', said, took]),
      [time, 'codex', 'PostToolUse', '-', '0', took, 'policy.json is not valid'],
    ]);
    expect(await world.stamps()).toEqual(before);
  });

  test('has warnings of answers, which are not failures', async ({ world }) => {
    const warnings = ['careful', 'no "quote" ends it\nannal'];
    await world.write(LOG, line({ hooks: [], characters: 0, warnings }));
    expect((await world.run('log annal', UTC)).out).toMatch(
      / {2}warned: "careful", "no \\"quote\\" ends it\\nannal"\n$/,
    );
    expect(JSON.parse((await world.run('log --json')).out).entries).toMatchObject([{ warnings }]);
    expect((await world.run('log --failed')).out).not.toContain('careful');
  });

  test('has only failures with --failed', async ({ world }) => {
    const codes = ['no-text', 'dropped', 'budget-estimated', 'no-answer'];
    const lines = codes.map((code) => line({ why: [{ code, by: 'block', hooks: [1] }] }));
    const onFailure = [{ hook: 1, action: 'deny' }];
    await world.write(LOG, [...lines, line({ onFailure })].join(''));
    const { entries } = JSON.parse((await world.run('log --failed --json')).out);
    expect(entries).toMatchObject([{ why: [{ code: 'no-answer' }] }, { onFailure }]);
  });

  test('is an aligned table with local times, and the reason last', async ({ world, expect }) => {
    await world.write(
      LOG,
      line() + line({ hooks: [], characters: 0, why: [{ code: 'no answer in time' }] }),
    );
    await world.write(
      '~/.mcp-hooks/log/notes.jsonl',
      line({
        at: ms('2026-01-05T13:03:22Z'),
        client: 'codex',
        milliseconds: undefined,
        hooks: [1, 3],
      }) + line({ at: ms('2026-01-06T00:00:00.000Z'), client: 'gemini-cli', event: 'BeforeAgent' }),
    );
    expect((await world.run('log', UTC)).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks log
      time                 label  client       event        hooks      characters  ms  reason
      2026-01-05 13:03:22  notes  codex        PostToolUse  hook 1, 3         164   -
      2026-01-05 13:03:22  annal  claude-code  PostToolUse  hook 1            164  31
      2026-01-05 13:03:22  annal  claude-code  PostToolUse  -                   0  31  no answer in time
      2026-01-06 00:00:00  notes  gemini-cli   BeforeAgent  hook 1            164  31
      exit 0
      "
    `);
    expect(
      (await world.runProcess('log notes', { env: { TZ: 'Asia/Tokyo' } })).transcript,
    ).toMatchInlineSnapshot(`
      "
      $ mcp-hooks log notes
      time                 client      event        hooks      characters  ms  reason
      2026-01-05 22:03:22  codex       PostToolUse  hook 1, 3         164   -
      2026-01-06 09:00:00  gemini-cli  BeforeAgent  hook 1            164  31
      exit 0
      "
    `);
  });

  test('has the text if the runner was asked to keep it', async ({ world, expect }) => {
    await world.write(LOG, line({ text: 'Note from "annal":\nHello.' }) + line());
    expect((await world.run('log annal', UTC)).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks log annal
      time                 client       event        hooks   characters  ms  reason
      2026-01-05 13:03:22  claude-code  PostToolUse  hook 1         164  31
          | Note from "annal":
          | Hello.
      2026-01-05 13:03:22  claude-code  PostToolUse  hook 1         164  31
      exit 0
      "
    `);
  });

  test('is read from the state folder', async ({ world }) => {
    await world.write('~/elsewhere/log/annal.jsonl', line());
    const env = { ...UTC.env, MCP_HOOKS_HOME: world.path('~/elsewhere') };
    expect(cells(await world.run('log annal', { env }))).toHaveLength(1);
    expect((await world.run('log', UTC)).out).toBe(NOTHING);
  });
});

describe.concurrent('the files of a label', () => {
  test('are both read after the runner has begun a new one', async ({ world }) => {
    await install(world, CLAUDE);
    await commit(world, CLAUDE);
    const [first = ''] = (await world.read(LOG)).split('\n');
    const many = Math.ceil((1024 * 1024) / (line().length - 4));
    await world.write(LOG, `${first}\n${lines(many)}`);
    await commitAtTidyTime(world, CLAUDE);
    await expect(world.read(LOG)).rejects.toThrow();
    await commit(world, CLAUDE);
    expect((await world.read(LOG)).split('\n')).toHaveLength(2);

    const all = await characters(world, 'annal --last 0');
    const said: number = JSON.parse(first).characters;
    expect(all).toHaveLength(many + 3);
    expect([all[0], all[1], ...all.slice(-3)]).toEqual([said, 1, many, said, said]);
  });

  test('are one log even if only the older one exists', async ({ world }) => {
    await world.write(`${LOG}.1`, line());
    expect(await characters(world, 'annal')).toEqual([164]);
    expect(await characters(world, '')).toEqual([164]);
  });

  test('are shown in their own order, and those of several labels by time', async ({ world }) => {
    const at = (second: number) => ms(`2026-01-05T13:03:0${second}.000Z`);
    await world.write(`${LOG}.1`, line({ at: at(2), characters: 2 }));
    await world.write(LOG, line({ at: at(5), characters: 5 }) + line({ at: at(4), characters: 4 }));
    await world.write('~/.mcp-hooks/log/b.jsonl', line({ at: at(3), characters: 3 }));
    expect(await characters(world, 'annal')).toEqual([2, 5, 4]);
    expect(await characters(world, '')).toEqual([2, 3, 4, 5]);
  });

  test('may have invalid lines, which are skipped and counted once', async ({ world }) => {
    const wrong = [
      'null\n',
      '[]\n',
      '"at"\n',
      '{}\n',
      'garbage\n',
      '\u0000\u0000{"at":\n',
      line({ at: 'yesterday' }),
      line({ at: '2026-01-05T13:03:22Z' }),
      line({ at: 1e300 }),
      line({ at: null }),
      line({ client: null }),
      line({ event: {} }),
      line({ hooks: 'all' }),
      line({ hooks: ['1'] }),
      line({ characters: '164' }),
      line({ milliseconds: '31' }),
      line({ why: 1 }),
      line({ why: 'no text' }),
      line({ why: [{ code: 1 }] }),
      line({ text: [] }),
    ];
    await world.write(`${LOG}.1`, wrong.join('') + line({ characters: 1 }));
    await world.write(LOG, `\n${line({ characters: 2, also: 'this' })}\n${line().slice(0, 40)}`);
    await world.write('~/.mcp-hooks/log/notes.jsonl', line({ characters: 3 }));
    const { code, out, err } = await world.run('log --json');
    expect(code).toBe(0);
    expect(err).toBe(
      `${wrong.length + 1} lines were skipped because they are cut off or not the runner's, in ~/.mcp-hooks/log/annal.jsonl.1, ~/.mcp-hooks/log/annal.jsonl.\n`,
    );
    expect(out).not.toContain('also');
    expect(await characters(world, '')).toEqual([1, 2, 3]);

    await world.write(`${LOG}.1`, '');
    expect((await world.run('log annal')).err).toBe(
      "1 line was skipped because it is cut off or not the runner's, in ~/.mcp-hooks/log/annal.jsonl.\n",
    );
    expect((await world.run('log notes')).err).toBe('');
  });

  test('stay while another install shares them', async ({ world }) => {
    await install(world, CLAUDE);
    await world.run('install annal.json --yes --scope project --client claude');
    await commit(world, CLAUDE);
    expect((await world.run('uninstall annal --yes')).code).toBe(0);
    expect(cells(await world.run('log annal'))).toHaveLength(1);
    expect((await world.run('uninstall annal --yes --scope project')).code).toBe(0);
    expect(await world.run('log annal')).toMatchObject({ code: 2, out: '' });
  });

  test('that cannot be read are not reported as empty', async ({ world }) => {
    await world.folder(LOG);
    const folder = await world.run('log annal');
    expect(folder).toMatchObject({ code: 2, out: '' });
    expect(folder.err).toContain('annal.jsonl cannot be read: it is a folder.');
    await world.remove('~/.mcp-hooks/log');
    await world.write('~/.mcp-hooks/log', '');
    const file = await world.run('log');
    expect(file).toMatchObject({ code: 2, out: '' });
    expect(file.err).toContain(
      '.mcp-hooks/log cannot be used: a part of its path is not a folder.',
    );
  });
});

describe.concurrent('the log shows', () => {
  test('the last fifty with a note, or as many as --last says', async ({ world }) => {
    await world.write(`${LOG}.1`, lines(40));
    await world.write(LOG, lines(60));
    const unasked = await world.run('log annal');
    expect(unasked).toMatchObject({
      code: 0,
      err: '50 earlier firings are not shown: --last 0 shows all.\n',
    });
    expect(cells(unasked)).toHaveLength(50);
    expect(await characters(world, 'annal')).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 11),
    );
    expect(await characters(world, 'annal --last 2')).toEqual([59, 60]);
    expect(await characters(world, '--last 0')).toHaveLength(100);
    expect(await characters(world, '--last 1000')).toHaveLength(100);
    // With --last, there is no note, because the user chose the number.
    expect((await world.run('log --last 2')).err).toBe('');
    await world.write(`${LOG}.1`, '');
    await world.write(LOG, lines(51));
    expect((await world.run('log')).err).toBe(
      '1 earlier firing is not shown: --last 0 shows all.\n',
    );
  });

  test('the firings of some clients, and the failed ones', async ({ world }) => {
    await world.write(
      LOG,
      line({ characters: 1 }) +
        line({ characters: 2, client: 'codex', why: [{ code: 'no text' }] }) +
        line({ characters: 3, client: 'gemini-cli' }) +
        line({ characters: 4, why: [{ code: 'ENOENT' }] }) +
        line({ characters: 5 }),
    );
    expect(await characters(world, '--failed')).toEqual([2, 4]);
    expect(await characters(world, '--client claude,gemini-cli')).toEqual([1, 3, 4, 5]);
    expect(await characters(world, 'annal --client claude --failed')).toEqual([4]);
    // The last ones among the failed.
    expect(await characters(world, '--failed --last 2')).toEqual([2, 4]);
    const none = await world.run('log --client gemini --failed');
    expect(none).toMatchObject({
      code: 0,
      out: 'Nothing in the log matches (5 firings).\n',
    });
    expect(await characters(world, '--client gemini --failed')).toEqual([]);
    expect((await world.run('log --client vim')).err).toContain('There is no client "vim"');
  });

  test('everything that is known with --json', async ({ world }) => {
    const facts = { text: 'Hello.', milliseconds: undefined, hooks: [1, 2] };
    const why = [{ code: 'http-status', status: 503 }, { code: 'no-text' }];
    // Unknown codes.
    const before = line({ ...facts, why: [{ code: 'no text' }] });
    const strange = line({ ...facts, why: [{ code: 'http-status' }, { code: 'x\u001b[2J' }] });
    await world.write(LOG, line() + line({ ...facts, why }) + before + strange);
    const { code, out, err } = await world.run('log --json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const known = {
      label: 'annal',
      at: '2026-01-05T13:03:22.125Z',
      client: 'claude-code',
      event: 'PostToolUse',
      characters: 164,
    };
    const quoted = (...texts: string[]) => texts.map((text) => ({ code: 'quote', text }));
    expect(JSON.parse(out)).toStrictEqual({
      schemaVersion: 1,
      entries: [
        { ...known, hooks: [1], milliseconds: 31 },
        { ...known, hooks: [1, 2], reason: 'HTTP 503, no text', why, text: 'Hello.' },
        { ...known, hooks: [1, 2], reason: 'no text', why: quoted('no text'), text: 'Hello.' },
        {
          ...known,
          hooks: [1, 2],
          reason: 'http-status, x\u001b[2J',
          why: quoted('http-status', 'x\u001b[2J'),
          text: 'Hello.',
        },
      ],
    });
  });
});

describe.concurrent('if there is nothing to show', () => {
  test('the log says that no hook has fired, also for an installed label', async ({ world }) => {
    const nothing = { code: 0, out: NOTHING, err: '' };
    expect(await world.run('log')).toMatchObject(nothing);
    await install(world, CLAUDE);
    const before = await world.stamps();
    expect(await world.run('log')).toMatchObject(nothing);
    expect(await world.run('log annal')).toMatchObject(nothing);
    expect(JSON.parse((await world.run('log annal --json')).out)).toEqual({
      schemaVersion: 1,
      entries: [],
    });
    expect(await world.stamps()).toEqual(before);
  });

  test('an unknown label gets the list of labels', async ({ world }) => {
    const others =
      'Hooks that a plugin or an extension brings are in the log once they have fired.';
    expect(await world.run('log nix')).toMatchObject({
      code: 2,
      out: '',
      err: `nix is not installed and has no log. Nothing is installed, and no hook has fired yet. ${others} To find hooks for your servers: mcp-hooks scan\n`,
    });
    await install(world, CLAUDE);
    await commit(world, CLAUDE);
    await world.run('install annal.json --yes --name quiet');
    await world.write('~/.mcp-hooks/log/gone.jsonl.1', line());
    for (const name of ['', '-x', 'a b'])
      await world.write(`~/.mcp-hooks/log/${name}.jsonl`, line());
    await world.write('~/.mcp-hooks/log/notes.txt', line());
    const said = `nix is not installed and has no log. Known here: annal, gone, quiet. ${others}`;
    expect(await world.run('log nix')).toMatchObject({ code: 2, out: '', err: `${said}\n` });
    const json = await world.run('log nix --json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out)).toEqual({
      schemaVersion: 1,
      error: said,
      details: [],
      code: 'no-log',
    });
  });

  test('a label cannot point to another file', async ({ world }) => {
    await world.write('~/.mcp-hooks/outside.jsonl', line());
    await world.write(LOG, line());
    expect(await world.run('log ../outside')).toMatchObject({ code: 2, out: '' });
    expect(await world.run(['log', ''])).toMatchObject({ code: 2, out: '' });
  });

  test('an unreadable record does not hide the log', async ({ world }) => {
    await world.write('~/.mcp-hooks/ledger.json', '{');
    await world.write(LOG, line());
    expect(cells(await world.run('log annal'))).toHaveLength(1);
    const { code, err } = await world.run('log nix');
    expect(code).toBe(2);
    expect(err).toContain('the record of what is installed, cannot be read.');
    expect(err).toContain('nix is not installed and has no log. Known here: annal.');
  });

  test.for<[string, string]>([
    ['log --last -1', 'Give a whole number, 0 for all.'],
    ['log --last soon', 'Give a whole number, 0 for all.'],
    ['log --last 1.5', 'Give a whole number, 0 for all.'],
    ['log --scope user', "unknown option '--scope'"],
    ['log annal notes', 'too many arguments'],
    ['log annal -- node', 'log takes no command after --'],
  ])('%s is wrong usage', async ([args, said], { make }) => {
    const { code, out, err } = await (await make()).run(args);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(said) });
  });

  test('the log needs HOME', async ({ world }) => {
    const { code, err } = await world.run('log', { env: { HOME: undefined } });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('HOME is not set') });
  });
});

describe.concurrent('a forged line in the log', () => {
  const EVIL = '\u001b[2J\u001b]0;title\u0007\u009b1m\u202Etxt.exe\u2066\u200B\r\t\u{E0041}';
  const UGLY =
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069\u{E0041}]/u;

  test('cannot control the terminal', async ({ world }) => {
    const evil = { client: EVIL, event: EVIL };
    await world.write(LOG, line({ ...evil, why: [{ code: EVIL }], text: EVIL }) + EVIL);
    await world.write(`~/.mcp-hooks/log/${EVIL.replace('\r', '')}.jsonl`, line({ characters: 99 }));
    for (const args of [['log'], ['log', '--json'], ['log', EVIL], ['log', '--client', EVIL]]) {
      const { out, err } = await world.run(args);
      expect({ args, ugly: UGLY.exec(`${out}${err}`) }).toEqual({ args, ugly: null });
    }
    const { out } = await world.run('log');
    expect(out).toContain('\\u{1B}[2J');
    expect(out).toContain('\\u{202E}txt.exe');
    expect(out.split('\n')[1]).toContain('\\u{D}\\u{9}');
    expect(out).not.toContain(' 99 '); // no label has such a name
    const { entries } = JSON.parse((await world.run('log --json')).out);
    expect(entries).toEqual([expect.objectContaining({ ...evil, reason: EVIL })]);
  });

  test('cannot look like a second line', async ({ world }) => {
    const posing = '\n2026-01-05 13:03:22  annal  codex';
    const more = {
      client: posing,
      event: posing,
      why: [{ code: posing }],
      text: `Hello.${posing}`,
    };
    await world.write(LOG, line(more));
    const { out } = await world.run('log', UTC);
    expect(out).toContain('\\u{A}2026');
    // The head, the line, and its text, which is indented.
    expect(out.split('\n').map((one) => /^ {4}|^time|^2026/.exec(one)?.[0])).toEqual([
      'time',
      '2026',
      '    ',
      '    ',
      undefined,
    ]);
  });

  test('is cut if it is very long', async ({ world }) => {
    const long = 'x'.repeat(100_000);
    await world.write(LOG, line({ client: long, event: long, why: [{ code: long }], text: long }));
    const { out } = await world.run('log');
    expect(out.length).toBeLessThan(13_000);
    expect(out).toContain('... (99960 more characters)');
    expect(out).toContain('... (99500 more characters)');
  });
});

test('the log shows a failed guard, and whether it let the call pass or blocked it', async ({
  world,
}) => {
  const failed = (action: string) =>
    line({ hooks: [], why: [{ code: 'node-missing' }], onFailure: [{ hook: 2, action }] });
  const all = ['allow', 'deny', 'allow-again'];
  await world.write(LOG, line() + all.map(failed).join(''));
  const ran = await world.run('log annal --failed');
  const why = 'Node.js was not found, or the runner is damaged; hook 2 failed and';
  expect(cells(ran).map((row) => row.at(-1))).toEqual([
    `${why} let it pass`,
    `${why} blocked it`,
    `${why} let it pass, after ten minutes of blocking`,
  ]);
  const { entries } = JSON.parse((await world.run('log annal --failed --json')).out);
  expect(entries.map(({ onFailure }: { onFailure: unknown }) => onFailure)).toEqual(
    all.map((action) => [{ hook: 2, action }]),
  );
});

test('colour does not change the layout of a table', () => {
  const columns = [
    { head: 'a', cell: (row: string) => row, style: 'bold' },
    { head: 'number', cell: (row: string) => String(row.length), right: true },
    { head: 'last', cell: (row: string) => row.replace('none', ''), style: 'red' },
  ] as const;
  const drawn = (colour: boolean) =>
    table({ ...NO_TERMINAL, colour, columns: 80 }, columns, ['xy', 'none', 'long enough']);
  expect(drawn(false)).toEqual([
    'a            number  last',
    'xy                2  xy',
    'none              4',
    'long enough      11  long enough',
  ]);
  const painted = drawn(true);
  expect(painted[1]).toContain('\u001b[1mxy');
  expect(painted.map((one) => one.replace(/\u001b\[\d+m/g, ''))).toEqual(drawn(false));
});

describe('a trial by fire or verify', () => {
  test('is in the log only with --trials', async ({ world }) => {
    await install(world, ...CLIENTS);
    const env = { PATH: process.env.PATH };
    const input = ['--input', '{"command":"git commit"}', '--tool', 'Bash'];
    expect((await world.run(['fire', 'annal', 'post_tool_use', ...input], { env })).out).toContain(
      'What did you learn?',
    );
    await world.run('verify annal', { env });
    expect((await world.run('log annal')).out).toMatch(ONLY_TRIALS);
    expect(JSON.parse((await world.run('log --json')).out)).toEqual({
      schemaVersion: 1,
      entries: [],
    });
    expect((await world.run('log --trials')).out).toContain('PostToolUse (trial)');

    for (const client of CLIENTS) await commit(world, client);
    const { entries } = JSON.parse((await world.run('log --json')).out);
    expect(entries.map(({ client }: { client: string }) => client)).toEqual(
      CLIENTS.map(({ id }) => id),
    );
  });

  test('is not in the log even if the shell prints its text alone', async ({ world }) => {
    await world.folder('~/.claude', '~/.codex');
    await world.write(
      'annal.json',
      manifest({ event: 'session_start', context: 'Hello.', priority: 'suggestion' }),
    );
    const env = { PATH: process.env.PATH };
    await world.run('install annal.json --yes');
    expect((await world.run('fire annal session_start', { env })).out).toContain('Hello.');
    expect((await world.run('log annal')).out).toMatch(ONLY_TRIALS);
  });
});
