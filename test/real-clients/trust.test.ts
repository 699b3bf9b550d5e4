// The real Codex and trust: it computes what we compute, we grant trust only to our own hooks, and what was granted fires
// without any further step.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hooksIn, withAppServer } from '../../src/clients/codex/app-server.ts';
import { codex as client } from '../../src/clients/codex/client.ts';
import { trust as codexTrust } from '../../src/clients/codex/trust.ts';
import { stateKey, trustHash } from '../../src/clients/codex/trust-hash.ts';
import { knownEvents, type Scope } from '../../src/clients/contract.ts';
import { findPlaces } from '../../src/clients/places.ts';
import type { JsonObject } from '../../src/edit/edit.ts';
import { print } from '../../src/edit/toml-value.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { run } from '../../src/system/child.ts';
import { disk } from '../../src/system/disk.ts';
import { CLIENTS, LAUNCH } from './clients.ts';
import { listHooks, quietly } from './codex-app-server.ts';
import { type Scratch, scratch } from './scratch.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

let place: Scratch;
beforeEach(() => {
  place = scratch();
  CLIENTS.codex.prepare(place);
  // One word on the PATH, as a user has it.
  const [node, script = ''] = LAUNCH.codex;
  mkdirSync(join(place.files, 'bin'));
  writeFileSync(join(place.files, 'bin/codex'), `#!/bin/sh\nexec '${node}' '${script}' "$@"\n`);
  chmodSync(join(place.files, 'bin/codex'), 0o755);
});
afterEach(() => place.remove());

const config = () => join(place.home, '.codex/config.toml');
/** The app-server asks no model, and a proxy that does not exist keeps it from the internet. */
const env = (more: Record<string, string> = {}) => ({
  PATH: `${join(place.files, 'bin')}:${process.env.PATH ?? ''}`,
  HOME: place.home,
  HTTPS_PROXY: 'http://127.0.0.1:9',
  ...more,
});

const mcpHooks = (args: string[], more: Record<string, string> = {}) =>
  run([process.execPath, CLI], args, { cwd: place.project, env: env(more) });

/** Writes a manifest of two hooks and installs it, with trust unless told otherwise. */
async function install(label: string, words = 'WORDS', flags: string[] = ['--trust']) {
  const file = join(place.files, `${label}.json`);
  const declarations = [
    { event: 'pre_request', context: words },
    { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'AFTER-TOOL' },
  ].map((hook) => ({ ...hook, priority: 'important' }));
  writeFileSync(file, JSON.stringify({ name: label, hooks: { declarations } }));
  return mcpHooks(['install', file, '--client', 'codex', '--yes', ...flags]);
}

/** A hook of the user's own that is not trusted. */
const addMine = () =>
  appendFileSync(
    config(),
    '\n[[hooks.UserPromptSubmit]]\nhooks = [{ type = "command", command = "echo MINE" }]\n',
  );

/** The trust in every hook that Codex sees, by its label or command. */
const seen = async () =>
  (await listHooks(place.home, place.project)).map(({ command, trustStatus }) => {
    const [, label] = /\/\.mcp-hooks\/(?:servers|projects\/[^/]+)\/(\w+)\//.exec(command) ?? [];
    return `${label ?? command}: ${trustStatus}`;
  });

const prompt = async () => {
  const { conversation } = await CLIENTS.codex.run({ ...place, prompts: ['PROMPT'], steps: [] });
  return conversation;
};

const QUESTIONS = ['Apply changes to 1 file?', 'Trust these hooks in Codex CLI?'];

/** Installs in a terminal, which `script` makes, and answers each question when it is asked. */
async function inTerminal(file: string, answers: readonly string[]): Promise<string> {
  const line = `'${process.execPath}' '${CLI}' install '${file}' --client codex`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: place.project, env: env() });
  let said = '';
  let asked = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const question = QUESTIONS[asked];
    if (question === undefined || !said.includes(question)) return;
    child.stdin.write(answers[asked] ?? '');
    asked += 1;
  });
  await once(child, 'close');
  return said;
}

