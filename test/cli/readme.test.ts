// What the README shows is what the tool does: its example and its table are made here, and compared.
// `UPDATE_README=1 npx vitest run test/cli/readme.test.ts` writes them.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Client, Lowering } from '../../src/clients/contract.ts';
import { CLIENTS, SERVER_CLIENTS } from '../../src/clients/registry.ts';
import { doubts } from '../../src/compile/doubts.ts';
import { EVENTS } from '../../src/declaration/declaration.ts';
import {
  ARGS_CHARACTERS,
  CONTEXT_CHARACTERS,
  DECLARATIONS,
  DEPTH,
  MANIFEST_BYTES,
  NAME_CHARACTERS,
  RESPONSE_BYTES,
} from '../../src/declaration/limits.ts';
import { findForm, readDeclarations } from '../../src/declaration/manifest.ts';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { markdown, recorded } from '../real-servers/seen.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const README = local('../../README.md');
const readme = () => readFileSync(README, 'utf8');

/** The block after a marker: a fenced block or a table. */
const block = (marker: string) =>
  new RegExp(`(<!-- ${marker} -->\\n)(\`\`\`\\w*\\n[\\s\\S]*?\`\`\`|(?:\\|.*\\n)*)`);

function shows(marker: string, expected: string): void {
  const text = readme();
  if (process.env.UPDATE_README)
    writeFileSync(
      README,
      text.replace(block(marker), (_all, head) => `${head}${expected}`),
    );
  else expect(block(marker).exec(text)?.[2]).toBe(expected);
}

test('the example: what each client gets, and what its model reads', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-readme-'));
  try {
    const home = join(scratch, 'you');
    mkdirSync(home);
    for (const folder of ['.claude', '.codex', '.copilot', '.gemini'])
      mkdirSync(join(home, folder));
    const declaration = /```json\n([\s\S]*?)```/.exec(
      block('example: declaration').exec(readme())?.[2] ?? '',
    );
    writeFileSync(join(scratch, 'notes.json'), declaration?.[1] ?? '');
    const env = { PATH: process.env.PATH ?? '', HOME: home };
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [local('../../dist/cli.cjs'), ...args, '--json'], {
        cwd: scratch,
        env,
        encoding: 'utf8',
      });
    const plan = JSON.parse(run('diff', 'notes.json').stdout);
    run('install', 'notes.json', '--yes');

    const parts = CLIENTS.map((client: Client) => {
      const { diff, file } = plan.clients.find(({ id }: { id: string }) => id === client.id);
      const added = diff
        .split('\n')
        .filter((line: string) => /^\+(?!\+\+)/.test(line))
        .join('\n');
      const event = client.lowering.post_tool_use?.text.on[0]?.native;
      const payload = readFileSync(local(`../../fixtures/events/${client.id}/${event}.json`));
      // What is shown is what is run.
      const [, command = ''] = /"?command"?(?:: | = )("(?:[^"\\]|\\.)*")/.exec(added) ?? [];
      const answer = execFileSync('sh', ['-c', JSON.parse(command)], { input: payload, env });
      const said: string = JSON.parse(answer.toString()).hookSpecificOutput.additionalContext;
      return `# ${client.name}  ${file}\n${added}\n\n${said.replace(/^/gm, '> ')}\n`;
    });
    const outcome = parts.join('\n').replaceAll(home, '/home/you');
    shows('example: outcome', `\`\`\`diff\n${outcome}\`\`\``);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

test('the table: how each client makes each event happen', () => {
  const cell = (lowering: Lowering | undefined) =>
    lowering
      ? `${[...new Set(lowering.on.map(({ native }) => native))].join(', ')}: **${lowering.grade}**`
      : '**none**';
  const rows = EVENTS.flatMap((event) => {
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
  });
  const head = `| | ${CLIENTS.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(CLIENTS.length)}`;
  shows('table: clients', `${head}\n${rows.join('\n')}\n`);
});

