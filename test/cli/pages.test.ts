// README and the pages in docs show what the tool really does: their blocks are made or run here.
// `UPDATE_PAGES=1 npx vitest run test/cli/pages.test.ts` writes the blocks that are made.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Client, Lowering } from '../../src/clients/contract.ts';
import { CLIENTS, SERVER_CLIENTS } from '../../src/clients/registry.ts';
import { measuredIn } from '../../src/clients/version.ts';
import { doubts } from '../../src/compile/doubts.ts';
import {
  ALL_EVENTS,
  EVENTS,
  type Event,
  LIFECYCLE_EVENTS,
} from '../../src/declaration/declaration.ts';
import { GRANTS } from '../../src/declaration/grants.ts';
import {
  ARGS_CHARACTERS,
  BACKGROUND_MS,
  BUDGET_TOKENS,
  COMMAND_FILE_BYTES,
  CONTEXT_CHARACTERS,
  COOLDOWN_SECONDS,
  DEADLINE_MS,
  DECLARATIONS,
  DEPTH,
  LIMIT,
  LIST_ENTRIES,
  MANIFEST_BYTES,
  NAME_CHARACTERS,
  ORDER,
  REPEAT_SECONDS,
  REPEAT_TIMES,
  RESPONSE_BYTES,
  WORD_CHARACTERS,
} from '../../src/declaration/limits.ts';
import { findForm, readDeclarations } from '../../src/declaration/manifest.ts';
import { policyIn } from '../../src/declaration/policy.ts';
import { FOUND } from '../../src/present/messages/help.ts';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { expected, SESSIONS, SITUATIONS, type Situation } from '../clients/expectations.ts';
import { markdown, recorded } from '../real-servers/seen.ts';
import { blocks, code, fenced, PAGES, ROOT, read, shows, wordsOf } from '../support/pages.ts';
import { picture } from '../support/picture.ts';
import { RECEIVED, type Received, received, record, recording } from '../support/recording.ts';
import { IDS, namesOf } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const CONSOLES = PAGES.flatMap((page) =>
  blocks(page)
    .filter(({ marker }) => /^console: /.test(marker ?? ''))
    .map((block) => ({ page, ...block })),
);

/** A home with the examples next to it, and a client that does not ask for trust. */
async function readersWorld(world: World): Promise<void> {
  await world.folder('~/.claude', '~/.gemini');
  for (const name of ['memory', 'commit-reminder'])
    await world.write(`examples/${name}.json`, read(`examples/${name}.json`));
}

test('every fenced block is made or run by a test', () => {
  const loose = PAGES.flatMap((page) =>
    blocks(page)
      .filter(({ marker }) => marker === undefined)
      .map(({ text }) => `${page}: ${text.slice(0, 60)}`),
  );
  expect(loose).toEqual([]);
});

