// The output of commands with --json: docs/json.md describes exactly its keys.
// `UPDATE_PAGES=1 npx vitest run test/cli/json.test.ts` writes its table.
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { grouped } from '../../src/present/messages/several.ts';
import { SCHEMA_VERSION } from '../../src/system/visible.ts';
import { fakeCodex } from '../support/codex.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { INSIDE } from '../support/json-fields.ts';
import { fenced, ROOT, read, shows } from '../support/pages.ts';
import { FOLDERS } from '../support/runner/clients.ts';
import { serve } from '../support/servers/addressed.ts';
import { trustInCodex } from '../support/trusted.ts';
import { test, type World } from '../support/world.ts';

const PAGE = 'docs/json.md';
const CONFIG = '~/.codex/config.toml';
const SERVER = join(ROOT, 'fixtures/servers/plain.mjs');
const REQUIRED = { event: 'session_start', context_tool: 'recall', priority: 'required' };

type Printed = Readonly<Record<string, unknown>>;

/** What a key means in every command, or in a single one (`log entries`). */
const MEANINGS: Readonly<Record<string, string>> = {
  behind: 'clients that keep the earlier hooks of the label',
  catchUp: 'the command that updates the clients in `behind`, if there are any',
  changes: 'whether a file would change, or has changed',
  clients:
    'each client with its file, the grade of each hook, the value of `{server}` (`serverName`), and the `diff`',
  declaration:
    'the differences from the declaration that you approved before; null: mcp-hooks has no record of it',
  downgraded: 'hooks whose `required` counts as `important`, because a grant is missing',
  event: 'the event that was fired',
  fires: 'whether everything fires',
  found: 'by client: where mcp-hooks found it on this machine',
  foundIn: "the place of the hooks in the server's answer, and the protocol",
  catalogue: "the file of mcp-hooks' catalogue that the hooks are from",
  unasked:
    'why mcp-hooks could not ask the server, if the hooks are from the catalogue for that reason',
  grants: 'the grants that hooks need, which hooks, and who gave them (`by`; null: not granted)',
  hooks: 'the hooks as they were declared',
  label: 'the name under which it is installed',
  launch: 'lines for people: how the server is started for its tools',
  leftOut: 'hooks that are not installed, because a grant is missing',
  missing: 'clients that are not on this machine, and where mcp-hooks looked for them',
  notes: 'other remarks on the declaration',
  policy: 'rules of your policy.json that allow this label more than others',
  onlyIn: "absolute path of the only folder that the hooks are for: that of a team's manifest",
  onFailure:
    'for each hook that may decide, the result if it fails: `allow` or `deny`, and in words',
  problems: 'mistakes and doubtful parts of the declaration, with places',
  replaces: 'the source whose hooks it replaces under the label',
  results: 'for several names: the document of each name, or its error',
  schemaVersion: 'the version of all that is described here',
  scope: '`user`, `project` or `local`',
  server: 'the server whose tools hooks call',
  status: 'whether the hooks fire now, by client; null: not known',
  trust:
    'the hooks that Codex was asked to trust (`granted`), the hooks that it trusts (`hooks`), and the `problem` (null: none)',
  trustedByCodex:
    'hooks that Codex runs without asking, because it has trusted the same hooks before',
  undecided: 'hooks whose decisions are only shown as text, because a grant is missing',
  unsupported: 'hooks that no client can run',
  skipped: 'hooks that were skipped because a grant is missing, by label',
  twice: 'other scopes in which the label is installed too, so that its hooks run twice',
  servers:
    'the server in the files in which clients keep theirs: where it is added, missing, taken out or left, its entry, and why',
  originals:
    'hooks written by hand that do the same: which are taken out, put back, run twice or stay, and why',
  withoutScope: 'clients that have no settings for the scope',
  written: 'whether anything was written',

  'uninstall trust': "records of trust in the hooks that are taken out of a client's file",

  'build declaration': 'the SHA-256 of the declarations, which is also in the output',
  'build name': 'the label in the form that clients allow for names',
  'build out': 'the absolute path of the output',
  'build stale':
    'files of the output that were `missing`, `different` or `left-over`, before anything was written',
  'build targets': 'each target with its files, the grade of each hook, and notes',
  'build version': 'the version of the packages',
  'mute file': 'the absolute path of your policy.json',
  'mute hooks': 'the numbers of the hooks; null: all hooks of the label',
  'unmute file': 'the absolute path of your policy.json',
  'unmute hooks': 'the numbers of the hooks; null: all hooks of the label',

  'completion script': 'the script',
  'completion shell': 'the shell that it is for',
  'conformance cases': 'how many cases were tried',
  'conformance failures':
    'each case or twin that failed: its topic, its name, whether it is the twin, and the differences',
  'conformance passed': 'how many cases passed, together with their twins',
  'doctor findings': 'each check with its level, its finding, the place, and the next step',
  'doctor status': 'whether the hooks fire, by label and client',
  'doctor worst': 'the worst level of all findings: `ok`, `warning` or `error`',
  'fire clients':
    'by client: each firing with the text that its model would read; `time` numbers the firings of one session, from 1',
  'import entries':
    'each entry with its place, and the hook that it became (`hook`, from 1) or why it was left out',
  'import file': 'the absolute path of the file that was written',
  'import grants': 'the grants that the hooks of the draft need',
  'import manifest': 'the draft',
  'import problems': 'files that could not be read',
  'list installed': 'each label with its source, its events, and its state in each client',
  'list managed': 'hooks that the administrator of the machine has installed for all users',
  'list shipped':
    'hooks of plugins and extensions that have fired, by label, with the clients that ran them',
  'list readable': 'whether the record of what is installed can be read',
  'login changed': 'whether you have signed in just now',
  'login server': 'the address',
  'login signedIn': 'whether there is a token for it',
  'log entries':
    'each firing: the time, the label, the client, the hooks with their effects, the decision, and the reason for a failure',
  'logout removed': 'whether there was a token to delete',
  'logout server': 'the address',
  'man page': 'the manual page, as roff',
  'matrix clients': 'by client: what the tests saw it deliver',
  'scan problems': 'clients whose configuration cannot be read',
  'scan servers':
    'each configured server, how it is reached (`server`; null: not known), whether it was asked, how many `hooks` it declares (null: not known), and its file in the `catalogue` if it declares none or could not be asked',
  'stats stats':
    'by label, client, event and `hook` (its number): firings, failures, characters, and milliseconds (`p50`, `p99`, `limit`)',
  'init file': 'the absolute path of the manifest',
  'init manifest': 'the contents of the manifest',
  'init next': 'after the manifest is written: the commands to try it',
  'init proposed': 'each hook with its event, and the tool that it calls',
  'init tools': 'the names of the tools that the server has',
  'init variables': 'environment variables that you have to set, in place of secrets',
  'stats sent': 'with `--otlp`: each label with the number of firings that were sent',
  'update labels': 'each label with the document that `install` would print, or its error',
  'validate file': 'the absolute path of the manifest',
  'schema schema': 'the JSON Schema of a manifest',
  'validate hooks': 'how many hooks it declares',
  'validate problems':
    'errors, warnings and notes, with places; `help` is the address of the explanation of the code',
  'validate valid': 'whether the manifest has no errors',
  'verify live':
    'with `--live`, instead of `scope` and `verified`: by label and client, each hook with its result',
  'verify untried': 'without `--live`: hooks of a manifest that were not tried, with the reason',
  'verify verified': 'by label and client: each event, and each hook with its failure',
  'verify warnings':
    'hooks that fire, but whose text mentions a server that the client does not have',
  'version version': 'the version of mcp-hooks',
};

