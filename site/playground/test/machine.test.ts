// What stands in for Node in a browser does what Node does, next to Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import nodeFs, { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHash as ownHash } from '../machine/crypto.ts';
import ownFs from '../machine/fs.ts';
import { isDeepStrictEqual as ownEqual } from '../machine/util.ts';

/** Either file system, as the command line uses it. */
type Fs = typeof ownFs;

/** What is done to the files in a folder, one after the other, and what comes of it. */
const STEPS: readonly (readonly [string, (fs: Fs, at: (name: string) => string) => unknown])[] = [
  ['make a folder', (fs, at) => fs.mkdirSync(at('a'), { mode: 0o700 })],
  ['make it again', (fs, at) => fs.mkdirSync(at('a'))],
  ['make it again, with those above', (fs, at) => void fs.mkdirSync(at('a'), { recursive: true })],
  ['make a folder in one that is missing', (fs, at) => fs.mkdirSync(at('x/y'))],
  ['make both', (fs, at) => void fs.mkdirSync(at('x/y'), { recursive: true })],
  ['write', (fs, at) => fs.writeFileSync(at('a/1'), 'é1')],
  ['read', (fs, at) => fs.readFileSync(at('a/1'), 'utf8')],
  ['read bytes', (fs, at) => [...Buffer.from(fs.readFileSync(at('a/1')))]],
  ['read what is missing', (fs, at) => fs.readFileSync(at('a/2'))],
  ['read a folder', (fs, at) => fs.readFileSync(at('a'))],
  ['read beyond a file', (fs, at) => fs.readFileSync(at('a/1/2'))],
  ['look beyond a file', (fs, at) => fs.existsSync(at('a/1/2'))],
  ['write into a folder that is missing', (fs, at) => fs.writeFileSync(at('b/1'), '')],
  ['write only if it is new', (fs, at) => fs.writeFileSync(at('a/1'), '', { flag: 'wx' })],
  ['take a name', (fs, at) => fs.closeSync(fs.openSync(at('a/2'), 'wx', 0o600))],
  ['its mode', (fs, at) => Number(fs.statSync(at('a/2'))?.mode) & 0o777],
  ['take it again', (fs, at) => fs.openSync(at('a/2'), 'wx')],
  ['append', (fs, at) => appended(fs, at('a/2'), ['one', 'two'])],
  ['read a part', (fs, at) => partOf(fs, at('a/2'), 2, 3)],
  ['list', (fs, at) => fs.readdirSync(at('a'))],
  ['list a file', (fs, at) => fs.readdirSync(at('a/1'))],
  ['list what is missing', (fs, at) => fs.readdirSync(at('z'))],
  ['link', (fs, at) => fs.linkSync(at('a/1'), at('a/3'))],
  ['link to a name that is taken', (fs, at) => fs.linkSync(at('a/1'), at('a/2'))],
  ['names', (fs, at) => fs.statSync(at('a/1'))?.nlink],
  ['write one of them', (fs, at) => fs.writeFileSync(at('a/3'), 'both')],
  ['read the other', (fs, at) => fs.readFileSync(at('a/1'), 'utf8')],
  ['remove one', (fs, at) => fs.unlinkSync(at('a/3'))],
  ['names left', (fs, at) => fs.statSync(at('a/1'))?.nlink],
  ['move over another', (fs, at) => fs.renameSync(at('a/1'), at('a/2'))],
  ['read it', (fs, at) => fs.readFileSync(at('a/2'), 'utf8')],
  ['move what is missing', (fs, at) => fs.renameSync(at('a/1'), at('a/4'))],
  ['set its time', (fs, at) => fs.utimesSync(at('a/2'), new Date(5000), new Date(5000))],
  ['its time', (fs, at) => fs.statSync(at('a/2'))?.mtimeMs],
  ['copy', (fs, at) => fs.copyFileSync(at('a/2'), at('x/2'))],
  ['what it is', (fs, at) => [fs.statSync(at('x/2'))?.isFile(), fs.statSync(at('x'))?.isFile()]],
  ['its size', (fs, at) => fs.lstatSync(at('x/2'))?.size],
  ['look quietly', (fs, at) => fs.statSync(at('no'), { throwIfNoEntry: false })],
  ['look', (fs, at) => fs.statSync(at('no'))],
  ['where it is', (fs, at) => fs.realpathSync(at('x/../x/2')) === at('x/2')],
  ['where nothing is', (fs, at) => fs.realpathSync.native(at('no'))],
  ['remove a full folder', (fs, at) => fs.rmdirSync(at('x'))],
  ['remove it with all in it', (fs, at) => fs.rmSync(at('x'), { recursive: true })],
  ['remove it again', (fs, at) => fs.rmSync(at('x'))],
  ['remove it whether it is there or not', (fs, at) => fs.rmSync(at('x'), { force: true })],
  ['unlink what is missing', (fs, at) => fs.unlinkSync(at('x'))],
  ['a name beyond a file', (fs, at) => fs.mkdirSync(at('a/2/b'))],
  ['what is left', (fs, at) => [fs.readdirSync(at('')), fs.readdirSync(at('a'))]],
];