describe('links have existing targets', () => {
  test.for(PAGES)('%s', (page) => {
    const anchors = (text: string) =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
    const dead = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
      ([, path = '', anchor]) => {
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && !anchors(read(file)).includes(anchor);
      },
    );
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});

describe('commands in the pages work', () => {
  const stories = new Map<string, { text: string }[]>();
  for (const { page, marker, text } of CONSOLES) {
    const story = `${page} ${marker}`;
    stories.set(story, [...(stories.get(story) ?? []), { text }]);
  }

  test.for([...stories.keys()].filter((story) => !story.endsWith('setup')))(
    '%s',
    async (story, { world }) => {
      await readersWorld(world);
      // The lines of `more` follow those of `try`.
      const before = story.endsWith('more')
        ? (stories.get(story.replace('more', 'try')) ?? [])
        : [];
      const lines = [...before, ...(stories.get(story) ?? [])].flatMap(({ text }) =>
        [...text.matchAll(/^mcp-hooks (.*)$/gm)].map(([, line = '']) => line),
      );
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        const yes = /^(?:install|update|uninstall) /.test(line) ? ['--yes'] : [];
        const dry = line.includes('--trust') || line.includes('--allow') ? ['--dry-run'] : [];
        // The client's shell is looked up on the PATH.
        const env = /^(?:fire|verify)/.test(line) ? { PATH: process.env.PATH } : {};
        const ran = await world.run([...wordsOf(line), ...yes, ...dry], { env });
        // On a busy machine it prints what it is waiting for.
        const err = ran.err.replace(/^.* \.\.\.\n/gm, '');
        expect([line, ran.code, err]).toEqual([line, line.startsWith('diff') ? 1 : 0, '']);
      }
    },
  );

  test('the setup uses scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const typed = [...code('README.md', 'console: setup').matchAll(/^npm (?:run )?(\w+)$/gm)];
    expect(
      typed
        .map(([, name = '']) => name)
        .filter((name) => !['ci', 'link'].includes(name) && !scripts[name]),
    ).toEqual([]);
    for (const name of ['demo', 'test', 'bench', 'test:clients', 'test:servers'])
      expect(scripts).toHaveProperty([name]);
  });

  test('the snippets for CI and a README use existing flags', () => {
    const help = (name: string) => code('docs/cli.md', `generated: help ${name}`);
    const lines = ['lint', 'ci', 'readme'].flatMap((name) => [
      ...code('docs/authors.md', `code: ${name}`).matchAll(/mcp-hooks (\w+) (.*)$/gm),
    ]);
    expect(lines).toHaveLength(7);
    for (const [, name = '', rest = ''] of lines)
      for (const flag of ['', ...(rest.match(/--[\w-]+/g) ?? [])])
        expect(help(name)).toContain(flag === '' ? `Usage: mcp-hooks ${name}` : flag);
  });
});

test('the line for each shell installs its completion', async ({ world }) => {
  const [, line = ''] = /<\(mcp-hooks (.*)\)/.exec(code('docs/cli.md', 'code: completion')) ?? [];
  const { code: exit, out, err } = await world.runProcess(line);
  expect([exit, out, err]).toEqual([0, expect.stringMatching(/^complete .* mcp-hooks$/m), '']);
  const { out: help } = await world.run('completion --help');
  expect(help).toContain(`source <(mcp-hooks ${line})`);
});

test.for(
  PAGES.flatMap((page) =>
    blocks(page)
      .filter(({ marker }) => marker === 'manifest')
      .map(({ text }, index) => [page, index, text] as const),
  ),
)('the manifest of %s, %i, is valid', async ([, , text], { world }) => {
  await world.write('shown.json', text);
  const { code: exit, transcript } = await world.run('validate shown.json --strict');
  expect([exit, transcript]).toEqual([0, expect.stringContaining('shown.json')]);
});

test('every grant is explained', () => {
  const table = read('docs/security.md').split('<!-- table: grants -->')[1] ?? '';
  for (const grant of GRANTS) expect(table).toContain(`| \`${grant}\` |`);
});

test('the policy on the page is valid', () => {
  const policy = policyIn(code('docs/security.md', 'policy'), 'policy.json');
  expect(policy).toHaveProperty(['servers', 'chatty', 'muted'], true);
});

test("the README's hooks are right, in the versions that it names", async ({ world }) => {
  const [table = ''] = read('README.md').match(/(?<=<!-- hooks -->\n)(?:\|.*\n)+/) ?? [];
  const hooks = [...table.matchAll(/`("event": .*)` \|$/gm)].map(([, hook = '']) => `{ ${hook} }`);
  expect(hooks.length).toBeGreaterThan(3);
  await world.write('format.sh', '#!/bin/sh\n', 0o755);
  const server = { command: 'npx', args: ['memory'] };
  const validate = async (version: 1 | 2, some: readonly string[]) => {
    const declarations = some.map((hook) => JSON.parse(hook));
    const manifest = { version, name: 'all', server, hooks: { declarations } };
    await world.write('mcp-hooks.json', JSON.stringify(manifest));
    const { code, out } = await world.run('validate .');
    return [code, out];
  };
  // The page says that the last two hooks need version 2.
  for (const [version, some] of [
    [1, hooks.slice(0, -2)],
    [2, hooks],
  ] as const)
    expect(await validate(version, some)).toEqual([
      0,
      expect.stringContaining(`declares ${some.length} hooks`),
    ]);
  for (const hook of hooks.slice(-2)) expect((await validate(1, [hook]))[0]).not.toBe(0);
});

