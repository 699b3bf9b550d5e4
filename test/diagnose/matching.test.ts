/** What fire and verify know about matchers: how clients read them, which calls a hook matches, and which answers clients accept. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile/compile.ts';
import { globsOf, namesFor } from '../../src/compile/glob.ts';
import { eventPrograms, type ToolGlobs } from '../../src/compile/program.ts';
import { secondStage } from '../../src/compile/second-stage.ts';
import { fit } from '../../src/diagnose/fire/matching.ts';
import { payloadsMatching, recordings } from '../../src/diagnose/fire/payload.ts';
import { readAnswer } from '../../src/diagnose/fire/run-hook.ts';
import { expected } from '../clients/expectations.ts';
import * as atOnce from '../support/runner/at-once.ts';
import { clientOf, IDS, MOMENTS, runsFor } from '../support/runner/clients.ts';
import { schemaBreaches } from '../support/runner/schema.ts';
import { declare, type Hook } from '../support/runner/world.ts';
import { tries } from '../support/tries.ts';

describe('a matcher is read as its client reads it', () => {
  const fits = (id: (typeof IDS)[number], matcher: string, tool_name: string) =>
    fit({ client: clientOf(id), native: MOMENTS.after[id].event, matcher }, { tool_name }).fits;

  const CASES = [
    ...[
      '',
      '*',
      'Bash',
      'Bas',
      'Edit|Bash',
      'Edit, Bash',
      '^B',
      'bash',
      'bash|Read',
      '.*ash',
      'as',
    ].map((matcher) => [matcher, 'Bash'] as const),
    ...['annal-.*', 'lookup', '*'].map((matcher) => [matcher, 'annal-lookup'] as const),
    ['my-tool', 'my-tools'],
    ['Edit', 'apply_patch'],
    ['(Bash', '(Bash'],
  ] as const;

  test.each(IDS)('%s', (id) => {
    const started = CASES.filter(([matcher, tool]) => fits(id, matcher, tool));
    const { matches } = expected[id];
    expect(started.map(([matcher, tool]) => `${matcher} for ${tool}`).sort()).toEqual(
      [...matches].sort(),
    );
  });

  test('agrees with a second model of the real clients', () => {
    const piece = fc.constantFrom(
      'Bash',
      'Edit',
      'apply_patch',
      '|',
      ',',
      ' ',
      '.*',
      '-',
      '^',
      'a',
    );
    const matcher = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const tool = fc.constantFrom('Bash', 'Edit', 'apply_patch', 'a', 'Bash-a');
    fc.assert(
      fc.property(fc.constantFrom(...IDS), matcher, tool, (id, text, name) => {
        // Matchers of spaces only were not tried; Codex also takes an alias in expressions.
        fc.pre(text.trim() === text && !(id === 'codex' && name === 'apply_patch'));
        expect(fits(id, text, name)).toBe(runsFor(id, text, name));
      }),
      { numRuns: tries(400, 20_000) },
    );
  });

  test("is ignored, or compared with the reason of a session's start, where the client does so", () => {
    const start = (source: string, matcher: string) =>
      fit({ client: clientOf('codex'), native: 'SessionStart', matcher }, { source });
    expect(start('resume', 'startup|resume')).toEqual({ fits: true, value: 'resume' });
    expect(start('clear', 'startup|resume')).toEqual({ fits: false, value: 'clear' });
    expect(fit({ client: clientOf('codex'), native: 'Stop', matcher: 'x' }, {})).toEqual({
      fits: true,
    });
  });
});

describe('from a pattern back to names', () => {
  const meantBy = (id: (typeof IDS)[number], tool_name: string): ToolGlobs => {
    const [hook] = programOf(id, { event: 'post_tool_use', matcher: { tool_name } }).hooks;
    return { tool: [], ...hook?.when };
  };
  test.each([
    ['Bash', ['Bash'], ['Bash']],
    ['{Edit,Write}', ['Edit', 'Write'], ['Edit', 'Write']],
    ['mcp__annal__*', ['mcp__annal__*'], ['mcp__annal__x']],
    ['*search', ['*search'], ['xsearch']],
    ['a?[b-d]', ['a?[b-d]'], ['axb']],
    ['\\*', ['\\*'], ['*']],
  ])('%s', (glob, globs, names) => {
    const meant = meantBy('claude-code', glob);
    expect({ globs: globsOf(meant.tool), names: namesFor(meant.tool) }).toEqual({ globs, names });
  });

  const word = fc.constantFrom(
    'Bash',
    'Ed',
    'mcp__s__',
    'mcp__my-notes__',
    't',
    '_',
    '.',
    ' ',
    '+',
  );
  const wild = fc.constantFrom('*', '?', '[a-c]', '[!x]', '{a,bb}', '\\*');
  const glob = fc
    .array(fc.oneof({ weight: 3, arbitrary: word }, wild), { minLength: 1, maxLength: 4 })
    .map((pieces) => pieces.join(''));

  test('a name fits the alternative that it was made for', () => {
    fc.assert(
      fc.property(glob, (text) => {
        const meant = meantBy('claude-code', text);
        const names = namesFor(meant.tool);
        expect(names.filter((name) => !secondStage().isOf(name, meant))).toEqual([]);
      }),
      { numRuns: tries(200, 5000) },
    );
  });

  test('for each matcher and client there is a call for which the client starts the hook', () => {
    const needle = fc.constantFrom(undefined, 'git commit', '"a":"b"', '日本', 'a\nb');
    fc.assert(
      fc.property(fc.constantFrom(...IDS), glob, needle, (id, tool_name, input_contains) => {
        const matcher = { tool_name, ...(input_contains !== undefined && { input_contains }) };
        const program = programOf(id, { event: 'post_tool_use', matcher });
        const [hook] = program.hooks;
        if (!hook?.when) throw new Error('no matcher');
        // Tools cannot have such names.
        fc.pre(!namesFor(hook.when?.tool ?? []).some((name) => /^mcp__(?!.+?__.)/.test(name)));
        const client = clientOf(id);
        const scene = { cwd: '/w', home: '/h', session: 's' };
        const met = payloadsMatching(client, program.native, hook, program, scene);
        expect(met).not.toEqual([]);
        const entry = { client, native: program.native, ...matcherOf(id, matcher) };
        expect(met.filter((payload) => !fit(entry, payload).fits)).toEqual([]);
      }),
      { numRuns: tries(200, 5000) },
    );
  });
});

describe('an answer that a client accepts', () => {
  const told = (event: string) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: 'x' } });
  const reading = (id: (typeof IDS)[number], event: string, stdout: string) =>
    readAnswer(clientOf(id), event, stdout);

  test('is a text in its form, or nothing', () => {
    for (const id of atOnce.IDS) {
      const { event } = MOMENTS.after[id];
      const said = JSON.stringify(expected[id].answers.tell(event, 'x'));
      expect(reading(id, event, said)).toEqual({ text: 'x', act: 'tell' });
      expect(reading(id, event, '')).toEqual({ text: undefined });
    }
  });

  test('can ask to go on at the end of a turn', () => {
    for (const id of IDS.filter((one) => !expected[one].asksNothing)) {
      const { event } = MOMENTS.turnEnd[id];
      const words = JSON.stringify(expected[id].answers.ask(event, 'x'));
      expect(reading(id, event, words)).toEqual({ text: 'x', act: 'ask' });
      // Not after a call, where the same words would block its result.
      if (!words.includes('additionalContext'))
        expect(reading(id, MOMENTS.after[id].event, words)).toHaveProperty('breach');
    }
    expect(reading('codex', 'Stop', told('Stop'))).toHaveProperty('breach');
  });

  test.each([
    ['Hello.', 'is no JSON'],
    [`${told('PostToolUse')}\n`, 'is not one line of ASCII'],
    [
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"\\ud83d"}}',
      'holds half a character',
    ],
    ['{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":1}}', 'is not what'],
    ['{"hookSpecificOutput":{"hookEventName":"PostToolUse"}}', 'is not what'],
    [
      '{"continue":true,"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}',
      'is not what',
    ],
    ['[]', 'is not what'],
    ['null', 'is not what'],
  ])('is not %j', (stdout, breach) => {
    expect(reading('claude-code', 'PostToolUse', stdout)).toEqual({
      breach: expect.stringContaining(breach),
    });
  });

  test("is checked against Codex's own schemas", () => {
    for (const event of [
      'PreToolUse',
      'PostToolUse',
      'SessionStart',
      'SubagentStart',
      'UserPromptSubmit',
      'Stop',
    ]) {
      const answer = event === 'Stop' ? '{"decision":"block","reason":"x"}' : told(event);
      expect(reading('codex', event, answer)).toMatchObject({ text: 'x' });
      const breaches = (value: unknown) => schemaBreaches(clientOf('codex'), event, value);
      expect([breaches(JSON.parse(answer)), breaches({ surprise: 1 })]).toEqual([
        [],
        ['/: unknown key surprise'],
      ]);
    }
  });
});

test('every native event in use has a recording', () => {
  for (const id of IDS)
    for (const native of Object.keys(clientOf(id).nativeEvents)) {
      const [first] = recordings(clientOf(id), native);
      // Some payloads do not name their event.
      const { hook_event_name = native } = first?.payload ?? {};
      // Clients may spell the first letter in lower or upper case.
      const said = String(hook_event_name).replace(/^[NS]/, (letter) =>
        native.startsWith(letter.toLowerCase()) ? letter.toLowerCase() : letter,
      );
      expect([first?.name, said]).toEqual([native, native]);
    }
});

const compiled = (id: (typeof IDS)[number], hook: Hook) =>
  compile(declare([hook]), clientOf(id), { runner: '/r', state: '/s' });

function programOf(id: (typeof IDS)[number], hook: Hook) {
  const native = MOMENTS.after[id].event;
  const program = eventPrograms(compiled(id, hook).program).find((one) => one.native === native);
  if (!program) throw new Error(`nothing on ${native}`);
  return program;
}

function matcherOf(id: (typeof IDS)[number], matcher: Hook['matcher']): { matcher?: string } {
  const { groups } = compiled(id, { event: 'post_tool_use', ...(matcher && { matcher }) });
  const group = groups.find(({ event }) => event === MOMENTS.after[id].event)?.group;
  return typeof group?.matcher === 'string' ? { matcher: group.matcher } : {};
}
