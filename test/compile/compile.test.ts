/** What each client gets from a declaration: one behaviour per test, with every client's native result side by side. */

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { hookCommand, runnersIn, startedBy } from '../../src/compile/command.ts';
import { type Compiled, type CompileOptions, compile } from '../../src/compile/compile.ts';
import type { Matcher } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { type Call, type Calls, expected } from '../clients/expectations.ts';
import {
  all,
  type ClientId,
  clientOf,
  each,
  IDS,
  MOMENTS,
  nativeName,
  recorded,
  runsFor,
  serverFields,
} from '../support/runner/clients.ts';
import { decides } from '../support/runner/logic.ts';
import { declare, type Hook, type Setup } from '../support/runner/world.ts';
import { sentence } from '../support/said.ts';
import { tries } from '../support/tries.ts';

const PLACE = {
  runner: '/home/ann/.mcp-hooks/servers/annal',
  state: '/home/ann/.mcp-hooks',
  // test/runner/grants.test.ts tests the grants.
  defaults: { ...RULES, contextTool: true },
};

type Options = Partial<CompileOptions> & Pick<Setup, 'label' | 'server' | 'manifest'>;

const compiledFor = (id: ClientId, hooks: readonly Hook[], options: Options = {}): Compiled =>
  compile(declare(hooks, options), clientOf(id), { ...PLACE, ...options });

/** The native matcher for tool calls; undefined if the client starts the runner for every call. */
function matcherOf(id: ClientId, compiled: Compiled): string | undefined {
  const { event } = MOMENTS.after[id];
  const placed = compiled.groups.filter((one) => one.event === event);
  expect(placed).toHaveLength(1);
  const matcher = placed[0]?.group.matcher;
  expect(['string', 'undefined']).toContain(typeof matcher);
  return typeof matcher === 'string' ? matcher : undefined;
}

const calls = (matchers: readonly (Matcher | undefined)[]): Hook[] =>
  matchers.map((matcher) => ({ event: 'post_tool_use', ...(matcher && { matcher }) }));

const selects = (what: string, ...matchers: readonly (Matcher | undefined)[]) =>
  test(what, () => {
    for (const id of IDS) expect(matcherOf(id, compiledFor(id, calls(matchers)))).toBeUndefined();
  });

/** Tests which tools, by the client's own names, match the declared ones, and which do not. */
const decidesOn = (what: string, matcher: Matcher, wanted: Calls | ((id: ClientId) => Calls)) =>
  test(what, () => {
    for (const id of IDS) {
      const { yes, no } = typeof wanted === 'function' ? wanted(id) : wanted;
      const compiled = compiledFor(id, calls([matcher]));
      const all = [...yes, ...no];
      expect([id, all.filter((call) => isFired(id, compiled, call))]).toEqual([id, yes]);
    }
  });

function nameOf(id: ClientId, call: Call): string {
  if (typeof call === 'string') return call;
  const { server, tool } = call;
  const seen = expected[id].mcpNames.find(([one]) => one.server === server && one.tool === tool);
  return seen?.[1] ?? nativeName(id, call);
}

function payloadOf(id: ClientId, call: Call): unknown {
  const { event } = MOMENTS.after[id];
  return recorded(id, event, {
    tool_name: nameOf(id, call),
    ...(typeof call !== 'string' && serverFields(id, call)),
  });
}

/** Whether the hooks match the call. */
function isWanted(id: ClientId, { program }: Compiled, call: Call): boolean {
  const { event } = MOMENTS.after[id];
  const hooks = program.events[event]?.hooks ?? [];
  return hooks.some((hook) => decides(program, hook, payloadOf(id, call)));
}

/** The client's tool that runs commands. */
const shell = (id: ClientId): string => expected[id].shell;

/** Whether the client starts the runner for the call, and its hooks match it. */
const isFired = (id: ClientId, compiled: Compiled, call: Call): boolean =>
  runsFor(id, matcherOf(id, compiled), nameOf(id, call)) && isWanted(id, compiled, call);

