// A release from its publication to its removal, against a registry that has only the packages published here.
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe } from 'vitest';
import own from '../../package.json' with { type: 'json' };
import { CLIENTS, COMMITTED, commands, fire } from '../support/hooks.ts';
import { packageOf, withNpm } from '../support/npm-registry.ts';
import { test as base, World } from '../support/world.ts';
import { packed } from './builds.ts';
import { installed, type Registry, startRegistry, withDependencies } from './registry.ts';

/** A server that declares a hook when asked, and has no file with hooks. */
const SERVER = `#!/usr/bin/env node
process.stdin.once('data', () => console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {
  capabilities: { hooks: { declarations: [${JSON.stringify(COMMITTED)}] } } } })));
`;
const NOTES = packageOf(
  { name: '@example/notes', version: '1.2.3', bin: { 'notes-mcp': 'server.js' } },
  { 'server.js': SERVER },
);

let shelf: World;
let registry: Registry;
beforeAll(async () => {
  shelf = await World.make();
  registry = await startRegistry();
  await registry.publish(await packed('0.0.1', shelf.work));
  await registry.publish(await packed('current', shelf.work), '--access=public');
  const notes = join(shelf.work, 'notes.tgz');
  await writeFile(notes, NOTES.tarball);
  await registry.publish(notes, '--access=public');
});
afterAll(async () => {
  await registry?.close();
  await shelf?.remove();
});

/** A machine with node, npm, a shell, and an empty home. The caches of package managers are outside the home. */
class Machine {
  constructor(readonly world: World) {}

