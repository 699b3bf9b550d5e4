/** A process of the user may put anything in the place of a file that hooks read or write. No hook waits for it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES } from '../../src/declaration/policy.ts';
import { linesIn } from '../support/runner/chain.ts';
import { type ClientId, clientOf, IDS, recorded } from '../support/runner/clients.ts';
import { install, type Setup, type World } from '../support/runner/world.ts';

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a device that never ends': (path) => symlinkSync('/dev/zero', path),
};

/** Hooks of SEP-2282. The client's shell answers some of their events without Node. */
const PLAIN: Partial<Setup> = {
  hooks: [
    { event: 'session_start', context: 'welcome' },
    { event: 'pre_request', context: 'asked' },
    { event: 'post_tool_use', context: 'called' },
    { event: 'post_request', context: 'done' },
  ],
};

const STARTS: Partial<Setup> = { hooks: PLAIN.hooks?.slice(0, 1) ?? [] };

/** Hooks that store and read everything that is kept for a session. */
const EXTENDED: Partial<Setup> = {
  manifest: JSON.stringify({
    version: 2,
    name: 'annal',
    hooks: {
      declarations: [
        { event: 'post_tool_use', context: 'called' },
        {
          event: 'post_tool_use',
          context: 'again',
          matcher: { repeat: { times: 2, within: 60, same: 'tool' } },
        },
        { event: 'budget_exceeded', context: 'much', budget: { tokens: 1 } },
        { event: 'pre_tool_use', context: 'first', once: 'turn' },
        { event: 'pre_compact', command: ['sh', '-c', 'cat >/dev/null; echo kept'] },
        { event: 'post_request', command: ['sh', '-c', 'cat >/dev/null; echo over'] },
        { event: 'subagent_end', context: 'back', cooldown: 1 },
      ],
    },
  }),
  defaults: { ...RULES, command: true, projectCode: true },
};

const world = (setup: Partial<Setup>): World => install({ hooks: [], ...setup });

/** Fires every event of the client in one session. Returns the texts, event by event. */
async function session(made: World, shell: string, id: ClientId, moment: string, transcript = '') {
  const told: string[] = [];
  for (const event of Object.keys(clientOf(id).nativeEvents)) {
    const command = made.command(id, event);
    if (command === undefined) continue;
    const { timestamp } = recorded(id, event);
    const payload = recorded(id, event, {
      session: 'one',
      cwd: made.cwd,
      timestamp: typeof timestamp === 'number' ? timestamp + moment.length : moment,
      tool_use_id: moment,
      prompt_id: moment,
      turn_id: moment,
      ...(transcript !== '' && { transcript }),
    });
    const said = await ended(made, shell, command, JSON.stringify(payload));
    told.push(...(said === '' ? [] : linesIn(JSON.parse(said))));
  }
  return told;
}

/** What a command prints. If it does not end, all its processes are killed, and the test fails. */
async function ended({ cwd, folder }: World, shell: string, command: string, input: string) {
  const env = { PATH: process.env.PATH, HOME: folder, SHLVL: '1' };
  const child = spawn(shell, ['-c', command], { cwd, env, detached: true });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => said.push(text));
  child.stdin.on('error', () => {}).end(input);
  const late = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 10_000);
  const [code, signal] = await once(child, 'close');
  clearTimeout(late);
  expect({ code, signal }, input).toEqual({ code: 0, signal: null });
  return said.join('');
}

describe.each(Object.entries(KINDS))('%s', (_kind, put) => {
  const replace = (path: string) => {
    rmSync(path, { recursive: true, force: true });
    put(path);
  };

  test.each([
    ['sh', 'hooks', PLAIN],
    ['bash', 'hooks', PLAIN],
    ['sh', 'a hook that the shell answers for', STARTS],
    ['bash', 'a hook that the shell answers for', STARTS],
    ['sh', 'hooks of the extended vocabulary', EXTENDED],
  ])(
    'in place of the log, memories and transcripts holds up no hook: %s, %s',
    async (shell, _, setup) => {
      await Promise.all(
        IDS.map(async (id) => {
          const made = world({ ...setup, node: process.execPath });
          const before = await session(made, shell, id, 'a');
          for (const folder of ['log', 'sessions'])
            for (const name of readdirSync(join(made.state, folder)))
              replace(join(made.state, folder, name));
          const transcript = join(made.cwd, 'record.jsonl');
          replace(transcript);
          const after = await session(made, shell, id, 'aa', transcript);
          // Texts for calls are shown again, even if nothing can be remembered.
          if (before.includes('called'))
            expect([id, after]).toEqual([id, expect.arrayContaining(['called'])]);
        }),
      );
    },
  );

  test('in place of policy.json: nothing is shown, and the log has the reason', async () => {
    for (const setup of [PLAIN, EXTENDED]) {
      const made = world({ ...setup, node: process.execPath });
      put(join(made.state, 'policy.json'));
      expect(await session(made, 'sh', 'claude-code', 'a')).toEqual([]);
      expect(readFileSync(join(made.state, 'log/annal.jsonl'), 'utf8')).toContain('policy-invalid');
    }
  });
});