describe('every event has its native events', () => {
  test('a tool is placed like a text, except for session_start', () => {
    const events = [
      'session_start',
      'pre_request',
      'pre_tool_use',
      'post_tool_use',
      'post_request',
    ] as const;
    for (const actNow of [false, true])
      for (const event of events)
        for (const id of IDS) {
          const text = compiledFor(id, [{ event }], { actNow });
          const tool = compiledFor(id, [{ event, context_tool: 'recall' }], { actNow });
          const acts = ({ program }: Compiled) =>
            Object.values(program.events).map(({ hooks }) =>
              hooks.map(({ act, once, marked }) => ({ act, once, marked })),
            );
          // A tool is called at once, while a text only waits.
          const instead = (act: string) =>
            act === 'mark' && event !== 'session_start' ? 'keep' : act;
          expect(acts(tool)).toEqual(
            acts(text).map((all) => all.map((one) => ({ ...one, act: instead(one.act) }))),
          );
          expect(tool.groups).toEqual(text.groups);
        }
  });

  test('without extra turns, no hook prolongs a turn', () => {
    for (const id of IDS) {
      const { program, hooks } = compiledFor(
        id,
        [{ event: 'post_request' }, { event: 'session_end' }, { event: 'pre_request' }],
        { extraTurns: false },
      );
      const acts = Object.values(program.events).flatMap((one) => one.hooks.map(({ act }) => act));
      expect(acts).not.toContain('ask');
      expect(hooks.map(({ grade }) => grade)).toEqual([
        'late',
        expected[id].asksNothing ? 'late' : 'none',
        'exact',
      ]);
    }
  });

  test('every grade that is not exact, and every skipped hook, has a reason', () => {
    for (const id of IDS)
      for (const hook of compiledFor(id, [{ event: 'session_end' }, { event: 'pre_tool_use' }])
        .hooks)
        expect(sentence(hook.when)).toMatch(/:/);
    for (const id of IDS.filter((one) => !expected[one].asksNothing)) {
      const [left] = compiledFor(id, [{ event: 'session_end' }], { extraTurns: false }).hooks;
      expect(left).toMatchObject({ grade: 'none', native: [] });
      expect(left?.when).toEqual({ code: 'extra-turn' });
    }
  });
});

describe('the entries', () => {
  test('are one for each native event, however many hooks use it', () => {
    const hooks: Hook[] = [
      { event: 'session_start' },
      { event: 'pre_request' },
      { event: 'post_request' },
      { event: 'session_end' },
      { event: 'pre_tool_use', matcher: { tool_name: 'Bash' } },
      { event: 'post_tool_use', matcher: { tool_name: 'Edit' } },
      { event: 'post_tool_use', matcher: { tool_name: 'Read' } },
    ];
    for (const id of IDS) {
      const { groups, program } = compiledFor(id, hooks);
      expect(groups.map(({ event }) => event)).toEqual([...new Set(Object.keys(program.events))]);
    }
  });

  test("give the runner a deadline before the client's timeout", () => {
    const every: Hook[] = [
      { event: 'session_start' },
      { event: 'pre_request' },
      { event: 'post_tool_use' },
      { event: 'pre_tool_use' },
      { event: 'session_end' },
      { event: 'session_end', context_tool: 'save' },
    ];
    for (const id of IDS) {
      const { program } = compiledFor(id, every);
      for (const [event, { deadline, most }] of Object.entries(program.events)) {
        const seconds = clientOf(id).nativeEvents[event]?.timeout ?? 0;
        // Without and with a tool.
        for (const time of [deadline, most]) {
          expect(time).toBeLessThanOrEqual(seconds * 1000 - 500);
          expect(time).toBeGreaterThanOrEqual(1000);
        }
        expect(most).toBeGreaterThan(1000);
      }
    }
  });
});