const meaningOf = (command: string, key: string): string | undefined =>
  MEANINGS[`${command} ${key}`] ?? MEANINGS[key];

async function furnish(world: World): Promise<void> {
  await world.folder(...FOLDERS);
  await world.write('annal.json', manifest(COMMITTED));
  await world.write('none.json', manifest());
  const guard = { event: 'pre_tool_use', block: 'No.', on_failure: 'deny' };
  await world.write('guard.json', JSON.stringify({ version: 2, hooks: { declarations: [guard] } }));
  const echo = [{ type: 'command', command: "echo 'Notes are kept.'" }];
  await world.write(
    '.claude/settings.json',
    JSON.stringify({ hooks: { SessionStart: [{ hooks: echo }] } }),
  );
  await world.write(join(world.bin, 'npx'), `#!/bin/sh\nexec /bin/sh '${NPX}'\n`, 0o755);
  await world.write('other/annal.json', manifest({ ...COMMITTED, context: 'Something else.' }));
  const hooks = { declarations: [REQUIRED] };
  const server = { command: process.execPath, args: [SERVER] };
  await world.write('tool.json', JSON.stringify({ server, hooks }));
  await world.write(
    '~/.mcp-hooks/policy.json',
    '{ "servers": { "tool": { "trusted": true, "contextTool": true } } }',
  );
}

