// The extended vocabulary for each client: how decisions take effect, and what the runner learns about the client for this. For
// when the model reads a text, see compiled.txt; for the real clients, test/real-clients/lifecycle.test.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { plainWire, wireOf } from '../../src/clients/contract.ts';
import { bindingsOf } from '../../src/clients/lowerings.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { compile } from '../../src/compile/compile.ts';
import { ALL_EVENTS, type Event } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { recordings } from '../../src/diagnose/fire/payload.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import { declaring } from '../support/declaring.ts';
import {
  type ClientId,
  clientOf,
  type Each,
  each,
  IDS,
  recorded,
  WRITING,
  written,
} from '../support/runner/clients.ts';
import { schemaBreaches } from '../support/runner/schema.ts';
import { expected, isNever, type Situation } from './expectations.ts';

test('every event on which no text reaches the model has a reason', () => {
  for (const { id, lowering, cannot = {} } of CLIENTS) {
    const never = ALL_EVENTS.filter((event) => lowering[event] === null);
    expect([id, Object.keys(cannot)]).toEqual([id, never]);
  }
});

test('a text that --act-now would show sooner says what that costs', () => {
  for (const { id, lowering } of CLIENTS)
    for (const event of ALL_EVENTS) {
      const cell = lowering[event];
      for (const { sooner, when } of [cell?.text, cell?.tool].flatMap((one) => one ?? []))
        if (sooner)
          expect([id, event, when]).toEqual([
            id,
            event,
            expect.stringMatching(/ would cost .*one more turn/),
          ]);
    }
});

describe('decisions', () => {
  test('each have an answer on their native event, and no answer approves a call unless it has to', () => {
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
    // Codex takes a changed input only with an approval, and still asks the user.
    expect(approving).toEqual(['codex input']);
  });
});

test.each(CLIENTS)('$id: every native event is used, and has a payload', (client) => {
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
  const { hooks } = compile(declaring([hook], { version: 2 }), clientOf(id), {
    runner: '/r',
    state: '/s',
    defaults: { ...RULES, block: true },
  });
  return hooks.flatMap(({ grade, notes }) => [grade, ...notes.map(({ code }) => code)]).join(' ');
};

/** The grade of a text after a call. */
const afterCall = (id: ClientId) => clientOf(id).lowering.post_tool_use?.text.grade ?? 'none';

describe('a hook for calls with one outcome, which the client may not report', () => {
  const tells = (id: ClientId) => expected[id].failures.length > 0;
  /** No hook runs after a call that failed. */
  const neverTold = (id: ClientId) => isNever(id, 'tool_error');
  const never = each((id) => (tells(id) ? afterCall(id) : 'none'));
  const CASES: Record<string, [object, Each<string>]> = {
    failed: [{ failed: true }, never],
    'with the same error': [{ repeat: { times: 2, within: 60, same: 'error' } }, never],
    'not failed': [
      { failed: false },
      each((id) =>
        tells(id) || neverTold(id) ? afterCall(id) : `${afterCall(id)} failures-unknown`,
      ),
    ],
  };
  test.each(Object.entries(CASES))('%s', (_name, [matcher, grades]) => {
    const hook = {
      event: 'post_tool_use',
      matcher: { tool_name: 'Bash', ...matcher },
      context: 'A.',
    };
    const planned = each((id) => plannedFor(id, hook).replace(/ exception| first-hook-only/g, ''));
    expect(planned).toEqual(grades);
  });
});

describe('a hook for failed calls, after which the client may drop texts', () => {
  const reads = (situation: Situation) =>
    each((id) => (expected[id].real.texts[situation] === 'read' ? afterCall(id) : 'none'));
  const knows = (grades: Each<string>) =>
    each((id) => (expected[id].failures.length > 0 ? grades[id] : 'none'));
  const CASES: Record<string, [matcher: object | undefined, Each<string>]> = {
    'a tool of a server': [{ tool_name: 'mcp__annal__*' }, reads('failed MCP call')],
    'all tools of a server': [{ tool_server: 'annal' }, reads('failed MCP call')],
    'a tool that reads': [{ tool_name: 'Read' }, reads('failed call')],
    'a shell': [{ tool_name: 'Bash' }, knows(reads('failed command'))],
    'a tool that reads, or a shell': [{ tool_name: '{Read,Ba*}' }, knows(reads('failed command'))],
    'any tool': [undefined, knows(reads('failed command'))],
  };
  test.each(Object.entries(CASES))('%s', (_name, [matcher, grades]) => {
    const text = { context: 'A.', ...(matcher && { matcher }) };
    const failed = { matcher: { ...matcher, failed: true } };
    for (const hook of [
      { event: 'tool_error', ...text },
      { event: 'post_tool_use', ...text, ...failed },
      { event: 'post_tool_use', ...text, ...failed, once: 'session' },
    ])
      expect(each((id) => plannedFor(id, hook).split(' ')[0])).toEqual(grades);
  });

  test('still decides', () => {
    const matcher = { tool_server: 'annal' };
    const grades = each(
      (id) => plannedFor(id, { event: 'tool_error', matcher, block: 'No.' }).split(' ')[0],
    );
    const blocks = each((id) => clientOf(id).lowering.tool_error?.decide?.block?.grade ?? 'none');
    expect(grades).toEqual(blocks);
  });
});

describe('a plain program', () => {
  const events = ['session_start', 'pre_request', 'pre_tool_use', 'post_tool_use', 'post_request'];
  const compiled = (id: ClientId, version: object, more: object = {}) =>
    compile(
      declaring(
        events.map((event) => ({ event, context: 'A.', ...more })),
        version,
      ),
      clientOf(id),
      { runner: '/r', state: '/s' },
    ).program;
  const wiresIn = ({ wire, events }: ReturnType<typeof compiled>) =>
    [wire, ...Object.values(events).map((event) => event.wire)].flatMap((one) => one ?? []);

  test.each(IDS)('of %s has nothing that only a chain needs', (id) => {
    for (const wire of wiresIn(compiled(id, {}))) expect(wire).toEqual(plainWire(wire));
    const chained = wiresIn(compiled(id, { version: 2 }, { cooldown: 1 }));
    expect(chained.some((wire) => 'decide' in wire)).toBe(true);
  });
});

interface Stage {
  get(payload: unknown, path: string | undefined): unknown;
}
const stage: Stage = runnerCode('./runner.cjs').stage;

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

  test.each(IDS)('%s', (id) => {
    for (const [name, hasFailed] of Object.entries(expected[id].failed))
      expect([name, failed(id, name)]).toEqual([name, hasFailed]);
  });
});