describe('matchers of built-in tools', () => {
  selects('every tool', { tool_name: '*' });
  selects('only an input: every call is searched', { input_contains: 'git commit' });
  selects('one of several hooks without a matcher: every call', { tool_name: 'Bash' }, undefined);

  test('several hooks: the calls that any of them matches', () => {
    for (const id of IDS) {
      const several = compiledFor(id, calls([{ tool_name: 'Bash' }, { tool_name: 'WebFetch' }]));
      const one = compiledFor(id, calls([{ tool_name: '{WebFetch,Bash}' }]));
      expect(matcherOf(id, several)).toEqual(matcherOf(id, one));
    }
  });

  for (const tool_name of ['{?dit,Web*}', 'Ba*h'] as const)
    decidesOn(`by a glob: ${tool_name}`, { tool_name }, (id) => expected[id].globs[tool_name]);

  decidesOn('case matters', { tool_name: 'bASH' }, (id) => ({ yes: [], no: [shell(id)] }));

  decidesOn('the empty name matches no tool', { tool_name: '' }, (id) => ({
    yes: [],
    no: [shell(id)],
  }));

  test('tool names that a client does not have are reported', () => {
    const reported = (tool_name: string) =>
      each((id) =>
        compiledFor(id, calls([{ tool_name }])).hooks.flatMap(({ notes }) =>
          notes.flatMap((note) => (note.code === 'unknown-native-tool' ? note.tool : [])),
        ),
      );
    expect(reported('{Bash,Frobnicate,Read,mcp__annal__add}')).toEqual(
      each((id) => ['Frobnicate', ...(expected[id].read === undefined ? ['Read'] : [])]),
    );
    expect(reported('Web*')).toEqual(all([]));
  });

  test('a matcher has no effect on an event that is not about tools', () => {
    const matcher = { tool_name: 'Bash', tool_server: 'tiny', input_contains: 'x' };
    for (const event of ['session_start', 'pre_request', 'post_request', 'session_end'] as const)
      for (const id of IDS) {
        const { program, groups, hooks } = compiledFor(id, [{ event, matcher }]);
        expect(groups).toEqual(compiledFor(id, [{ event }]).groups);
        expect(JSON.stringify(program)).not.toContain('"when"');
        expect(JSON.stringify(hooks[0]?.notes)).not.toContain('Bash');
      }
  });
});

