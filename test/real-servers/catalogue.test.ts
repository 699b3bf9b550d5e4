// Asks the servers of our catalogue that run without the network for their tools: the tools named in our texts exist.
// `UPDATE_SEEN=1 npx vitest run --config test/real-servers/vitest.config.ts catalogue` records the answers.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CatalogueEntry, catalogue } from '../../src/sources/catalogue/catalogue.ts';
import { commandsOf, onlyOne } from '../../src/sources/manifests/package-json.ts';
import { checkArguments, listTools } from '../../src/sources/protocol/tools.ts';
import { type RecordedTools, toolsNamed } from '../support/catalogue.ts';

const HERE = import.meta.dirname;
const RECORDED = join(HERE, '../../fixtures/catalogue');

/** What they want before they start; nothing of it is used. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  NOTION_TOKEN: 'ntn_none',
  GITHUB_PERSONAL_ACCESS_TOKEN: 'none',
};
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = { 'server-filesystem': [tmpdir()] };

const run = catalogue().filter(({ checked }) => checked.how === 'run');

/** Servers that no registry of npm has: a folder with the programs of those that are on this machine. */
const OTHERS = process.env.MCP_HOOKS_SERVERS;
const others = catalogue().filter(({ checked }) => checked.how === 'asked');

test('most of the catalogue is asked itself', () => {
  expect(run.length).toBeGreaterThanOrEqual(8);
});

test.each(run.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
  const [id = ''] = entry.match.npm ?? [];
  const folder = join(HERE, 'node_modules', id);
  const contents = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const commands = commandsOf(contents, id.replace(/^.*\//, ''));
  const [command = ''] = entry.match.commands ?? [];
  const program = commands.get(command) ?? onlyOne(commands) ?? '';
  expect(entry.checked.version).toBe(contents.version);
  await compare(entry, process.execPath, [join(folder, program), ...(ARGUMENTS[name] ?? [])]);
});

test.skipIf(OTHERS === undefined).each(others.map((entry) => [entry.name, entry] as const))(
  '%s, where it is on this machine',
  async (_, entry) => {
    const [command = ''] = entry.match.commands ?? [];
    await compare(entry, join(OTHERS ?? '', command), []);
  },
);

/** Compares the answer with the recording, and with the tools that our hooks name. */
async function compare(entry: CatalogueEntry, command: string, args: readonly string[]) {
  const { name, checked } = entry;
  const { tools, answer } = await listTools({
    ...{ label: name, name, deadline: 50_000, version: '0.0.0', cwd: HERE, env: ENVIRONMENT },
    ...{ command, args },
  });
  // It would have no place in the catalogue.
  expect(answer.capabilities).not.toHaveProperty('hooks');
  const named = toolsNamed(entry);
  for (const { name: tool, args: given } of named) {
    const known = tools.find((one) => one.name === tool);
    expect(known, tool).toBeDefined();
    if (known && given) expect(checkArguments(known, given)).toEqual([]);
  }
  const file = join(RECORDED, `${name}.json`);
  const before: RecordedTools = JSON.parse(readFileSync(file, 'utf8'));
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
