// `mcp-hooks doctor`: broken homes, each found by the right check, through the built command line.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  type ExpectStatic,
  expect,
  inject,
} from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import { stateKey, trustHash } from '../../src/clients/codex/trust-hash.ts';
import type { ConfiguredHook } from '../../src/clients/entries.ts';
import { findPlaces } from '../../src/clients/places.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { measuredIn } from '../../src/clients/version.ts';
import { CHECKS } from '../../src/diagnose/doctor/status.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { saveSignIn } from '../../src/sources/oauth/tokens.ts';
import { disk } from '../../src/system/disk.ts';
import { wrap } from '../../src/system/terminal.ts';
import { codexList } from '../support/codex-list.ts';
import { answer } from '../support/hooks.ts';
import { oauthServer } from '../support/servers/oauth.ts';
import { test, World } from '../support/world.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/doctor');
const LISTING = join(import.meta.dirname, '../support/servers/codex-list.sh');
const [CLAUDE, CODEX, GEMINI] = ['Claude Code', 'Codex CLI', 'Gemini CLI'];

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly about: string;
  readonly what: string;
  readonly where?: string;
  readonly todo?: string;
}

/** Findings except "ok" and those that are always there, with a part of their sentences. */
type Expected = readonly [level: string, check: string, about: string, part: string | RegExp];

/** A home: the commands that install in it, and the findings. */
interface Home {
  readonly found: readonly Expected[];
  readonly install?: readonly string[];
  /** These files get an old timestamp. */
  readonly old?: readonly string[];
}

/** Codex records trust for each entry. */
const eachInCodex = (part: string): Expected[] =>
  [1, 2, 3].map(() => ['error', 'codex-trust', 'annal', part]);

/** A server that is added to each client. */
const NOTES = ['install notes.json --with-server --yes'];
const eachOf = (of: (client: string) => readonly [level: string, part: string]): Expected[] =>
  [CLAUDE, CODEX, GEMINI].map((client): Expected => {
    const [level, part] = of(client ?? '');
    return [level, 'added-servers', 'notes', part];
  });

/** The findings about entries in a file that their client does not read. */
const unread = (client: string, part: string): Home => ({
  found: [
    ['error', 'settings-readable', client, part],
    ['info', 'entries', 'annal', `${client}: its entries cannot be checked`],
  ],
});

/** Homes with a single fault, which they are named for: the name of the check, and possibly a word. */
const ONE: Readonly<
  Record<string, readonly [level: string, about: string, part: string | RegExp]>
> = {
  'client-there': ['warning', GEMINI, 'gemini is not on the PATH'],
  'client-version': ['error', GEMINI, 'it is 0.25.0, which is too old'],
  'client-version.newer': ['info', CODEX, 'it is 0.200.0, newer than'],
  'client-version.older': ['info', CLAUDE, 'it is 2.1.300, older than'],
  'client-version.unknown': ['info', CLAUDE, 'unknown unless it is started'],
  'managed-hooks': ['info', CLAUDE, 'also has hooks of annal from the administrator'],
  'managed-hooks.gone': ['warning', CLAUDE, 'but their runner is missing: they do nothing'],
  'settings-readable.project': ['warning', CLAUDE, 'trailing comma'],
  'settings-readable.local': ['warning', CLAUDE, 'a comment'],
  'settings-readable.managed': ['error', CLAUDE, 'not valid JSON'],
  'settings-readable.empty': ['error', GEMINI, 'an empty file'],
  'settings-readable.hooks-json': ['warning', CODEX, 'trailing comma'],
  'settings-valid': ['error', CLAUDE, 'hooks.PreToolUse.0.hooks.0 has no "command"'],
  'settings-valid.event': ['error', CLAUDE, 'hooks.PermissionRequest is not an array'],
  'settings-valid.setting': ['error', CLAUDE, 'permissions.defaultMode is not one of'],
  'settings-valid.project': ['warning', CLAUDE, 'disableAllHooks is not true or false'],
  'settings-valid.codex': ['error', CODEX, 'sandbox_mode is not one of'],
  'settings-valid.toml': ['error', CODEX, 'hooks.Stop.0.hooks.0.timeout is not a whole'],
  'settings-valid.hooks-json': ['warning', CODEX, '$schema is a key'],
  'hooks-on': ['error', CLAUDE, 'your settings set disableAllHooks = true'],
  'hooks-on.project': ['error', CLAUDE, "this project's settings set disableAllHooks = true"],
  'hooks-on.local': ['error', CLAUDE, 'your own settings of this project set disableAllHooks'],
  'hooks-on.again': ['warning', CLAUDE, 'but not elsewhere'],
  'hooks-on.managed': ['error', CLAUDE, 'the managed settings set allowManagedHooksOnly = true'],
  'hooks-on.gemini': ['error', GEMINI, 'hooksConfig.enabled = false'],
  'hooks-on.gemini-project': [
    'error',
    GEMINI,
    "this project's settings set hooksConfig.enabled = false",
  ],
  'hooks-on.drop-in': ['error', CLAUDE, 'the managed settings set allowManagedHooksOnly = true'],
  'hooks-on.gemini-managed': ['error', GEMINI, 'the managed settings set'],
  'hooks-on.gemini-name': ['error', GEMINI, 'annal: its hook for AfterTool is switched off'],
  'hooks-on.codex': ['error', CODEX, 'features.hooks = false'],
  'hooks-on.codex-old-name': ['error', CODEX, 'features.codex_hooks = false'],
  'hooks-on.codex-managed': ['error', CODEX, 'allow_managed_hooks_only = true'],
  'strays.moved': ['error', CLAUDE, 'no longer there: /home/before/.mcp-hooks'],
  'strays.copied': ['warning', CLAUDE, 'without an install: edited, or copied from elsewhere'],
  'strays.other-state': [
    'warning',
    CLAUDE,
    'another state folder than ~/.mcp-hooks: ~/other-state',
  ],
  'folder-trust': ['error', GEMINI, 'it is not trusted'],
  'folder-trust.undecided': ['warning', GEMINI, 'not trusted yet'],
  'folder-trust.claude': ['warning', CLAUDE, 'not trusted yet'],
  'also-run-by': ['info', CLAUDE, 'Grok Build is on this machine and runs its hooks'],
  entries: ['error', 'annal', 'Claude Code: its entry for SessionStart is missing'],
  'entries.gone': ['error', 'annal', 'Gemini CLI: the file is gone'],
  'entries.edited': ['warning', 'annal', 'was edited'],
  'entries.more': [
    'warning',
    'annal',
    /^Codex CLI: its entry for \w+ has something in it that mcp-hooks did not write \(line \d+\), so/,
  ],
  'entries.shared': ['error', 'annal', 'has another hook in its group'],
  'entries.moved': ['warning', 'annal', 'Codex CLI: its entry for PostToolUse'],
  runner: ['error', 'annal', 'runner damaged (runner.cjs is missing)'],
  'runner.altered': ['error', 'annal', 'its runner was modified (codex.PostToolUse.json)'],
  paths: [
    'error',
    'annal',
    /^Claude Code now reads .*settings.json, but its hooks are in .*settings.json/,
  ],
  'shown-twice.own-hook': ['warning', 'annal', 'a hook for SessionStart that is not ours'],
  'shown-twice.by-name': ['info', 'annal', 'is called annal'],
  'shown-twice.extension': ['warning', 'annal', 'Gemini CLI: a hook'],
  'plugin-trust': ['error', CODEX, 'a plugin has hooks of notes'],
  'shown-twice.plugin': ['warning', 'annal', 'Claude Code: a hook'],
  policy: ['info', 'annal', 'muted in policy.json'],
  'policy.tools': ['info', 'annal', 'hook 1 (session_start)'],
  'policy.per-server': ['error', 'annal', 'hook 3 (post_tool_use)'],
  'policy.per-event': ['warning', 'annal', 'hook 3 (post_tool_use)'],
  'policy-readable': ['error', 'mcp-hooks', 'muted'],
  source: ['warning', 'annal', 'its manifest has changed'],
  'source.server': ['warning', 'annal', 'its manifest has changed'],
  'source.gone': ['warning', 'annal', 'its manifest is gone'],
  'source.broken': ['warning', 'annal', 'cannot be used any more'],
  log: ['warning', 'annal', '1 firing of the last 7 days failed'],
  'state-writable': ['error', 'mcp-hooks', 'it is not a folder'],
  interrupted: ['warning', 'mcp-hooks', 'left its lock behind'],
  'interrupted.foreign': ['error', 'mcp-hooks', 'a file blocks the path of the lock'],
  'interrupted.run': ['error', 'mcp-hooks', 'a run was interrupted'],
};

