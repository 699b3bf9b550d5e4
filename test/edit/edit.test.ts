/**
 * Editing by example. Each folder of fixtures/settings has a file before and after `annal` is added, and after it is removed
 * again (`undone`). Some also have the file as others changed it in between (`edited`).
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import { ANYTHING, type Dialect, type Format, type Placed, Refusal } from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { type Arrangement, arrange, type Options } from '../../src/edit/reconcile.ts';
import { decode } from '../../src/edit/text.ts';
import { toml } from '../../src/edit/toml.ts';
import { elementsOf } from '../../src/edit/value.ts';
import { CODEX_TOML } from '../support/codex-toml.ts';
import { sentence } from '../support/said.ts';
import { keeping, LENIENT, whose } from './arbitraries.ts';
import { UNDER_HOOKS } from './layouts.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/settings');
const STRICT: Dialect = {
  comments: false,
  returns: false,
  trailingCommas: false,
  bom: true,
  empty: true,
  otherwise: 'is ignored by the client',
};
const FOLDERS: Record<string, { format: Format; dialect: Dialect; positional: boolean }> = {
  json: { format: json, dialect: STRICT, positional: false },
  jsonc: { format: json, dialect: LENIENT, positional: false },
  toml: { format: toml, dialect: LENIENT, positional: true },
};

const group = (label: string, matcher = '^Bash$') => ({
  matcher,
  hooks: [{ type: 'command', command: `/r/${label}/run`, timeout: 10 }],
});
const placed = (label: string, ...events: string[]): Placed[] =>
  events.map((event) => ({ event, group: group(label) }));

/** One file and its ledger entry, through a sequence of commands. */
function session(format: Format, start: string | null, more: Partial<Options> = {}) {
  let { text, record }: Arrangement = { text: start, record: null };
  return {
    get text() {
      return text;
    },
    get record() {
      return record;
    },
    set(label: string, want: readonly Placed[]) {
      const base = { format, dialect: LENIENT, layout: UNDER_HOOKS, ...whose(), ...more };
      ({ text, record } = arrange(text, { ...base, label, want, record: record ?? undefined }));
      return text;
    },
    edit(change: (text: string) => string) {
      text = change(text ?? '');
    },
    forget() {
      record = null;
    },
  };
}

describe.each(Object.keys(FOLDERS))('%s', (folder) => {
  const { format, dialect, positional } = FOLDERS[folder] as (typeof FOLDERS)[string];
  const ext = folder === 'toml' ? 'toml' : 'json';
  const examples = readdirSync(join(FIXTURES, folder)).map((name) => {
    const path = (which: string) => join(FIXTURES, folder, name, `${which}.${ext}`);
    const text = (which: string) => decode(readFileSync(path(which)));
    return [name, text, existsSync(path('edited'))] as const;
  });
  const installed = (text: (which: string) => string) => {
    const file = session(format, text('before'), { dialect, ...keeping(positional) });
    file.set('annal', placed('annal', 'PostToolUse', 'Stop'));
    expect(file.text).toBe(text('after'));
    return file;
  };

  test.each(examples.filter(([, , isEdited]) => !isEdited))(
    '%s: install writes `after`, and uninstall restores every byte of `before`',
    (_, text) => {
      const file = installed(text);
      expect(file.set('annal', [])).toBe(text('undone'));
      expect(file.text).toBe(text('before'));
      expect(file.record).toBeNull();
    },
  );

  test.each(examples.filter(([, , isEdited]) => isEdited))(
    '%s: uninstall keeps the changes of others',
    (_, text) => {
      const file = installed(text);
      file.edit(() => text('edited'));
      expect(file.set('annal', [])).toBe(text('undone'));
    },
  );
});

