/** The last output of a crashed server, as Node 20 and Python 3.11 print it. */
import { execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import { crashMessage } from '../../src/sources/protocol/crash.ts';
import { test as worldly } from '../support/world.ts';

const stderrOf = (script: string): string =>
  execaSync(process.execPath, ['-e', script], { reject: false }).stderr;

describe('the message of a crash', () => {
  const NODE: Record<string, [script: string, message: string[]]> = {
    'an error': [
      "setTimeout(() => { throw new Error('no DATABASE_URL set'); }, 1)",
      ['Error: no DATABASE_URL set'],
    ],
    'an error of several lines': [
      "Promise.reject(new TypeError('bad\\nsecond line'))",
      ['TypeError: bad', 'second line'],
    ],
    'an error whose other lines are indented': [
      "throw new TypeError('these hooks cannot be declared.\\n  [0].event: a\\n  [1].event: b')",
      ['TypeError: these hooks cannot be declared.', '  [0].event: a', '  [1].event: b'],
    ],
    'such an error with such a cause': [
      "throw new Error('outer\\n  more', { cause: new Error('inner\\n  less') })",
      ['Error: outer', '  more'],
    ],
    'an error with a cause and a code': [
      "throw Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'X' })",
      ['Error: outer'],
    ],
    'a module that is missing': [
      "require('nope')",
      ["Error: Cannot find module 'nope'", 'Require stack:', expect.stringContaining('[eval]')],
    ],
    'a class of its own, after other lines': [
      "class ConfigError extends Error { name = 'ConfigError' }; console.error('starting'); console.error(new ConfigError('no key')); process.exit(1)",
      ['ConfigError: no key'],
    ],
    'a string': ["throw 'no DATABASE_URL set'", ['no DATABASE_URL set']],
    'no crash': ["console.error('usage: server <file>')", []],
  };
  test.each(Object.entries(NODE))('Node: %s', (_, [script, message]) => {
    expect(crashMessage(stderrOf(script))).toEqual(message);
  });

  const PYTHON: Record<string, [stderr: string, message: string[]]> = {
    'an exception': [
      'Traceback (most recent call last):\n  File "/a.py", line 3, in <module>\n    os.environ["X"]\n    ~~~~~~~~~~^^^^^\nKeyError: \'DATABASE_URL\'\n',
      ["KeyError: 'DATABASE_URL'"],
    ],
    'an exception with a cause': [
      'Traceback (most recent call last):\n  File "/a.py", line 3, in f\n    g()\nKeyError: \'X\'\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/a.py", line 7, in <module>\n    raise RuntimeError("no DATABASE_URL set") from e\nRuntimeError: no DATABASE_URL set\n',
      ['RuntimeError: no DATABASE_URL set'],
    ],
    'a mistake in the source': [
      '  File "/a.py", line 1\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n',
      ['SyntaxError: invalid syntax'],
    ],
    'a module that is missing': ['/usr/bin/python3: No module named nopkg\n', []],
  };
  test.each(Object.entries(PYTHON))('Python: %s', (_, [stderr, message]) => {
    expect(crashMessage(stderr)).toEqual(message);
  });
});

worldly(
  'the message is the first thing that install prints about a crashed server',
  async ({ world }) => {
    await world.write(
      'server.cjs',
      "function deep(n) { if (n) return deep(n - 1); throw new Error('no DATABASE_URL set'); }\ndeep(12);\n",
    );
    const ran = await world.run([
      'install',
      '--name',
      'x',
      '--client',
      'codex',
      '--',
      process.execPath,
      'server.cjs',
    ]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('It crashed with:\n  | Error: no DATABASE_URL set\nIts last lines');
  },
);

worldly('the message is found between line ends of Windows', async ({ world }) => {
  const script = "process.stderr.write('one\\r\\ntwo\\r\\n')";
  const started = ['--client', 'codex', '--', process.execPath, '-e', script];
  const { err } = await world.run(['install', '--name', 'x', ...started]);
  expect(err).toContain('\n  | one\n  | two\n');
});