/** Answers in the place of a package whose server declares no hooks. */
const NPX = join(import.meta.dirname, '../support/servers/notes.sh');
const LISTED = ['--', 'npx', '-y', '@modelcontextprotocol/server-memory'];

async function printed(world: World, words: readonly string[]): Promise<Printed> {
  const { out } = await world.run(words, { env: { PATH: `${world.bin}:${process.env.PATH}` } });
  return JSON.parse(out);
}

/** The command lines, in an order that gives every command something to print. */
const LINES: readonly (readonly string[])[] = [
  ...[
    'diff annal.json',
    'install none.json',
    'install annal.json --client claude-code,codex,gemini-cli --yes',
    'diff tool.json --client claude-code --with-server',
    'install tool.json --yes --client claude-code --with-server',
    'install annal.json none.json',
    'install annal.json --scope local',
    'install other/annal.json --yes --replace --trust --client claude-code,codex,gemini-cli',
    'diff other/annal.json',
    'diff --name team',
    'install --name team',
    'diff guard.json',
    'install guard.json',
    'trust annal',
    'trust annal tool',
    'mute annal 1',
    'unmute annal',
    'list',
    'doctor',
    'log',
    'stats',
    'stats --otlp http://127.0.0.1:9',
    'matrix',
    'scan',
    'fire annal post_tool_use --tool Bash',
    'verify annal --client claude-code',
    'verify ./tool.json --client claude-code',
    'verify annal --live --client claude-code',
    'update',
    'validate annal.json',
    'build annal.json --out out',
    'schema',
    'import .claude/settings.json --client claude-code --out drafted.json',
    'diff drafted.json --client claude-code --scope project',
    'install drafted.json --client claude-code --scope project --replace-originals --yes',
    'conformance --topic order',
    'logout https://mcp.annal.example/mcp',
    'man',
    'completion bash',
    'version',
    'diff other/annal.json --client codex',
    'uninstall annal --yes',
    'uninstall tool --yes',
    'uninstall drafted --scope project',
    'diff other/annal.json',
    'uninstall --all --yes',
  ].map((line) => line.split(' ')),
  ['diff', '--yes', '--name', 'asked'],
  ['init', '--out', 'first.json', '--hooks', 'recall', '--name', 'asked'],
  ['diff', '--name', 'listed'],
  ['install', '--name', 'listed'],
  ['diff', '--name', 'unasked'],
  ['install', '--name', 'unasked'],
];

/** The keys that are null, except in text from others. */
function nullsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (['payload', 'schema', 'entry'].includes(key)) return [];
    return inner === null ? [key] : nullsIn(inner);
  });
}