describe('a refusal names the place and what the client would do', () => {
  const reading: [string, Format, string, Partial<Dialect>, string][] = [
    ['comment', json, '{\n  "a": 1 // x\n}', { comments: false }, '2:10 a comment is ignored'],
    [
      'trailing comma',
      json,
      '{\n  "a": [1,\n],\n}',
      { trailingCommas: false },
      '2:10 a trailing comma is ignored',
    ],
    ['byte order mark', json, '\uFEFF{}', { bom: false }, '1:1 a byte order mark is ignored'],
    ['empty file', json, ' \n', { empty: false }, '1:1 an empty file is ignored'],
    [
      'missing comma',
      json,
      '{\n  "a": 1\n  "b": 2\n}',
      {},
      '3:3 not valid JSON: comma expected, found "\\"b\\""',
    ],
    [
      'cut short',
      json,
      '{\n  "a": [1',
      {},
      '2:10 not valid JSON: close bracket expected, found the end of the file',
    ],
    ['two commas', json, '[1,,2]', {}, '1:4 not valid JSON: value expected, found ","'],
    ['only a comma', json, '{"a": [,]}', {}, '1:8 not valid JSON: value expected, found ","'],
    [
      'open comment',
      json,
      '{} /* never closed',
      {},
      '1:4 not valid JSON: unexpected end of comment',
    ],
    ['leading zero', json, '{"a": 01}', {}, '1:8 not valid JSON: comma expected'],
    ['single quotes', json, "{'a': 1}", {}, '1:2 not valid JSON: invalid symbol'],
    ['an array', json, '\n [1]', {}, '2:2 the file does not hold an object'],
    ['two hooks', json, '\uFEFF{"hooks": {},\n"hooks": {}}', {}, '2:1 duplicate key "hooks"'],
    ['two spellings', json, '{"hooks": {}, "\\u0068ooks": {}}', {}, '1:15 duplicate key "hooks"'],
    ['two events', json, '{"hooks": {"Stop": [],\n "Stop": []}}', {}, '2:2 duplicate key "Stop"'],
    ['depth', json, `{"a": ${'['.repeat(100_000)}`, {}, '1:206 more than 200 brackets'],
    ['toml syntax', toml, 'a = 1\nb = = 2\n', {}, '2:5 not valid TOML'],
    ['toml duplicate', toml, '[hooks]\n[hooks]\n', {}, '2:2 not valid TOML'],
    ['toml unclosed', toml, 'a = [1\nb = 2', {}, '2:1 not valid TOML'],
    [
      'toml byte order mark',
      toml,
      '\uFEFFa = 1',
      { bom: false },
      '1:1 a byte order mark is ignored',
    ],
    [
      'toml second byte order mark',
      toml,
      '\uFEFF\uFEFFa = 1',
      { bom: true },
      '1:1 a second byte order mark is ignored',
    ],
    [
      'toml date',
      toml,
      'a = "2021-02-30"\nb = [2021-02-30]',
      {},
      '2:6 the date 2021-02-30 does not exist, which is ignored',
    ],
    ...[
      ['a = 1\nb = "x\nc = 1\n', '2:5'],
      ["b = 'x\n", '1:5'],
      ['b = "x', '1:5'],
      ['b = "x\\" # y\n', '1:5'],
      ['b = """x\n\n', '1:5'],
      ['b = ["x, "y"]\nc = 1\n', '1:12'],
      ['["a]\n', '1:2'],
      ['b = { c = "d }\r\ne = 1', '1:11'],
    ].map(([source = '', at]): [string, Format, string, Partial<Dialect>, string] => [
      `toml string: ${JSON.stringify(source)}`,
      toml,
      source,
      {},
      `${at} not valid TOML: a string is not closed`,
    ]),
    ['toml no string', toml, 'a = "b" c # "\n', {}, '1:9 not valid TOML: each key-value'],
    ['toml arrays', toml, `a = ${'['.repeat(5000)}`, {}, 'not valid TOML'],
    ['toml dotted keys', toml, `${'a.'.repeat(5000)}b = 1`, {}, 'more than 200 tables'],
  ];
  test.each(reading)('%s', (_, format, source, dialect, message) => {
    const read = () =>
      format.read(
        source,
        { ...STRICT, ...LENIENT, otherwise: STRICT.otherwise, ...dialect },
        UNDER_HOOKS,
      );
    expect(refusalOf(read)).toContain(message);
  });

  test.each(CODEX_TOML)('TOML is accepted or refused as by Codex: %j', (source, reads) => {
    const { dialect } = codex.placement.files.user[0];
    const read = () => toml.read(source, dialect);
    if (reads) read();
    else expect(refusalOf(read)).toMatch(/^\d+:\d+ /);
  });

  test('in a file that its client already refuses, edits add no other mistake', () => {
    const start = '{"hooks": {}}';
    const file = session(json, start, { dialect: { ...STRICT, bom: false } });
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) => `\uFEFF${text.replace('{', '{ // mine\n "a": 1,')}`);
    file.edit((text) => text.replace('"hooks": {', '"hooks": {"Own": [],'));
    expect(() => file.set('annal', placed('annal', 'PostToolUse'))).toThrow();
    expect(file.set('annal', [])).toBe('\uFEFF{ // mine\n "a": 1,"hooks": {"Own": []}}');
  });

  test('no trailing comma is left, even where the client allows it', () => {
    const both: [Format, string, string, string][] = [
      [json, '{}', '{', '{"a":1,'],
      [json, '{"hooks":{}}', '"hooks":{', '"hooks":{"Own":[],'],
      [toml, 'hooks = {}', 'hooks = {', 'hooks = { Own = [],'],
    ];
    for (const [format, start, old, typed] of both) {
      const file = session(format, start);
      file.set('annal', placed('annal', 'Stop'));
      file.edit((text) => text.replace(old, typed));
      expect(file.set('annal', [])).not.toMatch(/,\s*\}/);
      expect(file.text).toContain(typed.slice(0, -1));
    }
  });

  test('trailing commas are found in each format', () => {
    expect(json.trailingCommas('\uFEFF{"a": [1,], /* ,} */ "b": ",}", }')).toEqual([9, 31]);
    expect(toml.trailingCommas('\uFEFFa = [1,]\nb = ",}"\n')).toEqual([]);
    expect(toml.trailingCommas('a = [{ b = { c = 1, }, }]\nd = {}\n')).toEqual([18, 21]);
    expect(toml.trailingCommas('[t]\na = {\n  b = 1, # }\n}\n')).toEqual([17]);
  });

  test('a removal accepts text that the client would refuse', () => {
    toml.read('a = 2021-02-30', ANYTHING);
    toml.read('\uFEFF\uFEFFa = 1', ANYTHING);
  });

  const inserting: [string, Format, string, string][] = [
    [
      'hooks is an array',
      json,
      '{\n  "hooks": []\n}',
      '2:12 "hooks" is not an object but an array',
    ],
    [
      'an event is an object',
      json,
      '{"hooks": {"Stop": {}}}',
      '1:20 "hooks.Stop" is not an array but an object',
    ],
    [
      'an event is null',
      json,
      '{"hooks": {\n"Stop": null}}',
      '2:9 "hooks.Stop" is not an array but null',
    ],
    ['hooks is a string', toml, 'a = 1\nhooks = "x"\n', '2:1 "hooks" is not a table'],
    ['hooks is an array of tables', toml, '\n[[hooks]]\n', '2:1 "hooks" is not a table'],
    ['an event is a table', toml, '[hooks.Stop]\na = 1\n', '1:1 "hooks.Stop" is not an array'],
    [
      'an event is a dotted table',
      toml,
      '[hooks]\n  Stop.a = 1\n',
      '2:3 "hooks.Stop" is not an array',
    ],
  ];
  test.each(inserting)('%s', (_, format, source, message) => {
    const stop = elementsOf(placed('annal', 'Stop'), UNDER_HOOKS);
    expect(refusalOf(() => format.insert(source, stop, 'hooks'))).toContain(message);
    // Events without entries of ours may have any form.
    expect(session(format, source).set('annal', [])).toBe(source);
  });

  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  test.each([
    ['UTF-16', bytes([0xff, 0xfe], 'a\0'), '1:1 the file is UTF-16'],
    ['invalid UTF-8', bytes('{\n "é": "', [0xff], '"}'), '2:8 the file is not valid UTF-8'],
    ['a character cut short', bytes('ab', [0xe2, 0x82]), '1:3 the file is not valid UTF-8'],
    ['a surrogate', bytes('a\n', [0xed, 0xa0, 0x80]), '2:1 the file is not valid UTF-8'],
    ['NUL', bytes('{}\n\0'), '2:1 the file has a NUL byte'],
    [
      'a merge conflict',
      bytes('{\n<<<<<<< HEAD\n=======\n>>>>>>> x\n}'),
      '2:1 the file has an unresolved merge',
    ],
    ['too much', Buffer.alloc(20 * 1024 * 1024 + 1, ' '), 'the file is larger than 20 MB'],
  ])('%s', (_, input, message) => {
    expect(refusalOf(() => decode(input))).toContain(message);
  });

  test('decoding and encoding give the same bytes', () => {
    const text = '\uFEFF{ "\uFFFD": "<<<<<<< é😀" }\r\n';
    expect(decode(Buffer.from(text))).toBe(text);
  });

  test('a syntax error shows no long values, which may be secrets', () => {
    const read = () => json.read('{"env": {} "sk-ant-secret-secret": 1}', LENIENT);
    expect(refusalOf(read)).toBe('1:12 not valid JSON: comma expected');
    const toml_ = () => toml.read('key = "sk-ant-secret-secret\n', LENIENT);
    expect(refusalOf(toml_)).not.toContain('secret');
  });
});

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = error.line === undefined ? '' : `${error.line}:${error.column} `;
    return place + sentence(error.problem);
  }
  return 'nothing was refused';
}

