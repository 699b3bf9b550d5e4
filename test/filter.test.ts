/** The first stage's filter: it may let through too much, never too little. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterScript, rawPart } from '../src/compile/filter.ts';
import { LIMITS, type Program } from '../src/compile/program.ts';

describe('the part of input_contains that is looked for as it stands', () => {
  test.each<[string, string | undefined, string]>([
    ['git commit', 'git commit', 'all of it'],
    ['git commit -m "x"', 'git commit -m ', 'up to the quote, which JSON escapes'],
    ['C:\\work\\notes', 'otes', 'without what may be an escape'],
    ['src/notes.ts', 'notes.ts', 'a slash may be escaped'],
    ['a <b> && c', 'a ', 'as may be what means something in HTML'],
    ['naïve café', 've caf', 'and everything that is not ASCII'],
    ['line one\nline two', 'line one', 'and line breaks'],
    ['"command":"git', 'command', 'white space may stand around a colon'],
    ['["a","b"]', 'a', 'and between items'],
    ["it's", 'it', 'an apostrophe would end the word for the shell'],
    ['0.00001', undefined, 'a number can be written 1e-5'],
    ['1e5', undefined, 'or 100000'],
    ['v1.5', 'v1.5', 'but this is none'],
    ['$(touch x) `y` *?[!a]', '$(touch x) `y` *?', 'nothing means anything between single quotes'],
    ['日本', undefined, 'nothing is left'],
    ['"', undefined, 'nor here'],
    ['', undefined, 'nor here'],
  ])('%j: %j (%s)', (needle, part) => {
    expect(rawPart(needle)).toBe(part);
  });

  // How programs write JSON: JSON.stringify; indented; Python's and PHP's escapes; Go's.
  const escaped = (text: string, which: RegExp) =>
    text.replace(which, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const WRITERS: Record<string, (value: unknown) => string> = {
    compact: (value) => JSON.stringify(value),
    indented: (value) => JSON.stringify(value, null, 2),
    'in ASCII': (value) => escaped(JSON.stringify(value), /[\u0080-\uffff]/g),
    'with slashes escaped': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
    'safe in HTML': (value) => escaped(JSON.stringify(value), /[<>&\u2028\u2029']/g),
  };
  const words = fc.string({
    unit: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'abgit commit-m.0123e ') },
      { weight: 2, arbitrary: fc.constantFrom(...'"\\/<>&\':,{}[]\n\t$`*?') },
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 24,
  });
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { weight: 4, arbitrary: words },
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  /** Every text in which the runner looks: the compact input, and the strings in it. */
  const texts = (value: unknown): string[] => {
    const inside = (inner: unknown): string[] =>
      typeof inner === 'string'
        ? [inner]
        : typeof inner === 'object' && inner !== null
          ? Object.values(inner).flatMap(inside)
          : [];
    return [typeof value === 'string' ? value : JSON.stringify(value), ...inside(value)];
  };

  test.each(Object.entries(WRITERS))('is in every payload that matches, %s', (_, write) => {
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(), fc.nat(40), (input, which, from, length) => {
        const all = texts(input);
        const text = all[which % all.length] ?? '';
        const start = text === '' ? 0 : from % text.length;
        const part = rawPart(text.slice(start, start + length));
        if (part === undefined) return;
        expect(write({ session_id: 's', tool_input: input })).toContain(part);
      }),
      { numRuns: Number(process.env.MCP_HOOKS_PROPERTY_RUNS ?? 2000) },
    );
  });
});

describe('the script', () => {
  const hook = (input?: string) => ({
    id: '1',
    event: 'post_tool_use' as const,
    priority: 'suggestion' as const,
    act: 'tell' as const,
    ...(input !== undefined && { when: { input } }),
    text: 'Hello.',
  });
  const program = (...inputs: (string | undefined)[]): Program => ({
    label: 'annal',
    client: 'claude-code',
    state: '/state',
    wire: { toolOutput: [], tell: {} } as unknown as Program['wire'],
    names: { aliases: {}, allowed: '' },
    events: { PostToolUse: { deadline: 1000, hooks: inputs.map(hook) } },
    limits: LIMITS,
  });
  /** Whether the first stage goes on with a payload, and with which. */
  const passes = (shell: string, made: Program, payload: string, event = 'PostToolUse') => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-filter-'));
    const file = join(folder, 'filter.sh');
    writeFileSync(file, filterScript(made));
    const script = `. "$3"; printf '%s' "on:$payload"; cat >/dev/null`;
    const { stdout } = execaSync(shell, ['-c', script, 'run.sh', 'claude-code', event, file], {
      input: payload,
    });
    return stdout === '' ? undefined : stdout.slice('on:'.length);
  };

  describe.each(['sh', 'bash'])('%s', (shell) => {
    test('leaves when nothing that is looked for is there', () => {
      const made = program('git commit', "$(touch x) `y` '*?");
      expect(passes(shell, made, '{"command":"ls"}')).toBeUndefined();
      expect(passes(shell, made, '{"command":"git status; commit"}')).toBeUndefined();
    });

    test('goes on with the whole payload when one of them is', () => {
      const made = program('git commit', 'notes');
      for (const payload of ['{"command":"git commit -m \\"x\\\\n%s\\""}', '{"a":"new notes"}'])
        expect(passes(shell, made, payload)).toBe(payload);
    });

    test('an escape is no word', () => {
      expect(rawPart('\\u001b[31m')).toBe('31m');
    });

    test('goes on where there is no cat', () => {
      const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-filter-'));
      writeFileSync(join(folder, 'filter.sh'), filterScript(program('git commit')));
      const script = '. "$3" 2>/dev/null; [ -n "$payload" ] || echo "not read"; read -r rest';
      const { stdout } = execaSync(
        `/bin/${shell}`,
        ['-c', script, 'run.sh', 'claude-code', 'PostToolUse', join(folder, 'filter.sh')],
        { input: '{"command":"git commit"}\n', env: { PATH: '/nonexistent' }, extendEnv: false },
      );
      expect(stdout).toBe('not read');
    });

    test('reads nothing when a hook asks for nothing, or for what cannot be told so easily', () => {
      for (const made of [
        program('git commit', undefined),
        program('git commit', '日本'),
        program(),
      ])
        expect(passes(shell, made, '{"command":"ls"}')).toBe('');
      expect(passes(shell, program('git commit'), '{}', 'Stop')).toBe('');
    });
  });
});