test('the example in README is the file in examples', () => {
  shows('README.md', 'file: examples/memory.json', fenced('json', read('examples/memory.json')));
  expect(read('examples/memory.json')).not.toBe('');
});

test('docs/cli.md has the --help of each command', async ({ world }) => {
  const { out } = await world.run('man');
  const commands = [...out.matchAll(/^\.SS (\w+)/gm)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(10);
  for (const name of commands) {
    const { out: help } = await world.run([name, '--help']);
    shows('docs/cli.md', `generated: help ${name}`, fenced('text', help));
  }
});

test('docs/cli.md explains exit code 1 as --help does', () => {
  const [row = ''] = read('docs/cli.md').match(/^\| 1 \| .*$/m) ?? [];
  const all = Object.entries(FOUND).map(
    ([commands, meaning]) =>
      `${commands
        .split(' and ')
        .map((name) => `\`${name}\``)
        .join(' and ')}: ${meaning}`,
  );
  expect(row).toBe(`| 1 | ${all.join('. ')} |`);
});

test('the recording shows a real run', async ({ world }) => {
  await world.folder('~/.claude');
  await world.write('reminder.json', read('examples/commit-reminder.json'));
  const before = await record(world, [
    ['diff', 'reminder.json'],
    ['install', 'reminder.json', '--yes'],
  ]);
  const after = await record(world, [['uninstall', 'commit-reminder', '--yes']]);
  const steps = [...before, received(), ...after];
  const file = join(ROOT, 'docs/recording.svg');
  if (process.env.UPDATE_PAGES) writeFileSync(file, recording(steps));
  expect(read('docs/recording.svg')).toBe(recording(steps));
  expect(read('README.md')).toContain('](docs/recording.svg)');
});

test('the picture shows a real install and a real session', async ({ world }) => {
  await world.folder('~/.claude');
  const manifest = read('examples/commit-reminder.json');
  await world.write('commit-reminder.json', manifest);
  await world.run('install commit-reminder.json --yes');
  const settings: { hooks: Record<string, unknown[]> } = JSON.parse(
    await world.read('~/.claude/settings.json'),
  );
  const entry = JSON.stringify(settings.hooks.PostToolUse?.[0], null, 2);
  const { client, version, messages }: Received = JSON.parse(readFileSync(RECEIVED, 'utf8'));
  const { name = '' } = CLIENTS.find(({ id }) => id === client) ?? {};
  const { hooks } = JSON.parse(manifest);
  const shown = picture([
    {
      title: 'One declaration',
      lines: linesOf(JSON.stringify(hooks.declarations[0], null, 2)),
    },
    {
      by: 'mcp-hooks install',
      title: 'An entry in ~/.claude/settings.json',
      lines: linesOf(entry.replaceAll(world.home, '/home/you')),
    },
    {
      by: `after a call, ${name} runs this command`,
      title: `What the model reads (${name} ${version})`,
      lines: messages.flatMap(({ from, text }) =>
        linesOf(text).map((line) => ({ ...line, strong: from === 'hook' })),
      ),
    },
  ]);
  const file = join(ROOT, 'docs/how-it-works.svg');
  if (process.env.UPDATE_PAGES) writeFileSync(file, shown);
  expect(read('docs/how-it-works.svg')).toBe(shown);
  expect(read('docs/how-it-works.md')).toContain('](how-it-works.svg)');
});

const linesOf = (text: string) => text.split('\n').map((line) => ({ text: line }));

test("the example's entry, and what a model reads", async ({ world }) => {
  await readersWorld(world);
  await world.run('install examples/memory.json --yes');
  const settings: { hooks: Record<string, object[]> } = JSON.parse(
    await world.read('~/.claude/settings.json'),
  );
  const [group] = settings.hooks.PostToolUse ?? [];
  const shown = JSON.stringify(group).replaceAll(world.home, '/home/you');
  shows('docs/files.md', 'generated: entry', fenced('json', shown));
  const fired = await world.run([
    'fire',
    'memory',
    'post_tool_use',
    '--client',
    'claude-code',
    '--input',
    '{"command": "git commit -m x"}',
    '--json',
  ]);
  const { clients } = JSON.parse(fired.out);
  const told: string = clients[0].firings[0].text;
  for (const page of ['README.md', 'docs/authors.md'])
    shows(page, 'generated: note', fenced('text', told));
  expect(told).toContain('You just committed work.');
});

test('the tables of how each client makes each event happen', () => {
  const cell = (lowering: Lowering | undefined) =>
    lowering
      ? `${[...new Set(lowering.on.map(({ native }) => native))].join(', ')}: **${lowering.grade}**`
      : '**none**';
  const rowsOf = (event: Event) => {
    const cells = CLIENTS.map((client) => client.lowering[event]);
    const row = (name: string, lowerings: (Lowering | undefined)[]) =>
      `| ${name} | ${lowerings.map(cell).join(' | ')} |`;
    const tools = cells.some((one) => one?.tool);
    return [
      row(
        `\`${event}\`${tools ? ', text' : ''}`,
        cells.map((one) => one?.text),
      ),
      ...(tools
        ? [
            row(
              `\`${event}\`, tool`,
              cells.map((one) => one?.tool ?? one?.text),
            ),
          ]
        : []),
      ...(cells.some((one) => one?.actNow)
        ? [
            row(
              `\`${event}\`, \`--act-now\``,
              cells.map((one) => one?.actNow ?? one?.text),
            ),
          ]
        : []),
    ];
  };
  const head = headOf('');
  const table = (events: readonly Event[]) => `${head}\n${events.flatMap(rowsOf).join('\n')}\n`;
  shows('docs/clients.md', 'table: clients', table(EVENTS));
  shows('docs/clients.md', 'table: lifecycle', table(LIFECYCLE_EVENTS));
  const decisions = ALL_EVENTS.flatMap((event) =>
    (['block', 'input', 'output'] as const).flatMap((what) => {
      const cells = CLIENTS.map(({ lowering }) => lowering[event]?.decide?.[what]);
      const grades = cells.map((one) => one?.grade ?? 'none');
      return cells.some((one) => one) ? [`| \`${event}\`, ${what} | ${grades.join(' | ')} |`] : [];
    }),
  );
  const versions = CLIENTS.map(
    (one) => `| ${one.name} | ${one.minimum ?? '-'} | ${measuredIn(one) ?? 'not run'} |`,
  );
  shows(
    'docs/clients.md',
    'table: versions',
    `| client | oldest | newest that was run |\n|---|---|---|\n${versions.join('\n')}\n`,
  );
  shows('docs/clients.md', 'table: decisions', `${head}\n${decisions.join('\n')}\n`);
  const short = CLIENTS.map((client) => {
    const grades = EVENTS.map((event) => client.lowering[event]?.text.grade ?? 'none');
    const name = `${client.name} ${measuredIn(client) ?? '(not run)'}`;
    return `| ${name} | ${grades.join(' | ')} |`;
  });
  const events = EVENTS.map((event) => ` \`${event}\` |`).join('');
  shows(
    'README.md',
    'generated: events',
    `| |${events}\n|---|${EVENTS.map(() => '---|').join('')}\n${short.join('\n')}\n`,
  );
  expect(EVENTS).toHaveLength(6);
});

