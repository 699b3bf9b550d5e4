/**
 * Globs of tool names: what they match in the runner, and as regular expressions with the same meaning in JavaScript and Rust.
 */
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { anchored, isLike, isTooManyNames, parseGlob, toRegex } from '../../src/compile/glob.ts';
import { tries } from '../support/tries.ts';

const source = (glob: string): string => anchored(parseGlob(glob).map((one) => toRegex(one)));

/** Whether the runner matches the name. */
const takes = (glob: string, name: string): boolean =>
  parseGlob(glob).some((one) => isLike(name, one));

/** Tests that a glob matches the names under `yes`, and none under `no`. */
const globs = (what: string, glob: string, { yes, no }: { yes: string[]; no: string[] }) =>
  test(`${what}: ${glob}`, () => {
    const pattern = new RegExp(source(glob));
    for (const isTaken of [
      (name: string) => pattern.test(name),
      (name: string) => takes(glob, name),
    ])
      expect({ yes: yes.filter(isTaken), no }).toEqual({
        yes,
        no: no.filter((name) => !isTaken(name)),
      });
  });

describe('characters', () => {
  globs('a name matches itself', 'Bash', {
    yes: ['Bash'],
    no: ['BashOutput', 'GitBash', '', 'Bas'],
  });
  globs('case matters', 'bash', { yes: ['bash'], no: ['Bash', 'BASH'] });
  globs('a dot is a dot', 'a.b', { yes: ['a.b'], no: ['axb'] });
  globs('operators of regular expressions are ordinary characters', '(a|b)+$^', {
    yes: ['(a|b)+$^'],
    no: ['a', 'b', 'ab', '(a'],
  });
  globs('the empty glob matches only the empty name', '', { yes: [''], no: ['Bash'] });
  globs('outside ASCII', 'dépôt__日本', { yes: ['dépôt__日本'], no: ['depot__日本'] });
  globs('a line end is part of the name', 'Bash', { yes: ['Bash'], no: ['Bash\n', '\nBash'] });
});

describe('wildcards', () => {
  globs('any characters, or none', 'Notebook*', {
    yes: ['Notebook', 'NotebookEdit'],
    no: ['MyNotebookEdit', 'notebookEdit'],
  });
  globs('in the middle', 'mcp__*__read', {
    yes: ['mcp__a__read', 'mcp__a_b__c__read', 'mcp____read'],
    no: ['mcp__a__reads', 'mcp_a__read'],
  });
  globs('everything', '*', { yes: ['Bash', 'mcp__a__b', ''], no: [] });
  globs('two stars are one', 'mcp__**', { yes: ['mcp__a__b', 'mcp__'], no: ['mcp_'] });
  globs('any one character', '?dit', { yes: ['Edit', 'edit'], no: ['dit', 'MEdit', 'Edit2'] });
  globs('two characters at least', '??*', { yes: ['LS', 'Bash'], no: ['L', ''] });
});