  async run(line: string, more: Readonly<Record<string, string>> = {}) {
    const [program = '', ...words] = line.split(' ').filter(Boolean);
    const { root, bin } = this.world;
    const env = {
      PATH: [join(root, 'global/bin'), bin].join(':'),
      npm_config_registry: registry.url,
      npm_config_cache: join(root, 'cache'),
      npm_config_prefix: join(root, 'global'),
      npm_config_update_notifier: 'false',
      ...more,
    };
    const { exitCode, stdout, stderr } = await execa(program, words, {
      cwd: this.world.work,
      env: this.world.env(env),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    if (exitCode !== 0) throw new Error(`${line}: exit ${exitCode}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** The output of each client's hook after a commit, with nothing left but node. */
  async texts() {
    const found: Record<string, readonly string[]> = {};
    for (const client of CLIENTS) {
      const all = await commands(this.world, client);
      const fired = await Promise.all(all.map((one) => fire(this.world, client, 'sh', one)));
      found[client.id] = fired.map(({ out }) => out);
    }
    return found;
  }

  emptyCache = () => rm(join(this.world.root, 'cache'), { recursive: true, force: true });
}

const test = base.extend<{ machine: Machine }>({
  machine: async ({ world }, use) => {
    await withNpm(world);
    // The shims of pnpm use these programs.
    for (const name of ['dirname', 'sed', 'uname'])
      await world.link(join(world.bin, name), `/usr/bin/${name}`);
    await use(new Machine(world));
  },
});

const withClients = ({ world }: Machine) => world.folder('~/.claude', '~/.codex', '~/.gemini');
/** Whether each client shows the text exactly once. */
const isOnce = (texts: Readonly<Record<string, readonly string[]>>) =>
  CLIENTS.every(({ id }) => texts[id]?.length === 1 && texts[id][0]?.includes(COMMITTED.context));

describe('npx, in an empty home with nothing but node', () => {
  test('finds no server, and leaves no file', async ({ machine, expect }) => {
    expect(await machine.run('npx --yes mcp-hooks --version')).toBe(own.version);
    expect(await machine.run('npx --yes mcp-hooks scan')).toContain('No client has a server');
    expect(await readdir(machine.world.home)).toEqual([]);
  });

  test('installs a server from the registry, whose hooks need neither npx nor its cache', async ({
    machine,
    expect,
  }) => {
    await withClients(machine);
    const before = await machine.world.snapshot();
    await machine.run('npx --yes mcp-hooks install npm:@example/notes --yes --timeout 120');
    await machine.emptyCache();
    expect(await machine.texts()).toSatisfy(isOnce);
    await machine.run('npx --yes mcp-hooks uninstall notes --yes');
    expect(await machine.world.snapshot()).toEqual(before);
  });

  test('lists, updates and removes the hooks of an older version', async ({ machine, expect }) => {
    await withClients(machine);
    const before = await machine.world.snapshot();
    const line = 'npx --yes mcp-hooks@0.0.1 install npm:@example/notes --yes --timeout 120';
    await machine.run(line);
    expect(await machine.texts()).toSatisfy(isOnce);
    expect(await machine.run('npx --yes mcp-hooks list')).toMatch(/^notes\b/m);
    await machine.run('npx --yes mcp-hooks update notes --yes --timeout 120');
    expect(await machine.texts()).toSatisfy(isOnce);
    await machine.run('npx --yes mcp-hooks uninstall notes --yes');
    expect(await machine.world.snapshot()).toEqual(before);
  });
});

/** How each package manager installs and removes the command. `YARN` and `PNPM` are in the folder of this test. */
const MANAGERS: Readonly<Record<string, { install: string; run: string; remove?: string }>> = {
  'npm i -g': {
    install: 'npm install --global mcp-hooks',
    run: 'mcp-hooks',
    remove: 'npm uninstall --global mcp-hooks',
  },
  'pnpm add -g': {
    install: 'PNPM add --global mcp-hooks',
    run: 'mcp-hooks',
    remove: 'PNPM remove --global mcp-hooks',
  },
  'pnpm dlx': { install: 'PNPM --version', run: 'PNPM dlx mcp-hooks' },
  'yarn add, version 1': {
    install: 'YARN_1 add mcp-hooks',
    run: 'YARN_1 --silent run mcp-hooks',
    remove: 'YARN_1 remove mcp-hooks',
  },
  'yarn dlx': { install: 'YARN --version', run: 'YARN dlx --quiet mcp-hooks' },
};

describe('other ways to install the command', () => {
  test.for(Object.entries(MANAGERS))(
    '%s',
    async ([, { install, run, remove }], { machine, expect }) => {
      const { world } = machine;
      const programs: Readonly<Record<string, string>> = {
        PNPM: installed('pnpm/bin/pnpm.cjs'),
        YARN_1: installed('yarn/bin/yarn.js'),
        YARN: installed('@yarnpkg/cli-dist/bin/yarn.js'),
      };
      const started = (line: string) =>
        line.replace(/^(?:PNPM|YARN(?:_1)?)/, (name) => `node ${programs[name]}`);
      // The files of package managers are outside the home that is compared.
      const kept = (name: string) => join(world.root, name);
      const env = {
        PNPM_HOME: kept('global/bin'),
        XDG_DATA_HOME: kept('data'),
        XDG_CACHE_HOME: kept('cache'),
        XDG_STATE_HOME: kept('state'),
        XDG_CONFIG_HOME: kept('config'),
        YARN_CACHE_FOLDER: kept('cache/yarn'),
        YARN_GLOBAL_FOLDER: kept('yarn'),
        YARN_REGISTRY: registry.url,
        YARN_NPM_REGISTRY_SERVER: registry.url,
        YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
        YARN_ENABLE_TELEMETRY: '0',
        // The rehearsed version was published a moment ago.
        YARN_NPM_MINIMAL_AGE_GATE: '0',
      };
      await withClients(machine);
      await world.write('package.json', '{ "private": true }');
      const before = await world.snapshot();
      await machine.run(started(install), env);
      expect(await machine.run(started(`${run} --version`), env)).toBe(own.version);
      await world.write('notes.json', JSON.stringify({ hooks: { declarations: [COMMITTED] } }));
      await machine.run(started(`${run} install notes.json --yes`), env);
      const undo = started(`${run} uninstall notes --yes`);
      if (remove === undefined) await machine.emptyCache();
      else await machine.run(started(remove), env);
      expect(await machine.texts()).toSatisfy(isOnce);
      await machine.run(started(install), env);
      await machine.run(undo, env);
      expect(await world.snapshot()).toEqual(before);
    },
  );
});

/** The registry's data about a version. */
interface Facts {
  readonly dependencies?: object;
  readonly hasInstallScript?: boolean;
  readonly scripts: object;
  readonly dist: { readonly tarball: string };
}

test('the download is at most 1 MB, needs no other package, and runs nothing during its install', async ({
  expect,
}) => {
  const asked = await fetch(`${registry.url}mcp-hooks/${own.version}`);
  const { dependencies, hasInstallScript, scripts, dist } = (await asked.json()) as Facts;
  expect([dependencies, hasInstallScript]).toEqual([undefined, undefined]);
  expect(
    Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name)),
  ).toEqual([]);
  const tarball = await (await fetch(dist.tarball)).arrayBuffer();
  expect(tarball.byteLength).toBeLessThanOrEqual(1_000_000);
});

test('the time that npx takes is printed', async ({ machine, expect }) => {
  for (const folder of withDependencies('add-mcp')) await registry.publish(folder);
  const lines: string[] = [];
  const timed = async (line: string) => {
    const start = performance.now();
    await machine.run(line);
    return performance.now() - start;
  };
  const least = async (line: string) =>
    Math.min(...[await timed(line), await timed(line), await timed(line)]);
  const unit = await least('node -e 0');
  for (const name of ['mcp-hooks', 'add-mcp']) {
    await machine.emptyCache();
    const line = `npx --yes ${name} --version`;
    const [first, later] = [await timed(line), await least(line)];
    lines.push(
      `npx ${name}: ${(first / unit).toFixed(0)} the first time, ${(later / unit).toFixed(0)} later`,
    );
  }
  process.stdout.write(`As ratios to \`node -e 0\`: ${lines.join('; ')}\n`);
  expect(lines).toHaveLength(2);
});