describe('matchers of the tools of MCP servers', () => {
  const annal = { server: 'annal', tool: 'add_note' };
  const dashed = { server: 'my-server', tool: 'do-it' };
  const other = { server: 'other', tool: 'add_note' };

  decidesOn('one tool', { tool_name: 'mcp__annal__add_note' }, (id) => ({
    yes: [annal],
    no: [other, dashed, { ...annal, tool: 'add_notes' }, 'add_note', shell(id)],
  }));
  decidesOn('all tools of one server', { tool_name: 'mcp__annal__*' }, (id) => ({
    yes: [annal],
    no: [other, { server: 'annals', tool: 'add' }, shell(id)],
  }));
  decidesOn('all tools of all servers', { tool_name: 'mcp__*' }, (id) => ({
    yes: [annal, other, dashed],
    no: [shell(id)],
  }));
  decidesOn(
    'a tool of any server',
    { tool_name: '*__add_note' },
    { yes: [annal, other], no: [dashed] },
  );
  decidesOn(
    'of several servers',
    { tool_name: 'mcp__{annal,my-server}__*' },
    { yes: [annal, dashed], no: [other] },
  );
  decidesOn(
    'with dashes',
    { tool_name: 'mcp__my-server__do-it' },
    { yes: [dashed], no: [annal, { server: 'my-server', tool: 'do' }] },
  );
  decidesOn(
    'with dashes, all of one server',
    { tool_name: 'mcp__my-server__*' },
    { yes: [dashed], no: [annal] },
  );
  decidesOn(
    'with dashes, of any server',
    { tool_name: '*__do-it' },
    { yes: [dashed], no: [annal] },
  );
  decidesOn(
    'with dots, as Claude Code spells them',
    { tool_name: 'mcp__my_server_v1__do_it' },
    { yes: [{ server: 'my.server.v1', tool: 'do.it' }], no: [annal] },
  );
  decidesOn(
    'with dots, all of one server',
    { tool_name: 'mcp__my_server_v1__*' },
    { yes: [{ server: 'my.server.v1', tool: 'do.it' }], no: [annal] },
  );
  decidesOn(
    'with dots, as the server has them',
    { tool_name: 'mcp__my.server.v1__do.it' },
    { yes: [{ server: 'my.server.v1', tool: 'do.it' }], no: [annal] },
  );
  decidesOn(
    "with two underscores in the server's name",
    { tool_name: 'mcp__a__b__c' },
    {
      yes: [
        { server: 'a', tool: 'b__c' },
        { server: 'a__b', tool: 'c' },
      ],
      no: [{ server: 'a', tool: 'b' }],
    },
  );
  decidesOn(
    "of a server whose name has Gemini CLI's own prefix",
    { tool_name: 'mcp__mcp_tools__run' },
    { yes: [{ server: 'mcp_tools', tool: 'run' }], no: [{ server: 'tools', tool: 'run' }] },
  );
  decidesOn(
    'all tools of a server with this prefix',
    { tool_name: 'mcp__mcp_tools__*' },
    { yes: [{ server: 'mcp_tools', tool: 'run' }], no: [{ server: 'tools', tool: 'run' }] },
  );

  const long = {
    server: 'a-server-with-a-very-long-name-indeed',
    tool: 'and_a_tool_with_a_very_long_name_too',
  };
  const longer = { ...long, tool: `${long.tool}_and_more` };
  decidesOn(
    "longer than a client's limit for names",
    { tool_name: `mcp__${long.server}__${long.tool}` },
    (id) =>
      expected[id].cutsNames
        ? { yes: [long, longer], no: [annal] }
        : { yes: [long], no: [longer, annal] },
  );
  const next = { ...long, server: `${long.server}-2` };
  decidesOn(
    'longer than this limit, all tools of one server',
    { tool_name: `mcp__${long.server}__*` },
    (id) =>
      expected[id].cutsNames === 'servers and tools'
        ? { yes: [long, longer, next], no: [annal] }
        : { yes: [long, longer], no: [annal, next] },
  );

  decidesOn('only a server', { tool_server: 'annal' }, (id) => ({
    yes: [annal],
    no: [other, shell(id)],
  }));
  decidesOn(
    'only a server, with dashes and dots',
    { tool_server: 'my-server.v1' },
    { yes: [{ server: 'my-server.v1', tool: 'x' }], no: [dashed, annal] },
  );
  decidesOn(
    'only a server, with a long name',
    { tool_server: long.server },
    { yes: [long, longer], no: [annal] },
  );
  decidesOn(
    "only a server, with Gemini CLI's own prefix",
    { tool_server: 'mcp_tools' },
    { yes: [{ server: 'mcp_tools', tool: 'run' }], no: [annal] },
  );
  decidesOn(
    'a server and a tool: both',
    { tool_server: 'annal', tool_name: 'mcp__*__add_note' },
    { yes: [annal], no: [other, { server: 'annal', tool: 'drop' }] },
  );

  test.each(IDS)('with unusual names, as the real %s changes them', (id) => {
    const rows = expected[id].mcpNames.map(([call, name]) => {
      const { server, tool } = call;
      const compiled = compiledFor(id, calls([{ tool_name: `mcp__${server}__${tool}` }]));
      const fires = name !== null && isFired(id, compiled, call);
      return { call, claimed: compiled.hooks[0]?.grade !== 'none', fires };
    });
    expect(rows.filter(({ claimed, fires }) => claimed !== fires)).toEqual([]);
    expect(rows.filter(({ fires }) => fires).length).toBeGreaterThan(6);
  });

  test('a server of a Claude Code plugin', () => {
    const compiled = compiledFor('claude-code', calls([{ tool_server: 'pdb' }]));
    const fired = (server: string) => isFired('claude-code', compiled, { server, tool: 'query' });
    expect(['pdb', 'plugin:my-plug:pdb', 'plugin:my-plug:xpdb', 'my:pdb'].filter(fired)).toEqual([
      'pdb',
      'plugin:my-plug:pdb',
    ]);
  });
});

