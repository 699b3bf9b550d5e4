// The extended vocabulary for each client: when the model reads a text, how decisions take effect, and what the runner learns
// about the client for this. What the real clients do: test/real-clients/lifecycle.test.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Binding, DecisionLowering, Lowering } from '../../src/clients/contract.ts';
import { plainWire, wireOf } from '../../src/clients/contract.ts';
import { bindingsOf } from '../../src/clients/lowerings.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { compile } from '../../src/compile/compile.ts';
import { ALL_EVENTS, type Event, LIFECYCLE_EVENTS } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { recordings } from '../../src/diagnose/fire/recordings.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import {
  type ClientId,
  clientOf,
  type Each,
  each,
  IDS,
  recorded,
} from '../support/runner/clients.ts';
import { schemaBreaches } from '../support/runner/schema.ts';

const cellOf = (id: ClientId, event: Event) => clientOf(id).lowering[event];

/** `tell*` waits for a mark. */
const bindingIn = ({ native, act, marked, tool }: Binding): string =>
  `${native}${tool === undefined ? '' : `(${tool})`} ${act}${marked ? '*' : ''}`;
const wayIn = (lowering: Lowering | undefined): string =>
  lowering === undefined ? '-' : [lowering.grade, ...lowering.on.map(bindingIn)].join(', ');

type Told = Readonly<Record<(typeof LIFECYCLE_EVENTS)[number], Each<string>>>;

describe('when the model is told', () => {
  const TEXT: Told = {
    pre_compact: {
      'claude-code': 'late, PreCompact mark, SessionStart tell*',
      codex: 'late, PreCompact mark, SessionStart tell*',
      'gemini-cli': 'late, PreCompress mark, BeforeAgent tell*',
      'copilot-cli': 'late, PreCompact mark, userPromptTransformed tell*',
    },
    post_compact: {
      'claude-code': 'exact, PreCompact mark, SessionStart tell*',
      codex: 'exact, PostCompact mark, SessionStart tell*',
      'gemini-cli': 'adapted, PreCompress mark, BeforeAgent tell*',
      'copilot-cli': 'late, PreCompact mark, userPromptTransformed tell*',
    },
    tool_error: {
      'claude-code': 'exact, PostToolUseFailure tell',
      codex: '-',
      'gemini-cli': 'exact, AfterTool tell',
      'copilot-cli': 'exact, PostToolUse tell, PostToolUseFailure tell',
    },
    subagent_start: {
      'claude-code': 'exact, SubagentStart tell',
      codex: 'exact, SubagentStart tell',
      'gemini-cli': '-',
      'copilot-cli': 'exact, SubagentStart tell',
    },
    subagent_end: {
      'claude-code': 'late, SubagentStop mark, PostToolUse tell*, UserPromptSubmit tell*',
      codex: 'late, SubagentStop mark, PostToolUse tell*, UserPromptSubmit tell*',
      'gemini-cli': 'adapted, AfterTool(Agent) tell',
      'copilot-cli': 'late, SubagentStop mark, PostToolUse tell*, userPromptTransformed tell*',
    },
    budget_exceeded: {
      'claude-code': 'adapted, PostToolUse tell, PostToolUseFailure tell, UserPromptSubmit tell',
      codex: 'adapted, PostToolUse tell, UserPromptSubmit tell',
      'gemini-cli': 'adapted, AfterTool tell, BeforeAgent tell',
      'copilot-cli': 'late, Stop keep, userPromptTransformed tell*',
    },
  };

  test.each(LIFECYCLE_EVENTS)('%s', (event) => {
    expect(each((id) => wayIn(cellOf(id, event)?.text))).toEqual(TEXT[event]);
  });

  test('what a tool says before a compaction is kept', () => {
    const kept = each((id) => wayIn(cellOf(id, 'pre_compact')?.tool).replace('keep', 'mark'));
    expect(kept).toEqual(TEXT.pre_compact);
  });

  test('--act-now: at the end of a subagent', () => {
    expect(each((id) => wayIn(cellOf(id, 'subagent_end')?.actNow))).toEqual({
      'claude-code': 'adapted, SubagentStop ask',
      codex: 'adapted, SubagentStop ask',
      'gemini-cli': '-',
      'copilot-cli': 'adapted, SubagentStop ask',
    });
  });

  test('where it is not, there is a reason', () => {
    for (const { id, lowering, cannot = {} } of CLIENTS) {
      const never = ALL_EVENTS.filter((event) => lowering[event] === null);
      expect([id, Object.keys(cannot)]).toEqual([id, never]);
    }
  });
});

