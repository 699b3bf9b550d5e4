// All hooks of the cookbook together in each real client: one session with an occasion for each of them.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseLog } from '../../src/diagnose/log.ts';
import { expected } from '../clients/expectations.ts';
import { ROOT } from '../support/pages.ts';
import { CLIENTS, type Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const COOKBOOK = join(ROOT, 'examples/cookbook');
const MANIFESTS = [
  ...['commit-reminder', 'memory', 'notify'].map((name) => join(ROOT, `examples/${name}.json`)),
  ...readdirSync(COOKBOOK)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(COOKBOOK, name)),
];
const MEMORY = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json'),
  ),
  'dist/index.js',
);
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

/** Stand-ins for the programs that hooks start. Some write their arguments into a file of the home. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'canberra-gtk-play': 'echo "$@" >>"$HOME/played"',
  'notify-send': 'echo "$@" >>"$HOME/notified"',
  curl: 'echo "$@" >>"$HOME/notified"',
  gofmt: 'echo formatted >>"$2"',
  npx: `MEMORY_FILE_PATH="$HOME/memory.jsonl" exec '${process.execPath}' '${MEMORY}'`,
};

let place: Scratch;
const { PATH } = process.env;
beforeEach(() => {
  place = scratch();
  const bin = join(place.files, 'bin');
  mkdirSync(bin);
  for (const [name, line] of Object.entries(PROGRAMS))
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  process.env.PATH = `${bin}:${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  place.remove();
});

/** A repository on `main` with tests that fail, and a file that should not be committed as it is. */
function fillProject(): void {
  const write = (name: string, text: string) => writeFileSync(join(place.project, name), text);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.project });
  write('package.json', JSON.stringify({ scripts: { test: 'node missing.cjs' } }));
  write('.gitignore', '.env\n');
  copyFileSync(join(COOKBOOK, 'team/mcp-hooks.json'), join(place.project, 'mcp-hooks.json'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  write('.gitignore', '.env\n*.log\n'); // a change that a reset would lose
  write('.env', 'NAME=value\n');
  write('left.js', `debugger;\n// ${TOKEN}\n`);
  const remembered = {
    type: 'entity',
    name: 'REMEMBERED',
    entityType: 'note',
    observations: ['x'],
  };
  writeFileSync(join(place.home, 'memory.jsonl'), `${JSON.stringify(remembered)}\n`);
}

async function installAll(client: Client): Promise<void> {
  const how = ['--client', client.id, '--yes', '--allow', 'block,command,context-tool'];
  await mcpHooks(place, 'install', ...MANIFESTS, ...how);
  await mcpHooks(place, 'install', ...how);
  if (client.id === 'codex') await trustHooks(place.home, place.project);
}

/** A call of the client's own tool that writes a file with the text `first`. */
function write(client: Client, name: string) {
  const step = expected[client.id].real.fileCalls[0]?.steps.write?.(join(place.project, name));
  return step ? [step] : [];
}

const session = (client: Client) => ({
  prompts: ['PROMPT-ONE', 'PROMPT-TWO', `PROMPT-THREE ${TOKEN}`],
  steps: [
    // A client ends a turn in which one call after the other fails, so some succeed in between.
    { shell: 'git commit --allow-empty -m on-main' },
    { shell: 'git switch --quiet -c work' },
    { shell: 'rm -rf "$PWD"' },
    { shell: 'git push -f origin main' },
    ...write(client, 'broken.json'),
    { shell: 'git reset --hard' },
    { shell: 'cat .env' },
    ...write(client, 'main.go'),
    { shell: 'npm install left-pad' },
    { shell: 'git add -A && git commit -m secret' },
    { shell: 'git commit --quiet --allow-empty -m done' },
    ...write(client, 'package-lock.json'),
    ...['one', 'two', 'three'].map(() => ({ shell: 'cat missing' })),
    ...expected[client.id].real.subagent.steps,
    { shell: 'echo much', tokens: 116_000 },
    { shell: 'echo more', tokens: 117_000 },
    { text: 'first', tokens: 117_000 },
    // Some clients read only one reason at the end of a turn, and some end a turn with a subagent, so a test adds another turn.
    { shell: 'echo one >> other.txt', tokens: 117_000 },
    { text: 'more', tokens: 117_000 },
    { shell: 'echo two >> other.txt', tokens: 117_000 },
    ...['second', 'more'].map((text) => ({ text, tokens: 117_000 })),
  ],
  subagents: [{ task: 'SUBTASK', steps: [{ text: 'done' }] }],
});

/** A part of each hook's text, as the model reads it. */
const TEXTS: Readonly<Record<string, string>> = {
  'commit-reminder': 'add a line to CHANGELOG.md',
  memory: 'REMEMBERED',
  clock: 'It is ',
  'git-state': 'Branch: main',
  shop: '`pnpm verify` runs what CI runs',
  stuck: 'has failed three times',
  'budget-warning': 'is nearly full',
  'subagent-notes': 'reads only your last message',
  'no-commit-to-main': 'Nobody commits to this branch',
  'no-rm-rf': 'would remove the project',
  'no-force-push': 'A force-push overwrites',
  'no-lost-work': 'git reset throws work away',
  'env-files': '.env holds secrets',
  'shop, block': 'This repository uses pnpm',
  'secrets-in-commits': 'left.js has a token of GitHub',
  'protected-files': 'A tool makes this file',
  'check-syntax': 'broken.json is not valid',
  format: 'Formatted, so read it again',
  leftovers: 'left.js:1: a breakpoint',
  'tests-after-edits': 'npm test --silent fails',
};

const textOf = (name: string): string => {
  const file = join(place.home, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
/** Whether a hook had its other effect. */
const DEEDS: Readonly<Record<string, () => boolean>> = {
  checkpoint: () =>
    execFileSync('git', ['for-each-ref', 'refs/checkpoints'], { cwd: place.project }).length > 0,
  'command-log': () => textOf('agent-commands.jsonl').includes('echo much'),
  'session-log': () => textOf('agent-sessions.csv').includes('"project"'),
  sound: () => textOf('played') !== '',
  notify: () => textOf('notified') !== '',
  'secrets-in-prompts': () =>
    parseLog('', textOf('.mcp-hooks/log/secrets-in-prompts.jsonl')).entries.some(
      ({ decisions = [] }) => decisions.some(({ action }) => action === 'block'),
    ),
};

test('each hook of the cookbook has an expected effect', () => {
  const labels = MANIFESTS.map((file) => JSON.parse(readFileSync(file, 'utf8')).name);
  const shown = Object.keys({ ...TEXTS, ...DEEDS }).filter((name) => !name.startsWith('shop'));
  expect(shown.sort()).toEqual(labels.sort());
});

test.each(Object.values(CLIENTS))(
  '$id: the hooks take effect',
  { timeout: 600_000 },
  async (client) => {
    client.prepare(place);
    fillProject();
    await installAll(client);
    const { conversation } = await client.run({
      ...place,
      ...session(client),
      deadline: 500_000,
    });
    const without = [
      ...Object.keys(TEXTS).filter((name) => !conversation.first(TEXTS[name] ?? '')),
      ...Object.keys(DEEDS).filter((name) => !DEEDS[name]?.()),
    ];
    expect(without).toEqual(Object.keys(expected[client.id].real.cookbook));
    expect(conversation.requestsWith('PROMPT-THREE')).toEqual([]);
  },
);