const HOMES: Readonly<Record<string, Home>> = {
  ...Object.fromEntries(
    Object.entries(ONE).map(([name, [level, ...more]]): [string, Home] => [
      name,
      { found: [[level, name.replace(/\..*/, ''), ...more]] },
    ]),
  ),

  healthy: { found: [] },

  'codex-trust': { found: eachInCodex('that you have not trusted') },
  'codex-trust.changed': { found: eachInCodex('changed since you trusted it') },

  'log.guards': {
    found: [
      ['warning', 'log', 'annal', 'failed and let 2 events pass, and blocked 1 event'],
      ['warning', 'log', 'annal', '3 firings of the last 7 days failed'],
    ],
  },

  installed: {
    install: ['install annal.json --yes --allow context-tool --client claude,codex'],
    found: [['info', 'installed', GEMINI, 'but no hooks are installed for it']],
  },

  'settings-readable': unread(CLAUDE, 'a comment'),
  'settings-readable.comma': unread(GEMINI, 'trailing comma'),
  'settings-readable.left': unread(GEMINI, 'trailing comma'),
  'settings-readable.bom': unread(GEMINI, 'byte order mark'),
  'settings-readable.toml': unread(CODEX, 'TOML'),

  // Our hooks are in the dropped part, so the entries are missing, too.
  'settings-valid.hooks': {
    found: [
      ['error', 'settings-valid', CLAUDE, 'Claude Code ignores all hooks in the file'],
      ['error', 'entries', 'annal', 'its entry for'],
    ],
  },

  strays: {
    found: [CLAUDE, CODEX, GEMINI].map((client) => ['warning', 'strays', client ?? '', 'of annal']),
  },

  'folder-trust.off': { found: [] },
  'codex-trust.project': {
    install: ['install annal.json --yes --allow context-tool --scope project --client codex'],
    found: [
      ['info', 'installed', CLAUDE, 'but no hooks are installed for it'],
      ['info', 'installed', GEMINI, 'but no hooks are installed for it'],
      ['error', 'codex-trust', 'annal', 'Codex CLI reads no hooks of'],
    ],
  },

  // On this system, Codex runs and trusts the other command, which is still ours (src/clients/codex/trust-hash.ts).
  'entries.windows': {
    found: [['warning', 'entries', 'annal', 'Codex CLI: its entry for']],
  },
  node: {
    found: [
      ['error', 'runner', 'annal', 'its runner was modified'],
      ['error', 'node', 'annal', 'is gone, and none was found on the PATH'],
    ],
  },
  'paths.copied': {
    found: [
      ['error', 'runner', 'annal', 'its runner was modified'],
      ['error', 'paths', 'annal', 'made for another folder: /home/before'],
    ],
  },

  'shown-twice': {
    install: [
      'install annal.json --yes --allow context-tool',
      'install annal.json --yes --allow context-tool --name notes',
    ],
    found: [
      ['warning', 'shown-twice', 'annal', 'notes declares the same'],
      ['warning', 'shown-twice', 'notes', 'annal declares the same'],
    ],
  },
  'shown-twice.both-scopes': {
    install: [
      'install annal.json --yes --allow context-tool',
      'install annal.json --yes --allow context-tool --scope project --client claude',
    ],
    found: [['warning', 'shown-twice', 'annal in ', 'also installed for the user (Claude Code)']],
  },

  'policy.left-out': {
    install: ['install annal.json --yes'],
    found: [
      [
        'info',
        'policy',
        'annal',
        'skipped when it was installed because it was not allowed: hook 1',
      ],
    ],
  },
  'policy.allowed': {
    install: ['install annal.json --yes'],
    found: [['warning', 'policy', 'annal', 'hook 1; the policy allows it now']],
  },

  'source.left-out': {
    install: ['install annal.json --yes'],
    found: [
      ['info', 'policy', 'annal', 'because it was not allowed: hook 1'],
      ['warning', 'source', 'annal', 'its manifest has changed'],
    ],
  },

  'sign-in': {
    install: ['install shy.json --yes --allow context-tool'],
    found: [['error', 'sign-in', 'shy', 'no longer signed in to https://mcp.example.com/mcp']],
  },
  'sign-in.broken': {
    install: ['install shy.json --yes --allow context-tool'],
    found: [['error', 'sign-in', 'shy', 'cannot be read']],
  },
  'sign-in.never': {
    install: ['install shy.json --yes --allow context-tool'],
    found: [
      ['error', 'sign-in', 'shy', 'wants you to sign in'],
      ['warning', 'log', 'shy', 'failed; the last: not signed in'],
    ],
  },

  calls: {
    found: [
      [
        'error',
        'calls',
        'annal',
        'Codex CLI: hook 1 called its tool on SessionStart, and the last',
      ],
      ['warning', 'log', 'annal', '1 firing of the last 7 days failed'],
    ],
  },
  programs: {
    install: ['install guard.json --yes --allow command'],
    found: [['error', 'programs', 'guard', 'hooks 2 and 3 would run a file that has changed']],
  },
  // The manifest is found from the folder in which install was run.
  'source.pulled': {
    install: ['install --yes --allow command'],
    found: [
      ['warning', 'source', 'shop', 'its manifest has changed'],
      ['error', 'programs', 'shop', 'hook 2 would run a file that has changed'],
    ],
  },
  'programs.gone': {
    install: ['install guard.json --yes --allow command'],
    found: [
      ['warning', 'source', 'guard', 'cannot be used any more'],
      ['error', 'programs', 'guard', 'hooks 2 and 3 would run a file that is gone'],
    ],
  },
  'added-servers': {
    install: NOTES,
    found: eachOf((client) => [
      'warning',
      `${client}: the server notes that was added to it cannot start, because /`,
    ]),
  },
  'added-servers.path': {
    install: NOTES,
    found: eachOf((client) => [
      'warning',
      `${client}: the server notes that was added to it cannot start, because notes-mcp is not on the PATH`,
    ]),
  },
  'added-servers.gone': {
    install: NOTES,
    found: [['warning', 'added-servers', 'notes', `${CLAUDE}: the server notes that was added`]],
  },
  // Its hooks name the server, so it would be reported as missing as well.
  'added-servers.named': {
    install: NOTES,
    found: [['warning', 'added-servers', 'notes', `${CLAUDE}: the server notes that was added`]],
  },
  'added-servers.changed': {
    install: NOTES,
    found: [
      [
        'info',
        'added-servers',
        'notes',
        `${GEMINI}: the server notes that was added to it was changed`,
      ],
    ],
  },
  'added-servers.unread': {
    install: NOTES,
    found: [
      ['warning', 'folder-trust', CLAUDE, 'not trusted'],
      ['warning', 'added-servers', 'notes', `${CLAUDE}: the file with the server notes`],
    ],
  },
  // An estimate is not a failure.
  'calls.estimated': { found: [] },
  // The failed call is not repeated.
  'calls.off': {
    found: [
      ['info', 'policy', 'annal', 'hook 1 (session_start)'],
      ['warning', 'log', 'annal', '1 firing of the last 7 days failed'],
    ],
  },
  ledger: {
    found: [
      ...[CLAUDE, CODEX, GEMINI].map(
        (client): Expected => ['warning', 'strays', client ?? '', 'of annal'],
      ),
      ['error', 'ledger', 'mcp-hooks', 'cannot be read'],
    ],
  },
  sessions: {
    old: ['~/.mcp-hooks/sessions/codex.s-1.annal.1-abc.told'],
    found: [['warning', 'sessions', 'mcp-hooks', 'older than 45 days']],
  },
};

