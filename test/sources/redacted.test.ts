// Secrets of a server's configuration are hidden in its output, whole and in the parts that a server repeats.
import { expect, test } from 'vitest';
import { launchRedactor, maskAddress, maskWords, wordsOf } from '../../src/sources/redacted.ts';

const url = 'https://mcp.annal.example/mcp';

test('the token of a header is hidden, also in an address', () => {
  const headers = { Authorization: 'Bearer tok.en-abcdef99' };
  const hide = launchRedactor({ url, headers: {}, headersFromVariables: {} }, { url, headers });
  const said = hide('the key tok.en-abcdef99 of Bearer tok.en-abcdef99 (Bearer%20tok.en-abcdef99)');
  expect(said).not.toContain('tok.en');
  expect(said).toContain('the key');
});

test('values of options are hidden, from variables and arguments', () => {
  const args = ['--header', 'Authorization: Bearer tok.en-abcdef99'];
  const own = { OPTS: '--password=zyxwvut1 --verbose-mode' };
  const hide = launchRedactor(
    { command: 'annal', args, env: {}, passedOn: [] },
    { command: 'annal', args, own, cwd: '/', env: {} },
  );
  const said = hide('wrong password zyxwvut1 or token tok.en-abcdef99; see --verbose-mode');
  expect(said).not.toMatch(/zyxwvut1|tok\.en/);
  expect(said).toContain('--verbose-mode');
});

test.each([
  ['docker', ['run', '-eGREETING=plain-words', 'annal/mcp']],
  ['env', ['greeting=plain-words', 'annal-mcp']],
])('what only the command shows to be a variable is hidden: %s', (command, args) => {
  expect(maskWords([command, ...args]).join(' ')).not.toContain('plain-words');
  const parts = { command, args, env: {}, passedOn: [] };
  const hide = launchRedactor(parts, { command, args, cwd: '/', env: {} });
  expect(hide('it is plain-words')).toBe('it is ***');
});

test("an argument of a container's program is hidden after an option without a value", () => {
  const words = ['docker', 'run', '--privileged', 'annal/mcp'];
  expect(maskWords([...words, '9f8e7d6c5b4a39281706'])).toEqual([...words, '***']);
});

test('the default of a variable is hidden like a value', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as in a file of the user
  expect(
    maskWords(['annal', '${A:-tok3nabcdef99xyzzy}', '--at=${API_KEY:-hunter2}', '${PORT:-8080}']),
  ).toEqual(['annal', '${A:-***}', '--at=${API_KEY:-***}', '${PORT:-8080}']);
  expect(maskAddress('https://annal.example/${A-tok3nabcdef99xyzzy}/mcp')).toBe(
    'https://annal.example/${A-***}/mcp',
  );
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as in a file of the user
});

test('tokens of a known form on stderr are hidden', () => {
  const token = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xYz123456';
  const tokens = [
    `npm_${token}`,
    `hf_${token.slice(2)}`,
    `sk_live_${token}`,
    `SG.${token.slice(14)}.${token}1234567`,
    `shpat_${'0a1b2c3d'.repeat(4)}`,
    `ASIA${'A1B2C3D4'.repeat(2)}`,
  ];
  const lines = tokens.map((one) => `Error: ${one} is not valid`);
  expect(wordsOf([...lines, 'npm_config_yes=true, sk_test_mode'])).toEqual(
    [...tokens.map(() => 'Error: *** is not valid'), 'npm_config_yes=true, sk_test_mode'].map(
      (line) => ({ code: 'quote', text: `  | ${line}` }),
    ),
  );
});
