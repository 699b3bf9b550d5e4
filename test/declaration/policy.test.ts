/** The user's rules for servers: `policy.json`, as the runner and the commands read it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile/compile.ts';
import { MOST, RULES, rulesFor } from '../../src/declaration/policy.ts';
import { readPolicy } from '../../src/install/policy-file.ts';
import { expected } from '../clients/expectations.ts';
import { all, each, eachAsync, IDS } from '../support/runner/at-once.ts';
import { clientOf } from '../support/runner/clients.ts';
import {
  bodies,
  declare,
  type Hook,
  install,
  root,
  scratch,
  type World,
} from '../support/runner/world.ts';

const hi: Hook = { event: 'pre_request', context: 'Hi.' };

/** The texts that each client's model reads with a prompt under a policy. */
const under = async (policy: unknown, hooks: readonly Hook[], setup = {}) => {
  const world = install({ hooks, ...setup });
  write(world, policy);
  return eachAsync(async (id) => bodies(await world.told(id, 'prompt')));
};

function write({ state }: World, policy: unknown): void {
  writeFileSync(
    join(state, 'policy.json'),
    typeof policy === 'string' ? policy : JSON.stringify(policy),
  );
}

const logged = ({ state }: World) =>
  readFileSync(join(state, 'log/annal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a rule applies to all servers, or to one by its label, which takes precedence', () => {
  test.each<[string, unknown, string[]]>([
    ['none', {}, ['Hi.']],
    ['muted', { muted: true }, []],
    ['muted by its label', { servers: { annal: { muted: true } } }, []],
    ['another is muted', { servers: { other: { muted: true } } }, ['Hi.']],
    ['all but this one', { muted: true, servers: { annal: { muted: false } } }, ['Hi.']],
    ['with comments and commas', '{ // one\n /* two */ "muted": true, }', []],
    ['with a byte order mark', '\uFEFF{"muted":true}', []],
  ])('%s', async (_, policy, expected) => {
    expect(await under(policy, [hi])).toEqual(all(expected));
  });
});

test('a rule takes effect as soon as it is written, even if the shell answers alone', async () => {
  const world = install({ hooks: [{ event: 'session_start', context: 'Hi.' }] });
  const start = (session: string) =>
    eachAsync(async (id) => bodies(await world.told(id, 'start', { session })));
  expect(await start('one')).toEqual(all(['Hi.']));
  write(world, { muted: true });
  expect(await start('two')).toEqual(all([]));
  rmSync(join(world.state, 'policy.json'));
  expect(await start('three')).toEqual(all(['Hi.']));
});

describe('with an invalid policy nothing is shown, because it may forbid it', () => {
  test.each([
    ['no JSON', '{'],
    ['empty', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['an unknown rule', { mute: true }],
    ['a wrong type', { muted: 'yes' }],
    ['too much', { toolSeconds: 11 }],
    ['too little', { cooldown: -1 }],
    ['for this server', { servers: { annal: { cooldown: null } } }],
    ['its servers', { servers: 5 }],
    ['this server', { servers: { annal: 5 } }],
    ['another server', { servers: { other: { muted: 'yes' } } }],
    ['what is no label', { servers: { 'a b': {} } }],
    ['a rule twice', '{"muted":true,"muted":false}'],
    ['a server twice', '{"servers":{"annal":{"muted":true},"annal":{}}}'],
    ['a name of objects', '{"__proto__":{}}'],
    ['another name of objects', '{"servers":{"annal":{"constructor":{}}}}'],
  ])('%s', async (_, policy) => {
    const world = install({
      hooks: [hi, { event: 'session_start', context: 'Hi.' }],
    });
    write(world, policy);
    expect(await eachAsync((id) => world.told(id, 'prompt'))).toEqual(all(undefined));
    expect(await eachAsync((id) => world.told(id, 'start'))).toEqual(all(undefined));
    expect(logged(world)[0]).toMatchObject({ characters: 0, why: [{ code: 'policy-invalid' }] });
    expect(() => readPolicy(world.state, (path) => readFileSync(path))).toThrow('policy-refused');
  });

  test('a folder in the place of the file', async () => {
    const world = install({ hooks: [hi] });
    mkdirSync(join(world.state, 'policy.json'));
    expect(await eachAsync((id) => world.told(id, 'prompt'))).toEqual(all(undefined));
    expect(logged(world)[0]).toMatchObject({ why: [{ code: 'policy-invalid' }] });
  });
});

test('required is honoured for a trusted server, and counts as important otherwise', async () => {
  const hooks: Hook[] = [
    { ...hi, context: 'one', priority: 'important' },
    { ...hi, context: 'two', priority: 'required' },
  ];
  const words = async (policy: unknown) => {
    const world = install({ hooks });
    write(world, policy);
    const texts = await eachAsync((id) => world.told(id, 'prompt'));
    return each((id) => texts[id]?.match(/Consider this|allowed this as required/g));
  };
  expect(await words({})).toEqual(all(['Consider this', 'Consider this']));
  expect(await words({ servers: { annal: { trusted: true } } })).toEqual(
    all(['allowed this as required', 'Consider this']),
  );
  expect(await under({}, hooks)).toEqual(all(['one', 'two']));
  expect(await under({ trusted: true }, hooks)).toEqual(all(['two', 'one']));
});

describe('over a limit, the strongest are shown and the others are named', () => {
  const hooks: Hook[] = [
    { ...hi, context: 'one' },
    { ...hi, context: 'two', priority: 'important' },
    { ...hi, context: 'three' },
    { event: 'post_request', context: 'four', priority: 'important' },
  ];
  const left = (names: string) => `\n\n(No room was left for ${names} of "annal".)`;

  test.each<[string, unknown, string[]]>([
    ['hooks of a server', { hooksPerServer: 2 }, [`two${left('hooks 1, 3')}`]],
    ['hooks on one event', { hooksPerEvent: 1 }, [`two${left('hooks 1, 3')}`]],
    ['hooks on one event, two', { hooksPerEvent: 2 }, ['two', `one${left('hook 3')}`]],
    ['no hook at all', { hooksPerEvent: 0 }, []],
    ['characters of all', { charactersPerEvent: 250 }, [`two${left('hooks 1, 3')}`]],
    [
      'characters of a text',
      { charactersPerHook: 2 },
      [
        'tw ... (cut: 1 more characters)',
        'on ... (cut: 1 more characters)',
        'th ... (cut: 3 more characters)',
      ],
    ],
  ])('%s', async (_, policy, expected) => {
    expect(await under(policy, hooks)).toEqual(all(expected));
  });

  test('no policy makes a text longer than the client accepts uncut', async () => {
    const world = install({ hooks: [{ ...hi, context: 'é'.repeat(50_000) }] });
    write(world, { charactersPerEvent: 1_000_000, charactersPerHook: 1_000_000 });
    const texts = await eachAsync((id) => world.told(id, 'prompt'));
    expect(texts['claude-code']?.length).toBeGreaterThan(9800);
    expect(texts['claude-code']?.length).toBeLessThanOrEqual(10_000);
    expect(Buffer.byteLength(texts.codex ?? '')).toBeGreaterThan(9800);
    expect(Buffer.byteLength(texts.codex ?? '')).toBeLessThanOrEqual(10_000);
    expect(texts['gemini-cli']?.length).toBeGreaterThan(29_000);
    expect(texts['gemini-cli']?.length).toBeLessThanOrEqual(32_000);
  });

  test('a text that had no room is shown the next time', async () => {
    const world = install({
      hooks: [
        { event: 'session_end', context: 'x'.repeat(8000), priority: 'important' },
        { event: 'session_end', context: 'y'.repeat(8000) },
      ],
    });
    const ends = () =>
      eachAsync(async (id) => {
        const texts = bodies(await world.told(id, 'turnEnd'));
        // If no hook can continue the turn, the text comes with the next prompt.
        if (expected[id].asksNothing) texts.push(...bodies(await world.told(id, 'prompt')));
        return texts.map((body) => body.charAt(0));
      });
    expect([await ends(), await ends(), await ends()]).toEqual([all(['x']), all(['y']), all([])]);
  });
});

test("inserted values are cut at the policy's limit", async () => {
  const hooks: Hook[] = [{ event: 'post_tool_use', context: '{tool_input}' }];
  const world = install({ hooks });
  write(world, { charactersPerValue: 3 });
  for (const id of IDS)
    expect(bodies(await world.told(id, 'after', { tool_input: 'a"bcd' }))).toEqual([
      '"a\\"b" (and 2 more characters)',
    ]);
});

describe('a hook that was shown has a cooldown', () => {
  test('only in this session, and only this hook', async () => {
    const world = install({
      hooks: [hi, { ...hi, event: 'post_tool_use', context: 'After.' }],
    });
    write(world, { cooldown: 3600 });
    const shown = (moment: 'prompt' | 'after', session: string) =>
      eachAsync(async (id) => bodies(await world.told(id, moment, { session })));
    expect(await shown('prompt', 'one')).toEqual(all(['Hi.']));
    expect(await shown('prompt', 'one')).toEqual(all([]));
    expect(await shown('after', 'one')).toEqual(all(['After.']));
    expect(await shown('prompt', 'two')).toEqual(all(['Hi.']));
  });

  test('with many firings at the same time it is shown at first, and not during the cooldown', async () => {
    const world = install({ hooks: [hi] });
    write(world, { cooldown: 0.05 });
    const many = () =>
      eachAsync(async (id) => {
        const texts = Array.from({ length: 6 }, () => world.told(id, 'prompt'));
        return (await Promise.all(texts)).flatMap(bodies).length;
      });
    const first = await many();
    for (const id of IDS) expect(first[id]).toBeGreaterThan(0);
    write(world, { cooldown: 3600 });
    expect(await many()).toEqual(all(0));
  });
});

describe('tools', () => {
  const recall: Hook = { event: 'pre_request', context_tool: 'recall' };
  const server = { command: process.execPath, args: [join(root, 'fixtures/servers/plain.mjs')] };

  test('are not called if they are forbidden, but texts are still shown', async () => {
    const hooks = [recall, hi];
    expect(await under({}, hooks, { server })).toEqual(
      all(['Known so far:\n- The build needs Node 20.', 'Hi.']),
    );
    expect(await under({ contextTool: false }, hooks, { server })).toEqual(all(['Hi.']));
    const own = { contextTool: false, servers: { annal: { contextTool: true } } };
    expect((await under(own, hooks, { server })).codex).toHaveLength(2);
  });

  test('have no time with a limit of 0 seconds', async () => {
    const world = install({ hooks: [recall], server });
    write(world, { toolSeconds: 0 });
    expect(await eachAsync((id) => world.told(id, 'prompt'))).toEqual(all(undefined));
    expect(logged(world)[0]).toMatchObject({ hooks: [], why: [{ code: 'no-answer-in-time' }] });
  });
});

describe('the plan says what effect a policy has on a hook', () => {
  const defaults = { ...RULES, contextTool: true };
  const notes = (hook: Hook, policy = {}) =>
    compile(declare([hook]), clientOf('codex'), {
      runner: '/r',
      state: '/s',
      defaults,
      rules: rulesFor(policy, 'annal', defaults),
    }).hooks.flatMap((one) => one.notes);
  test.each<[string, Hook, object, string | undefined]>([
    ['required', { ...hi, priority: 'required' }, {}, 'downgraded-here'],
    ['required, trusted', { ...hi, priority: 'required' }, { trusted: true }, undefined],
    ['muted', hi, { servers: { annal: { muted: true } } }, 'muted-by-policy'],
    [
      'no tool',
      { event: 'pre_request', context_tool: 'x' },
      { contextTool: false },
      'tool-forbidden-by-policy',
    ],
    ['a long text', { ...hi, context: 'x'.repeat(8001) }, {}, 'text-cut'],
    ['a text as long as allowed', { ...hi, context: 'x'.repeat(8000) }, {}, undefined],
    ['a text of many bytes', { ...hi, context: '日'.repeat(4000) }, {}, 'text-cut'],
  ])('%s', (_, hook, policy, expected) => {
    const codes = notes(hook, policy).map(({ code }) => code);
    expect(codes).toEqual(expected === undefined ? [] : [expected]);
  });
});

test.each([
  ['as large as the default', { characters: 8000 }, []],
  ['larger than the default', { tokens: 2001 }, ['text-cut']],
])('the plan says that a long text is cut, if its own limit is %s', (_, limit, expected) => {
  const hook = { event: 'pre_request', context: 'x'.repeat(8001), priority: 'suggestion', limit };
  const manifest = JSON.stringify({ version: 2, name: 'annal', hooks: { declarations: [hook] } });
  const options = { runner: '/r', state: '/s' };
  const { hooks } = compile(declare([], { manifest }), clientOf('codex'), options);
  expect(hooks.flatMap(({ notes }) => notes.map(({ code }) => code))).toEqual(expected);
});

describe('the policy file', () => {
  const read = (text: string) => readPolicy(scratch(), () => Buffer.from(text));

  test('is not needed', () => {
    expect(
      rulesFor(
        readPolicy('/nowhere', () => null),
        'annal',
      ),
    ).toEqual(RULES);
  });

  test('gets all of its mistakes reported, with their places', () => {
    const text =
      '{\n  "cooldown": -1, "toolSeconds": 11,\n  "servers": { "annal": { "trust": true, "muted": 1 }, "a b": {} }\n}';
    try {
      read(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        problem: { code: 'policy-refused' },
        problems: [
          { line: 2, column: 3, message: { code: 'below-minimum', key: 'cooldown', minimum: 0 } },
          { line: 2, column: 19, message: { code: 'above-maximum', key: 'toolSeconds' } },
          { line: 3, column: 27, message: { code: 'unknown-key', key: 'trust' } },
          {
            line: 3,
            column: 42,
            message: { code: 'wrong-type', key: 'servers.annal.muted', found: 'number' },
          },
          { line: 3, column: 56, message: { code: 'no-label', key: 'a b' } },
        ],
      });
    }
  });

  test.each(Object.keys(RULES))('%s is in docs/security.md with its default', (rule) => {
    const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
    const value = RULES[rule as keyof typeof RULES];
    const most = MOST[rule as keyof typeof RULES];
    expect(page).toContain(
      `| \`${rule}\` | ${value}${most === undefined ? '' : `, at most ${most.toLocaleString('en')}`} |`,
    );
  });
});