describe('a file that did not exist', () => {
  test.each([json, toml])('is created, and removed with our last entry', (format) => {
    const file = session(format, null);
    expect(file.set('annal', [])).toBeNull();
    file.set('annal', placed('annal', 'Stop'));
    file.set('serena', placed('serena', 'Stop', 'PostToolUse'));
    file.set('annal', []);
    expect(file.text).toContain('/r/serena/run');
    expect(file.set('serena', [])).toBeNull();
  });

  test('stays if others have added to it', () => {
    const file = session(json, null);
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) => text.replace('{\n', '{\n  "model": "opus",\n'));
    expect(JSON.parse(file.set('annal', []) ?? '')).toEqual({ model: 'opus' });
  });

  test('is removed if others only reformatted it', () => {
    const file = session(json, null);
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) => JSON.stringify(JSON.parse(text)));
    expect(file.set('annal', [])).toBeNull();
  });

  test('is created again if it was deleted', () => {
    const file = session(json, null);
    const first = file.set('annal', placed('annal', 'Stop'));
    file.set('serena', placed('serena', 'Stop'));
    const { record } = file;
    const options = { format: json, dialect: LENIENT, layout: UNDER_HOOKS, ...whose() };
    const again = arrange(null, {
      ...options,
      label: 'annal',
      want: placed('annal', 'Stop'),
      record: record ?? undefined,
    });
    expect(again.text).toBe(first);
    expect(again.record?.owned).toHaveLength(1);
  });
});