test('has every key that any command prints, and its meaning', async ({ world }) => {
  await furnish(world);
  await world.write('mcp-hooks.json', manifest(COMMITTED));
  const seen = new Map<string, Set<string>>();
  const nulls = new Set<string>();
  const { url } = await serve(({ message }, response) => {
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message?.id, result }));
  });
  const lines = LINES.flatMap((words) =>
    words[0] === 'logout' ? [['login', url], words] : [words],
  );
  for (const words of lines) {
    const [command = '', ...rest] = words;
    // The other clients keep the earlier hooks.
    if (words.includes('codex'))
      await world.write('other/annal.json', manifest({ ...COMMITTED, context: 'Changed.' }));
    const isFirst = command === 'uninstall' && !seen.has(command);
    if (isFirst) await trustInCodex(world, 'user');
    const config = isFirst ? await world.read(CONFIG) : '';
    const asked = words.includes('asked') ? ['--', process.execPath, SERVER] : [];
    const listed = words.includes('listed') ? LISTED : asked;
    const behind = words.includes('unasked') ? ['--', 'github-mcp-server'] : listed;
    const document = await printed(world, [command, ...rest, '--json', ...behind]);
    expect([words, Object.keys(document)[0], document.error]).toEqual([
      words,
      'schemaVersion',
      undefined,
    ]);
    // Leave the records behind, as if mcp-hooks could not have written the file.
    if (isFirst) await world.write(CONFIG, config.slice(config.indexOf('\n[hooks.state.')));
    const keys = seen.get(command) ?? new Set();
    for (const key of Object.keys(document)) keys.add(key);
    for (const key of nullsIn(document)) nulls.add(key);
    seen.set(command, keys);
  }
  const { out: man } = await world.run('man');
  const commands = [...man.matchAll(/^\.SS (\w+)/gm)].map(([, name = '']) => name);
  expect([...seen.keys()].sort()).toEqual([...commands].sort());

  const rows = [...seen].flatMap(([command, keys]) =>
    [...keys].filter((key) => key !== 'schemaVersion').map((key) => [command, key] as const),
  );
  expect(rows.filter(([command, key]) => meaningOf(command, key) === undefined)).toEqual([]);
  const used = new Set(
    rows.flatMap(([command, key]) => [
      Object.hasOwn(MEANINGS, `${command} ${key}`) ? `${command} ${key}` : key,
    ]),
  );
  const unused = Object.keys(MEANINGS).filter((key) => key !== 'schemaVersion' && !used.has(key));
  expect(unused).toEqual([]);

  const table = grouped(rows, ([command, key]) => `${key} ${meaningOf(command, key)}`).map(
    (same) => {
      const [[command, key]] = same;
      const commands = same.map(([one]) => one).join(', ');
      return `| ${commands} | \`${key}\` | ${meaningOf(command, key)} |\n`;
    },
  );
  shows(
    PAGE,
    'generated: json keys',
    ['| commands | key | meaning |\n|---|---|---|\n', ...table].join(''),
  );

  const explained = read(PAGE)
    .split('\n')
    .filter((line) => /\bnull\b/.test(line));
  const silent = [...nulls].filter((key) => !explained.some((line) => line.includes(`${key}\``)));
  expect(silent, 'keys that can be null, but no line says what it means').toEqual([]);
});

test('describes the inner keys of the commands that show whether hooks fire', () => {
  const rows = INSIDE.flatMap(([command, at, fields]) =>
    Object.entries(fields).map(
      ([key, meaning]) => `| ${command} | \`${at}.${key}\` | ${meaning} |\n`,
    ),
  );
  const table = ['| command | key | meaning |\n|---|---|---|\n', ...rows].join('');
  shows(PAGE, 'generated: json inside', table);
});

/** Cuts long texts, keeps only the first entry of each list, and removes what differs between runs. */
function shortened(value: unknown, world: World): unknown {
  if (typeof value === 'string') {
    const text = world
      .tidy(value)
      .replaceAll(process.execPath, 'node')
      .replaceAll(ROOT, '/opt/annal')
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '0b9c4d5e-6f70-4182-93a4-b5c6d7e8f901')
      .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '2026-01-05T13:03:22.000Z');
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => shortened(one, world));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'milliseconds' && typeof inner === 'number' ? 12 : shortened(inner, world),
    ]),
  );
}

test('an example of each command', async ({ world }) => {
  await world.folder('~/.claude');
  await world.write('annal.json', manifest(COMMITTED));
  const server = { command: process.execPath, args: [SERVER] };
  await world.write('~/.claude.json', JSON.stringify({ mcpServers: { notes: server } }));
  for (const line of [
    'diff annal.json',
    'install annal.json --yes',
    'list',
    'fire annal post_tool_use --tool Bash --input {"command":"git_commit"}',
    'verify annal',
    'doctor annal',
    'log annal --trials',
    'init notes --hooks recall',
    'validate annal.json',
    'scan --yes',
    'update annal',
    'uninstall annal --yes',
  ]) {
    const [command = ''] = line.split(' ');
    const words = line.split(' ').map((word) => word.replace('git_commit', 'git commit'));
    const { out } = await world.run([...words, '--json']);
    const shown = JSON.stringify(shortened(JSON.parse(out), world), null, 2);
    shows(PAGE, `generated: json example ${command}`, fenced('json', shown));
  }
});

