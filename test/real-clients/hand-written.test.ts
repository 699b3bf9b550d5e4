// Hooks as people have them in their own files (fixtures/hand-written), all at once in the real client: what they do in a session
// they also do, once, in the same session after an import that takes them out.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { attempt } from '../../src/system/errors.ts';
import { type JsonObject, parse } from '../../src/system/json.ts';
import { expected } from '../clients/expectations.ts';
import { until } from '../support/processes.ts';
import { CLIENTS, type Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/hand-written');
const FILES = Object.values(CLIENTS).flatMap((client) => {
  const folder = join(FOLDER, client.id);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map((name) => ({ id: client.id, client, name }));
});

/** Programs that the entries start. Each does nothing but say so; the time is always the same. */
const PROGRAMS = (
  'afplay black bun cargo curl date gh gofmt node notify-send npm npx osascript paplay pnpm prettier ' +
  'python3 ruff say tdd-guard terminal-notifier uv'
).split(' ');
/** Programs that do their work besides. Clients and lines that were translated start them, too, with other words. */
const THROUGH = ['git', 'jq'];
const SCRIPT =
  /(\$HOME\/|~\/|\$\w+"?\/)?((?:\.?[\w-]+\/)*(?:hooks|scripts)\/[\w.-]+\.(?:sh|py|js|ts))\b/g;
const LOG = /(~\/)?([\w./-]+\.(?:log|txt|jsonl))\b/g;
const READ = ['CONTEXT.md', 'TODO.md', '.claude/today.md', 'tsconfig.json'];
/** Parts of what entries print for the model. */
const TEXTS = [
  'Current time: 2026',
  'Use the fewest words.',
  ...READ.map((name) => `This is ${name}.`),
  'Read GEMINI.md first',
  'On branch main, as',
  '?? CONTEXT.md',
  'Untracked files:',
];

const unquoted = (text: string) => text.replace(/["'\\]/g, '');

interface Furnished {
  readonly bin: string;
  readonly log: string;
  /** Files to which the entries add lines. */
  readonly written: readonly string[];
}

/** The programs, scripts and files that the entries name. */
function furnish({ home, project, files }: Scratch, text: string): Furnished {
  const [bin, log] = [join(files, 'bin'), join(files, 'ran')];
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
  };
  const says = (words: string) => `#!/bin/sh\nprintf '%s\\n' "${words}" >>'${log}'\n`;
  for (const name of PROGRAMS)
    write(join(bin, name), says(`${name} $*`) + (name === 'date' ? 'echo 2026\n' : ''));
  const at = (start = '', name = '') => join(/^(?:\$HOME|~)\//.test(start) ? home : project, name);
  for (const name of THROUGH)
    write(
      join(bin, name),
      `${says(`${name} $*`)}exec '${execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()}' "$@"\n`,
    );
  for (const [, start, name = ''] of text.matchAll(SCRIPT))
    write(at(start, name), says(`${basename(name)} $*`));
  for (const name of READ) write(join(project, name), `This is ${name}.\n`);
  const written = [...text.matchAll(LOG)].map(([, start, name]) => at(start, name));
  for (const path of written) mkdirSync(dirname(path), { recursive: true });
  return { bin, log, written: [...new Set(written)] };
}

/** Whether a process runs whose PATH begins with a folder. */
const isOnPath = (bin: string): boolean =>
  readdirSync('/proc').some(
    (pid) =>
      /^\d+$/.test(pid) &&
      attempt(() => readFileSync(`/proc/${pid}/environ`).includes(`PATH=${bin}:`)) === true,
  );

/** Adds the entries of a fixture to the user's own settings. */
function addEntries({ id }: Client, { home }: Scratch, name: string, text: string): string {
  const path = join(home, expected[id].byHand);
  const own = name.endsWith('.toml') ? join(dirname(path), name) : path;
  const before = existsSync(own) ? readFileSync(own, 'utf8') : '{}';
  mkdirSync(dirname(own), { recursive: true });
  if (own.endsWith('.toml')) {
    // Its first lines are other settings, and `notify`, which codex-notify.test.ts tries.
    const [, ...hooks] = text.split('\n\n');
    writeFileSync(own, [before, ...hooks].join('\n\n'));
  } else {
    const { hooks, version } = parse(text) as JsonObject;
    const more = { ...(version !== undefined && { version }), hooks };
    writeFileSync(
      own,
      `${JSON.stringify({ ...(parse(before) as JsonObject), ...more }, null, 2)}\n`,
    );
  }
  return own;
}

test.each(FILES)('$id: $name', async ({ id, client, name }) => {
  const place = scratch();
  onTestFinished(place.remove);
  client.prepare(place);
  // There is no terminal here.
  const text = readFileSync(join(FOLDER, id, name), 'utf8').replaceAll('/dev/tty', '/dev/null');
  const { bin, log, written } = furnish(place, text);
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '-m', 'First'], {
    cwd: place.project,
  });
  const own = addEntries(client, place, name, text);
  const file = join(place.project, 'a.ts');
  const { fileCalls } = expected[id].real;
  const write = fileCalls[0]?.steps.write?.(file);
  if (!write) throw new Error('no call that writes a file');
  const steps = [{ shell: 'true' }, write, { text: 'done' }];

  const session = async (): Promise<string[]> => {
    for (const path of [log, file, ...written]) rmSync(path, { force: true });
    // People expect the last two of clients that set no such variable.
    const own = { CLAUDE_FILE_PATHS: 'a.ts', CLAUDE_TOOL_INPUT_FILE_PATH: 'a.ts' };
    const env = { PATH: `${bin}:${process.env.PATH}`, USER: 'ann', ...own };
    const { conversation } = await client.run({ ...place, env, prompts: ['PROMPT-ONE'], steps });
    // The client does not wait for commands in the background.
    await until('no process has the programs on its PATH', () => !isOnPath(bin));
    const lines = (path: string) =>
      (existsSync(path) ? readFileSync(path, 'utf8') : '').split('\n').filter(Boolean);
    const read = JSON.stringify(conversation.requests.at(-1)?.body);
    const isOwn = (line: string) =>
      !THROUGH.some((program) => line.startsWith(`${program} `)) ||
      unquoted(text).includes(unquoted(line));
    const all = [
      ...lines(log)
        .map((line) => line.trimEnd())
        .filter(isOwn),
      ...written.flatMap((path) => lines(path).map(() => `a line in ${path}`)),
      ...TEXTS.flatMap((part) =>
        Array(read.split(part).length - 1).fill(`the model reads ${part}`),
      ),
    ];
    const tidy = (line: string) =>
      line
        .replaceAll(`${place.project}/`, '')
        .replaceAll(place.home, '~')
        .replace(/(?<= )\.\//g, '');
    return all.map(tidy).sort();
  };
  const trust = async () => id === 'codex' && (await trustHooks(place.home, place.project));

  await trust();
  const before = readFileSync(own, 'utf8');
  const was = await session();
  const draft = join(place.files, 'own.json');
  const imported = await mcpHooks(place, 'import', own, '--client', id, '--out', draft, '--json');
  const { entries, grants } = JSON.parse(imported);
  const allow = ['--allow', grants.join(), '--replace-originals', '--yes'];
  await mcpHooks(place, 'install', draft, '--client', id, ...allow);
  await trust();
  const is = await session();
  expect(is).toEqual(was);
  expect(was.length).toBeGreaterThan(entries.length / 2);

  await mcpHooks(place, 'uninstall', 'own', '--yes');
  expect(readFileSync(own, 'utf8')).toBe(before);
});
