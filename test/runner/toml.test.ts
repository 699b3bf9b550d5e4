/** The runner's own reader of TOML, compared with one that we did not write. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse as iarna } from '@iarna/toml';
import fc from 'fast-check';
import { parse, TomlDate } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { tomlFile } from '../edit/arbitraries.ts';
import { tries } from '../support/tries.ts';

const root = join(import.meta.dirname, '..', '..');
const { parseToml }: { parseToml: (text: string) => unknown } = createRequire(import.meta.url)(
  '../../dist/templates/toml.cjs',
);

/** By value, with times as moments and all that has no prototype of its own as what it is. */
const plain = (value: unknown): unknown => {
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value === 'string' && /^\d{2}:|^\d{4}-\d{2}-\d{2}/.test(value)) return time(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, plain(inner)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
};

/** A text may look like a time, too. */
function time(text: string): string {
  const date = new TomlDate(text);
  return Number.isNaN(date.valueOf()) ? text : date.toISOString();
}

const theirs = (text: string) => plain(parse(text, { integersAsBigInt: 'asNeeded' }));
const ours = (text: string) => plain(parseToml(text));

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.toml'))
    .map(({ parentPath, name }) => join(parentPath, name));

test('every TOML file of the fixtures that can be read', () => {
  const files = filesBelow('fixtures');
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const wanted = attempt(() => theirs(text.replace(/^\uFEFF/, '')));
    expect([file, attempt(() => ours(text))]).toEqual([file, wanted]);
  }
});

const REFUSED = 'refused';
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return REFUSED;
  }
}

test('random documents', () => {
  fc.assert(
    fc.property(tomlFile, ({ source }) => {
      const text = source.replace(/^\uFEFF/, '');
      expect(ours(source)).toEqual(theirs(text));
    }),
    { numRuns: tries(150, 5000) },
  );
});

/**
 * smol-toml 1.9.1 drops a quote that belongs to the text if it follows a line-ending backslash.
 * @iarna/toml and Python's tomllib keep it, as TOML 1.0 does; "all that a value can be" holds it.
 */
const QUOTE_AFTER_LINE_END = /\\[ \t]*\r?\n\s*"{4}/;

test('random documents that are cut or disturbed somewhere are taken or refused alike', () => {
  const disturbed = fc
    .tuple(tomlFile, fc.nat(10_000), fc.nat(3), fc.constantFrom('', '=', '"', '[', ']', '.', '\n'))
    .map(([{ source }, at, length, text]) => {
      const whole = source.replace(/^\uFEFF/, '');
      const place = at % (whole.length + 1);
      return whole.slice(0, place) + text + whole.slice(place + length);
    })
    .filter((text) => !QUOTE_AFTER_LINE_END.test(text));
  fc.assert(
    fc.property(disturbed, (text) => {
      expect(attempt(() => ours(text))).toEqual(attempt(() => theirs(text)));
    }),
    { numRuns: tries(150, 5000) },
  );
});

describe('all that a value can be', () => {
  test.each([
    'a = 1\nb = -0\nc = +7\nd = 1_000\ne = 0xDEAD_beef\nf = 0o17\ng = 0b1_0\nh = 9223372036854775807',
    'a = 1.5\nb = -0.0\nc = 5e+22\nd = 6.626e-34\ne = inf\nf = -inf\ng = nan\nh = 1_0.0_1',
    'a = true\nb = false',
    'a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00.5-07:00\nc = 1979-05-27T07:32:00\nd = 1979-05-27\ne = 07:32:00',
    'a = "\\b\\t\\n\\f\\r\\"\\\\\\u00e9\\U0001F600"\nb = \'C:\\x\\\'\nc = ""\nd = \'\'',
    'a = """\nline\\\n   \n   on"""\nb = \'\'\'\n\'"\'\'\'\'\'\nc = """a""b"""""',
    'a = [1, [2, "x",], # c\n { y = 1 }\n]\nb = { c.d = 1, "e f" = [] }',
    'a.b.c = 1\na."b".d = 2\n[x . "y z"]\nk = 1\n[x]\nl = 2\n[[t]]\n[[t.u]]\nv = 1\n[[t]]\n[t.w]',
    '"__proto__" = { a = 1 }\n[constructor]\n__proto__ = 1',
    '\r\na = 1 # b\r\n',
    '',
  ])('%j', (text) => {
    expect(ours(text)).toEqual(theirs(text));
  });

  test.each([
    ['a = """x\\\n""""', 'x"'],
    ['a = """x\\ \r\n \n """""', 'x""'],
    ['a = """\\\n""""', '"'],
  ])('%j, a quote after a line-ending backslash', (text, value) => {
    expect(parseToml(text)).toEqual({ a: value });
    expect(iarna(text)).toEqual({ a: value });
  });
});

describe('what is not TOML', () => {
  test.each([
    'a',
    'a =',
    'a = 1 b = 2',
    'a = 1\na = 2',
    '[a]\n[a]',
    'a = 1\n[a]',
    'a = { b = 1 }\n[a.c]',
    'a = { b = 1 }\na.c = 2',
    'a = [1]\n[[a]]',
    '[[a]]\n[a]',
    '[a.b]\n[a]\nb.c = 1',
    'a.b = 1\n[a]',
    'a = 01',
    'a = 1__0',
    'a = .5',
    'a = 0xG',
    'a = "b',
    'a = "\\q"',
    'a = "\\uD800"',
    'a = """b',
    "a = 'b\n'",
    'a = [1',
    'a = { b = 1',
    '[a',
    '[[a]',
    'a = 1979-13',
    'a = True',
    '= 1',
    '"""a""" = 1',
  ])('%j', (text) => {
    expect(attempt(() => theirs(text))).toBe(REFUSED);
    expect(() => parseToml(text)).toThrow(/^line \d+: /);
  });
});

describe('hostile documents', () => {
  test('nesting is limited, and no stack ends', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{ a = ', '}'],
    ] as const)
      expect(() => parseToml(`a = ${open.repeat(100_000)}${close.repeat(100_000)}`)).toThrow(
        /too deep/,
      );
    expect(() => parseToml(`[${'a.'.repeat(100_000)}a]`)).toThrow(/too deep/);
  });

  test('nothing reaches the prototype of all objects', () => {
    const value = parseToml(
      '[__proto__]\npolluted = 1\n[constructor.prototype]\npolluted = 1\n[a]\n__proto__.polluted = 1',
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor', 'a']);
  });

  test('a megabyte of anything ends', () => {
    const much = 1024 * 1024;
    expect(attempt(() => parseToml(`a = "${'x'.repeat(much)}"`))).toEqual({ a: 'x'.repeat(much) });
    expect(attempt(() => parseToml(`a = """${'\\n'.repeat(much / 2)}"""`))).toEqual({
      a: '\n'.repeat(much / 2),
    });
    for (const text of ['[', '"', "'", '"""', '\\', '#', '=', 'a.', ' ', '\n', '{', '1_', 'a="'])
      attempt(() => parseToml(text.repeat(much / text.length)));
    expect(
      Object.keys(
        Object(parseToml(Array.from({ length: 30_000 }, (_, n) => `[t.a${n}]\nk = "v"\n`).join('')))
          .t,
      ),
    ).toHaveLength(30_000);
  });
});