const ENV = (world: World) => ({ MCP_HOOKS_SYSTEM_ROOT: join(world.root, 'machine') });

/** Installs each client as npm does: an executable on the PATH that links into its package. */
async function installClients(world: World): Promise<void> {
  const here = [CLAUDE, CODEX, GEMINI];
  for (const client of CLIENTS.filter(({ name }) => here.includes(name))) {
    const { executable, npmPackage } = client;
    const folder = `../lib/${npmPackage}`;
    await world.write(`${folder}/bin/${executable}.js`, program(world, executable), 0o755);
    const manifest = { name: npmPackage, version: measuredIn(client) };
    await world.write(`${folder}/package.json`, JSON.stringify(manifest));
    await world.link(`../bin/${executable}`, `${folder}/bin/${executable}.js`);
  }
}

/** No client is started except Codex, which is asked whether it trusts the hooks. It does, unless its fixture says otherwise. */
const program = (world: World, executable: string): string =>
  executable === 'codex'
    ? `#!/bin/sh\nexec /bin/sh '${LISTING}' '${join(world.root, LIST)}'\n`
    : 'process.exit(1);\n';

/** Codex's answer about its hooks. */
const LIST = 'lib/@openai/codex/list';
async function list(world: World, env: Readonly<Record<string, string>>): Promise<void> {
  const { HOME, CODEX_HOME = join(HOME ?? '', '.codex') } = world.env(env);
  const folders = [CODEX_HOME, join(world.work, '.codex')];
  const said = join(world.root, 'lib/@openai/codex/trust');
  await world.write(join(world.root, LIST), codexList(folders, said));
}