describe('with trust that depends on positions', () => {
  const mine = '[[hooks.Stop]]\nhooks = [{ type = "command", command = "mine" }]\n';
  const stops = (text: string | null) =>
    [
      ...(text ?? '').matchAll(
        /\[\[hooks\.Stop\]\]\n(?:matcher.*\n)?hooks = (\[\]|.*command = "([^"]*)")/g,
      ),
    ].map((match) => match[2] ?? 'empty');

  test('an empty group keeps the position of later ones, and is reused', () => {
    const file = session(toml, mine, keeping(true));
    file.set('annal', placed('annal', 'Stop'));
    file.set('serena', placed('serena', 'Stop'));
    expect(stops(file.set('annal', []))).toEqual(['mine', 'empty', '/r/serena/run']);
    expect(file.text).toContain('[[hooks.Stop]]\nhooks = []\n');
    expect(stops(file.set('annal', placed('annal', 'Stop')))).toEqual([
      'mine',
      '/r/annal/run',
      '/r/serena/run',
    ]);
    expect(stops(file.set('annal', []))).toEqual(['mine', 'empty', '/r/serena/run']);
    expect(file.set('serena', [])).toBe(mine);
  });

  test("a user's group after ours keeps its position", () => {
    const file = session(toml, '', keeping(true));
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) => `${text}\n${mine}`);
    expect(stops(file.set('annal', []))).toEqual(['empty', 'mine']);
    expect(file.record?.owned).toMatchObject([{ label: null, event: 'Stop', index: 0 }]);
    file.edit((text) => text.replace(mine, ''));
    expect(file.set('annal', [])?.trim()).toBe('');
  });

  test('trust that Codex records in between stays to the byte', () => {
    const before = 'model = "x"\n';
    const trust = '\n[hooks.state."/h/config.toml:stop:0:0"]\ntrusted_hash = "sha256:1"\n';
    const file = session(toml, before, keeping(true));
    file.set('annal', placed('annal', 'Stop', 'PostToolUse'));
    file.edit((text) => text + trust);
    file.set('serena', placed('serena', 'Stop'));
    file.set('annal', []);
    expect(file.set('serena', [])).toBe(before + trust);
  });
});