/**
 * The most important property: the client may start the runner too often, but never too rarely. It starts the runner for every call
 * to which a hook would answer.
 */
describe('the native matcher never excludes a call that a hook matches', () => {
  test("a wildcard can match the end of a server's name that contains two underscores", () => {
    const call = { server: 'é:a', tool: 'add_note' };
    for (const id of IDS) {
      const compiled = compiledFor(id, calls([{ tool_name: 'mcp____a*__add_note' }]));
      const runs = runsFor(id, matcherOf(id, compiled), nameOf(id, call));
      expect([id, runs]).toEqual([id, isWanted(id, compiled, call)]);
    }
  });

  const word = fc
    .array(fc.constantFrom('a', 'b', 'mcp', 'do', 'X', '1', '_', '__', '-', '.', ':', ' ', 'é'), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(''));
  const mcpTool = fc.record({
    server: fc.oneof(word, fc.constantFrom('annal', 'mcp_x', 'my.server', 'a__b', 'n'.repeat(40))),
    tool: fc.oneof(word, fc.constantFrom('add_note', 'do-it', 't'.repeat(30))),
  });
  const builtIn = fc.constantFrom(
    ...new Set(CLIENTS.flatMap(({ tools }) => [...Object.keys(tools), ...Object.values(tools)])),
    'view_image',
  );
  const call: fc.Arbitrary<Call> = fc.oneof(builtIn, mcpTool);

  /** The tool's name as a declaration may spell it: like Claude Code or like the server. */
  const declaredName = fc
    .tuple(call, fc.boolean())
    .map(([one, raw]) =>
      typeof one === 'string' || !raw
        ? nameOf('claude-code', one)
        : `mcp__${one.server}__${one.tool}`,
    );
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 6 }),
    become: fc.constantFrom(
      (_: string) => '*',
      (text: string) => '?'.repeat(text.length),
      (text: string) => `${text}*`,
      (text: string) => `{${text},x}`,
      (text: string) => text.replace(/^[\w-]/, '[!~]'),
      (text: string) => text.replace(/^[a-z]/, '[a-z]'),
      (text: string) => text.replace(/^\W/, '\\$&'),
    ),
  });
  const globFrom = (
    name: string,
    edits: readonly (typeof edit extends fc.Arbitrary<infer T> ? T : never)[],
  ) =>
    edits.reduce((glob, { at, length, become }) => {
      const from = Math.floor(at * glob.length);
      return (
        glob.slice(0, from) + become(glob.slice(from, from + length)) + glob.slice(from + length)
      );
    }, name);
  const edits = fc.array(edit, { maxLength: 2 });

  /** A call and a hook that may match it, possibly with another hook. */
  const situation = fc.record({
    call,
    others: fc.array(
      fc.record({
        tool_name: fc.tuple(declaredName, edits).map(([name, all]) => globFrom(name, all)),
      }),
      { maxLength: 1 },
    ),
    edits,
    raw: fc.boolean(),
    by: fc.constantFrom('name', 'server', 'both'),
  });

  test.each(IDS)("a server's tool is matched by its name in the client: %s", (id) => {
    const name = fc.string({
      unit: fc.constantFrom(...'ab_-.'),
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(name, name, fc.boolean(), (server, tool, byServer) => {
        const matcher = byServer
          ? { tool_server: server }
          : { tool_name: `mcp__${server}__${tool}` };
        const compiled = compiledFor(id, calls([matcher]));
        expect(isFired(id, compiled, { server, tool })).toBe(true);
      }),
      {
        numRuns: tries(100, 10_000),
        // Names that end like a suffix of some client.
        examples: [
          ['a', 'aaaaaaaa', false],
          ['a', 'b_aaaaaaaa', false],
          ['a', 'b_1aaaaaa', false],
          ['a', 'b_aaaaaaaa', true],
        ],
      },
    );
  });

  test.each(IDS)('%s', (id) => {
    const numRuns = tries(250, 30_000);
    let wanted = 0;
    fc.assert(
      fc.property(situation, ({ call, others, edits, raw, by }) => {
        const mcp = typeof call !== 'string';
        const spelt =
          mcp && raw ? `mcp__${call.server}__${call.tool}` : nameOf('claude-code', call);
        const matcher: Matcher = {
          ...((by !== 'server' || !mcp) && { tool_name: globFrom(spelt, edits) }),
          ...(by !== 'name' && mcp && { tool_server: call.server }),
        };
        const compiled = compiledFor(id, calls([matcher, ...others]));
        const one = mcp ? call : (clientOf(id).tools[call] ?? call);
        if (!isWanted(id, compiled, one)) return;
        wanted++;
        expect([nameOf(id, one), matcherOf(id, compiled)]).toSatisfy(
          ([name, native]: [string, string | undefined]) => runsFor(id, native, name),
        );
      }),
      { numRuns },
    );
    // If calls hardly ever matched, the property would prove nothing.
    expect(wanted).toBeGreaterThan(numRuns / 6);
  });
});