test('the tables of what was recorded for each client', () => {
  const all = Object.values(expected);
  const table = (first: string, rows: readonly string[][]) =>
    `${headOf(first, namesOf(IDS))}\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
  const situations = SITUATIONS.map((one) => [
    SITUATION_IN_WORDS[one],
    ...all.map(({ real }) => real.texts[one]),
  ]);
  shows('docs/clients.md', 'table: situations', table('', situations));
  const sessions = SESSIONS.map((one) => [one, ...all.map(({ real }) => real.sessions[one])]);
  shows('docs/clients.md', 'table: sessions', table('', sessions));
  const short = (name: string) => name.replace(/(.)\1{9,}/g, (run) => `${run[0]}×${run.length}`);
  const names = all[0]?.mcpNames.map(([{ server, tool }], row) => [
    `\`${short(server)}\`, \`${short(tool)}\``,
    ...all.map(({ mcpNames }) => {
      const name = mcpNames[row]?.[1] ?? null;
      return name === null ? 'not offered' : `\`${short(name)}\``;
    }),
  ]);
  shows('docs/clients.md', 'table: names', table('server, tool', names ?? []));
});

/** The name with a mark if the client's column is only documented, not measured. */
const markedName = (client: Client): string =>
  `${client.name}${measuredIn(client) === undefined ? ' (not run)' : ''}`;

