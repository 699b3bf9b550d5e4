/** The runner reads a client's TOML as an independent parser does, in bounded time, and without touching prototypes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as iarna } from '@iarna/toml';
import { expect, test } from 'vitest';
import { runnerCode } from '../../src/system/runner-code.ts';

const root = join(import.meta.dirname, '..', '..');
const { parseToml } = runnerCode('./toml.cjs');

const REFUSED = 'refused';
function attempt(read: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(read()));
  } catch {
    return REFUSED;
  }
}

test('every TOML file of the fixtures is read as another parser reads it', () => {
  const files = readdirSync(join(root, 'fixtures'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.toml'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const both = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const [ours, theirs] = [attempt(() => parseToml(text)), attempt(() => iarna(text))];
    return ours === REFUSED || theirs === REFUSED ? [] : [[file, ours, theirs] as const];
  });
  expect(both.length).toBeGreaterThan(10);
  for (const [file, ours, theirs] of both) expect([file, ours]).toEqual([file, theirs]);
});

test('a byte order mark and a 64-bit number are read', () => {
  expect(parseToml('\uFEFFa = "x"')).toEqual({ a: 'x' });
  expect(parseToml('a = 9223372036854775807\nb = 1')).toEqual({ a: 9223372036854775807n, b: 1 });
});

test('nesting is limited', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{ a = ', '}'],
  ] as const)
    expect(attempt(() => parseToml(`a = ${open.repeat(100_000)}${close.repeat(100_000)}`))).toBe(
      REFUSED,
    );
});

test('no key reaches Object.prototype', () => {
  const value = parseToml(
    '[__proto__]\npolluted = 1\n[constructor.prototype]\npolluted = 1\n[a]\n__proto__.polluted = 1',
  );
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor', 'a']);
});

test('a megabyte of anything is read or refused', () => {
  const much = 1024 * 1024;
  expect(attempt(() => parseToml(`a = "${'x'.repeat(much)}"`))).toEqual({ a: 'x'.repeat(much) });
  const read = (text: string) => attempt(() => parseToml(text.repeat(much / text.length)));
  for (const text of ['#', ' ', '\n']) expect([text, read(text)]).toEqual([text, {}]);
  for (const text of ['[', '"', "'", '"""', '\\', '=', 'a.', '{', '1_', 'a="'])
    expect([text, read(text)]).toEqual([text, REFUSED]);
});