describe('decisions', () => {
  const decisionIn = ({ grade, on }: DecisionLowering) =>
    on === undefined ? grade : `${grade} on ${on}`;
  const decisionsOf = (id: ClientId, event: Event): string =>
    Object.entries(cellOf(id, event)?.decide ?? {})
      .map(([what, how]) => `${what} ${decisionIn(how)}`)
      .join(', ');
  const NONE: Each<string> = each(() => '');
  const DECIDED: Readonly<Record<Event, Each<string>>> = {
    session_start: NONE,
    session_end: NONE,
    pre_request: {
      'claude-code': 'block exact',
      codex: 'block exact',
      'gemini-cli': 'block exact',
      'copilot-cli': 'block exact on UserPromptSubmit',
    },
    pre_tool_use: {
      'claude-code': 'block exact, input exact',
      codex: 'block exact, input exact',
      'gemini-cli': 'block exact on BeforeTool, input exact on BeforeTool',
      'copilot-cli': 'block exact, input exact',
    },
    post_tool_use: {
      'claude-code': 'block adapted, output adapted on PostToolUse',
      codex: 'block adapted, output exact',
      'gemini-cli': 'block adapted, output adapted',
      'copilot-cli': 'block adapted on PostToolUse, output adapted on PostToolUse',
    },
    post_request: {
      'claude-code': 'block exact on Stop',
      codex: 'block exact on Stop',
      'gemini-cli': 'block exact on AfterAgent',
      'copilot-cli': 'block exact on Stop',
    },
    pre_compact: { ...NONE, 'claude-code': 'block exact on PreCompact' },
    post_compact: NONE,
    tool_error: {
      ...NONE,
      'claude-code': 'block adapted',
      'gemini-cli': 'block adapted, output adapted',
    },
    subagent_start: NONE,
    subagent_end: {
      'claude-code': 'block exact on SubagentStop',
      codex: 'block exact on SubagentStop',
      'gemini-cli': '',
      'copilot-cli': 'block exact on SubagentStop',
    },
    budget_exceeded: {
      'claude-code': 'block adapted on UserPromptSubmit',
      codex: 'block adapted on UserPromptSubmit',
      'gemini-cli': 'block adapted on BeforeAgent',
      'copilot-cli': '',
    },
  };

  test.each(ALL_EVENTS)('%s', (event) => {
    expect(each((id) => decisionsOf(id, event))).toEqual(DECIDED[event]);
  });

  test('each has its answer on the event on which it is made, and nothing approves a call but what has to', () => {
    const approving: string[] = [];
    for (const client of CLIENTS)
      for (const event of ALL_EVENTS) {
        const cell = client.lowering[event];
        for (const what of ['block', 'input', 'output'] as const) {
          const how = cell?.decide?.[what];
          if (!cell || !how) continue;
          for (const native of how.on === undefined
            ? cell.text.on.map((one) => one.native)
            : [how.on]) {
            const shape = wireOf(client, native).decide?.[what];
            expect([client.id, event, what, native, shape]).toEqual([
              ...[client.id, event, what, native],
              expect.anything(),
            ]);
            const answer = JSON.parse(JSON.stringify(shape).replaceAll('{event}', native));
            expect(schemaBreaches(client, native, answer)).toEqual([]);
            if (/"(?:allow|approve)"/.test(JSON.stringify(shape)))
              approving.push(`${client.id} ${what}`);
          }
        }
      }
    // Codex takes another input with this alone, and asks the user all the same.
    expect(approving).toEqual(['codex input']);
  });
});

test.each(IDS)('%s: every native event comes to be of use, and was recorded', (id) => {
  const client = clientOf(id);
  const used = ALL_EVENTS.flatMap((event) => {
    const cell = client.lowering[event];
    const decided = Object.values(cell?.decide ?? {}).flatMap(({ on }) => on ?? []);
    return [...bindingsOf(cell).map(({ native }) => native), ...decided];
  });
  expect([...new Set(used)].sort()).toEqual(Object.keys(client.nativeEvents).sort());
  for (const native of Object.keys(client.nativeEvents))
    expect([native, recordings(client, native).length > 0]).toEqual([native, true]);
});

/** A hook's grade, and the codes of the plan's notes on it. */
const plannedFor = (id: ClientId, hook: object): string => {
  const manifest = JSON.stringify({ version: 2, hooks: { declarations: [hook] } });
  const { hooks } = compile(parseManifest(manifest, '/annal.json'), clientOf(id), {
    runner: '/r',
    state: '/s',
    defaults: { ...RULES, block: true },
  });
  return hooks.flatMap(({ grade, notes }) => [grade, ...notes.map(({ code }) => code)]).join(' ');
};

