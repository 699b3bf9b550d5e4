// The steps of action.yml, run in the way GitHub runs them, on the repository of a server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll } from 'vitest';
import { parse } from 'yaml';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { withNpm } from '../support/npm-registry.ts';
import { test, World } from '../support/world.ts';
import { packed } from './builds.ts';
import { type Registry, startRegistry } from './registry.ts';

interface Step {
  readonly id?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}
const ACTION: {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
} = parse(readFileSync(join(import.meta.dirname, '../../action.yml'), 'utf8'));

let shelf: World;
let registry: Registry;
beforeAll(async () => {
  shelf = await World.make();
  registry = await startRegistry();
  await registry.publish(await packed('current', shelf.work), '--access=public');
});
afterAll(async () => {
  await registry?.close();
  await shelf?.remove();
});

/** Runs the steps in order until one fails. Returns the last exit code, and the file that would be uploaded. */
async function act(world: World, given: Readonly<Record<string, string>> = {}) {
  await withNpm(world);
  const inputs = Object.entries(ACTION.inputs).map(([name, input]): [string, string] => [
    name,
    input.default,
  ]);
  const context: Record<string, string> = { 'runner.temp': world.root };
  for (const [name, value] of [...inputs, ...Object.entries(given)])
    context[`inputs.${name}`] = value;
  const filled = (text: string) =>
    text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => context[name] ?? '');
  let uploaded: string | undefined;
  for (const step of ACTION.runs.steps) {
    if (step.run === undefined) {
      uploaded = filled(step.with?.sarif_file ?? '');
      continue;
    }
    const output = join(world.root, `output-${step.id}`);
    await world.write(output, '');
    const env = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]);
    const more = { GITHUB_OUTPUT: output, npm_config_registry: registry.url };
    // The options with which GitHub starts bash.
    const { exitCode, stderr } = await execa(
      '/bin/bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
      {
        cwd: world.work,
        env: world.env({ ...more, ...Object.fromEntries(env) }),
        extendEnv: false,
        reject: false,
      },
    );
    if (exitCode !== 0) return { code: exitCode, stderr, uploaded };
    for (const line of (await world.read(output)).split('\n').filter(Boolean)) {
      const [name = '', ...value] = line.split('=');
      context[`steps.${step.id}.outputs.${name}`] = value.join('=');
    }
  }
  return { code: 0, stderr: '', uploaded };
}

const findings = async (world: World, path = '') => {
  const { runs } = JSON.parse(await world.read(path));
  return runs[0].results.map(
    (result: {
      ruleId: string;
      level: string;
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[];
    }) => {
      const [at] = result.locations;
      const { artifactLocation, region } = at?.physicalLocation ?? {};
      return [result.level, artifactLocation?.uri, region];
    },
  );
};

test('a manifest without mistakes passes, and code scanning gets an empty list', async ({
  world,
  expect,
}) => {
  await world.write('mcp-hooks.json', manifest(COMMITTED));
  const { code, uploaded } = await act(world);
  expect(code).toBe(0);
  expect(await findings(world, uploaded)).toEqual([]);
});

test('a mistake fails the job after its position has been uploaded', async ({ world, expect }) => {
  const wrong =
    '{ "declarations": [\n  { "event": "never", "context": "x", "priority": "important" }\n] }';
  await world.write('hooks/notes.json', wrong);
  const { code, uploaded } = await act(world, { manifest: 'hooks/notes.json' });
  expect(code).toBe(2);
  expect(await findings(world, uploaded)).toEqual([
    ['error', 'hooks/notes.json', expect.objectContaining({ startLine: 2, startColumn: 5 })],
  ]);
});

test('a missing manifest fails the job, and nothing is uploaded', async ({ world, expect }) => {
  const { code, stderr, uploaded } = await act(world);
  expect([code, uploaded]).toEqual([2, undefined]);
  expect(stderr).toContain('mcp-hooks.json');
});

test('a file name is never run as a command', async ({ world, expect }) => {
  const { code } = await act(world, { manifest: '$(touch ran); `touch ran`' });
  expect(code).toBe(2);
  expect(Object.keys(await world.snapshot(world.work))).toEqual(['.']);
});
