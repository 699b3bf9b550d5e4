/** Groups of ours with the user's groups after them: they change in place, and are still removed to the byte. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Format, type JsonObject, type Placed, splice } from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { arrange, type FileRecord } from '../../src/edit/reconcile.ts';
import { follow, withInsertions } from '../../src/edit/record.ts';
import { toml } from '../../src/edit/toml.ts';
import { eventsOf } from '../../src/edit/value.ts';
import { tries } from '../support/tries.ts';
import { keeping, LENIENT, whose } from './arbitraries.ts';
import { UNDER_HOOKS } from './layouts.ts';

const group = (label: string, matcher: string): JsonObject => ({
  matcher,
  hooks: [{ type: 'command', command: `/r/${label}/run`, timeout: 10 }],
});
const on = (event: string, label: string, matcher: string): Placed => ({
  event,
  group: group(label, matcher),
});

interface Case {
  readonly format: Format;
  readonly positional: boolean;
  readonly before: string;
  /** What the user writes after our last group. */
  readonly mine: string;
}

const CASES: Record<string, Case> = {
  'json on lines': {
    format: json,
    positional: false,
    before:
      '{\n  "hooks": {\n    "Stop": [\n      { "matcher": "first" }\n    ]\n  },\n  "a": 1\n}\n',
    mine: ',\n      { "matcher": "mine" }',
  },
  'json on one line': {
    format: json,
    positional: false,
    before: '{"hooks": {"Stop": [{ "matcher": "first" }]}, "a": 1}',
    mine: ', { "matcher": "mine" }',
  },
  'jsonc with comments': {
    format: json,
    positional: false,
    before:
      '// mine\n{\n  "hooks": {\n    "Stop": [\n      // one\n      { "matcher": "first" }\n    ] // end\n  }\n}',
    mine: ', // two\n      { "matcher": "mine" } // three',
  },
  'toml with tables': {
    format: toml,
    positional: true,
    before: '# mine\n[[hooks.Stop]]\nmatcher = "first"\nhooks = []\n',
    mine: '\n\n[[hooks.Stop]] # two\nmatcher = "mine"\nhooks = []',
  },
  'toml with an array': {
    format: toml,
    positional: true,
    before: '[hooks]\nStop = [\n  { matcher = "first", hooks = [] }, # one\n]\n',
    mine: ',\n  { matcher = "mine", hooks = [] }',
  },
};

describe.each(Object.entries(CASES))('%s', (_, { format, positional, before, mine }) => {
  const behind = (text: string | null) => {
    const all = text ?? '';
    const ends = mine.includes('[[') ? /\}\]/g : /\}\] ?\}/g;
    const last = [...all.matchAll(ends)].at(-1);
    const at = (last?.index ?? 0) + (last?.[0].length ?? 0);
    return all.slice(0, at) + mine + all.slice(at);
  };
  const set = (
    text: string | null,
    record: FileRecord | null,
    label: string,
    want: readonly Placed[],
  ) =>
    arrange(text, {
      format,
      dialect: LENIENT,
      layout: UNDER_HOOKS,
      ...whose(),
      ...keeping(positional),
      label,
      want,
      record: record ?? undefined,
    });
  const matchers = (text: string | null) =>
    (eventsOf(format.read(text ?? '', LENIENT), UNDER_HOOKS).get('Stop') ?? []).map((one) =>
      typeof one === 'object' && one !== null ? Reflect.get(one, 'matcher') : one,
    );

  test('a changed declaration keeps its position', () => {
    const installed = set(before, null, 'annal', [on('Stop', 'annal', 'old')]);
    const followed = behind(installed.text);
    expect(matchers(followed)).toEqual(['first', 'old', 'mine']);
    const updated = set(followed, installed.record, 'annal', [on('Stop', 'annal', 'newer')]);
    expect(matchers(updated.text)).toEqual(['first', 'newer', 'mine']);
    expect(updated.text).toBe(followed.replace('old', 'newer'));
    // The same again writes nothing.
    const again = set(updated.text, updated.record, 'annal', [on('Stop', 'annal', 'newer')]);
    expect(again).toEqual(updated);
  });

  test('if one label is removed, another keeps its position', () => {
    const one = set(before, null, 'annal', [on('Stop', 'annal', 'a')]);
    const two = set(one.text, one.record, 'serena', [on('Stop', 'serena', 's')]);
    const followed = behind(two.text);
    expect(matchers(followed)).toEqual(['first', 'a', 's', 'mine']);
    const left = set(followed, two.record, 'annal', []);
    expect(matchers(left.text)).toEqual(
      positional ? ['first', undefined, 's', 'mine'] : ['first', 's', 'mine'],
    );
  });

  test("once the user's group is removed again, uninstall restores every byte", () => {
    const installed = set(before, null, 'annal', [on('Stop', 'annal', 'old')]);
    const followed = behind(installed.text);
    const updated = set(followed, installed.record, 'annal', [
      on('Stop', 'annal', 'newer'),
      on('SubagentStop', 'annal', 'new'),
    ]);
    expect(updated.record?.inserted).not.toBeNull();
    expect(updated.text).toContain(mine);
    const text = (updated.text ?? '').replace(mine, '');
    expect(set(text, updated.record, 'annal', []).text).toBe(before);
  });
});

describe('recorded spans', () => {
  const words = fc.string({ unit: fc.constantFrom('a', ',', '{', '}'), maxLength: 6 });

  test('are found again after any insertion and any change inside one of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, words.filter(Boolean)), { minLength: 1, maxLength: 4 }),
        words,
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), words.filter(Boolean)), { maxLength: 3 }),
        words,
        (pairs, tail, pick, more, changed) => {
          let text = '';
          const spans = pairs.map(([theirs, ours]) => {
            text += theirs;
            const span = { offset: text.length, text: ours };
            text += ours;
            return span;
          });
          text += tail;
          const users = pairs.map(([theirs]) => theirs).join('') + tail;
          const without = (all: typeof spans, from: string) => {
            for (const { offset, text: own } of [...all].reverse()) {
              expect(from.startsWith(own, offset)).toBe(true);
              from = from.slice(0, offset) + from.slice(offset + own.length);
            }
            return from;
          };

          const insertions = more
            .map(([offset, own]) => ({ offset: offset % (text.length + 1), text: own }))
            .sort((a, b) => a.offset - b.offset);
          const longer = splice(text, insertions);
          const all = withInsertions(spans, insertions);
          expect(without(all, longer)).toBe(users);

          const span = all[pick % all.length];
          if (!span) return;
          const end = span.offset + span.text.length;
          const next = longer.slice(0, span.offset) + changed + longer.slice(end);
          const followed = follow(all, longer, next);
          expect(followed && without(followed, next)).toBe(users);
        },
      ),
      { numRuns: tries(500, 20_000) },
    );
  });

  test('are lost if text outside them changes', () => {
    const spans = [{ offset: 2, text: 'xx' }];
    expect(follow(spans, 'abxxcd', 'zbxxcd')).toBeUndefined();
    expect(follow(spans, 'abxxcd', 'abxd')).toBeUndefined();
  });
});