function appended(fs: Fs, file: string, texts: readonly string[]): string {
  const handle = fs.openSync(file, 'a');
  for (const text of texts) fs.writeSync(handle, text);
  fs.closeSync(handle);
  return String(fs.readFileSync(file, 'utf8'));
}

function partOf(fs: Fs, file: string, from: number, length: number): string {
  const handle = fs.openSync(file, 'r');
  const bytes = Buffer.alloc(length);
  const read = fs.readSync(handle, bytes, 0, length, from);
  fs.closeSync(handle);
  return bytes.toString('utf8', 0, read);
}

/** What each step gave, or the code of its error. */
const all = (fs: Fs, root: string) =>
  STEPS.map(([what, step]) => {
    try {
      return [what, step(fs, (name) => join(root, name))];
    } catch (error) {
      return [what, Object(error).code];
    }
  });

test('files in memory are like files', () => {
  const real = realpathSync(mkdtempSync(join(tmpdir(), 'playground-files-')));
  ownFs.mkdirSync('/machine');
  try {
    const expected = all(nodeFs as unknown as Fs, real);
    expect(expected.filter(([, result]) => result === 'ENOENT').length).toBeGreaterThan(5);
    expect(all(ownFs, '/machine')).toEqual(expected);
  } finally {
    rmSync(real, { recursive: true });
  }
});

test('hashes and comparisons are the same', () => {
  for (const text of ['', 'é', 'x'.repeat(1000)]) {
    const hash = createHash('sha256').update(text).digest('hex');
    expect(ownHash('sha256').update(text).digest('hex')).toBe(hash);
  }
  const values = [1, '1', null, [], {}, [1], { a: 1 }, { a: [1, { b: null }] }, { b: 1 }, [[]]];
  for (const one of values)
    for (const other of structuredClone(values))
      expect(ownEqual(one, other)).toBe(isDeepStrictEqual(one, other));
});

/** Expressions that V8's linear engine takes or refuses. Newer versions take some that look behind, so none of these is here. */
const PATTERNS = [
  ...['(?=a)b', '(?!x)y', '[(?=]', '\\(?=a', '(a)\\1', '\\1(a)', '(a)(b)\\2', '(a)\\2', '\\1'],
  ...['(?<n>a)\\k<n>', '\\k<a>', '(?:a|b)*', '\\bfoo\\b', '\\p{L}', 'a*?', 'a+?b', '[^]', '(a*)*'],
  ...['a{16}', 'a{17}', 'a{0,16}', 'a{0,17}', 'a{15,}', 'a{16,}', '(a{4}){4}', '(a{4}){5}'],
  ...['(a+){8}', '(a+){9}', '(a*){16}', '(a*){17}', '(a?){16}', '((a{2}){2}){5}', '(a{8,}){2}'],
  ...['(((a+)+)+)+', '((((a+)+)+)+)+', '((((a*)*)*)*)*', '(a|b{17})', '(?:a{20}){0}', '[a{20}]'],
  ...['(a{2,}?b){3}', '(?:(?<x>a{3})|b){5}', '[0-9a-f]{40}', 'x{,3}', 'x{a}', '\\{20}', 'a{1,2}{3'],
  ...['(', 'a**', 'git push .*(--force|-f)( |\\\\|"|$)'],
];

describe('expressions', () => {
  const usual = globalThis.RegExp;
  let own: typeof RegExp;
  beforeAll(async () => {
    await import('../machine/v8.ts');
    own = globalThis.RegExp;
    globalThis.RegExp = usual;
  });
  afterAll(() => {
    globalThis.RegExp = usual;
  });

  test('that no linear engine takes are refused, as by V8', () => {
    const ask = `const all = ${JSON.stringify(PATTERNS)};
      const why = (one) => { try { new RegExp(one, 'l'); return ''; } catch (error) { return error.message; } };
      console.log(JSON.stringify(all.map(why)));`;
    const flags = ['--enable-experimental-regexp-engine', '-e', ask];
    const { stdout } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
    const expected: string[] = JSON.parse(stdout).map(withoutFlag);
    expect(expected.filter((one) => one.includes('linear time')).length).toBeGreaterThan(10);
    const found = PATTERNS.map((one) => {
      try {
        new own(one, 'l');
        return '';
      } catch (error) {
        return withoutFlag(error instanceof Error ? error.message : '');
      }
    });
    expect(Object.fromEntries(PATTERNS.map((one, at) => [one, found[at]]))).toEqual(
      Object.fromEntries(PATTERNS.map((one, at) => [one, expected[at]])),
    );
  });

  test('find what the usual ones find', () => {
    expect(new own('a(b+)', 'l').exec('xabbc')?.[1]).toBe('bb');
    expect(new own('a', 'gl').flags).toBe('gl');
    expect(/a/ instanceof own).toBe(true);
    expect('a,b'.split(new own(','))).toEqual(['a', 'b']);
  });
});

/** Where the mistake is one of any engine, the message names the flags that it got. */
const withoutFlag = (message: string): string => message.replace('/l: ', '/: ');