describe('brackets', () => {
  globs('one of them', '[BD]ash', { yes: ['Bash', 'Dash'], no: ['Cash', 'ash', 'BDash'] });
  globs('a range', 'v[0-9a-f]', { yes: ['v0', 'v9', 'vb'], no: ['vg', 'v-', 'v'] });
  globs('none of them', '[!BD]ash', { yes: ['Cash', 'bash'], no: ['Bash', 'Dash', 'ash'] });
  globs('none of them, the other way', '[^BD]ash', { yes: ['Cash'], no: ['Bash', 'ash'] });
  globs('a dash first or last', '[-a][b-]', { yes: ['-b', 'a-', '--'], no: ['ab-', 'aa'] });
  globs('a bracket that closes, first', '[]a]', { yes: [']', 'a'], no: ['b', 'a]'] });
  globs('not a bracket that closes', '[!]a]', { yes: ['b'], no: [']', 'a'] });
  globs('a caret that is not first', '[a^]', { yes: ['a', '^'], no: ['b'] });
  globs("operators of Rust's classes are characters", '[a&&b~~c]', {
    yes: ['a', '&', '~', 'c'],
    no: ['d'],
  });
  globs('a bracket that opens', '[[a]', { yes: ['[', 'a'], no: ['b'] });
  globs('wildcards are characters in brackets', '[*?]', { yes: ['*', '?'], no: ['a', ''] });
  globs('an escaped dash is not a range', '[a\\-z]', { yes: ['a', '-', 'z'], no: ['m', '\\'] });
  globs('an escaped bracket', '[a\\]b]', { yes: ['a', ']', 'b'], no: ['\\', 'a]b'] });
  globs('an escaped letter', '[\\d]', { yes: ['d'], no: ['5', '\\'] });
  globs('empty brackets', 'a[]', { yes: ['a[]'], no: ['a'] });
  globs('not closed', 'a[b', { yes: ['a[b'], no: ['ab', 'a'] });
  globs('a reversed range matches nothing', 'v[z-a]', { yes: [], no: ['vz', 'va'] });
});

describe('braces', () => {
  globs('one of them', '{Edit,Write}', { yes: ['Edit', 'Write'], no: ['EditWrite', 'Read', ''] });
  globs('in the middle', 'mcp__{a,b}__c', { yes: ['mcp__a__c', 'mcp__b__c'], no: ['mcp__c__c'] });
  globs('braces in braces', '{a,b{c,d}e,f}', {
    yes: ['a', 'bce', 'bde', 'f'],
    no: ['b', 'be', 'bcde', 'c'],
  });
  globs('one after the other', '{a,b}{c,d}', { yes: ['ac', 'ad', 'bc', 'bd'], no: ['ab', 'a'] });
  globs('an empty one', 'Bash{,Output}', { yes: ['Bash', 'BashOutput'], no: ['Output'] });
  globs('with wildcards', '{Ba*,[WE]*t}', { yes: ['Bash', 'Edit', 'Wt'], no: ['Read', 'Write'] });
  globs('braces around a single name are characters', '{Edit}', { yes: ['{Edit}'], no: ['Edit'] });
  globs('not closed', '{Edit,Write', { yes: ['{Edit,Write'], no: ['Edit', 'Write'] });
  globs('not opened', 'Edit,Write}', { yes: ['Edit,Write}'], no: ['Edit', 'Write'] });
  globs('unclosed braces around closed ones', '{a,{b,c}', {
    yes: ['{a,b', '{a,c'],
    no: ['a', 'b'],
  });
  globs('a comma outside', 'a,b', { yes: ['a,b'], no: ['a', 'b'] });

  test.each([
    ['many pairs', '{a,b}'.repeat(30)],
    ['braces in braces', `${'{a,'.repeat(300)}b${'}'.repeat(300)}`],
    ['a long beginning', `${'a'.repeat(500)}{${'b,'.repeat(190)}c}`],
    ['so many that open that going back for each would take minutes', '{'.repeat(100_000)],
  ])('with too many names, braces are characters: %s', (_, glob) => {
    expect(isTooManyNames(glob)).toBe(true);
    expect(parseGlob(glob).map((one) => one.join('*'))).toEqual([glob]);
  });
});

describe('escapes', () => {
  globs('a star', 'a\\*', { yes: ['a*'], no: ['ab', 'a\\'] });
  globs('a question mark', 'a\\?', { yes: ['a?'], no: ['ab'] });
  globs('a bracket', '\\[ab]', { yes: ['[ab]'], no: ['a', 'b'] });
  globs('a brace', '\\{a,b}', { yes: ['{a,b}'], no: ['a', 'b'] });
  globs('a comma', '{a\\,b,c}', { yes: ['a,b', 'c'], no: ['a', 'b'] });
  globs('a backslash', 'a\\\\b', { yes: ['a\\b'], no: ['ab'] });
  globs('a letter', '\\Bash', { yes: ['Bash'], no: ['\\Bash', ' ash'] });
  globs('at the very end', 'a\\', { yes: ['a\\'], no: ['a'] });
});

