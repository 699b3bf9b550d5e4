// All clients in the home of one user: one plan installs for them, each runs its hooks once, and each gets its files back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLog } from '../../src/diagnose/log.ts';
import { expected } from '../clients/expectations.ts';
import { CLIENTS, type Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { mcpHooks, tree } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const all = Object.values(CLIENTS);
const MANIFEST = {
  name: 'annal',
  hooks: {
    declarations: [
      { event: 'session_start', context: 'AT-START', priority: 'important' },
      { event: 'pre_request', context: 'WITH-PROMPT', priority: 'important' },
      {
        event: 'pre_tool_use',
        matcher: { tool_name: 'Bash', input_contains: 'git commit' },
        context: 'BEFORE-CALL',
        priority: 'important',
      },
    ],
  },
};

let place: Scratch;
let before: ReturnType<typeof tree>;
let installed: ReturnType<typeof tree>;

const install = () => mcpHooks(place, 'install', join(place.files, 'annal.json'), '--yes');
const uninstall = () => mcpHooks(place, 'uninstall', 'annal', '--yes');

beforeAll(async () => {
  place = scratch();
  for (const client of all) client.prepare(place);
  writeFileSync(join(place.files, 'annal.json'), JSON.stringify(MANIFEST));
  before = tree(place.home);
  await install();
  installed = tree(place.home);
  await uninstall();
});
afterAll(() => place.remove());

test('an uninstall removes to the byte what one plan installed for all of them', async () => {
  expect(tree(place.home)).toEqual(before);
  await install();
  await trustHooks(place.home, place.project);
});

describe('a prompt and a call run each hook once, and the model reads each text once', () => {
  const seen: string[] = [];

  test.each(all)('$id', async (client: Client) => {
    const { conversation, exitCode } = await client.run({
      ...place,
      prompts: ['PROMPT-ONE'],
      steps: [{ shell: 'git commit --quiet --allow-empty -m done' }, { text: 'done' }],
    });
    expect(exitCode).toBe(0);
    const last = JSON.stringify(conversation.requests.at(-1)?.body);
    const times = (text: string) => last.split(text).length - 1;
    expect([times('AT-START'), times('WITH-PROMPT')]).toEqual([1, 1]);
    const log = readFileSync(join(place.home, '.mcp-hooks/log/annal.jsonl'), 'utf8');
    const { entries } = parseLog('annal', log);
    const fired = entries
      .filter((entry) => entry.client === client.id)
      .flatMap(({ hooks }) => hooks)
      .sort();
    seen.push(client.id);
    // If only prompts can have texts, the text about the call waits for the next prompt.
    expect(fired).toEqual(expected[client.id].real.tellsLater ? [1, 2] : [1, 2, 3]);
    // No other client's hooks have run.
    expect(new Set(entries.map((entry) => entry.client))).toEqual(new Set(seen));
  });
});

test('after that, each settings file is as it was, to the byte', async () => {
  await uninstall();
  const after = tree(place.home);
  const ours = Object.keys(installed).filter((name) => installed[name] !== before[name]);
  const left = ours.filter((name) => after[name] !== before[name]);
  expect(left).toEqual([]);
  expect(Object.keys(after).filter((name) => name.startsWith('.mcp-hooks'))).toEqual([]);
});