describe('only for calls that ended in one way, where the client does not say which did', () => {
  const CASES: Record<string, [object, Each<string>]> = {
    failed: [{ failed: true }, each((id) => (id === 'codex' ? 'none' : 'exact'))],
    'with the same error': [
      { repeat: { times: 2, within: 60, same: 'error' } },
      each((id) => (id === 'codex' ? 'none' : 'exact')),
    ],
    'not failed': [
      { failed: false },
      each((id) => (id === 'codex' ? 'exact failures-unknown' : 'exact')),
    ],
  };
  test.each(Object.entries(CASES))('%s', (_name, [matcher, grades]) => {
    const hook = {
      event: 'post_tool_use',
      matcher: { tool_name: 'Bash', ...matcher },
      context: 'A.',
    };
    const planned = each((id) => plannedFor(id, hook).replace(' exception', ''));
    expect(planned).toEqual(grades);
  });
});

test('a block is not said to have the exceptions of a text on other events', () => {
  const blockOn = (event: string) => each((id) => plannedFor(id, { event, block: 'No.' }));
  const exact = each(() => 'exact');
  expect(blockOn('pre_tool_use')).toEqual(exact);
  expect(blockOn('pre_request')).toEqual(exact);
  expect(blockOn('post_request')).toEqual(exact);
  expect(blockOn('subagent_end')).toEqual({ ...exact, 'gemini-cli': 'none' });
  expect(blockOn('post_tool_use')).toEqual({
    'claude-code': 'adapted',
    codex: 'adapted exception',
    'gemini-cli': 'adapted exception',
    'copilot-cli': 'adapted exception',
  });
});

describe('a plain program', () => {
  const events = ['session_start', 'pre_request', 'pre_tool_use', 'post_tool_use', 'post_request'];
  const compiled = (id: ClientId, version: object, more: object = {}) =>
    compile(
      parseManifest(
        JSON.stringify({
          ...version,
          hooks: {
            declarations: events.map((event) => ({
              event,
              context: 'A.',
              priority: 'suggestion',
              ...more,
            })),
          },
        }),
        '/annal.json',
      ),
      clientOf(id),
      { runner: '/r', state: '/s' },
    ).program;
  const wiresIn = ({ wire, events }: ReturnType<typeof compiled>) =>
    [wire, ...Object.values(events).map((event) => event.wire)].flatMap((one) => one ?? []);

  test.each(IDS)('of %s has nothing that only a chain asks for', (id) => {
    for (const wire of wiresIn(compiled(id, {}))) expect(wire).toEqual(plainWire(wire));
    const chained = wiresIn(compiled(id, { version: 2 }, { cooldown: 1 }));
    expect(chained.some((wire) => 'decide' in wire)).toBe(true);
  });
});

interface Stage {
  get(payload: unknown, path: string | undefined): unknown;
}
const stage: Stage = runnerCode('./runner.cjs');

describe('whether a call failed', () => {
  const {
    hasFailed,
  }: {
    hasFailed(firing: object, at: object, stage: Stage): boolean | undefined;
  } = runnerCode('./conditions.cjs');
  const failed = (id: ClientId, name: string) => {
    const wire = wireOf(clientOf(id), name.split('.')[0] ?? '');
    const payload = recorded(id, name);
    return hasFailed({ payload, tool: payload[wire.toolName] }, { wire }, stage);
  };

  test.each([
    ['claude-code', 'PostToolUse', false],
    ['claude-code', 'PostToolUse.mcp', false],
    ['claude-code', 'PostToolUseFailure', true],
    ['claude-code', 'PostToolUseFailure.mcp', true],
    ['codex', 'PostToolUse', undefined],
    ['gemini-cli', 'AfterTool', false],
    ['gemini-cli', 'AfterTool.mcp', false],
    ['gemini-cli', 'AfterTool.mcp-error', true],
    ['gemini-cli', 'AfterTool.shell-exit7', true],
    ['copilot-cli', 'PostToolUse', false],
    ['copilot-cli', 'PostToolUse.mcp', false],
    ['copilot-cli', 'PostToolUse.shell-exit7', true],
    ['copilot-cli', 'PostToolUseFailure', true],
  ] as const)('%s, %s: %s', (id, name, expected) => {
    expect(failed(id, name)).toBe(expected);
  });
});