describe('any glob', () => {
  const glob = fc
    .array(
      fc.constantFrom(
        ...'abz09_-.*?[]{},!^\\&~$|()+/ é日\n',
        '[!',
        '{a,',
        '[a-z]',
        '[z-a',
        '[a\\',
        '[-',
        '**',
      ),
    )
    .map((parts) => parts.join(''));

  test('has an anchored regular expression that is valid in JavaScript and in Rust', () => {
    fc.assert(
      fc.property(glob, (text) => {
        const regex = source(text);
        expect(() => new RegExp(regex)).not.toThrow();
        expect(regex.startsWith('^(?:') && regex.endsWith(')$')).toBe(true);
        expect(foreign(regex)).toEqual([]);
      }),
      { numRuns: tries(500, 20_000) },
    );
  });

  const name = fc.string({ unit: fc.constantFrom(...'abz09_-.[]{},!^\\~é日'), maxLength: 7 });
  test('matches the same names in the runner as its regular expression', () => {
    fc.assert(
      fc.property(glob, fc.array(name, { minLength: 10, maxLength: 10 }), (text, names) => {
        const pattern = new RegExp(source(text));
        expect(names.map((one) => takes(text, one))).toEqual(names.map((one) => pattern.test(one)));
      }),
      { numRuns: tries(500, 20_000) },
    );
  });

  test('that is a completely escaped name matches only this name', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aB_*?[]{},\\.-|') }), (name) => {
        const pattern = name.replace(/./g, '\\$&');
        const names = [name, `${name}x`, `x${name}`];
        expect(names.map((one) => takes(pattern, one))).toEqual([true, false, false]);
      }),
    );
  });
});

/** The parts of a regular expression that JavaScript and Rust's regex crate read differently. */
function foreign(regex: string): string[] {
  const found: string[] = [];
  const rest = regex
    // A class has characters, ranges and escaped punctuation; "--", "&&" and "~~" are operators in Rust.
    .replace(/\\[\s\S]|\[\^?((?:\\[\s\S]|[^\\\]])*)\]/g, (all, inside?: string) => {
      if (inside === undefined) return checked(all);
      const characters = inside.replace(/\\[\s\S]/g, (one) => checked(one) || 'x');
      if (/\[|--|&&|~~/.test(characters) || characters === '') found.push(all);
      return '';
    })
    .replace(/^\^\(\?:|\)\$$/g, '')
    .replace(/\.\*?|\|/g, '');
  function checked(all: string): string {
    if (!/^\\[\\^$.*+?()[\]{}|&~-]$/.test(all)) found.push(all);
    return '';
  }
  return [...found, ...(rest.match(/[\\^$*+?()[\]{}]/g) ?? [])];
}

test('a glob matches the same names as in picomatch, with `[!...]` as in a shell', () => {
  const pieces = ['a', 'b', '_', '-', 'A', '*', '?', '[', '[!', '[^', ']', '{', '}', ',', 'a-c'];
  const glob = fc.string({ unit: fc.constantFrom(...pieces), minLength: 1, maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom(...'abc_-Axd'), minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(glob, fc.array(name, { minLength: 10, maxLength: 10 }), (pattern, names) => {
      // Unclosed classes in braces and empty classes are ambiguous, and the two treat them differently.
      fc.pre(!/\[[^\]]*[{}]|\[[!^]?\]|\[[^\]]*$|\[[^\]]*\[/.test(pattern));
      const theirs = picomatch(pattern, { posix: true });
      expect(names.map((one) => takes(pattern, one))).toEqual(names.map((one) => theirs(one)));
    }),
    { numRuns: tries(1000, 50_000) },
  );
});
