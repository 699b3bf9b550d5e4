// Asks the catalogue servers that npm has, and that start without an account and the network, for their tools, to check that
// the tools named in our texts exist. `UPDATE_SEEN=1 npm run test:catalogue` records the answers, `-- -t <name>` asks one only.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CatalogueEntry, catalogue } from '../../src/sources/catalogue/catalogue.ts';
import { commandsOf, onlyOne } from '../../src/sources/manifests/package-json.ts';
import { checkArguments, listTools } from '../../src/sources/protocol/tools.ts';
import { type RecordedTools, toolsNamed } from '../support/catalogue.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDED = join(ROOT, 'fixtures/catalogue');
const INSTALLED = join(ROOT, 'node_modules/.cache/catalogue');

/** Variables that the servers require before they start. They use none of the values. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  AIRTABLE_API_KEY: 'pat.none',
  BRAVE_API_KEY: 'none',
  GITHUB_PERSONAL_ACCESS_TOKEN: 'none',
  GITLAB_PERSONAL_ACCESS_TOKEN: 'none',
  NOTION_TOKEN: 'ntn_none',
  PERPLEXITY_API_KEY: 'none',
  TAVILY_API_KEY: 'none',
};
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'brave-search': ['--transport', 'stdio'],
  figma: ['--figma-api-key=none', '--stdio'],
  sentry: ['--access-token=none'],
  'server-filesystem': [tmpdir()],
};

const run = catalogue().filter(({ checked }) => checked.how === 'run');

/** The folder with the programs of servers that npm does not have, if they are on this machine. */
const OTHERS = process.env.MCP_HOOKS_SERVERS;
const others = catalogue().filter(({ checked }) => checked.how === 'asked');

test.each(run.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
  const [id = ''] = entry.match.npm ?? [];
  const folder = join(installed(name, `${id}@${entry.checked.version}`), 'node_modules', id);
  const contents = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const commands = commandsOf(contents, id.replace(/^.*\//, ''));
  const [command = ''] = entry.match.commands ?? [];
  const program = commands.get(command) ?? onlyOne(commands) ?? '';
  await compare(entry, process.execPath, [
    join(folder, program),
    ...(entry.match.args ?? ARGUMENTS[name] ?? []),
  ]);
});

/** A folder with only this package, which later runs reuse. None of its scripts run. */
function installed(name: string, spec: string): string {
  const folder = join(INSTALLED, spec.replace('/', '+'));
  const done = join(folder, 'done');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true }));
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', '--no-save', ...quiet, spec], { cwd: folder });
  writeFileSync(done, '');
  return folder;
}

test.skipIf(OTHERS === undefined).each(others.map((entry) => [entry.name, entry] as const))(
  '%s, if it is on this machine',
  async (_, entry) => {
    const [command = ''] = entry.match.commands ?? [];
    await compare(entry, join(OTHERS ?? '', command), []);
  },
);

/** Compares the answer with the recording, and with the tools that our hooks name. */
async function compare(entry: CatalogueEntry, command: string, args: readonly string[]) {
  const { name, checked } = entry;
  const home = mkdtempSync(join(tmpdir(), 'catalogue-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { tools, answer } = await listTools({
    ...{ label: name, name, deadline: 50_000, version: '0.0.0', cwd: home },
    ...{ command, args, env: { ...ENVIRONMENT, HOME: home } },
  });
  // The catalogue is only for servers without hooks of their own.
  expect(answer.capabilities).not.toHaveProperty('hooks');
  const named = toolsNamed(entry);
  for (const { name: tool, args: given } of named) {
    const known = tools.find((one) => one.name === tool);
    expect(known, tool).toBeDefined();
    if (known && given) expect(checkArguments(known, given)).toEqual([]);
  }
  const file = join(RECORDED, `${name}.json`);
  const before: Partial<RecordedTools> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  const called = named.flatMap((one) => (one.args ? one.name : []));
  const recorded = {
    ...before,
    how: checked.how,
    ...(checked.how === 'run' && { source: checked.source }),
    tools: tools.map(({ name: tool, inputSchema }) => ({
      name: tool,
      ...(called.includes(tool) && { inputSchema }),
    })),
  };
  if (process.env.UPDATE_SEEN) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(recorded);
}