/** The head of a table with a column for each client. @param first The head of the first column, or an empty string. */
function headOf(first: string, names: readonly string[] = CLIENTS.map(markedName)): string {
  return `| ${first && `${first} `}| ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`;
}

const SITUATION_IN_WORDS: Readonly<Record<Situation, string>> = {
  'failed command': 'a command that failed',
  'failed call': "a failed call of one of the client's other tools",
  'failed MCP call': 'a failed call of an MCP tool',
  block: 'a result that another hook blocks',
  change: 'a result that another hook changes',
};

test('the example server works, and servers in other languages give the answers on the pages', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-readme-'));
  const shown = (marker: string) => code('docs/authors.md', marker);
  expect(code('README.md', 'example: server')).toBe(shown('example: server'));
  try {
    writeFileSync(join(scratch, 'server.mjs'), shown('example: server'));
    mkdirSync(join(scratch, 'node_modules'));
    symlinkSync(ROOT, join(scratch, 'node_modules', 'mcp-hooks'));
    symlinkSync(
      join(ROOT, 'node_modules/@modelcontextprotocol'),
      join(scratch, 'node_modules', '@modelcontextprotocol'),
    );
    const { hooks } = await askServer({
      label: 'notes',
      command: process.execPath,
      args: ['server.mjs'],
      cwd: scratch,
      env: process.env,
      deadline: 20_000,
      version: '1.0.0',
    });
    expect(hooks).toHaveLength(1);
    // A mistake in the declaration is a TypeError as soon as the server starts, before any client asks.
    writeFileSync(
      join(scratch, 'wrong.mjs'),
      shown('example: server').replace('important', 'high'),
    );
    const wrong = spawnSync(process.execPath, ['wrong.mjs'], {
      cwd: scratch,
      input: '',
      encoding: 'utf8',
    });
    expect(wrong.stderr).toContain('TypeError: declareHooks: these hooks cannot be declared.');
    expect(wrong.status).toBe(1);
    for (const era of ['initialize', 'discover']) {
      const { capabilities } = JSON.parse(shown(`example: ${era}`));
      const form = findForm({ capabilities });
      expect(readDeclarations(form?.hooks, form?.path ?? [], doubts)).toEqual({
        declarations: hooks,
        problems: [],
        unsupported: [],
      });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

test('the named versions of SDKs and frameworks are the tested ones', () => {
  const { dependencies } = JSON.parse(read('test/real-servers/package.json'));
  for (const [name, called] of [
    ['@modelcontextprotocol/sdk', 'SDK'],
    ['@modelcontextprotocol/server', 'SDK'],
    ['fastmcp', 'fastmcp'],
    ['mcp-framework', 'mcp-framework'],
  ] as const)
    expect(read('docs/authors.md')).toContain(`${called} ${dependencies[name]}`);
});

test('the table of servers, and where their hooks were found', () => {
  shows('docs/authors.md', 'table: servers', markdown(recorded()));
});

test('the limits of a declaration are the real ones', () => {
  const n = (number: number) => number.toLocaleString('en');
  const rows: [string, string][] = [
    ['declarations', DECLARATIONS.toLocaleString('en')],
    ['`context`', `${CONTEXT_CHARACTERS.toLocaleString('en')} characters`],
    [
      "an event, a tool's name, a field of a matcher",
      `${NAME_CHARACTERS.toLocaleString('en')} characters`,
    ],
    ['`context_tool_args`', `${ARGS_CHARACTERS.toLocaleString('en')} characters`],
    ['nesting of brackets', `${DEPTH}`],
    ['`block`', `${n(CONTEXT_CHARACTERS)} characters`],
    ['a list of globs, the words of a `command`', `${LIST_ENTRIES} entries`],
    ['a word of a `command`', `${n(WORD_CHARACTERS)} characters`],
    ['`order`', `${n(ORDER)}, above or below 0`],
    ['`cooldown`', `${n(COOLDOWN_SECONDS)} seconds`],
    ['`deadline`', `${n(DEADLINE_MS)} milliseconds; in the background ${n(BACKGROUND_MS.most)}`],
    ['`limit`', `${n(LIMIT)} characters or tokens`],
    ['`budget`', `${n(BUDGET_TOKENS)} tokens`],
    [
      '`repeat`',
      `${REPEAT_TIMES.least} to ${REPEAT_TIMES.most} times within ${n(REPEAT_SECONDS)} seconds`,
    ],
    ['a file that a `command` names', `${COMMAND_FILE_BYTES / 1024 / 1024} MiB`],
    ["a server's answer", `${RESPONSE_BYTES / 1024 / 1024} MiB`],
    ['a manifest', `${MANIFEST_BYTES / 1024 / 1024} MiB`],
  ];
  const table = rows.map(([of, most]) => `| ${of} | ${most} |\n`);
  shows(
    'docs/declaration.md',
    'generated: limits',
    `| of | at most |\n|---|---|\n${table.join('')}`,
  );
});

test('the named versions of clients are the ones that were tested', () => {
  for (const page of ['README.md', 'docs/clients.md'])
    for (const client of CLIENTS)
      expect(read(page)).toContain(`${client.name} ${measuredIn(client) ?? ''}`.trim());
  const { dependencies } = JSON.parse(read('test/real-clients/package.json'));
  expect(Object.values(dependencies).sort()).toEqual(
    CLIENTS.flatMap((client) => measuredIn(client) ?? []).sort(),
  );
});

test('the table of configuration files has the files that are read', () => {
  const at = { env: {}, home: '~', cwd: '/<project>', platform: 'linux' } as const;
  const rows = SERVER_CLIENTS.map(({ id, name, files }) => {
    const all = files(at).map(
      ({ path, keys, format, scope }) =>
        `\`${path}\`: \`${format === 'toml' ? `[${keys.join('.')}.*]` : keys.join('.')}\` (${scope})`,
    );
    // Without the files in folders above the project.
    const known = all.filter((file) => /^`(?:~|\/<project>)/.test(file)).join('; ');
    return `| ${name} | \`${id}\` | ${known.replaceAll('/<project>', '<project>')} |`;
  });
  shows(
    'docs/sources.md',
    'table: configurations',
    ['| client | `--from` | files |', '|---|---|---|', ...rows, ''].join('\n'),
  );
});
