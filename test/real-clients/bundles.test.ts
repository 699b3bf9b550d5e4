// Packages of `mcp-hooks build` in their clients: a package passes the client's own check, its text is in the model's request,
// and it is there only once even if the user has installed the same hooks.
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wireOf } from '../../src/clients/contract.ts';
import type { ClientDriver, Turns } from '../../src/clients/driver/driver.ts';
import type { Conversation } from '../../src/clients/driver/model.ts';
import { bundleOf } from '../../src/clients/registry.ts';
import { type Executable, run } from '../../src/system/child.ts';
import { expected } from '../clients/expectations.ts';
import { type ClientId, clientOf, IDS, MOMENTS } from '../support/runner/clients.ts';
import { CACHES, CLIENTS, type Client, LAUNCH } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { install, mcpHooks, tree } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const ECHO = fileURLToPath(new URL('./fixtures/echo-server.mjs', import.meta.url));

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

const MANIFEST = {
  name: 'Annal.srv',
  // A command that `build` ships. One with a path of this machine as a word would be left out.
  server: {
    command: 'node',
    args: ['-e', `import(${JSON.stringify(ECHO)})`],
    env: { ECHO_MODE: 'quiet' },
  },
  hooks: {
    declarations: [
      { event: 'session_start', priority: 'required', context: 'TOLD-AT-START' },
      {
        event: 'post_tool_use',
        priority: 'important',
        context: 'TOLD-AFTER-COMMIT',
        matcher: { tool_name: 'Bash', input_contains: 'git commit' },
      },
      { event: 'session_start', priority: 'important', context_tool: 'echo' },
    ],
  },
};
const NAME = 'annal-srv';

const written = (
  manifest: { readonly name: string; readonly hooks: object } = MANIFEST,
): string => {
  const file = join(place.files, `${manifest.name}.json`);
  writeFileSync(file, JSON.stringify(manifest));
  return file;
};

/** Builds for one client, and returns the folder with its part of the output. */
async function built({ id }: Client, manifest?: Parameters<typeof written>[0]): Promise<string> {
  const out = join(place.files, `a vendor's output${manifest ? ` of ${manifest.name}` : ''}`);
  await mcpHooks(place, 'build', written(manifest), '--out', out, '--target', id);
  return join(out, id);
}

const { PATH = '' } = process.env;

/** A command of the client itself; fails unless it exits 0. */
async function own({ id }: Client, ...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await run(LAUNCH[id], args, {
    cwd: place.project,
    env: {
      PATH,
      HOME: place.home,
      ...CACHES,
      ...expected[id].real.offline,
      HTTPS_PROXY: 'http://127.0.0.1:9',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  });
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.anything()]);
  return `${stdout}${stderr}`;
}

/** The ways in which a user installs the package. They return how the client is then started. */
type Load = (client: Client, folder: string, name?: string) => Promise<Executable>;

const flag: Load = async ({ id }, folder) => [...LAUNCH[id], '--plugin-dir', join(folder, NAME)];

const fromMarketplace: Load = async (client, folder) => {
  await own(client, 'plugin', 'marketplace', 'add', folder);
  await own(client, 'plugin', client.id === 'codex' ? 'add' : 'install', `${NAME}@${NAME}`);
  if (client.id === 'codex') await trustHooks(place.home, place.project);
  return LAUNCH[client.id];
};

const WAYS: Readonly<Record<string, Load>> = {
  '--plugin-dir': flag,
  'a folder as marketplace': async (client, folder, name = NAME) => {
    await own(client, 'plugin', 'marketplace', 'add', folder);
    await own(client, 'plugin', 'install', `${name}@${basename(folder)}`);
    return LAUNCH[client.id];
  },
  'a link in its plugins': async (client, folder) => {
    const plugins = join(place.home, expected[client.id].folder, 'plugins');
    mkdirSync(plugins, { recursive: true });
    symlinkSync(join(folder, NAME, 'index.js'), join(plugins, `${NAME}.js`));
    return LAUNCH[client.id];
  },
  'plugin install': async (client, folder) => {
    await own(client, 'plugin', 'install', join(folder, NAME));
    return LAUNCH[client.id];
  },
  'a marketplace': fromMarketplace,
  // As its terminal does after "/plugins install". The client has no command for it.
  'its list of plugins': async (client, folder) => {
    const plugins = join(place.home, expected[client.id].folder, 'plugins');
    const root = join(plugins, 'managed', NAME);
    cpSync(join(folder, NAME), root, { recursive: true });
    const now = new Date().toISOString();
    const state = { enabled: true, installedAt: now, updatedAt: now };
    const plugin = { id: NAME, root, source: 'local-path', ...state };
    writeFileSync(
      join(plugins, 'installed.json'),
      JSON.stringify({ version: 1, plugins: [plugin] }),
    );
    return LAUNCH[client.id];
  },
  link: async (client, folder) => {
    await own(client, 'extensions', 'link', join(folder, NAME), '--consent');
    return LAUNCH[client.id];
  },
  install: async (client, folder) => {
    await own(client, 'extensions', 'install', join(folder, NAME), '--consent');
    return LAUNCH[client.id];
  },
};
const waysOf = (id: ClientId) =>
  Object.entries(expected[id].real.ways).map(([way, turns]) => {
    const load = WAYS[way];
    if (!load) throw new Error(way);
    return { way, turns: turns ?? undefined, load };
  });