describe('install --trust', () => {
  test('trusts our hooks and no others; ours fire, even with new words, and no others do', async () => {
    addMine();
    const { exitCode, stdout } = await install('annal', 'OLD-WORDS');
    expect(exitCode).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Codex CLI now trusts these hooks: UserPromptSubmit, PostToolUse of Bash in ~/.codex/config.toml. Its trust in your other hooks has not changed. ',
    );
    expect(await seen()).toEqual(['annal: trusted', 'echo MINE: untrusted', 'annal: trusted']);

    // Codex's own writing does not count as a change to our entries.
    const list = await mcpHooks(['list']);
    expect(list.stdout).toMatch(/Codex CLI +intact/);
    expect((await install('annal', 'OLD-WORDS')).stdout).toContain(
      'Nothing to do: the files are up to date.\nCodex CLI already trusts the hooks of annal.',
    );

    const told = await prompt();
    expect(told.requestsWith('OLD-WORDS')).toEqual([1]);
    expect(told.requestsWith('MINE')).toEqual([]);

    await install('annal', 'NEW-WORDS', []);
    const again = await prompt();
    expect(again.requestsWith('OLD-WORDS')).toEqual([]);
    expect(again.requestsWith('NEW-WORDS')).toEqual([1]);
  });

  test('is needed for our hooks to run, and for one label changes nothing of another', async () => {
    await install('annal', 'FIRST', []);
    expect((await prompt()).requestsWith('FIRST')).toEqual([]);
    expect((await install('serena', 'SECOND')).exitCode).toBe(0);
    expect((await seen()).sort()).toEqual([
      ...['annal: untrusted', 'annal: untrusted'],
      ...['serena: trusted', 'serena: trusted'],
    ]);
    const one = await prompt();
    expect([one.requestsWith('FIRST'), one.requestsWith('SECOND')]).toEqual([[], [1]]);
    expect((await install('annal', 'FIRST')).stdout).toContain('Nothing to do');
    const both = await prompt();
    expect([both.requestsWith('FIRST'), both.requestsWith('SECOND')]).toEqual([[1], [1]]);
  });

  test('does not trust imitations of our hooks in another file', async () => {
    await install('annal', 'WORDS', []);
    const hooks = readWritten(client, findPlaces(env(), place.project, 'user'), disk).hooks;
    const forged = hooks.map(({ native, handler, command }) => [
      native,
      [{ hooks: [{ ...handler, command: `${command}\necho FORGED` }] }, { hooks: [handler] }],
    ]);
    writeFileSync(
      join(place.home, '.codex/hooks.json'),
      JSON.stringify({ hooks: Object.fromEntries(forged) }),
    );
    expect((await install('annal')).exitCode).toBe(0);
    const listed = await listHooks(place.home, place.project);
    const trusted = (name: string) =>
      listed
        .filter(({ key }) => key.includes(`/${name}:`))
        .map(({ trustStatus }) => trustStatus === 'trusted');
    expect(trusted('config.toml')).toEqual([true, true]);
    // The copies of our entries were removed.
    expect(trusted('hooks.json')).toEqual([false, false]);
    expect((await prompt()).requestsWith('FORGED')).toEqual([]);
  });

  test('works in a project when its folder is trusted, and not before', async () => {
    const trusting = readFileSync(config(), 'utf8');
    writeFileSync(config(), trusting.replace(/\[projects\..*\n.*\n/, ''));
    const refused = await install('annal', 'WORDS', ['--scope', 'project', '--trust']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        'Codex CLI reads nothing of this project before you trust its folder',
      ),
    ]);
    expect(readFileSync(config(), 'utf8')).not.toContain('hooks.state');
    expect(await trust('project')).toEqual({ from: 'client', trust: ['unknown', 'unknown'] });

    writeFileSync(config(), trusting);
    const granted = await install('annal', 'WORDS', ['--scope', 'project', '--trust']);
    expect(granted.exitCode).toBe(0);
    expect(await trust('project')).toEqual({ from: 'client', trust: ['trusted', 'trusted'] });
    expect(await trust('project', { file: true })).toEqual({
      from: 'file',
      trust: ['trusted', 'trusted'],
    });
    expect((await prompt()).requestsWith('WORDS')).toEqual([1]);
  });

  test('is a question in a terminal: no is the default, yes is the same as the flag', async () => {
    const file = join(place.files, 'annal.json');
    await install('annal', 'WORDS', ['--dry-run']);
    expect(existsSync(join(place.home, '.mcp-hooks'))).toBe(false);
    expect(await inTerminal(file, ['y\r', '\r'])).toContain('mcp-hooks trust annal');
    expect(await seen()).toEqual(['annal: untrusted', 'annal: untrusted']);
    await mcpHooks(['uninstall', 'annal', '--yes']);
    expect(await inTerminal(file, ['y\r', 'y\r'])).toContain('Codex CLI now trusts these hooks');
    expect(await seen()).toEqual(['annal: trusted', 'annal: trusted']);
  });
});

test("uninstall restores every byte, without Codex's records of trust, and a second install asks again", async () => {
  addMine();
  const before = readFileSync(config(), 'utf8');
  await install('annal');
  expect(readFileSync(config(), 'utf8')).toContain('[hooks.state.');
  const removed = await mcpHooks(['uninstall', 'annal', '--yes']);
  expect(removed.stdout).toContain(
    'Codex CLI forgets that you trust the 2 hooks that are taken out',
  );
  expect(readFileSync(config(), 'utf8')).toBe(before);
  expect(await seen()).toEqual(['echo MINE: untrusted']);
  await install('annal', 'WORDS', []);
  expect((await seen()).sort()).toEqual([
    ...['annal: untrusted', 'annal: untrusted'],
    'echo MINE: untrusted',
  ]);
});

/** The trust in annal, as Codex reports it or as its file has it. */
async function trust(scope: Scope, { file = false, more = {} as Record<string, string> } = {}) {
  const places = findPlaces(env(more), place.project, scope);
  const hooks = readWritten(client, places, disk).hooks.filter(({ label }) => label === 'annal');
  const { from, hooks: found } = await codexTrust.read(hooks, {
    places,
    read: disk.read,
    cwd: place.project,
    ...(!file && { launch: [join(place.files, 'bin/codex')] }),
  });
  return { from, trust: found.map((one) => one.trust) };
}