/** Copies the files of a fixture into a world, and fills in the placeholders. */
function lay(world: World, name: string, when: 'before' | 'after'): void {
  const top = join(FIXTURES, name, when);
  const roots: Readonly<Record<string, string>> = {
    home: world.home,
    desk: world.work,
    lib: join(world.root, 'lib'),
    machine: join(world.root, 'machine'),
  };
  const files = existsSync(top) ? readdirSync(top, { recursive: true, withFileTypes: true }) : [];
  for (const file of files.filter((entry) => entry.isFile())) {
    const from = join(file.parentPath, file.name);
    const [root = '', ...rest] = from.slice(top.length + 1).split('/');
    const to = join(roots[root] ?? world.root, ...rest);
    const installed = existsSync(to) ? readFileSync(to, 'utf8') : '';
    const text = fill(world, readFileSync(from, 'utf8')).replace('{{INSTALLED}}', () => installed);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
}

const fill = (world: World, text: string): string =>
  text
    .replaceAll('{{HOME}}', world.home)
    .replaceAll('{{DESK}}', world.work)
    .replaceAll('{{NODE}}', inject('node'))
    .replaceAll('{{NOW}}', String(Date.now()));

/** Changes files as described in the fixture's edits.json; `null` removes the file. */
async function edit(world: World, name: string): Promise<void> {
  const text = await readFile(join(FIXTURES, name, 'edits.json'), 'utf8').catch(() => '{}');
  const edits: Record<string, [string, string][] | null> = JSON.parse(fill(world, text));
  for (const [file, changes] of Object.entries(edits)) {
    if (changes === null) {
      await rm(world.path(file));
      continue;
    }
    let content = await world.read(file);
    for (const [from, to] of changes) {
      if (!content.includes(from)) throw new Error(`${file} has no ${from}`);
      content = content.replace(from, () => to);
    }
    await writeFile(world.path(file), content);
  }
}

/** Makes the home of a fixture up to the installs. */
async function settle(world: World, name: string): Promise<void> {
  const { install = ['install annal.json --yes --allow context-tool'] } = HOMES[name] ?? {};
  await installClients(world);
  await cp(join(FIXTURES, 'annal.json'), world.path('annal.json'));
  lay(world, 'healthy', 'before');
  lay(world, name, 'before');
  for (const line of install) {
    const { code, err } = await world.run(line, { env: ENV(world) });
    if (code !== 0) throw new Error(err);
  }
}

/** Whether a home is the same as the healthy one up to the installs. */
const settlesAsHealthy = (name: string): boolean =>
  HOMES[name]?.install === undefined && !existsSync(join(FIXTURES, name, 'before'));

/** Changes the home after the installs; returns the environment for doctor. */
async function spoil(world: World, name: string): Promise<Record<string, string>> {
  lay(world, name, 'after');
  await edit(world, name);
  for (const file of HOMES[name]?.old ?? []) await world.age(file);
  const own = await readFile(join(FIXTURES, name, 'env.json'), 'utf8').catch(() => '{}');
  const all = { ...ENV(world), ...JSON.parse(fill(world, own)) };
  await list(world, all);
  return all;
}

async function furnish(world: World, name: string): Promise<Record<string, string>> {
  await settle(world, name);
  return spoil(world, name);
}

async function doctor(world: World, args = '', env: Record<string, string> = ENV(world)) {
  await list(world, env);
  const { code, out, err } = await world.run(`doctor --json ${args}`, { env });
  const { worst, findings }: { worst: string; findings: Finding[] } = JSON.parse(out);
  return { code, err, worst, findings };
}

/** The findings without those at level "ok", and without the one that no server was started. */
const notable = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ level, check }) => level !== 'ok' && check !== 'server');

/** Checks the findings in a prepared home. */
async function isFound(
  world: World,
  name: string,
  env: Readonly<Record<string, string>>,
  expect: ExpectStatic,
): Promise<void> {
  const { found } = HOMES[name] ?? { found: [] };
  const before = await world.stamps();
  const { code, findings } = await doctor(world, '', env);
  const told = notable(findings);
  expect(told.map(({ level, check, about }) => `${level} ${check} ${about}`)).toEqual(
    found.map(([level, check, about]) => expect.stringContaining(`${level} ${check} ${about}`)),
  );
  for (const [index, [, , , part]] of found.entries()) expect(told[index]?.what).toMatch(part);
  expect(code).toBe(found.some(([level]) => level === 'error') ? 1 : 0);
  // A check only reports: it says what to do, and changes nothing.
  for (const { level, todo } of told) if (level !== 'info') expect(todo).toBeTruthy();
  expect(await world.stamps()).toEqual(before);
}

const verdict = (name: string): string =>
  HOMES[name]?.found.length ? 'it is reported' : 'nothing is wrong';
const NAMES = Object.keys(HOMES);

describe.concurrent('a home in which', () => {
  for (const name of NAMES.filter((one) => !settlesAsHealthy(one)))
    test(`${name}: ${verdict(name)}`, async ({ world }) => {
      await isFound(world, name, await furnish(world, name), expect);
    });
});

// Everything is installed once for all tests, because that takes most of the time.
describe('a healthy home in which something breaks:', () => {
  let world: World;
  let kept: World;
  beforeAll(async () => {
    [world, kept] = [await World.make(), await World.make()];
    await settle(world, 'healthy');
    copy(world.root, kept.root);
  });
  afterAll(() => Promise.all([world.remove(), kept.remove()]));
  beforeEach(async () => {
    await world.remove();
    copy(kept.root, world.root);
  });
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', `${from}/.`, to]);

  for (const name of NAMES.filter(settlesAsHealthy))
    test(`${name}: ${verdict(name)}`, async () => {
      await isFound(world, name, await spoil(world, name), expect);
    });
});