describe('errors', () => {
  test('have the same shape, whatever went wrong', async ({ world }) => {
    await furnish(world);
    for (const words of [
      ['list', 'nobody'],
      ['frobnicate'],
      ['list', '--frobnicate'],
      ['install'],
      ['install', 'nowhere.json'],
      ['fire', './annal.json', 'nonsense'],
      ['completion', 'tcsh'],
      ['login', 'nonsense'],
      ['uninstall'],
      ['log', 'nobody'],
    ]) {
      const { code, out } = await world.run([...words, '--json']);
      expect([words, code, JSON.parse(out)]).toEqual([
        words,
        2,
        {
          schemaVersion: SCHEMA_VERSION,
          error: expect.stringMatching(/\w/),
          details: expect.any(Array),
          code: expect.stringMatching(/^[a-z]+(?:-[a-z]+)*$/),
        },
      ]);
    }
  });

  test('are short, however long the arguments are', async ({ world }) => {
    await world.folder('~/.claude');
    const long = 'a'.repeat(100_000);
    for (const words of [
      ['list', long],
      ['verify', long],
      ['install', long],
      ['verify', '--client', long],
    ]) {
      const { out, err } = await world.run([...words, '--json']);
      expect([words[0], out.length < 4000, err.length < 4000]).toEqual([words[0], true, true]);
      expect(JSON.parse(out).error).toContain('a... (99000 more characters)');
    }
    const { out } = await world.run(['list', `a${'😀'.repeat(600)}`, '--json']);
    expect(JSON.parse(out).error).toContain('😀... (202 more characters)');
  });

  test("are as in the page's example", async ({ world }) => {
    await furnish(world);
    const { out } = await world.run('install anal.json --json');
    expect(JSON.parse(out)).toMatchObject({ details: ['Did you mean annal.json?'] });
    shows(PAGE, 'generated: json error', fenced('json', out));
  });

  test('are added to the keys of a refused plan', async ({ world }) => {
    await furnish(world);
    await world.write('~/.gemini/settings.json', '{');
    for (const line of ['diff annal.json', 'install annal.json', 'install annal.json --yes']) {
      const { code, out, err } = await world.run(`${line} --json`);
      const document = JSON.parse(out);
      expect([line, code, document]).toMatchObject([
        line,
        2,
        { label: 'annal', written: false, details: [], code: 'file-refused' },
      ]);
      expect(err.replace(/\s+/g, ' ').trim()).toBe(document.error);
    }
    const late = manifest({ ...COMMITTED, event: 'pre_tool_use' });
    await world.write('late.json', late);
    const strict = await printed(
      world,
      'install late.json --strict --client codex --json'.split(' '),
    );
    expect(strict).toMatchObject({
      code: 'plan-refused',
      error: expect.stringMatching(/^--strict/),
    });
  });

  test('have a suggestion in their details if a command is mistyped', async ({ world }) => {
    const { out } = await world.run('logot --json');
    expect(JSON.parse(out)).toMatchObject({
      error: "unknown command 'logot'",
      details: ['Did you mean logout?'],
    });
  });

  test('have the name if one of several installs fails', async ({ world }) => {
    await furnish(world);
    const { results } = await printed(world, ['install', 'annal.json', 'nowhere.json', '--json']);
    expect(results).toEqual([
      expect.objectContaining({ label: 'annal' }),
      {
        name: 'nowhere.json',
        error: expect.any(String),
        details: expect.any(Array),
        code: expect.any(String),
      },
    ]);
  });
});

test('stdout has only the JSON, even with --verbose', async ({ world }) => {
  await furnish(world);
  await fakeCodex(world, {});
  for (const line of ['install annal.json --yes --trust --timeout 1', 'list', 'doctor', 'verify'])
    expect(await printed(world, [...line.split(' '), '--json', '--verbose'])).toHaveProperty([
      'schemaVersion',
    ]);
});

test('the page names the printed schema version', () => {
  expect(read(PAGE)).toContain(`is the first key of every document and is ${SCHEMA_VERSION}.`);
});