describe('the command', () => {
  const awkward = [
    '/home/ann/plain/codex.Stop.sh',
    '/home/ann/with spaces/codex.Stop.sh',
    "/home/o'brien/codex.Stop.sh",
    '/home/ann/"double"/codex.Stop.sh',
    '/home/ann/$HOME/$(touch x)/codex.Stop.sh',
    '/home/ann/$' + '{A}/codex.Stop.sh',
    '/home/ann/`touch x`/codex.Stop.sh',
    '/home/ann/back\\slash\\/codex.Stop.sh',
    '/home/ann/dépôt 日本 😀/codex.Stop.sh',
    '/home/ann/~;&|<>*?[]{}!#/codex.Stop.sh',
    "/home/ann/'$'\"`$`/codex.Stop.sh",
  ];

  test.each(awkward)('contains the path of its runner: %s', (path) => {
    const state = dirname(path);
    const runner = `${state}/servers/annal/claude-code.Stop.sh`;
    const command = hookCommand(runner);
    expect(runnersIn(command, state)).toEqual([runner]);
    expect(runnersIn(`nice ${command} # mine`, state)[0]).toBe(runner);
    expect(startedBy(command)).toBe(runner);
    for (const other of [`nice ${command}`, `${command} # mine`, command.replace('trap', ' trap')])
      expect(startedBy(other)).toBeUndefined();
    expect(command).not.toContain('$');
  });

  test.each(awkward)('a shell reads the path unchanged: %s', (path) => {
    const word = /\\\. (.*); \} 2>/.exec(hookCommand(path))?.[1] ?? '';
    for (const shell of ['sh', 'bash'])
      expect(execFileSync(shell, ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(path);
  });

  test('contains the path of its runner, for any path', () => {
    const name = fc.string({ unit: fc.constantFrom(...'a \'"$`\\é日😀~;&|()*?]['), minLength: 1 });
    fc.assert(
      fc.property(name, fc.constantFrom(...IDS), (folder, id) => {
        const runner = `/home/${folder}/projects/0a/annal/${id}.Stop.sh`;
        const command = hookCommand(runner);
        expect(runnersIn(command, `/home/${folder}`)[0]).toBe(runner);
        expect(startedBy(command)).toBe(runner);
        expect(command).not.toContain('$');
      }),
    );
  });

  test('is not ours with anything else in it', () => {
    const command = hookCommand('/a b/run.sh');
    expect(startedBy(command)).toBe('/a b/run.sh');
    for (const other of [
      `${command} x`,
      `${command}\nx`,
      command.replace('exit 0', 'exit 1'),
      `: ${command}`,
      hookCommand('/a/b\nx/run.sh'),
    ])
      expect(startedBy(other)).toBeUndefined();
  });

  test('has no runner of ours if others wrote it', () => {
    const others = [
      '',
      'true',
      'sh /x/codex.Stop.sh',
      'sh /y/servers/annal/codex.Stop.sh',
      'cat /x/servers/annal',
    ];
    for (const command of others) expect(runnersIn(command, '/x')).toEqual([]);
  });

  const commandsOf = ({ groups }: Compiled) =>
    groups.map(({ event, group }) => [event, JSON.stringify(group)]);

  test('does not change if only texts, priorities, inputs or arguments change', () => {
    const hooks = (word: string, priority: Hook['priority']): Hook[] => [
      { event: 'session_start', context: word, priority },
      { event: 'pre_request', context_tool: word, context_tool_args: { word }, priority },
      { event: 'post_tool_use', context: word, matcher: { input_contains: word } },
    ];
    for (const id of IDS)
      expect(commandsOf(compiledFor(id, hooks('one', 'required')))).toEqual(
        commandsOf(compiledFor(id, hooks('another', 'suggestion'))),
      );
  });

  test('differs for each label and event', () => {
    const hooks: Hook[] = [{ event: 'session_start' }, { event: 'pre_request' }];
    const at = (label: string, id: ClientId) => {
      const runner = `/home/ann/.mcp-hooks/servers/${label}`;
      return compiledFor(id, hooks, { label, runner }).groups.map(({ group }) =>
        JSON.stringify(group),
      );
    };
    for (const id of IDS) {
      const all = [...at('annal', id), ...at('notes', id)];
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

describe('the program', () => {
  test('orders hooks by strength, then as declared, with `required` honoured or as important', () => {
    const hooks: Hook[] = (
      ['suggestion', 'required', 'important', 'suggestion', 'required', 'important'] as const
    ).map((priority, index) => ({ event: 'pre_request', priority, context: `${index}` }));
    for (const id of IDS) {
      const { program, hooks: reported } = compiledFor(id, hooks);
      const [event] = Object.values(program.events);
      const texts = (by: 'trusted' | 'other') =>
        event?.hooks.toSorted((a, b) => a.ranks[by] - b.ranks[by]).map(({ text }) => text);
      expect(texts('trusted')).toEqual(['1', '4', '2', '5', '0', '3']);
      expect(texts('other')).toEqual(['1', '2', '4', '5', '0', '3']);
      expect(reported.map(({ declaration }) => declaration.context)).toEqual([...'012345']);
    }
  });

  test("has the names of tools in texts as the client's model reads them", () => {
    const context =
      'Use mcp__memory__create_entities, then mcp__my-server__do-it. Or mcp__mcp_tools__run; ' +
      `not xmcp__a__b, mcp__a, {tool_name} or mcp__${'s'.repeat(40)}__${'t'.repeat(40)}.`;
    for (const id of IDS) {
      const { program } = compiledFor(id, [{ event: 'pre_request', context }]);
      const named = context.replace(
        /(?<!\w)mcp__(\w+?|my-server|s+)__([\w-]+)/g,
        (_, server: string, tool: string) => nativeName(id, { server, tool }),
      );
      expect(program.events[MOMENTS.prompt[id].event]?.hooks[0]?.text).toBe(named);
    }
  });

  test("has the server's command or address only if a tool is called", () => {
    const server = { command: 'annal', args: ['--stdio'] };
    for (const id of IDS) {
      const text = compiledFor(id, [{ event: 'pre_request' }], { server });
      const tool = compiledFor(id, [{ event: 'pre_request', context_tool: 'recall' }], { server });
      expect(text.program.server).toBeUndefined();
      const given = clientOf(id).givenToServers;
      expect(tool.program.server).toEqual({ ...server, given });
    }
  });

  test.each([
    ['env', { command: 'annal', args: [], env: { ANNAL_KEY: 'hunter2' } }],
    ['headers', { url: 'https://annal.example/mcp', headers: { authorization: 'hunter2' } }],
  ] as const)('has only the place of %s, not their values', (key, server) => {
    const { env, headers, ...rest } = { env: {}, headers: {}, ...server };
    const names = Object.keys({ ...env, ...headers });
    for (const id of IDS) {
      const hooks: Hook[] = [{ event: 'pre_request', context_tool: 'x' }];
      const { program } = compiledFor(id, hooks, { server });
      expect(JSON.stringify(program)).not.toContain('hunter2');
      expect(program.server).toEqual({
        given: clientOf(id).givenToServers,
        ...rest,
        [key]: { file: '/m.json', format: 'json', path: ['server', key], names },
      });
    }
  });

  test('identifies a hook by its declaration, whatever other hooks there are', () => {
    const hook: Hook = { event: 'pre_request', context: 'A.' };
    const other: Hook = { event: 'pre_request', context: 'B.', priority: 'required' };
    const idOf = (hooks: Hook[], id: ClientId) =>
      Object.values(compiledFor(id, hooks).program.events)
        .flatMap((event) => event.hooks)
        .find(({ text }) => text === 'A.')?.id;
    for (const id of IDS) {
      expect(idOf([hook], id)).toBe(idOf([other, hook], id));
      expect(idOf([hook], id)).not.toBe(idOf([{ ...hook, priority: 'required' }], id));
    }
  });
});

test('tools of a server that only uses HTTP+SSE are not called, and the plan says so', () => {
  const hook = { event: 'pre_request', context_tool: 'recall' } as const;
  const found = {
    transport: 'sse',
    era: 'legacy',
    protocol: '2024-11-05',
    passedOver: [],
  } as const;
  const declared = { ...declare([hook], { server: { url: 'http://127.0.0.1:9/sse' } }), found };
  for (const id of IDS) {
    const { hooks, program } = compile(declared, clientOf(id), PLACE);
    expect(program.server).toBeUndefined();
    expect(hooks[0]?.notes).toContainEqual({ code: 'tools-not-over-sse' });
  }
});

describe('failures in the plan', () => {
  const notesOf = (more: object, id: ClientId, policy: object = {}) => {
    const hook = { event: 'pre_tool_use', context_tool: 'judge', may: ['block'], ...more };
    const text = JSON.stringify({
      version: 2,
      name: 'annal',
      server: { command: 'none' },
      hooks: { declarations: [hook] },
    });
    const rules = { ...RULES, block: true, contextTool: true };
    return compile(parseManifest(text, '/m.json'), clientOf(id), {
      runner: '/r',
      state: '/s',
      defaults: rules,
      rules: { ...rules, ...policy },
    }).hooks.flatMap(({ notes }) => notes.map(({ code }) => code));
  };
  test('say if deny has no effect, because nothing can be blocked', () => {
    const deny = { on_failure: 'deny' };
    expect(notesOf(deny, 'claude-code')).not.toContain('deny-in-vain');
    expect(notesOf({ ...deny, event: 'session_start' }, 'claude-code')).toContain('deny-in-vain');
    expect(notesOf({ event: 'session_start' }, 'claude-code')).not.toContain('deny-in-vain');
  });
  test('say if the policy decides otherwise', () => {
    expect(notesOf({}, 'codex')).not.toContain('failure-by-policy');
    expect(notesOf({}, 'codex', { onFailure: 'deny' })).toContain('failure-by-policy');
    expect(notesOf({}, 'codex', { onFailure: 'allow' })).not.toContain('failure-by-policy');
    expect(notesOf({ on_failure: 'deny' }, 'codex', { onFailure: 'allow' })).toContain(
      'failure-by-policy',
    );
  });
});

test('the plan says what a client cannot change: the input before a call, the output after it', () => {
  const lacks = (event: string, id: ClientId) => {
    const hook = { event, command: ['none'], may: ['modify'] };
    const text = JSON.stringify({ version: 2, name: 'annal', hooks: { declarations: [hook] } });
    const { hooks } = compile(parseManifest(text, '/m.json'), clientOf(id), {
      ...PLACE,
      defaults: { ...RULES, command: true, modify: true },
    });
    return hooks.flatMap(({ notes }) =>
      notes.flatMap((note) => (note.code === 'not-decided' ? note.what : [])),
    );
  };
  for (const event of ['post_tool_use', 'tool_error'])
    expect([...new Set(IDS.flatMap((id) => lacks(event, id)))]).toEqual(['output']);
  expect([...new Set(IDS.flatMap((id) => lacks('pre_tool_use', id)))]).toEqual(['input']);
});