describe('what a session has used', () => {
  const { isOver }: { isOver(hook: object, run: object): boolean } = runnerCode('./budget.cjs');
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  interface Spent {
    readonly used: number;
    readonly estimated: boolean;
    readonly window: unknown;
  }
  const recordOf = (id: ClientId) => join(folder, `${id}.jsonl`);
  const write = (id: ClientId, lines: readonly object[]) =>
    writeFileSync(recordOf(id), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  function spent(id: ClientId, lines: readonly object[], payload = {}): Spent | undefined {
    write(id, lines);
    const hook = { extended: { budget: { tokens: 100, warn: 70, fire: 80 } } };
    const firing = { transcript: recordOf(id), payload, budgets: new Map<object, Spent>() };
    const program = { wire: clientOf(id).wire };
    const memory = () => join(folder, 'nothing');
    expect(isOver(hook, { firing, program, stage: { ...stage, memory } })).toBe(true);
    return firing.budgets.get(hook);
  }

  const counting = WRITING.filter((id) => !isNever(id, 'budget_exceeded'));
  test.each(counting)('%s: is counted since the last compaction', (id) => {
    const { answer, compaction, answerAfter = answer } = written(id).writes;
    const other = { type: 'other' };
    expect(spent(id, [answer(90_205), other])).toMatchObject({ used: 90_205, estimated: false });
    expect(spent(id, [answer(90_205), compaction, answerAfter(225), other])).toMatchObject({
      used: 225,
      estimated: false,
    });
  });

  const late = counting.flatMap((id) => {
    const { lastLine } = expected[id].transcript?.atEnd ?? {};
    return lastLine ? [{ id, lastLine }] : [];
  });
  test.each(late)(
    '$id: includes what is written only after the event began',
    ({ id, lastLine }) => {
      const { answer } = written(id).writes;
      const all = [answer(60), answer(90_205), lastLine];
      const wait = vi.spyOn(Atomics, 'wait').mockImplementationOnce(() => {
        write(id, all);
        return 'timed-out';
      });
      expect(spent(id, [answer(60)], lastLine)).toMatchObject({ used: 90_205 });
      expect(wait).toHaveBeenCalledOnce();
      expect(spent(id, all, lastLine)).toMatchObject({ used: 90_205 });
      expect(wait).toHaveBeenCalledOnce();
    },
  );

  test.each(WRITING)('%s: is reset by a compaction, and by nothing else', (id) => {
    for (const [lines, window, used] of written(id).writes.windows ?? []) {
      const counted = used === undefined ? { estimated: true } : { used, estimated: false };
      expect(spent(id, lines)).toMatchObject({ window: String(window), ...counted });
    }
  });
});

test('the plan notes the time that a client allows, for a hook that declares more', () => {
  /** The milliseconds of the note, or nothing. */
  const noted = (event: Event, deadline: number, more: object = {}) =>
    each((id) => {
      const hook = { event, command: ['sync'], deadline, ...more };
      const declared = declaring([hook], { version: 2 });
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
      // The time that the runner uses.
      expect([id, note?.milliseconds]).toEqual([id, deadline > least ? least : undefined]);
      return note?.milliseconds;
    });
  expect(noted('session_end', 5000)).toEqual(each((id) => expected[id].timeAtEnd));
  expect(noted('session_end', 1500)).toEqual(each(() => undefined));
  expect(noted('post_tool_use', 13_500)).toEqual(each(() => undefined));
  expect(noted('post_tool_use', 13_501)).toEqual(each(() => 13_500));
  expect(noted('pre_compact', 30_000)).toEqual(
    each((id) => (isNever(id, 'pre_compact') ? undefined : 13_500)),
  );
});