describe('what a session has used', () => {
  const { isOver }: { isOver(hook: object, run: object): boolean } = runnerCode('./budget.cjs');
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What the clients write down: an answer, a compaction, and an answer after it, as far as it is looked at. */
  const WRITTEN: Each<readonly [object, object, object]> = {
    'claude-code': [
      claudeAnswer(90_000),
      { type: 'system', subtype: 'compact_boundary' },
      claudeAnswer(20),
    ],
    codex: [
      codexAnswer(90_205),
      { timestamp: 't', type: 'compacted', payload: { message: 'm' } },
      {
        timestamp: 't',
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { last_token_usage: { input_tokens: 0, total_tokens: 225 } },
        },
      },
    ],
    'gemini-cli': [
      geminiAnswer(90_205),
      { $set: { messages: [geminiAnswer(90_205)] } },
      geminiAnswer(225),
    ],
    'copilot-cli': [
      copilotAnswer(90_200),
      { type: 'session.compaction_complete', data: { success: true } },
      copilotAnswer(220),
    ],
  };

  interface Spent {
    readonly used: number;
    readonly estimated: boolean;
    readonly window: unknown;
  }
  function spent(id: ClientId, lines: readonly object[]): Spent | undefined {
    const transcript = join(folder, `${id}.jsonl`);
    writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const hook = { extended: { budget: { tokens: 100, warn: 70, fire: 80 } } };
    const firing = { transcript, budgets: new Map<object, Spent>() };
    const at = { wire: clientOf(id).wire };
    const memory = () => join(folder, 'nothing');
    expect(isOver(hook, { firing, at, stage: { ...stage, memory } })).toBe(true);
    return firing.budgets.get(hook);
  }

  test.each(IDS)('%s: since the history was compacted', (id) => {
    const [before, compaction, after] = WRITTEN[id];
    const other = { type: 'other' };
    expect(spent(id, [before, other])).toMatchObject({ used: 90_205, estimated: false });
    expect(spent(id, [before, compaction, after, other])).toMatchObject({
      used: 225,
      estimated: false,
    });
  });

  test('gemini-cli: a resumed session writes its history anew, and that is no compaction', () => {
    const [answer] = WRITTEN['gemini-cli'];
    const message = (id: string, type: string, text: string) => ({
      ...{ id, timestamp: 't', type },
      content: [{ text }],
    });
    const all = [message('a', 'user', 'x'.repeat(500)), message('b', 'gemini', 'y')];
    const summary = (id: string) => [
      message('s', 'user', 'z'.repeat(500)),
      message(id, 'gemini', 'Got it. Thanks for the additional context!'),
    ];
    const anew = (messages: object[]) => ({ $set: { messages } });
    const windows = [
      [answer],
      [answer, anew(all)],
      [answer, anew(all), answer, anew(all)],
      [answer, anew(summary('one'))],
      [answer, anew(summary('one')), answer, anew([...summary('one'), ...all])],
      [answer, anew(summary('one')), answer, anew(summary('two'))],
    ].map((lines) => spent('gemini-cli', lines)?.window);
    expect(windows).toEqual([0, 0, 0, 'one', 'one', 'two']);
  });
});

function claudeAnswer(tokens: number): object {
  const usage = {
    input_tokens: tokens,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 100,
    output_tokens: 5,
  };
  return { type: 'assistant', message: { role: 'assistant', stop_reason: null, usage } };
}

function codexAnswer(total_tokens: number): object {
  return {
    timestamp: 't',
    type: 'token_usage_record',
    payload: { usage: { input_tokens: 1, total_tokens } },
  };
}

function geminiAnswer(total: number): object {
  return { id: 'i', type: 'gemini', content: 'a', tokens: { input: 1, output: 5, total } };
}

function copilotAnswer(inputTokens: number): object {
  return {
    type: 'session.usage_record',
    data: { usage: { model: 'm', inputTokens, outputTokens: 5 } },
  };
}

test('the time that a client allows at most, for a hook that declares more', () => {
  /** The milliseconds of the note, or nothing. */
  const noted = (event: Event, deadline: number, more: object = {}) =>
    each((id) => {
      const hook = { event, command: ['sync'], deadline, ...more };
      const manifest = { version: 2, name: 'annal', hooks: { declarations: [hook] } };
      const declared = parseManifest(JSON.stringify(manifest), '/shop/annal.json');
      const { hooks, program } = compile(declared, clientOf(id), {
        runner: '/runner',
        state: '/state',
        defaults: { ...RULES, command: true, projectCode: true },
      });
      const notes = hooks.flatMap(({ notes: all }) => all);
      const [note] = notes.flatMap((one) => (one.code === 'deadline-cut' ? one : []));
      const called = Object.values(program.events).filter(({ hooks: some }) =>
        some.some(({ act, marked }) => act === 'keep' || (act !== 'mark' && !marked)),
      );
      const { TO_TELL } = runnerCode('./chain.cjs');
      const least = Math.min(...called.map(({ most }) => most - TO_TELL));
      // As the runner has it.
      expect([id, note?.milliseconds]).toEqual([id, deadline > least ? least : undefined]);
      return note?.milliseconds;
    });
  expect(noted('session_end', 5000)).toEqual({
    'claude-code': 3500,
    codex: 1500,
    'gemini-cli': undefined,
    'copilot-cli': undefined,
  });
  expect(noted('session_end', 1500)).toEqual(each(() => undefined));
  expect(noted('post_tool_use', 13_500)).toEqual(each(() => undefined));
  expect(noted('post_tool_use', 13_501)).toEqual(each(() => 13_500));
  expect(noted('pre_compact', 30_000)).toEqual(each(() => 13_500));
});