describe.concurrent('the list of checks', () => {
  test('starts Codex only if its own file does not trust them all', async ({ world }) => {
    await furnish(world, 'codex-trust'); // where Codex would answer that it does not trust them
    const places = findPlaces(world.env(ENV(world)), world.work, 'user');
    const [first, ...others] = readWritten(codex, places, disk).hooks;
    const trusted = (hook: ConfiguredHook | undefined) =>
      hook &&
      `\n[hooks.state."${stateKey(hook.path, hook)}"]\ntrusted_hash = "${trustHash(hook)}"\n`;
    const trust = async (text: string) => {
      const file = '~/.codex/config.toml';
      await writeFile(world.path(file), `${await world.read(file)}${text}`);
      const { findings } = await doctor(world, '', ENV(world));
      return findings.flatMap(({ check, level }) => (check === 'codex-trust' ? level : []));
    };
    expect(await trust(others.map(trusted).join(''))).toEqual(['error', 'error', 'error']);
    expect(await trust(trusted(first) ?? '')).toEqual(['ok']);
  });

  test('finds settings above a project that switch hooks off', async ({ world }) => {
    await furnish(world, 'healthy');
    const file = '~/.codex/config.toml';
    const installed = await world.read(file);
    await world.write('.git/HEAD', 'ref: refs/heads/main\n');
    await world.write('below/.codex/config.toml', '');
    const found = async (level: string, folder: string, text: string) => {
      await world.write(
        file,
        installed.replace('trust_level = "trusted"', `trust_level = "${level}"`),
      );
      await world.write(`${folder}.codex/config.toml`, text);
      const options = { env: ENV(world), cwd: world.path('below') };
      const { out } = await world.run('doctor --json', options);
      await world.write(`${folder}.codex/config.toml`, '');
      const { findings } = JSON.parse(out) as { findings: { check: string; level: string }[] };
      return findings.flatMap((one) =>
        one.check === 'hooks-on' && one.level !== 'ok' ? one.level : [],
      );
    };
    const off = '[features]\nhooks = false\n';
    expect(await found('trusted', '', off)).toEqual(['error']);
    expect(await found('trusted', 'below/', off)).toEqual(['error']);
    expect(await found('untrusted', '', off)).toEqual([]);
    expect(await found('untrusted', 'below/', off)).toEqual([]);
  });

  test('has a broken home for each check that needs no server, and every home is named for a check', () => {
    const checks = CHECKS.map(({ name }) => name);
    const homes = Object.keys(HOMES).map((name) => name.replace(/\..*/, ''));
    expect(new Set(homes.filter((name) => name !== 'healthy'))).toEqual(
      // test/programs/configured.test.ts has the homes for "configured", test/compile/mentions.test.ts those for "mentions".
      new Set(checks.filter((name) => !['server', 'configured', 'mentions'].includes(name))),
    );
    const folders = readdirSync(FIXTURES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => !Object.hasOwn(HOMES, name))).toEqual([]);
    expect(new Set(checks).size).toBe(checks.length);
  });
});

