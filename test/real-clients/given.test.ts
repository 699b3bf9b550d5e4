// What a client gives a server that it starts: a server that is configured in the client's own file writes down how it was
// started, first by the real client, and then by our runner, because hooks of the same session call its tool.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/system/child.ts';
import { expected } from '../clients/expectations.ts';
import { ENV, expandedBy, keptBy, MORE, OWN, WORDS } from '../support/given.ts';
import { CACHES, CLIENTS, type Client, LAUNCH } from './clients.ts';
import { CLI } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const ECHO = fileURLToPath(new URL('./fixtures/echo-server.mjs', import.meta.url));

/** A start of the server. */
interface Start {
  readonly by: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The server's starts in a session in the project. @param startedIn The folder in which the client itself is started. */
async function startsBy(client: Client, place: Scratch, startedIn: 'files' | 'project') {
  const { refuses = [] } = expected[client.id].given;
  client.prepare(place);
  const log = join(place.files, 'starts.jsonl');
  const own = Object.fromEntries(Object.entries(OWN).filter(([, word]) => !refuses.includes(word)));
  const env = { ...own, ...MORE, ECHO_STARTS: log };
  client.addServers(place, {
    annal: { command: process.execPath, args: [ECHO, ...WORDS], env },
  });
  const line = ['--from', client.id, '--client', client.id, '--yes', '--allow', 'context-tool'];
  const installed = await run([process.execPath, CLI], ['install', 'annal', ...line], {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home, ...CACHES, ...ENV },
  });
  expect([installed.exitCode, installed.stderr]).toEqual([0, expect.anything()]);
  await client.trust?.(place, LAUNCH[client.id]);
  rmSync(log);

  const start = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', place[startedIn]] as const;
  // Hooks after this call get another working folder from some clients.
  const steps = [{ shell: 'mkdir sub && cd sub' }, { text: 'answer' }];
  await client.run({
    ...{ ...place, env: ENV, prompts: ['PROMPT-ONE'], steps },
    ...(startedIn === 'files' && { launch: [...start, ...LAUNCH[client.id]] }),
  });
  const all: Start[] = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  const [theirs, ours] = [
    all.filter(({ by }) => by !== 'mcp-hooks'),
    all.filter(({ by }) => by === 'mcp-hooks'),
  ];
  expect([theirs.length > 0, ours.length]).toEqual([true, 2]);
  return { own, theirs, ours };
}

function newPlace(): Scratch {
  const place = scratch();
  onTestFinished(place.remove);
  return place;
}

test.each(Object.values(CLIENTS))('$id', async (client) => {
  const place = newPlace();
  const { set = {}, adds = [], environment } = expected[client.id].given;
  const { own, theirs, ours } = await startsBy(client, place, 'project');
  for (const { args, cwd, env: got } of theirs) {
    expect(args).toEqual(expandedBy(client.id, 0));
    const values = expandedBy(client.id, 1);
    expect(Object.keys(OWN).map((name) => got[name])).toEqual(
      Object.keys(OWN).map((name, index) => (name in own ? values[index] : undefined)),
    );
    const names = [...new Set(['PATH', 'HOME', ...Object.keys({ ...ENV, ...MORE })])].sort();
    const kept = keptBy(client.id, names).filter((name) => !(name in set));
    expect(names.filter((name) => name in got)).toEqual(kept);
    expect(got).toMatchObject(environment);
    expect(cwd).toBe(place.project);
  }
  // A shell sets the first of these for whatever it starts.
  const aside = ['_', 'OLDPWD', 'PWD', 'SHLVL', 'MCP_HOOKS_WITHIN', ...adds];
  const given = ({ args, cwd, env: got }: Start) => ({
    args,
    cwd,
    env: Object.fromEntries(Object.entries(got).filter(([name]) => !aside.includes(name))),
  });
  for (const one of [...theirs, ...ours]) expect(given(one)).toEqual(given(theirs[0] ?? one));
});

test.each(Object.values(CLIENTS).filter(({ id }) => expected[id].given.elsewhere))(
  '$id: its session is in another folder than the one in which it was started',
  async (client) => {
    const place = newPlace();
    const { theirs, ours } = await startsBy(client, place, 'files');
    const folder = place[expected[client.id].given.elsewhere ?? 'project'];
    expect([...theirs, ...ours].map(({ cwd }) => cwd)).toEqual(
      Array(theirs.length + 2).fill(folder),
    );
  },
);