const SESSION = {
  prompts: ['PROMPT-ONE', 'PROMPT-TWO'],
  steps: [
    { shell: 'git commit --quiet --allow-empty -m done; echo COMMITTED' },
    { text: 'first answer' },
    { text: 'second answer' },
  ],
};

async function session(
  client: ClientDriver,
  launch: Executable,
  turns?: Turns,
): Promise<Conversation> {
  const all = { ...place, ...SESSION, launch, ...(turns && { turns }) };
  const { conversation, exitCode, stepsLeft } = await client.run(all);
  expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
  return conversation;
}

/** The first request in which the model reads the text about the call. */
const toldIn = (id: ClientId): number => (expected[id].real.tellsLater ? 3 : 2);

/** How often a text is in a request. */
const times = (conversation: Conversation, text: string, request: number): number =>
  conversation.find(text, request).reduce((sum, one) => sum + one.text.split(text).length - 1, 0);

const ALL = IDS.flatMap((id) => waysOf(id).map((one) => ({ id, ...one })));

test.each(ALL)('$id, from $way: the model reads the texts, once', async ({ id, turns, load }) => {
  const client = CLIENTS[id];
  client.prepare(place);
  const launch = await load(client, await built(client));
  const conversation = await session(client, launch, turns);

  expect(times(conversation, 'TOLD-AT-START', 1)).toBe(1);
  expect(conversation.requestsWith('TOLD-AFTER-COMMIT')[0]).toBe(toldIn(id));
  expect(times(conversation, 'TOLD-AFTER-COMMIT', toldIn(id))).toBe(1);
  const last = conversation.requests.length;
  expect(times(conversation, 'TOLD-AT-START', last)).toBe(1);
});

const taking = Object.values(CLIENTS).filter(({ id }) => waysOf(id).length > 0);
describe.each(taking)('$id', (client) => {
  test('a text is read once if the user has installed the same hooks, and still after an uninstall', async () => {
    client.prepare(place);
    const [first] = waysOf(client.id);
    if (!first) throw new Error(client.id);
    const folder = await built(client);
    await mcpHooks(place, 'install', written(), '--client', client.id, '--yes');
    const launch = await first.load(client, folder);
    const both = await session(client, launch);
    expect(times(both, 'TOLD-AT-START', 1)).toBe(1);
    expect(times(both, 'TOLD-AFTER-COMMIT', toldIn(client.id))).toBe(1);

    await mcpHooks(place, 'uninstall', MANIFEST.name, '--yes');
    const alone = await session(client, launch);
    expect(times(alone, 'TOLD-AT-START', 1)).toBe(1);
    expect(times(alone, 'TOLD-AFTER-COMMIT', toldIn(client.id))).toBe(1);
  });

  test('the client itself finds no fault in the package', async () => {
    const bundle = bundleOf(client);
    const folder = await built(client);
    const { validate } = bundle ?? {};
    // Some clients have no command for this. They report what they refuse when a package is installed.
    expect(validate !== undefined).toBe(expected[client.id].real.validates === true);
    if (!validate) return;
    const said = await own(client, ...validate(join(folder, NAME)));
    expect(said).toMatch(/valid/i);
    expect(said).not.toMatch(/✘ Found \d+ errors?|warnings? in/);
    if (client.id === 'claude-code') await own(client, ...validate(folder), '--strict');
  });
});

/** The clients that read only the first of several texts. */
const FIRST = taking.filter(({ id }) => wireOf(clientOf(id), MOMENTS.after[id].event).firstOnly);
test.each(FIRST)(
  '$id: the model reads the texts of two packages and of a label',
  async (client) => {
    client.prepare(place);
    const [way] = waysOf(client.id);
    const told = { event: 'post_tool_use', priority: 'important' };
    for (const name of ['one', 'two']) {
      const declarations = [{ ...told, context: `TOLD-BY-${name}.` }];
      const folder = join(place.files, `of-${name}`);
      renameSync(await built(client, { name, hooks: { declarations } }), folder);
      await way?.load(client, folder, name);
    }
    const counted = async () => {
      const conversation = await session(client, LAUNCH[client.id]);
      return ['one', 'two', 'three'].map((name) =>
        times(conversation, `TOLD-BY-${name}.`, toldIn(client.id)),
      );
    };
    expect(await counted()).toEqual([1, 1, 0]);
    const declarations = [{ ...told, context: 'TOLD-BY-three.' }];
    await install(place, client, { name: 'three', hooks: { declarations } });
    expect(await counted()).toEqual([1, 1, 1]);
  },
);

test('a rebuild elsewhere gives the same bytes', async () => {
  const manifest = written();
  const [one, two] = [join(place.files, 'one'), join(place.files, 'deep', 'er two')];
  await mcpHooks(place, 'build', manifest, '--out', one);
  mkdirSync(two, { recursive: true });
  await mcpHooks(place, 'build', manifest, '--out', two);
  expect(tree(two)).toEqual(tree(one));
  for (const text of Object.values(tree(one))) expect(text).not.toContain(place.files);
  await mcpHooks(place, 'build', manifest, '--out', two, '--check');
});