describe('after others wrote to the file', () => {
  test.each(['0', '10', '-0', 'true', "''", '[]', '{}'])(
    'TOML that ends in `= %s` without a line break ends there',
    (value) => {
      const source = `model = "x"\n[[hooks.Stop]]\nhooks = []\ntimeout = ${value}`;
      expect(toml.replace(source, { list: ['hooks', 'Stop'], index: 0 })).toBe('model = "x"\n');
      expect(toml.replace(source, { list: ['hooks', 'Stop'], index: 0 }, { hooks: [] })).toBe(
        'model = "x"\n[[hooks.Stop]]\nhooks = []',
      );
    },
  );

  const before = '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] } // mine\n    ]\n  }\n}\n';

  test('bytes of ours that are unchanged are removed, with their comma', () => {
    const file = session(json, before);
    file.set('annal', placed('annal', 'Stop', 'PostToolUse'));
    file.edit((text) => text.replace('{\n', '{\n  // new, with a comma\n  "model": "opus",\n'));
    expect(file.set('annal', [])).toBe(
      before.replace('{\n', '{\n  // new, with a comma\n  "model": "opus",\n'),
    );
  });

  test('a comma is ours only while the comment after it is unchanged', () => {
    const file = session(json, before);
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) => text.replace('}, // mine', '}, // m,ne'));
    expect(file.set('annal', [])).toBe(before.replace('// mine', '// m,ne'));
  });

  test('our entry and its containers are removed from a reformatted file', () => {
    const file = session(json, '{"a":1}');
    file.set('annal', placed('annal', 'Stop', 'PostToolUse'));
    file.edit((text) => JSON.stringify(JSON.parse(text), null, 4));
    expect(file.set('annal', [])).toBe('{\n    "a": 1\n}');
  });

  test('without a ledger, our entries are found by their commands, and empty containers stay', () => {
    const file = session(json, '{"a":1}');
    file.set('annal', placed('annal', 'Stop'));
    file.set('serena', placed('serena', 'Stop'));
    file.forget();
    file.set('annal', []);
    expect(file.record?.owned).toMatchObject([{ label: 'serena', event: 'Stop', index: 0 }]);
    expect(file.set('serena', [])).toBe('{"a":1,"hooks":{"Stop":[]}}');
  });

  test('an update replaces our entry in its place, and removes a copy of it', () => {
    const file = session(json, '{\n  "a": 1\n}\n');
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) => {
      const value = JSON.parse(text);
      value.hooks.Stop.push({ hooks: [] }, ...value.hooks.Stop);
      return JSON.stringify(value, null, 2);
    });
    file.set('annal', [{ event: 'Stop', group: group('annal', 'new') }]);
    expect(JSON.parse(file.text ?? '').hooks.Stop).toEqual([group('annal', 'new'), { hooks: [] }]);
  });

  test('nothing is written if nothing changes', () => {
    const file = session(json, before);
    const text = file.set('annal', placed('annal', 'Stop'));
    const { record } = file;
    expect(file.set('annal', placed('annal', 'Stop'))).toBe(text);
    expect(file.record).toBe(record);
    file.edit((now) => now.replace('mine', 'my own'));
    expect(file.set('annal', placed('annal', 'Stop'))).toBe(text?.replace('mine', 'my own'));
    expect(file.set('annal', [])).toBe(before.replace('mine', 'my own'));
  });

  test('a container that we made stays if it has a comment', () => {
    const file = session(json, '{}');
    file.set('annal', placed('annal', 'Stop'));
    file.edit((text) =>
      text.replace('"Stop": [', '"Stop": [ // keep me\n').replace('annal/run', 'annal/run '),
    );
    expect(file.set('annal', [])).toContain('// keep me');
  });
});

test('a faulty edit is caught before anything is written', () => {
  const lossy: Format = { ...json, insert: (source, want) => json.insert(source, want).slice(1) };
  const wrong: Format = { ...json, replace: (source) => source.replace('1', '2') };
  const source = '{ "a": 1, "hooks": { "Stop": [{ "hooks": [{ "command": "/r/annal/run" }] }] } }';
  expect(refusalOf(() => session(lossy, '{}').set('annal', placed('annal', 'Stop')))).toContain(
    'would have changed more than our entries',
  );
  expect(refusalOf(() => session(wrong, source).set('annal', []))).toContain(
    'would have changed more than our entries',
  );
});

test('`__proto__` is a key like any other', () => {
  const source = '{\n  "__proto__": { "x": 1 },\n  "hooks": { "__proto__": [1] }\n}\n';
  const file = session(json, source);
  file.set('annal', placed('annal', 'Stop'));
  expect(Object.hasOwn(json.read(file.text ?? '', LENIENT), '__proto__')).toBe(true);
  expect(file.text).toContain('"__proto__": [1]');
  expect(file.set('annal', [])).toBe(source);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});