test('the server of the chapter for authors, and the answers of servers in other languages', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-readme-'));
  const code = (marker: string) =>
    /```\w+\n([\s\S]*?)```/.exec(block(marker).exec(readme())?.[2] ?? '')?.[1] ?? '';
  try {
    writeFileSync(join(scratch, 'server.mjs'), code('example: server'));
    mkdirSync(join(scratch, 'node_modules'));
    symlinkSync(local('../..'), join(scratch, 'node_modules', 'mcp-hooks'));
    symlinkSync(
      local('../../node_modules/@modelcontextprotocol'),
      join(scratch, 'node_modules', '@modelcontextprotocol'),
    );
    const { hooks } = await askServer({
      label: 'notes',
      command: process.execPath,
      args: ['server.mjs'],
      cwd: scratch,
      deadline: 20_000,
      version: '1.0.0',
    });
    expect(hooks).toHaveLength(1);
    // A mistake in it is a TypeError when the server starts: nobody has asked it anything.
    writeFileSync(join(scratch, 'wrong.mjs'), code('example: server').replace('important', 'high'));
    const wrong = spawnSync(process.execPath, ['wrong.mjs'], {
      cwd: scratch,
      input: '',
      encoding: 'utf8',
    });
    expect(wrong.stderr).toContain('TypeError: declareHooks: these hooks cannot be declared.');
    expect(wrong.status).toBe(1);
    for (const era of ['initialize', 'discover']) {
      const { capabilities } = JSON.parse(code(`example: ${era}`));
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

test('the versions of SDKs and frameworks it names are those that servers are tested with', () => {
  const { dependencies } = JSON.parse(readFileSync(local('../real-servers/package.json'), 'utf8'));
  for (const [name, called] of [
    ['@modelcontextprotocol/sdk', 'SDK'],
    ['@modelcontextprotocol/server', 'SDK'],
    ['fastmcp', 'fastmcp'],
    ['mcp-framework', 'mcp-framework'],
  ] as const)
    expect(readme()).toContain(`${called} ${dependencies[name]}`);
});

test('the table: servers, and where their hooks were found', () => {
  shows('table: servers', markdown(recorded()));
});

test('the limits it names are those that hold', () => {
  const [most, context, name, args] = [
    DECLARATIONS,
    CONTEXT_CHARACTERS,
    NAME_CHARACTERS,
    ARGS_CHARACTERS,
  ].map((limit) => limit.toLocaleString('en'));
  const [response, manifest] = [RESPONSE_BYTES, MANIFEST_BYTES].map((bytes) => bytes / 1024 / 1024);
  expect(readme()).toContain(
    `${most} declarations; ${context} characters of a \`context\`, ${name} of an event, a tool's name or a field of a matcher, ${args} of \`context_tool_args\`; ${DEPTH} brackets within brackets; ${response} MiB of answer, ${manifest} MiB of manifest`,
  );
});

test('the versions it names are those that everything was seen on', () => {
  for (const { name, verified } of CLIENTS) expect(readme()).toContain(`${name} ${verified}`);
  const { dependencies } = JSON.parse(readFileSync(local('../real-clients/package.json'), 'utf8'));
  expect(Object.values(dependencies).sort()).toEqual(
    CLIENTS.map(({ verified }) => verified).sort(),
  );
});

test('the table of where servers are configured is what is looked into', () => {
  const at = { env: {}, home: '~', cwd: '/<project>', platform: 'linux' } as const;
  const rows = SERVER_CLIENTS.map(({ id, name, files }) => {
    const all = files(at).map(
      ({ path, keys, format, scope }) =>
        `\`${path}\`: \`${format === 'toml' ? `[${keys.join('.')}.*]` : keys.join('.')}\` (${scope})`,
    );
    // Not the folders above the project.
    const known = all.filter((file) => /^`(?:~|\/<project>)/.test(file)).join('; ');
    return `| ${name} | \`${id}\` | ${known.replaceAll('/<project>', '<project>')} |`;
  });
  shows(
    'table: configurations',
    ['| client | `--from` | files |', '|---|---|---|', ...rows, ''].join('\n'),
  );
});