describe("Codex's file has what Codex reports", () => {
  const both = async (more: Record<string, string> = {}) => {
    const codex = await trust('user', { more });
    const file = await trust('user', { file: true, more });
    expect([codex.from, file.from]).toEqual(['client', 'file']);
    expect(file.trust).toEqual(codex.trust);
    return codex.trust;
  };

  test('before and after a grant, for a hook that is switched off, and for a changed entry', async () => {
    await install('annal', 'WORDS', []);
    expect(await both()).toEqual(['untrusted', 'untrusted']);
    await install('annal');
    expect(await both()).toEqual(['trusted', 'trusted']);
    const text = readFileSync(config(), 'utf8');
    writeFileSync(config(), text.replace('matcher = "Bash"', 'matcher = "Bash|view_image"'));
    expect(await both()).toEqual(['trusted', 'changed']);
    writeFileSync(config(), text.replace('trusted_hash', 'enabled = false\ntrusted_hash'));
    expect(await both()).toEqual(['disabled', 'trusted']);
  });

  test('wherever its files are', async () => {
    await install('annal');
    renameSync(join(place.home, '.codex'), join(place.home, 'real'));
    symlinkSync(join(place.home, 'real'), join(place.home, '.codex'));
    expect(await both()).toEqual(['trusted', 'trusted']);
    // Codex uses the real name of a folder that a variable names, and nothing is trusted under that name.
    const named = { CODEX_HOME: join(place.home, '.codex') };
    expect(await both(named)).toEqual(['untrusted', 'untrusted']);
    const file = join(place.files, 'annal.json');
    await mcpHooks(['install', file, '--client', 'codex', '--yes', '--trust'], named);
    expect(await both(named)).toEqual(['trusted', 'trusted']);

    rmSync(join(place.home, '.codex'));
    renameSync(join(place.home, 'real'), join(place.home, '.codex'));
    renameSync(config(), join(place.home, 'dotfile.toml'));
    symlinkSync(join(place.home, 'dotfile.toml'), config());
    expect(await both()).toEqual(['trusted', 'trusted']);
  });
});

const EVENTS = knownEvents(client);
const HANDLERS: readonly JsonObject[] = [
  { type: 'command', command: 'plain' },
  { type: 'command', command: 'a "b" \\ ü 日本 \u{1f600}\t\u0001\u007f\u2028', timeout: 10 },
  { type: 'prompt', prompt: 'skipped by Codex, and counted' },
  { type: 'command', command: 'c', timeout: 0, async: true, statusMessage: 'on it' },
  { type: 'command', command: 'd', timeout: 600, async: false, statusMessage: '' },
  { command: 'e', type: 'command', commandWindows: 'w', unknown: [1, { a: 2 }] },
  { type: 'command', command: 'f', command_windows: 'w', timeout: 2, additionalContextLimit: 77 },
  { type: 'command', command: 'g', timeout: 99, additionalContextLimit: 2500 },
  { type: 'command', command: 'h', additionalContextLimit: 0 },
];
const GROUPS: readonly JsonObject[] = [
  { hooks: HANDLERS },
  { hooks: [] },
  { matcher: '', hooks: HANDLERS.slice(0, 1) },
  { matcher: '(', hooks: HANDLERS.slice(0, 1) },
  { matcher: '^Bash$|Edit "é"', hooks: HANDLERS, unknown: true },
  { matcher: '*', hooks: HANDLERS.slice(3) },
];
const ALL: JsonObject = Object.fromEntries(EVENTS.map((event) => [event, GROUPS]));

test.each([
  ['config.toml', `hooks = ${print(ALL)}\n`],
  ['hooks.json', JSON.stringify({ hooks: ALL })],
])('the key and the hash of every hook in %s are those of Codex', async (name, text) => {
  rmSync(config());
  writeFileSync(join(place.home, '.codex', name), text);
  const options = { ...quietly(place.home, place.project), deadline: 40_000 };
  const { value: listed } = await withAppServer(options, (server) =>
    hooksIn(server, place.project),
  );
  const { hooks } = readWritten(client, findPlaces(env(), place.project, 'user'), disk);
  const computed = new Map(hooks.map((hook) => [stateKey(hook.path, hook), trustHash(hook)]));
  const of = (event: string) => listed.filter(({ eventName }) => eventName === event).length;
  // On events without matchers, Codex ignores a wrong matcher, and so does not drop the group.
  expect([of('postToolUse'), of('stop')]).toEqual([23, 24]);
  expect(listed.map(({ key }) => [key, computed.get(key)])).toEqual(
    listed.map(({ key, currentHash }) => [key, currentHash]),
  );
  // Two hooks have the same hash only if they differ in nothing that Codex counts.
  const hashes = new Set(listed.map(({ currentHash }) => currentHash));
  expect(hashes.size).toBeGreaterThan(EVENTS.length * 8);
});