describe.concurrent('the output', () => {
  test('of a healthy home is short', async ({ world, expect }) => {
    await furnish(world, 'healthy');
    expect((await world.run('doctor', { env: ENV(world) })).transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks doctor
      No problems found. 44 checks passed (--verbose).

      This machine
        note     the server of annal was not started; --servers does that  (server)
      exit 0
      "
    `);
  });

  test('with --verbose names the checks that pass', async ({ world }) => {
    await furnish(world, 'healthy');
    const { out } = await world.run('doctor --verbose', { env: ENV(world) });
    expect(out.replace(/\s+/g, ' ')).toContain(
      'entries intact; Codex CLI trusts its hooks; runner',
    );
    expect(out.replace(/\s+/g, ' ')).toContain('record readable; policy readable;');
  });

  test('says what is wrong, where, and what to do', async ({ world, expect }) => {
    await furnish(world, 'settings-readable');
    await world.write('~/.mcp-hooks/policy.json', '{ "servers": { "annal": { "muted": true } } }');
    const ran = await world.run('doctor annal --client claude', { env: ENV(world) });
    expect(ran.transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks doctor annal --client claude
      1 error, 0 warnings: a hook does not fire. 22 checks passed (--verbose).

      This machine
        error    a comment makes Claude Code silently ignore the whole file  (settings-readable)
                 ~/.claude/settings.json:1:1
                 Fix the file: until then Claude Code runs no hook in it.
        note     the server of annal was not started; --servers does that  (server)

      annal
        note     Claude Code: its entries cannot be checked until the file can be read  (entries)
                 ~/.claude/settings.json
        note     muted in policy.json  (policy)
                 ~/.mcp-hooks/policy.json
                 mcp-hooks unmute annal
      exit 1
      "
    `);
  });

  test('names trailing commas if nothing else is wrong', async ({ world, expect }) => {
    await world.folder('~/.claude', '~/.gemini');
    const [claude, gemini] = ['~/.claude/settings.json', '~/.gemini/settings.json'];
    await world.write(gemini, '{"security":{"a":1},}');
    await world.write(
      claude,
      '{\n  "hooks": {"Stop": [{ "hooks": [] },]},\n  "permissions": {},\n}\n',
    );
    const ran = await world.run('doctor', { env: ENV(world) });
    expect(ran.transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks doctor
      No errors, 2 warnings. Nothing is installed. 19 checks passed (--verbose). To find hooks for your
      servers: mcp-hooks scan

      This machine
        warning  a trailing comma makes Claude Code silently ignore the whole file  (settings-readable)
                 ~/.claude/settings.json:2:37
                 Remove the commas at 2:37 and 3:20, and Claude Code reads the file again.
        warning  a trailing comma stops Gemini CLI from starting  (settings-readable)
                 ~/.gemini/settings.json:1:20
                 Remove that comma, and Gemini CLI reads the file again.
        note     claude and gemini are not on the PATH  (client-there)
                 Install those that you use.
      exit 0
      "
    `);
    await world.write(gemini, '{"security":{"a":1}}');
    await world.write(
      claude,
      '{\n  "hooks": {"Stop": [{ "hooks": [] }]},\n  "permissions": {}\n}\n',
    );
    expect((await world.run('doctor', { env: ENV(world) })).out).not.toContain('comma');
    // With another mistake, only that one is named.
    await world.write(gemini, '{"security":{"a":1 "b":2},}');
    expect((await world.run('doctor', { env: ENV(world) })).out).not.toContain('Remove');
  });

  test('has no trailing spaces if a line is wrapped before the name of a check', () => {
    expect(wrap('its entry was moved  (entries)', 20, '')).toBe('its entry was moved\n(entries)');
  });

  test('if no client is found', async ({ world }) => {
    const { code, out } = await world.run('doctor', { env: ENV(world) });
    expect([code, out.replace(/\s+/g, ' ').trim()]).toEqual([
      0,
      `No client was found on this machine: no config folder and no executable of ${CLIENTS.map(({ name }) => name).join(', ')}.`,
    ]);
  });

  test('if clients are found, but nothing is installed in them', async ({ world }) => {
    await world.folder('~/.claude', '~/.codex', '~/.gemini');
    const { code, out } = await world.run('doctor --json');
    const { findings }: { findings: readonly Finding[] } = JSON.parse(out);
    const said = findings.filter(({ level }) => level !== 'ok');
    expect(code).toBe(0);
    expect(said.map(({ level, check, todo }) => [level, check, todo])).toEqual(
      ['anthropic-ai/claude-code', 'openai/codex', 'google/gemini-cli'].map((name) => [
        'info',
        'client-there',
        `Install it: npm install --global @${name}`,
      ]),
    );
    expect(findings.find(({ check }) => check === 'installed')?.what).toBe('nothing installed');
  });

  test('for a label that is not installed suggests the nearest ones', async ({ world, expect }) => {
    await furnish(world, 'shown-twice');
    const of = async (label: string) =>
      (await world.run(`doctor ${label}`, { env: ENV(world) })).transcript;
    expect(await of('anal')).toMatchInlineSnapshot(`
      "
      $ mcp-hooks doctor anal
      ! anal is not installed. Did you mean annal?
      exit 2
      "
    `);
    expect(await of('something')).toMatchInlineSnapshot(`
      "
      $ mcp-hooks doctor something
      ! something is not installed. Installed: annal, notes.
      exit 2
      "
    `);
  });

  test('is about one label or one client on request', async ({ world }) => {
    await furnish(world, 'shown-twice');
    const about = async (args: string) => [
      ...new Set((await doctor(world, args)).findings.map((one) => one.about)),
    ];
    expect(await about('')).toEqual([CLAUDE, CODEX, GEMINI, 'annal', 'notes', 'mcp-hooks']);
    expect(await about('notes')).toEqual([CLAUDE, CODEX, GEMINI, 'notes', 'mcp-hooks']);
    expect(await about('notes --client codex')).toEqual([CODEX, 'notes', 'mcp-hooks']);
    expect((await doctor(world, 'notes --client codex')).worst).toBe('warning');
  });

  test('in the home itself, which is not a project', async ({ world }) => {
    await furnish(world, 'healthy');
    const { code } = await world.run('doctor --json', { env: ENV(world), cwd: world.home });
    expect(code).toBe(0);
  });
});

describe.concurrent('without a fixture, doctor reports', () => {
  test('a home that was moved as a whole', async ({ world }) => {
    await furnish(world, 'healthy');
    const moved = `${world.home}-moved`;
    await rename(world.home, moved);
    const { code, findings } = await doctor(world, '', { ...ENV(world), HOME: moved });
    expect(code).toBe(1);
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.map(({ check, about }) => `${check} ${about}`)).toEqual([
      `strays ${CLAUDE}`,
      `strays ${CODEX}`,
      `strays ${GEMINI}`,
      'paths annal',
      'paths annal',
      'paths annal',
      'paths annal',
    ]);
  });

  test('a missing node, while another one is on the PATH', async ({ world }) => {
    await furnish(world, 'node');
    await world.link('../bin/node', process.execPath);
    const { code, findings } = await doctor(world);
    expect(findings.find(({ check }) => check === 'node')).toMatchObject({ level: 'warning' });
    expect(code).toBe(1);
  });

  test('a folder that is read-only', async ({ world }) => {
    await furnish(world, 'healthy');
    await chmod(world.path('~/.mcp-hooks'), 0o500);
    const { code, findings } = await doctor(world);
    await chmod(world.path('~/.mcp-hooks'), 0o700);
    expect(code).toBe(1);
    expect(notable(findings)).toMatchObject([
      {
        ...{ check: 'state-writable', level: 'error' },
        what: expect.stringMatching(/`once` and `cooldown` are ignored.*read-only/),
      },
    ]);
  });

  test('a read-only home without a state folder', async ({ world }) => {
    await chmod(world.home, 0o500);
    const { code, findings } = await doctor(world);
    await chmod(world.home, 0o700);
    expect(code).toBe(0);
    expect(findings.filter(({ check }) => check === 'state-writable')).toMatchObject([
      {
        level: 'warning',
        what: expect.stringContaining('an administrator brings show nothing'),
        todo: expect.stringContaining('MCP_HOOKS_HOME'),
      },
    ]);
  });

  test('hooks of a plugin that its client trusts', async ({ world }) => {
    await furnish(world, 'plugin-trust');
    const key = 'notes@notes:hooks/hooks.json:session_start:0:0';
    const config = await world.read('~/.codex/config.toml');
    const state = (line: string) => `${config}\n[hooks.state.${JSON.stringify(key)}]\n${line}\n`;
    const found = async (line: string) => {
      await world.write('~/.codex/config.toml', state(line));
      const { findings } = await doctor(world);
      return findings.filter(({ check }) => check === 'plugin-trust').length;
    };
    expect(await found('trusted_hash = "sha256:a/sha256:b"')).toBe(0);
    expect(await found('enabled = false')).toBe(1);
  });

  test('a log far above its size limit', async ({ world }) => {
    await furnish(world, 'healthy');
    await world.write('~/.mcp-hooks/log/annal.jsonl', Buffer.alloc(5 * 1024 * 1024, '\n'));
    expect(notable((await doctor(world)).findings)).toMatchObject([
      { check: 'log', level: 'warning', what: expect.stringContaining('5 MiB') },
    ]);
  });

  test('a project that is gone', async ({ world }) => {
    await furnish(world, 'healthy');
    await world.folder('../other');
    const cwd = world.path('../other');
    const args = `install ${world.path('annal.json')} --yes --allow context-tool --scope project --name other`;
    await world.run(args, { env: ENV(world), cwd });
    await world.remove('../other');
    const { code, findings } = await doctor(world, 'other');
    expect(notable(findings)).toMatchObject([
      { check: 'entries', level: 'info', what: expect.stringContaining('its project is gone') },
    ]);
    expect(code).toBe(0);
  });

  test('a failed call only for the hook that made it', async ({ world }) => {
    await furnish(world, 'healthy');
    const hooks = ['Bash', 'Edit'].map((tool_name) => ({
      ...{ event: 'post_tool_use', context_tool: 'note', priority: 'suggestion' },
      matcher: { tool_name },
    }));
    const server = { command: process.execPath, args: ['notes.js'] };
    await world.write(
      '~/two.json',
      JSON.stringify({ name: 'two', server, hooks: { declarations: hooks } }),
    );
    await world.run('install two.json --yes --client codex --allow context-tool', {
      ...{ env: ENV(world), cwd: world.home },
    });
    const failed = { at: Date.now(), client: 'codex', event: 'PostToolUse', hooks: [] };
    const why = [{ code: 'unknown here', hook: 2 }];
    await world.write(
      '~/.mcp-hooks/log/two.jsonl',
      `${JSON.stringify({ ...failed, characters: 0, why })}\n`,
    );
    const { findings } = await doctor(world, 'two');
    const calls = findings.filter(({ check }) => check === 'calls');
    expect(calls.map(({ what }) => what)).toEqual([
      expect.stringContaining('hook 2 called its tool'),
    ]);
  });

  test('no limit of hooks for one that is switched off', async ({ world }) => {
    await furnish(world, 'healthy');
    const hooks = Array.from({ length: 65 }, (_, index) => ({
      ...{ event: 'post_tool_use', context: `Text ${index}.`, matcher: { tool_name: 'Bash' } },
      enabled: index > 0,
    }));
    await world.write(
      '~/many.json',
      JSON.stringify({ version: 2, hooks: { declarations: hooks } }),
    );
    await world.run('install many.json --yes --client codex', {
      ...{ env: ENV(world), cwd: world.home },
    });
    const { findings } = await doctor(world, 'many');
    const left = findings.filter(({ what }) => what.includes('hooksPerServer'));
    expect(left).toEqual([]);
  });

  test('a run in progress', async ({ world }) => {
    await furnish(world, 'healthy');
    await world.write('~/.mcp-hooks/lock', String(process.pid));
    const { code, findings } = await doctor(world);
    expect(notable(findings)).toMatchObject([{ check: 'interrupted', level: 'info' }]);
    expect(code).toBe(0);
  });

  test('a folder in the place of a settings file', async ({ world }) => {
    await furnish(world, 'healthy');
    await rm(world.path('~/.gemini/settings.json'));
    await world.folder('~/.gemini/settings.json');
    const { code, findings } = await doctor(world);
    expect(code).toBe(1);
    expect(notable(findings)).toContainEqual(
      expect.objectContaining({ check: 'settings-readable', level: 'error', about: GEMINI }),
    );
  });
});

describe.concurrent('a server', () => {
  /** A home with its clients, and a server that answers with the content of a file. */
  async function ready(world: World): Promise<void> {
    await installClients(world);
    lay(world, 'healthy', 'before');
    await cp(join(import.meta.dirname, '../support/servers/scripted.mjs'), world.path('annal.mjs'));
  }

  /** Installs annal, which its server declares itself. */
  async function installServer(world: World, declarations: readonly object[]): Promise<void> {
    await answering(world, declarations);
    await ready(world);
    const server = [process.execPath, world.path('annal.mjs'), world.path('answer.json')];
    const { code, err } = await world.run(['install', '--name', 'annal', '--yes', '--', ...server]);
    if (code !== 0) throw new Error(err);
  }
  const answering = (world: World, declarations: readonly object[]): Promise<void> =>
    world.write('answer.json', answer({ hooks: { declarations } }));
  const hello = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
  const recent = { event: 'session_start', context_tool: 'recent', priority: 'suggestion' };
  const ofServer = async (world: World, args = '--servers') => {
    const { code, findings } = await doctor(world, args);
    const { level, what } = findings.find(({ check }) => check === 'server') ?? {};
    return { code, level, what };
  };

  test('is not started without --servers', async ({ world }) => {
    await installServer(world, [hello]);
    await world.write('annal.mjs', 'throw new Error("started");');
    expect(await ofServer(world, '')).toMatchObject({ code: 0, level: 'info' });
  });

  for (const hook of [hello, recent])
    test(`declares the same or something else, or does not start: ${Object.keys(hook)[1]}`, async ({
      world,
    }) => {
      await installServer(world, [hook]);
      expect(await ofServer(world)).toMatchObject({ code: 0, level: 'ok' });
      await answering(world, [{ ...hook, priority: 'important' }]);
      expect(await ofServer(world)).toMatchObject({ code: 0, level: 'warning' });
      const { out } = await world.run('doctor --servers', { env: ENV(world) });
      expect(out).toContain('mcp-hooks update annal');
      await answering(world, []);
      expect(await ofServer(world)).toMatchObject({
        code: 0,
        level: 'warning',
        what: 'its server declares no hooks any more',
      });
      await answering(world, [{ ...hook, event: 'pre_compact' }]);
      expect(await ofServer(world)).toMatchObject({
        what: 'its server no longer declares hooks that mcp-hooks understands',
      });
      await world.remove('annal.mjs');
      expect(await ofServer(world)).toMatchObject({ code: 1, level: 'error' });
    });

  test('a label is reported as unknown if the record of installs cannot be read', async ({
    world,
  }) => {
    await world.write('~/.mcp-hooks/ledger.json', '{');
    const { code, out, err } = await world.run('doctor annal');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('the record of what is installed cannot be read');
    expect(out).toContain('mcp-hooks cannot tell what is installed.');
  });

  test('recorded only as text that may mean another command is not started', async ({ world }) => {
    await installServer(world, [hello]);
    const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    delete ledger.installs[0].origin; // as for a command with a secret
    ledger.installs[0].source = ledger.installs[0].source.replace(/ [^ ]*annal\.mjs/, ' -e annal');
    await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(ledger));
    expect(await ofServer(world)).toMatchObject({ code: 0, level: 'info' });
  });

  test('that declares no hooks is checked if they are from the catalogue', async ({ world }) => {
    await world.write('answer.json', answer({}));
    const starting = [process.execPath, world.path('annal.mjs'), world.path('answer.json')];
    const script = `#!/bin/sh\nexec ${starting.map((word) => `'${word}'`).join(' ')}\n`;
    await world.write('bin/npx', script, 0o755);
    await ready(world);
    const env = { ...ENV(world), PATH: `${world.path('bin')}:${process.env.PATH}` };
    const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { memory } }));
    expect(await world.run('install memory --client claude --yes', { env })).toMatchObject({
      code: 0,
    });
    const { out } = await world.run('doctor --servers --verbose', { env });
    expect(out.replace(/\s+/g, ' ')).toContain(
      'its server starts; its hooks are from the catalogue',
    );
  });

  test('with a stored token is asked without another sign-in', async ({
    world,
    onTestFinished,
  }) => {
    const server = await oauthServer({ hooks: [recent] }, onTestFinished);
    await world.write(
      'm.json',
      JSON.stringify({
        name: 'annal',
        server: { url: server.address },
        hooks: { declarations: [recent] },
      }),
    );
    await ready(world);
    await world.run('install m.json --yes --allow context-tool');
    expect(await ofServer(world)).toMatchObject({
      level: 'error',
      what: expect.stringContaining(`mcp-hooks login ${server.address}`),
    });
    await saveSignIn(world.path('~/.mcp-hooks'), server.grant());
    expect(await ofServer(world)).toMatchObject({ code: 0, level: 'ok' });

    // Installed by its address, it declares hooks itself.
    await world.run('uninstall annal --yes');
    await saveSignIn(world.path('~/.mcp-hooks'), server.grant());
    const { code, err } = await world.run(
      `install ${server.address} --name annal --yes --allow context-tool`,
    );
    expect([code, err]).toEqual([0, expect.stringContaining(server.address)]);
    expect(await ofServer(world)).toMatchObject({ code: 0, level: 'ok' });
  });

  test('with a secret address that only the runner knows', async ({ world, onTestFinished }) => {
    const server = await oauthServer({ open: true, hooks: [recent] }, onTestFinished);
    await ready(world);
    const line = `install ${server.address}?token=hunter2-secret --name annal --yes --allow context-tool`;
    expect((await world.run(line)).code).toBe(0);
    expect(await ofServer(world)).toMatchObject({ code: 0, level: 'ok' });
    const { err } = await world.run('update annal');
    expect(err).toContain('mcp-hooks install --name annal and the address of annal');
  });

  test("in a project's file is asked only as it was approved", async ({ world }) => {
    await answering(world, [hello]);
    await ready(world);
    const configure = (...more: string[]) =>
      world.write(
        '.cursor/mcp.json',
        JSON.stringify({
          mcpServers: {
            annal: {
              command: process.execPath,
              args: [world.path('annal.mjs'), world.path('answer.json'), ...more],
            },
          },
        }),
      );
    await configure();
    expect((await world.run('install annal --yes')).code).toBe(0);
    expect(await ofServer(world)).toMatchObject({ code: 0, level: 'ok' });
    expect(await world.run('update')).toMatchObject({ code: 0 });
    await configure('--another');
    expect(await ofServer(world)).toMatchObject({
      code: 0,
      level: 'warning',
      what: 'its server is not the one you approved, so it was not started',
    });
    expect(await world.run('update')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Review the command, then pass --yes'),
    });
  });

  test("in a manifest is given the manifest's values", async ({ world }) => {
    await ready(world);
    await answering(world, []);
    await world.write(
      'checks.mjs',
      "if (!process.env.WORD) process.exit(3);\nawait import('./annal.mjs');",
    );
    const server = {
      command: process.execPath,
      args: ['./checks.mjs', './answer.json'],
      env: { WORD: 'open' },
    };
    const manifest = (of: object) =>
      JSON.stringify({ name: 'annal', server: of, hooks: { declarations: [recent] } });
    await world.write('m.json', manifest(server));
    await world.run('install m.json --yes --allow context-tool');
    expect(await ofServer(world)).toMatchObject({
      code: 0,
      level: 'ok',
      what: "its server starts; its hooks are the manifest's",
    });

    const other = { ...server, args: [...server.args, 'another'] };
    await world.write('m.json', manifest(other));
    await world.write(
      'checks.mjs',
      "import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');",
    );
    expect(await ofServer(world)).toMatchObject({
      code: 0,
      level: 'warning',
      what: 'its server is not the one you approved, so it was not started',
    });
    expect(Object.keys(await world.snapshot('.'))).not.toContain('ran');
  });
});
