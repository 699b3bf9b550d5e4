/** The first stage, in the shells that clients use. It may leave too much to the second stage, but never too little. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memories } from '../../src/install/ledger-change.ts';
import { disk } from '../../src/system/disk.ts';
import { expected } from '../clients/expectations.ts';
import { IDS } from '../support/runner/at-once.ts';
import {
  type ClientId,
  MOMENTS,
  type Payload,
  recorded,
  recordedText,
} from '../support/runner/clients.ts';
import {
  filesIn,
  type Hook,
  install,
  type Setup,
  scratch,
  type World,
} from '../support/runner/world.ts';
import { NOT_HERE, pathOf, SHELLS } from '../support/shells.ts';
import { tries } from '../support/tries.ts';
import { WRITERS } from '../support/writers.ts';

test.skip.each(NOT_HERE)('%s is not installed here', () => {});

/** Runs a command line as a client does. */
function run(made: World, shell: string, line: string, input: string, env = {}) {
  return spawnSync(pathOf(shell), [...shell.split(' ').slice(1), '-c', line], {
    ...asClient(made, env),
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
}

const asClient = (made: World, env: object) => ({
  cwd: made.cwd,
  // A bash whose stdin is a socket reads ~/.bashrc unless it was started by another shell.
  env: { PATH: process.env.PATH, SHLVL: '1', ...env },
  timeout: 60_000,
  killSignal: 'SIGKILL' as const,
});

/** An install whose second stage only prints its input. */
function world(hooks: readonly Hook[], setup: Partial<Setup> = {}): World {
  const node = join(scratch('node'), 'node');
  writeFileSync(node, '#!/bin/sh\nprintf "%s %s:" "$4" "$5"\n/bin/cat\n');
  chmodSync(node, 0o755);
  return install({ hooks, node, ...setup });
}

interface At {
  readonly id?: ClientId;
  readonly event?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The input of the second stage; undefined if it was not started. */
const given = (made: World, shell: string, payload: string, at?: At): string | undefined =>
  givenEach(made, shell, [payload], at)[0];

/** The same for several payloads in sequence. Starting the shells from a shell takes a tenth of the time. */
function givenEach(
  made: World,
  shell: string,
  payloads: readonly string[],
  { id = 'claude-code', event = 'PostToolUse', env = {} }: At = {},
): (string | undefined)[] {
  const folder = scratch('payloads');
  const words = [pathOf(shell), ...shell.split(' ').slice(1), '-c'].join(' ');
  const lines = payloads.map((payload, index) => {
    const file = join(folder, `${index}`);
    writeFileSync(file, payload);
    return `/bin/cat ${file} | ${words} "$1" >${file}.said 2>${file}.error || echo $? >>${file}.error`;
  });
  const { status, stderr } = spawnSync(
    '/bin/sh',
    ['-c', lines.join('\n'), 'sh', made.command(id, event) ?? 'exit 9'],
    { ...asClient(made, env), encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return payloads.map((_, index) => {
    const read = (what: string) => readFileSync(join(folder, `${index}.${what}`), 'utf8');
    expect(read('error')).toBe('');
    const [said, begins] = [read('said'), `${id} ${event}:`];
    return said.startsWith(begins) ? said.slice(begins.length).replace(/\n$/, '') : undefined;
  });
}

const asking = (...inputs: (string | undefined)[]): Hook[] =>
  inputs.map((input) => ({
    event: 'post_tool_use',
    ...(input !== undefined && { matcher: { input_contains: input } }),
    context: 'Hello.',
  }));

describe.each(SHELLS)('a search for words, in %s', (shell) => {
  test('ends there if the payload has none of them', () => {
    const made = world(asking('git commit', "$(touch x) `y` '*?"));
    const payloads = [
      '{"command":"ls"}',
      '{"command":"git status; commit"}',
      '',
      `{"a":"${'ls -la '.repeat(200_000)}"}`,
    ];
    expect(givenEach(made, shell, payloads)).toEqual(payloads.map(() => undefined));
  });

  test('passes on the whole payload if it has one of them', () => {
    const made = world(asking('git commit', 'notes'));
    const payloads = ['{"command":"git commit -m \\"x\\\\n%s\\""}', '{"a":"new notes"}'];
    expect(givenEach(made, shell, payloads)).toEqual(payloads);
  });

  test('finds a word anywhere in a payload of any length and of many lines', () => {
    const made = world(asking('git commit'));
    const around = [0, 1, 3999, 4000, 16_384, 65_520, 65_525, 65_530, 65_536, 65_540, 1_500_000];
    const fill = (length: number) => 'xg gi\n'.repeat(length / 6 + 1).slice(0, length);
    const payloads = around.map(
      (before, index) => `${fill(before)}git commit${fill(around.at(-index) ?? 0)}`,
    );
    const found = givenEach(made, shell, payloads);
    for (const [index, payload] of payloads.entries())
      expect(found[index]?.trimEnd() === payload.trimEnd(), `after ${around[index]}`).toBe(true);
  });

  test('finds a word at every place around the limit of what a shell reads by itself', () => {
    const made = world(asking('git commit', 'g'.repeat(60)));
    const payloads = Array.from(
      { length: 15 },
      (_, index) => `${'x'.repeat(65_536 - 12 + index)}git commit${'x'.repeat(3000)}`,
    );
    expect(givenEach(made, shell, payloads)).toEqual(payloads);
  });

  test('passes on an escaped letter', () => {
    const made = world(asking('git commit'));
    const payload = '{"command":"\\u0067it c\\u006Fmmit"}';
    expect(given(made, shell, payload)).toBe(payload);
  });

  test('finds a word in encodings in which a byte before it could swallow its first letter', () => {
    const made = world(asking('git commit'));
    const all = spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout.split('\n');
    for (const locale of ['C', ...all.filter((name) => /utf-?8|sjis|gbk|big5/i.test(name))])
      for (const variable of ['LC_ALL', 'LANG', 'LC_CTYPE']) {
        const words = ['日git commit', 'あgit commit', 'égit commit\\ud83d'];
        const payloads = words.map((word) => `{"command":"${word}"}`);
        const env = { [variable]: locale };
        expect(givenEach(made, shell, payloads, { env })).toEqual(payloads);
      }
  });

  test('works with any variables in the environment', () => {
    const env = {
      payload: 'x',
      more: 'x',
      end: 'git',
      found: 'x',
      value: 'x',
      is: 'x',
      whole: '-q',
    };
    for (const made of [world(asking('git commit')), world(asking(undefined))])
      expect(given(made, shell, '{"command":"git commit"}', { env })).toBe(
        '{"command":"git commit"}',
      );
    expect(given(world(asking('git commit')), shell, '{"command":"ls"}', { env })).toBeUndefined();
  });

  test.each([undefined, '', '1'])('leaves POSIXLY_CORRECT=%s as it is', (value) => {
    const made = world(asking('git commit'));
    const file = readFileSync(join(made.runner, 'claude-code.PostToolUse.sh'), 'utf8');
    const node = '#!/bin/sh\nprintenv POSIXLY_CORRECT || echo unset\n';
    writeFileSync(/^node=(.*)$/m.exec(file)?.[1] ?? '', node);
    const line = made.command('claude-code', 'PostToolUse') ?? '';
    const env = value === undefined ? {} : { POSIXLY_CORRECT: value };
    expect(run(made, shell, line, '{"command":"git commit"}', env).stdout).toBe(
      `${value ?? 'unset'}\n`,
    );
  });

  test('without other programs is left to the second stage, which reads by itself', () => {
    const made = world(asking('git commit'));
    const payload = '{"command":"git commit"}';
    const node = '#!/bin/sh\nread -r line; printf "%s %s:%s" "$4" "$5" "$line"\n';
    const file = readFileSync(join(made.runner, 'claude-code.PostToolUse.sh'), 'utf8');
    writeFileSync(/^node=(.*)$/m.exec(file)?.[1] ?? '', node);
    expect(given(made, shell, `${payload}\n`, { env: { PATH: '/nonexistent' } })).toBe(payload);
  });

  test("runs no program of the session's folder, even if it is on the PATH", () => {
    const made = world(asking('git commit'));
    const names = ['cat', 'date', 'grep', 'mkdir', 'node'];
    mkdirSync(join(made.cwd, 'bin'));
    for (const name of [...names, ...names.map((one) => join('bin', one))])
      writeFileSync(join(made.cwd, name), '#!/bin/sh\n: >"$0.ran"\n', { mode: 0o755 });
    const env = { PATH: `bin:./bin:${process.env.PATH}::bin` };
    const payload = `{"a":"${'x'.repeat(20_000)}","b":"git commit"}`;
    expect(given(made, shell, payload, { env })).toBe(payload);
    const file = readFileSync(join(made.runner, 'claude-code.PostToolUse.sh'), 'utf8');
    rmSync(/^node=(.*)$/m.exec(file)?.[1] ?? '');
    for (const PATH of [env.PATH, `${process.env.PATH}:`, 'bin', ''])
      given(made, shell, payload, { env: { PATH } });
    const files = readdirSync(made.cwd, { recursive: true }).map(String);
    expect(files.filter((file) => file.endsWith('.ran'))).toEqual([]);
  });

  /** Settings that the user's shell may have. */
  const SETTINGS: Record<string, Record<string, string>> = {
    "a variable that is bash's": { BASH_VERSION: '5.2' },
    "a variable that is zsh's": { ZSH_VERSION: '5.9' },
    'a function for cat': { 'BASH_FUNC_cat%%': '() { echo evil; }' },
    'a function for grep': { 'BASH_FUNC_grep%%': '() { echo evil; }' },
    'a function for printf': { 'BASH_FUNC_printf%%': '() { echo evil; }' },
    'options of bash': { SHELLOPTS: 'allexport:errexit:nounset:noclobber:noglob:xtrace' },
    'options of grep': { GREP_OPTIONS: '--color=always', GREP_COLORS: 'mt=1', GREP_COLOR: '1' },
    'no PATH': { PATH: '' },
    'an odd IFS': { IFS: 'gi' },
    'variables that are exported': { found: '1', value: '1', memory: '1', session: '1' },
  };
  test.each(Object.entries(SETTINGS))('works with %s', (_, env) => {
    const made = world(asking('git commit'));
    // ksh reads too far ahead if BASH_VERSION is set. Without a PATH, few shells can read the rest of a payload.
    const isFit =
      !('BASH_VERSION' in env && shell === 'ksh') &&
      (env.PATH !== '' || ['bash', 'zsh'].includes(shell));
    const payloads = [10, 20_000, 200_000].flatMap((length) => [
      `{"a":"git commit","b":"${'x'.repeat(length)}"}`,
      `{"a":"${'x'.repeat(length)}","b":"git commit"}`,
    ]);
    const full = { ...env, ...(env.PATH === '' && { PATH: '/nonexistent' }) };
    if (isFit) expect(givenEach(made, shell, payloads, { env: full })).toEqual(payloads);
    if (env.PATH !== '') expect(given(made, shell, '{"a":"ls"}', { env })).toBeUndefined();
  });

  test('finds one of many words without starting Node', () => {
    const words = Array.from({ length: 40 }, (_, i) => `${'fghijk'.charAt(i % 6)}${i}-`.repeat(15));
    const made = world(asking(...words));
    const payloads = [words[0], words[39]].map((word) => `{"a":"${'-'.repeat(13_080)}${word}"}`);
    const all = [`{"a":"${'-'.repeat(17_000)}"}`, ...payloads];
    expect(givenEach(made, shell, all)).toEqual([undefined, ...payloads]);
  });

  test('reads nothing if a hook has no condition, or one that a shell cannot check', () => {
    for (const made of [
      world(asking('git commit', undefined)),
      world(asking('git commit', '日本')),
      world(asking('1e5')),
    ])
      expect(given(made, shell, '{"command":"ls"}')).toBe('{"command":"ls"}');
  });
});

test.each(Object.entries(WRITERS))('any word is found in a payload written %s', (_, write) => {
  const word = fc.string({
    unit: fc.constantFrom(...'git commit-m/"\\é<&\n'),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(word, word, fc.nat(20_000), (before, needle, length) => {
      const made = world(asking(needle));
      const input = { command: `${before}${needle}`, more: 'y'.repeat(length) };
      const payload = write({ session_id: 's', tool_name: 'Bash', tool_input: input });
      for (const shell of ['sh', 'bash']) expect(given(made, shell, payload)).toBe(payload);
    }),
    { numRuns: tries(10, 40) },
  );
});

describe.each(SHELLS)('a text known at install time, in %s', (shell) => {
  const start: Hook = {
    event: 'session_start',
    context: "It's {{so}}: é 日本 😀 \\n %s $HOME `x`",
  };
  const started = (session: string, changes: Payload = {}) =>
    JSON.stringify(recorded('claude-code', 'SessionStart', { session_id: session, ...changes }));
  /** What the shell prints. */
  const prints = (made: World, event: string, payload: string) =>
    run(made, shell, made.command('claude-code', event) ?? '', payload).stdout;

  test('is printed as the second stage would print it, without starting that, once per session', () => {
    const made = world([start, { ...start, context: 'Two.', priority: 'important' }]);
    const real = install({ hooks: [start, { ...start, context: 'Two.', priority: 'important' }] });
    // With a policy, even an empty one, the second stage prints the text.
    writeFileSync(join(real.state, 'policy.json'), '{}');
    const said = prints(made, 'SessionStart', started('a1'));
    expect(JSON.parse(said)).toEqual(JSON.parse(prints(real, 'SessionStart', started('a1'))));
    expect(said).toContain('Two.');
    expect(prints(made, 'SessionStart', started('a1'))).toBe('');
    expect(prints(made, 'SessionStart', started('a2'))).toBe(said);
    const lines = readFileSync(join(made.state, 'log/annal.jsonl'), 'utf8').trim().split('\n');
    const parts = JSON.parse(said).hookSpecificOutput.additionalContext.split('\n\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      Array(2).fill({
        at: expect.any(Number),
        client: 'claude-code',
        event: 'SessionStart',
        hooks: [2, 1],
        characters: JSON.parse(said).hookSpecificOutput.additionalContext.length,
        each: [
          { hook: 2, characters: parts[0].length },
          { hook: 1, characters: parts[1].length },
        ],
      }),
    );
    const [at] = lines.map((line) => JSON.parse(line).at);
    expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
  });

  test('is logged with the right time, whatever is remembered about the boot time', () => {
    const made = world([start]);
    const clock = join(made.state, 'sessions/clock');
    const seconds = (session: string, env?: Record<string, string>) => {
      run(made, shell, made.command('claude-code', 'SessionStart') ?? '', started(session), env);
      const lines = readFileSync(join(made.state, 'log/annal.jsonl'), 'utf8').trim().split('\n');
      return JSON.parse(lines.at(-1) ?? '').at / 1000;
    };
    const isNow = (at: number) => expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(60);
    isNow(seconds('first'));
    const kept = existsSync(clock) ? readFileSync(clock, 'utf8').trim() : 'boot 1795288089 100';
    const [boot, , up] = kept.split(' ');
    const odd = [
      ...['', ' ', 'x', '$(id)', '1 2 3', '-5', '08', 'é\n1\n2\n', `other ${kept}`],
      ...['', ' x', ' 1500000000', ' 1500000000 ', ' 1500000000 x', ' 08 08'].map(
        (one) => boot + one,
      ),
      // An uptime that is longer than the current one: another machine. One from over an hour ago: the clock may have changed.
      `${boot} 1500000000 ${Number(up) + 1000}`,
      ...(Number(up) > 4000 ? [`${boot} 1500000000 ${Number(up) - 4000}`] : []),
    ];
    for (const [index, text] of odd.entries()) {
      writeFileSync(clock, text);
      isNow(seconds(`odd-${index}`));
    }
    rmSync(clock);
    mkdirSync(clock);
    isNow(seconds('folder'));
    rmSync(clock, { recursive: true });
    isNow(seconds('gone'));
    expect(memories(join(made.state, 'sessions'), disk)).toHaveLength(
      readdirSync(join(made.state, 'sessions')).length,
    );
    // Needs no other process, even if the shell has no clock of its own.
    if (process.platform === 'linux') isNow(seconds('without', { PATH: '/nonexistent' }));
  });

  test("does not run the user's ERR trap, even if the second stage ends by a signal", () => {
    const traps = scratch('traps');
    const bash = join(traps, 'bash');
    writeFileSync(bash, "trap 'echo trapped' ERR\nset -E\n");
    writeFileSync(join(traps, '.zshenv'), 'TRAPZERR() { echo trapped; }\n');
    const env = { BASH_ENV: bash, ZDOTDIR: traps };
    const made = install({ hooks: [{ event: 'post_tool_use', context: 'Hi.' }] });
    const line = made.command('codex', 'PostToolUse') ?? '';
    const { stdout, status } = run(made, shell, line, recordedText('codex', 'PostToolUse'), env);
    expect([status, JSON.parse(stdout).hookSpecificOutput.hookEventName]).toEqual([
      0,
      'PostToolUse',
    ]);
  });

  test('is left to the second stage if it depends on anything', () => {
    const cases: [Hook[], string[]][] = [
      [[{ ...start, context: 'In {project_name}.' }], [started('a')]],
      [
        [start],
        [
          started('a', { source: 'compact' }),
          started('a', { source: 'resume' }),
          started('a', { source: 7 }),
          started('a"b'),
          started('../a'),
          started('x'.repeat(65)),
          started(''),
          started('0123-ab00'),
          ` ${started('a')}`,
          '{}',
          '',
        ],
      ],
      [[start, { event: 'session_start', context_tool: 'recall' }], [started('a')]],
    ];
    const at = { event: 'SessionStart' };
    for (const [hooks, payloads] of cases)
      expect(givenEach(world(hooks), shell, payloads, at)).toEqual(payloads);
    const made = world([start]);
    writeFileSync(join(made.state, 'policy.json'), '{}');
    expect(given(made, shell, started('a'), at)).toBe(started('a'));
  });

  test('waits, with a mark, after a turn; a prompt without a waiting text ends at once', () => {
    const made = world([{ event: 'post_request', context: 'Next.' }]);
    const fire = (event: string, at = made) =>
      given(at, shell, recordedText('claude-code', event), { event });
    expect(fire('UserPromptSubmit')).toBeUndefined();
    const declarations = [{ event: 'post_request', context: 'Next.', cooldown: 60 }];
    const extended = { version: 2, name: 'annal', hooks: { declarations } };
    expect(
      fire('UserPromptSubmit', world([], { manifest: JSON.stringify(extended) })),
    ).toBeUndefined();
    expect(fire('Stop')).toBeUndefined();
    expect(fire('UserPromptSubmit')?.trim()).toBe(
      recordedText('claude-code', 'UserPromptSubmit').trim(),
    );
    expect(Object.keys(filesIn(made.state)).join()).toMatch(
      /\/sessions\/claude-code\.[^/,]*\.mark$/,
    );
  });

  test('is left to the second stage if the ID of the session is 8 MB long', () => {
    const made = world([{ event: 'post_request', context: 'Next.' }]);
    const payload = JSON.stringify(
      recorded('claude-code', 'Stop', { session: 'x y '.repeat(2e6) }),
    );
    expect(given(made, shell, payload, { event: 'Stop' }) === payload).toBe(true);
  });

  test("is shown once per turn: a user's prompt begins a turn, other prompts are left to the second stage", () => {
    const hook = { event: 'pre_tool_use', context: 'Once.', once: 'turn' };
    const manifest = { version: 2, name: 'annal', hooks: { declarations: [hook] } };
    const made = world([], { manifest: JSON.stringify(manifest) });
    const prompts = (id: ClientId, ...some: readonly string[]) => {
      const { event } = MOMENTS.prompt[id];
      const written = JSON.stringify(recorded(id, event, { prompt: 'PROMPT' }));
      return some.map((prompt) => written.replace('PROMPT', () => prompt));
    };
    const others = IDS.map((id): [ClientId, string[]] => {
      const { event } = MOMENTS.prompt[id];
      const { foreignPrompts, knownPrompts = [], doubtful } = expected[id];
      const textOf = (kind: string) => recordedText(id, `${event}.${kind}`).trim();
      const known = knownPrompts.map(textOf);
      expect(givenEach(made, shell, known, { id, event })).toEqual(known.map(() => undefined));
      const foreign = foreignPrompts.filter((kind) => !knownPrompts.includes(kind)).map(textOf);
      return [id, [...foreign, ...prompts(id, ...doubtful)]];
    });
    const marks = () => Object.keys(filesIn(made.state)).filter((file) => file.endsWith('.mark'));
    for (const [id, payloads] of others)
      expect(givenEach(made, shell, payloads, { id, event: MOMENTS.prompt[id].event })).toEqual(
        payloads,
      );
    expect(marks()).toEqual([]);
    for (const [index, [id]] of others.entries()) {
      const own = prompts(id, 'Do it, <b>', 'Notes', '多謝', '/clear', '\\"a\\" \\\\'.slice(2));
      const { event } = MOMENTS.prompt[id];
      expect(givenEach(made, shell, own, { id, event })).toEqual(own.map(() => undefined));
      expect(marks()).toHaveLength(index + 1);
    }
  });

  test("is printed despite the user's own printf and options, and a closed pipe is not an error", () => {
    const made = world([start]);
    const line = made.command('claude-code', 'SessionStart') ?? '';
    for (const env of [
      { 'BASH_FUNC_printf%%': '() { echo evil; }' },
      { SHELLOPTS: 'allexport:errexit:nounset:noclobber:xtrace' },
    ]) {
      const { stdout, stderr } = run(
        made,
        shell,
        line,
        started(Object.keys(env).join('').length.toString()),
        env,
      );
      expect({ stdout: JSON.parse(stdout).hookSpecificOutput.hookEventName, stderr }).toEqual({
        stdout: 'SessionStart',
        stderr: '',
      });
    }
    // The reader closes the pipe long before the text is written.
    const gone = `exec 3>&1; { sleep 0.05; (eval "$COMMAND"); echo "code $?" >&3; } | :`;
    const { stdout } = run(made, shell, gone, started('gone'), { COMMAND: line });
    expect(stdout).toBe('code 0\n');
  });

  test('is left to the second stage if the payload is cut short', () => {
    const made = world([start]);
    const cut = '{"session_id":"a","source":"startup';
    expect(prints(made, 'SessionStart', cut).trim()).toBe(`claude-code SessionStart:${cut}`);
  });

  test('is shown even if nothing can be remembered', () => {
    const made = world([start]);
    writeFileSync(join(made.state, 'sessions'), 'a file');
    expect(prints(made, 'SessionStart', started('a'))).toContain('{{so}}');
  });
});

test('Gemini CLI: a prompt ends at once after the text was shown, until the history is rewound', () => {
  const made = world([{ event: 'session_start', context: 'Hi.' }]);
  const { event } = MOMENTS.prompt['gemini-cli'];
  const transcript = join(made.cwd, 'session.jsonl');
  writeFileSync(transcript, '{"$set":{"messages":[]}}\n');
  const payload = JSON.stringify(
    recorded('gemini-cli', event, { session_id: 's', transcript_path: transcript }),
  );
  const fire = () => given(made, 'bash', payload, { id: 'gemini-cli', event });
  expect(fire()).toBe(payload);
  mkdirSync(join(made.state, 'sessions'), { recursive: true });
  const [hook] = made.compiled['gemini-cli'].program.events[event]?.hooks ?? [];
  writeFileSync(join(made.state, `sessions/gemini-cli.s.annal.${hook?.id}.history-1`), '');
  expect(fire()).toBeUndefined();
  writeFileSync(transcript, '{"$set":{"messages":[]}}\n{"$rewindTo":"x"}\n');
  expect(fire()).toBe(payload);
});

describe.each(SHELLS)('Gemini CLI: the path of the history in the payload, in %s', (shell) => {
  const { event } = MOMENTS.prompt['gemini-cli'];
  const { transcript_path: _, ...rest } = recorded('gemini-cli', event, { session_id: 's' });
  /** A session in which the text was shown. Its history is in `session.jsonl`. */
  const told = () => {
    const made = world([{ event: 'session_start', context: 'Hi.' }]);
    const transcript = join(made.cwd, 'session.jsonl');
    writeFileSync(transcript, '{"$set":{"messages":[]}}\n');
    mkdirSync(join(made.state, 'sessions'), { recursive: true });
    const [hook] = made.compiled['gemini-cli'].program.events[event]?.hooks ?? [];
    writeFileSync(join(made.state, `sessions/gemini-cli.s.annal.${hook?.id}.history-1`), '');
    return { made, transcript };
  };
  const fire = (made: World, payload: string) =>
    given(made, shell, payload, { id: 'gemini-cli', event });
  const long = (length: number) => 'What is "this"? '.repeat(length / 16);

  // At this length, cutting the path out of the whole payload took minutes.
  test('nowhere in a megabyte: left to the second stage', () => {
    const { made } = told();
    const payload = JSON.stringify({ ...rest, prompt: long(1_000_000) });
    expect(fire(made, payload) === payload).toBe(true);
  });

  test('after a long prompt: left to the second stage', () => {
    const { made, transcript } = told();
    for (const length of [3000, 1_000_000]) {
      const payload = JSON.stringify({
        ...rest,
        prompt: long(length),
        transcript_path: transcript,
      });
      expect(fire(made, payload) === payload, `${length}`).toBe(true);
    }
  });

  test('before a long prompt: found', () => {
    const { made, transcript } = told();
    const payload = JSON.stringify({
      session_id: 's',
      transcript_path: transcript,
      ...rest,
      prompt: long(1_000_000),
    });
    // Where printf is a program, it cannot cut so long a text.
    const all = ['mksh', 'posh'].includes(shell) ? payload : undefined;
    expect(fire(made, payload) === all).toBe(true);
  });

  test('at the end of the searched part: found whole, or left to the second stage', () => {
    const { made, transcript } = told();
    // The path that remains after a cut is also a file, and its contents would mean that everything was shown.
    writeFileSync(`${transcript}.more`, '{"$set":{"messages":[]}}\n{"$rewindTo":"x"}\n');
    const before = JSON.stringify({ session_id: 's', turn: '', transcript_path: '' }).length - 2;
    const payloads = [...Array(12).keys()].map((index) =>
      JSON.stringify({
        session_id: 's',
        turn: 'x'.repeat(2048 - before - transcript.length - 8 + index),
        transcript_path: `${transcript}.more`,
        prompt: long(5000),
      }),
    );
    expect(givenEach(made, shell, payloads, { id: 'gemini-cli', event })).toEqual(payloads);
  });
});

test.skipIf(pathOf('yash') === '')(
  'yash, which cuts off bytes that are invalid in its locale, leaves everything to the second stage',
  () => {
    const made = world([...asking('git commit'), { event: 'session_start', context: 'Hi.' }]);
    const payloads = ['{"a":"日 git commit"}', '{"a":"ls"}', `{"a":"${'é'.repeat(600_000)}"}`, ''];
    const env = { LC_ALL: 'C' };
    for (const event of ['PostToolUse', 'SessionStart'])
      expect(givenEach(made, 'yash', payloads, { event, env })).toEqual(payloads);
  },
);

describe('a stdin that the client never closes', () => {
  /** What a command prints for this input, which never ends. `signal` goes only to the shell. */
  const unclosed = async (
    made: World,
    shell: string,
    event: string,
    payload: string,
    signal?: NodeJS.Signals,
  ) => {
    const [program = '', ...args] = [pathOf(shell), ...shell.split(' ').slice(1), '-c'];
    const line = `echo on; ${made.command('claude-code', event)}`;
    const child = spawn(program, [...args, line], {
      cwd: made.cwd,
      env: { PATH: process.env.PATH, SHLVL: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
      await once(child.stdout, 'data');
      child.stdin.write(payload);
      const again = signal && setInterval(() => child.kill(signal), 20);
      const [code, ended] = await once(child, 'exit');
      clearInterval(again);
      return { code, ended, said: said.replace('on\n', '') };
    } finally {
      child.stdin.destroy();
    }
  };
  const start: Hook[] = [{ event: 'session_start', context: 'Hi.' }];
  const started = recordedText('claude-code', 'SessionStart').trim();
  const left = 'claude-code SessionStart:';
  /** The answers to a whole payload, a part of it, and none, in the shells whose `read` has a time limit. */
  const LIMITED: Record<string, readonly string[]> = {
    bash: ['additionalContext', left, left],
    'bash --posix': ['additionalContext', left, left],
    // busybox discards what it has read when the time is up.
    'busybox sh': ['', '', ''],
  };

  test.each(Object.entries(LIMITED).filter(([shell]) => SHELLS.includes(shell)))(
    '%s: what has arrived counts as the whole payload',
    async (shell, wanted) => {
      const parts = [started, started.slice(0, -10), ''];
      const all = await Promise.all(
        parts.map((part) => unclosed(world(start), shell, 'SessionStart', part)),
      );
      expect(all).toEqual(
        wanted.map((said) => ({
          code: 0,
          ended: null,
          said: said === '' ? '' : expect.stringContaining(said),
        })),
      );
    },
    60_000,
  );

  test('bash: what has arrived also counts as the whole payload in a search for words', async () => {
    const payload = '{"command":"git commit"}';
    const made = world(asking('git commit'));
    const all = await Promise.all([
      unclosed(made, 'bash', 'PostToolUse', payload),
      unclosed(made, 'bash', 'PostToolUse', '{"command":"ls"}'),
      unclosed(made, 'bash', 'PostToolUse', '{"command":"ls"}\n'),
    ]);
    expect(all.map(({ said }) => said.trim())).toEqual([
      `claude-code PostToolUse:${payload}`,
      '',
      '',
    ]);
  }, 60_000);

  test('bash: if words may still arrive, the second stage reports that it could not read', async () => {
    const made = world(asking('git commit'));
    const parts = ['', '{"command":"git com', `{"a":"${'}'.repeat(5000)}"`];
    const all = await Promise.all(parts.map((part) => unclosed(made, 'bash', 'PostToolUse', part)));
    expect(all.map(({ said }) => said.trim())).toEqual(
      parts.map((part) => `claude-code PostToolUse:${part}`),
    );
  }, 60_000);

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'bash: %s to the shell alone ends it',
    async (signal) => {
      const made = world([...asking('git commit'), ...start]);
      for (const event of ['PostToolUse', 'SessionStart'])
        expect(await unclosed(made, 'bash', event, '{"session_id":"a', signal)).toEqual({
          code: 0,
          ended: null,
          said: '',
        });
    },
  );

  test('the second stage, if it reads by itself: a complete object counts as the whole payload', async () => {
    const payload = recordedText('claude-code', 'PostToolUse').trim();
    for (const text of [
      payload,
      `${payload}\n`,
      JSON.stringify(recorded('claude-code', 'PostToolUse', { long: '{}'.repeat(200_000) })),
    ]) {
      const made = install({ hooks: [{ event: 'post_tool_use', context: 'Hi.' }] });
      const { code, said } = await unclosed(made, 'sh', 'PostToolUse', text);
      expect([code, JSON.parse(said).hookSpecificOutput.hookEventName]).toEqual([0, 'PostToolUse']);
    }
  });
});
