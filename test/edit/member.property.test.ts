// A member that is added to the user's file and removed again, for any file and any changes in between.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANYTHING, isObject, type JsonObject, Refusal } from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { addMember, type Member, stateOf, takeOutMember } from '../../src/edit/member.ts';
import { arrange } from '../../src/edit/reconcile.ts';
import { commentsOf, keeping, LABELS, type Sample, wanted, whose } from './arbitraries.ts';
import { check, expectEqual, KINDS, timeout, without } from './checks.ts';
import { edited, editFor } from './others.ts';

const RUNS = 60;
const ENTRY = { command: 'npx', args: ['-y', 'annal "1"'], env: { TOKEN: 'x' } };

describe.each(KINDS)('$name', { timeout: timeout(RUNS) }, (kind) => {
  const { format, dialect, layout, file } = kind;
  const member: Member = { format: format === json ? 'json' : 'toml', at: ['servers', 'an.nal'] };
  const read = (text: string): JsonObject => format.read(text, ANYTHING);
  const serversIn = (text: string) => {
    const { servers } = read(text);
    return isObject(servers) ? servers : {};
  };
  const rest = (text: string): JsonObject => {
    const { servers: _, ...others } = read(text);
    return others;
  };

  test('a member is added next to everything else, and removed to the byte', () => {
    check(RUNS, [file], ({ source }: Sample) => {
      const { text, added } = addMember(source, member, ENTRY, {});
      expectEqual(serversIn(text), { 'an.nal': ENTRY });
      expectEqual(rest(text), rest(source));
      expect(stateOf(text, added)).toBe('as added');
      expect(takeOutMember(text, added)).toBe(source);
    });
  });

  test('two members can be removed in any order', () => {
    check(RUNS, [file, fc.boolean()], ({ source }: Sample, isFirst) => {
      const other = { ...member, at: ['servers', 'other'] };
      const first = addMember(source, member, ENTRY, {});
      const both = addMember(first.text, other, ENTRY, { made: first.added.made });
      const [one, two] = isFirst ? [first.added, both.added] : [both.added, first.added];
      const left = takeOutMember(both.text, one);
      expectEqual(serversIn(left ?? ''), { [two.at[1] ?? '']: ENTRY });
      const bare = takeOutMember(left ?? '', two) ?? '';
      expectEqual(read(bare), read(source));
      if (!isFirst) expect(bare).toBe(source);
    });
  });

  test('a member is removed to the byte if hooks of ours were added later', () => {
    check(RUNS, [file, fc.boolean(), wanted(LABELS[0])], ({ source }: Sample, positional, want) => {
      const { text, added } = addMember(source, member, ENTRY, {});
      const options = {
        ...{ format, dialect, layout, ...whose(positional), ...keeping(positional) },
        label: LABELS[0],
      };
      const ours = arrange(text, { ...options, record: undefined, want });
      const bare = arrange(ours.text, { ...options, record: ours.record ?? undefined, want: [] });
      expect(takeOutMember(bare.text ?? '', added)).toBe(source);
    });
  });

  test('only the member is removed, whatever others did in between, or nothing', () => {
    const edits = fc.array(editFor(kind), { minLength: 1, maxLength: 3 });
    check(RUNS * 2, [file, edits], ({ source }: Sample, changes) => {
      const { text, added } = addMember(source, member, ENTRY, {});
      const now = changes.reduce((before, change) => edited(kind, before, change), text);
      if (stateOf(now, added) !== 'as added') return;
      try {
        const bare = takeOutMember(now, added) ?? '';
        expectEqual(rest(bare), rest(now));
        const { 'an.nal': _, ...others } = serversIn(now);
        expectEqual(serversIn(bare), others);
        expect(without(commentsOf(now), commentsOf(bare))).toEqual([]);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    });
  });

  test('an edited member is no longer ours', () => {
    const { text, added } = addMember('', member, ENTRY, { existed: false });
    expect(takeOutMember(text, added)).toBe(null);
    expect(stateOf(text.replace('npx', 'bunx'), added)).toBe('changed');
    expect(stateOf('', added)).toBe('gone');
    expect(stateOf(null, added)).toBe('gone');
    expect(() => addMember(text, member, ENTRY, {})).toThrow(Refusal);
  });
});
