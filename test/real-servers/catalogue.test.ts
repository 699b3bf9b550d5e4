// The servers of our catalogue that run without the network are asked for their tools: those that our texts name are there.
// `UPDATE_SEEN=1 npx vitest run --config test/real-servers/vitest.config.ts catalogue` records what they say.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/sources/catalogue/catalogue.ts';
import { commandsOf, onlyOne } from '../../src/sources/manifests/package-json.ts';
import { checkArguments, listTools } from '../../src/sources/protocol/tools.ts';
import { toolsNamed } from '../support/catalogue.ts';

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
  const { tools, answer } = await listTools({
    ...{ label: name, name, deadline: 50_000, version: '0.0.0', cwd: HERE, env: ENVIRONMENT },
    command: process.execPath,
    args: [join(folder, program), ...(ARGUMENTS[name] ?? [])],
  });
  // It would have no place in the catalogue.
  expect(answer.capabilities).not.toHaveProperty('hooks');
  const named = toolsNamed(entry);
  for (const { name: tool, args } of named) {
    const known = tools.find((one) => one.name === tool);
    expect(known, tool).toBeDefined();
    if (known && args) expect(checkArguments(known, args)).toEqual([]);
  }
  const called = named.flatMap((one) => (one.args ? one.name : []));
  const recorded = {
    source: entry.checked.source,
    tools: tools.map(({ name: tool, inputSchema }) => ({
      name: tool,
      ...(called.includes(tool) && { inputSchema }),
    })),
  };
  const file = join(RECORDED, `${name}.json`);
  if (process.env.UPDATE_SEEN) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(recorded);
});
