// `fire` and `verify` with hooks of the extended vocabulary, in all clients side by side.
import { describe, expect } from 'vitest';
import { findClient } from '../../src/clients/registry.ts';
import { expected, isNever } from '../clients/expectations.ts';
import { env } from '../support/fired.ts';
import { code } from '../support/pages.ts';
import { all, each, IDS } from '../support/runner/at-once.ts';
import { type ClientId, MOMENTS } from '../support/runner/clients.ts';
import { trustInCodex } from '../support/trusted.ts';
import { test, type World } from '../support/world.ts';

const GUARD = [
  '#!/bin/sh',
  'case $(cat) in *forbidden*) echo "not this one" >&2; exit 2 ;; esac',
  '',
].join('\n');

async function install(world: World): Promise<void> {
  await world.write('guard.sh', GUARD);
  const matcher = { tool_name: 'Bash' };
  const declarations = [
    { event: 'pre_tool_use', command: ['sh', 'guard.sh'], may: ['block'], matcher },
    {
      event: 'pre_tool_use',
      block: 'No force.',
      matcher: { ...matcher, input_matches: '--force' },
    },
    { event: 'pre_compact', context: 'Remember this.' },
  ];
  await put(world, declarations, 'block,command');
}

/** Installs these declarations as guard, by default in every client. */
async function put(
  world: World,
  declarations: readonly object[],
  allow = 'block',
  clients = IDS.join(),
): Promise<void> {
  await world.write('guard.json', JSON.stringify({ version: 2, hooks: { declarations } }));
  const flags = `--client ${clients} --allow ${allow} --yes --replace`;
  const { code, err } = await world.run(`install guard.json ${flags}`, { env });
  if (code !== 0) throw new Error(err);
  if (clients.includes('codex')) await trustInCodex(world, 'user');
}

const calling = (event: string, command: string) => [
  ...[event, '--tool', 'Bash', '--input'],
  JSON.stringify({ command }),
];

interface Firing {
  readonly decided?: string;
  readonly reason?: string;
  readonly text: string | null;
}

/** The results of an event's firings in each client. */
async function fired(
  world: World,
  args: readonly string[],
  of: (one: Firing) => string | null | undefined,
) {
  const { out } = await world.run(['fire', 'guard', ...args, '--json'], { env, whole: true });
  const clients: { id: string; firings: Firing[] }[] = JSON.parse(out).clients;
  return Object.fromEntries(
    clients.map(({ id, firings }) => [
      id,
      firings
        .map(of)
        .filter((one) => one)
        .join('; '),
    ]),
  );
}

/** What is printed about a client. Several clients with the same result share it. */
const about = (out: string, id: ClientId): string =>
  out
    .split(/^(?=\S)/m)
    .filter((part) => part.includes(`${findClient(id)?.name}`))
    .join('');

describe('fire', () => {
  const call = (command: string) => calling('pre_tool_use', command);
  const why = ({ decided, reason }: Firing) =>
    decided && `${decided}: ${reason?.split(': ').at(-1)}`;

  test('shows what was blocked, and why', async ({ world }) => {
    await install(world);
    expect(await fired(world, call('git push --force'), why)).toEqual(all('blocked: No force.'));
    expect(await fired(world, call('forbidden'), why)).toEqual(all('blocked: not this one'));
    expect(await fired(world, call('ls'), why)).toEqual(all(''));
    const { out } = await world.run(['fire', 'guard', ...call('forbidden')], { env, whole: true });
    expect(each((id) => about(out, id))).toEqual(
      all(expect.stringContaining('hook 1 shown, and it was blocked')),
    );
  });

  test('shows the text that a compaction brings later', async ({ world }) => {
    await install(world);
    const texts = await fired(world, ['pre_compact'], ({ text }) => text?.split('| ').at(-1));
    expect(texts).toEqual(each((id) => (isNever(id, 'pre_compact') ? '' : 'Remember this.')));
  });
});

// Some clients give a hook three seconds, in which a busy machine may not even start its program.
test('fire reports that a guard failed, and whether the call goes on', { retry: 2 }, async ({
  world,
}) => {
  await world.write('fails.sh', 'exit 3\n');
  const fails = { event: 'pre_tool_use', command: ['sh', 'fails.sh'], may: ['block'] };
  const declarations = [fails, { ...fails, on_failure: 'deny', order: 60 }];
  await put(world, declarations, 'block,command');
  const fire = ['fire', 'guard', 'pre_tool_use', '--tool', 'Bash'];
  interface Failed extends Firing {
    readonly hooks: readonly { readonly hook: number; readonly failed?: string }[];
  }
  const { out } = await world.run([...fire, '--json'], { env, whole: true });
  const clients: { id: string; firings: Failed[] }[] = JSON.parse(out).clients;
  const failed = clients.map(({ id, firings }) => [
    id,
    firings.flatMap(({ hooks }) => hooks.flatMap((one) => one.failed ?? [])).join(' '),
  ]);
  expect(Object.fromEntries(failed)).toEqual(all('allow deny'));
  const shown = (await world.run(fire, { env, whole: true })).out;
  for (const line of ['hook 1 failed and let it pass', 'hook 2 failed and blocked it'])
    expect(each((id) => about(shown, id))).toEqual(all(expect.stringContaining(line)));
});

test('fire, log and stats agree about a text next to a block', async ({ world }) => {
  const about = { event: 'post_tool_use', matcher: { tool_name: 'Bash' } };
  const declarations = [
    { ...about, context: 'A text.' },
    { ...about, block: 'Not this.', matcher: { ...about.matcher, input_contains: 'forbidden' } },
  ];
  await put(world, declarations);
  interface Of {
    readonly client: ClientId;
    readonly event: string;
  }
  interface Answered {
    readonly event: string;
    readonly hooks: readonly { hook: number; shown: boolean; reason?: { message: string } }[];
  }
  const inJson = async (...line: string[]) =>
    JSON.parse((await world.run([...line, '--json'], { env, whole: true })).out);
  const call = calling('post_tool_use', 'forbidden');
  const { clients }: { clients: { id: ClientId; firings: Answered[] }[] } = await inJson(
    ...['fire', 'guard', ...call],
  );
  const log: { entries: (Of & { hooks: number[]; reason?: string })[] } = await inJson(
    ...['log', 'guard', '--trials'],
  );
  const { stats }: { stats: (Of & { hook: number })[] } = await inJson(
    ...['stats', 'guard', '--trials'],
  );
  const seen = each((id) => {
    const { event } = MOMENTS.after[id];
    const isHere = (one: Of) => one.client === id && one.event === event;
    const firings = clients.find((one) => one.id === id)?.firings ?? [];
    const first = firings
      .filter((one) => one.event === event)
      .flatMap(({ hooks }) => hooks.filter(({ hook }) => hook === 1));
    return {
      told: first.some(({ shown }) => shown),
      why: first.flatMap(({ reason }) => reason?.message ?? []),
      log: log.entries.filter(isHere).map(({ hooks, reason = '' }) => `${hooks} ${reason}`),
      counted: stats.filter(isHere).map(({ hook }) => hook),
    };
  });
  const dropped = 'dropped by the client: it shows no text beside a block';
  const wanted = each((id) => {
    if (!expected[id].answers.output) return { told: true, why: [], log: ['1 '], counted: [1] };
    return expected[id].real.texts.block === 'read'
      ? { told: true, why: [], log: ['2,1 '], counted: [1, 2] }
      : { told: false, why: [dropped], log: [`2 hook 1 ${dropped}`], counted: [2] };
  });
  expect(seen).toEqual(wanted);
});

test('a changed output is not reported as a block, even if a client sends it as one', async ({
  world,
}) => {
  const answer = JSON.stringify({ action: 'modify', modifiedOutput: 'REDACTED' });
  await world.write('redact.sh', `echo '${answer}'\n`);
  const redacts = { event: 'post_tool_use', command: ['sh', 'redact.sh'], may: ['modify'] };
  const declarations = [
    { ...redacts, matcher: { tool_name: 'Bash' } },
    {
      event: 'post_tool_use',
      block: 'Not this.',
      matcher: { tool_name: 'Bash', input_contains: 'both' },
    },
  ];
  await put(world, declarations, 'block,modify,command');
  const call = (command: string) => calling('post_tool_use', command);
  interface Changed extends Firing {
    readonly event: string;
    readonly hooks: readonly { readonly hook: number; readonly shown: boolean }[];
  }
  const outcome = async (command: string) => {
    const { out } = await world.run(['fire', 'guard', ...call(command), '--json'], {
      env,
      whole: true,
    });
    const clients: { id: string; firings: Changed[] }[] = JSON.parse(out).clients;
    return Object.fromEntries(
      clients.map(({ id, firings: [first] }) => [
        id,
        [first?.decided, ...(first?.hooks ?? []).map(({ shown }) => shown)].join(' '),
      ]),
    );
  };
  const decides = (id: ClientId) => expected[id].answers.output !== undefined;
  const one = (what: string) => each((id) => (decides(id) ? what : ' false'));
  expect(await outcome('ls')).toEqual(one('changed true false'));
  expect(await outcome('both')).toEqual(one('blocked true true'));
  const words = await world.run(['fire', 'guard', ...call('ls')], { env, whole: true });
  expect(words.out.match(/: hook 1 changed something/g)).toHaveLength(IDS.filter(decides).length);

  // Some clients do not let hooks change the output of a failed call, and the plan says so.
  const verified = await world.run('verify guard', { env, whole: true });
  expect([verified.code, verified.out]).toEqual([0, expect.not.stringContaining('failed')]);
});

test('fire gives each hook its own reason for showing nothing', async ({ world }) => {
  const event = 'post_tool_use';
  const program = (status: number) => ({ event, command: ['sh', `exit${status}.sh`] });
  for (const status of [0, 3, 4]) await world.write(`exit${status}.sh`, `exit ${status}\n`);
  await put(
    world,
    [
      { event, context: 'x'.repeat(900), priority: 'important' },
      program(0),
      program(3),
      program(4),
      { event, context: 'y'.repeat(900) },
    ],
    'command',
  );
  const policy = { charactersPerEvent: 1200, command: true, projectCode: true };
  await world.write('~/.mcp-hooks/policy.json', JSON.stringify(policy));
  const { out } = await world.run(['fire', 'guard', ...calling(event, 'ls')], { env, whole: true });
  const reasons = (text: string) => text.match(/(?<=^ {4}hook )\d.*/gm);
  const ended = 'its program returned no text: its program ended with';
  expect(reasons(out)).toEqual(
    IDS.flatMap(() => [
      `2 (${event}): its runner showed nothing`,
      `3 (${event}): ${ended} 3`,
      `4 (${event}): ${ended} 4`,
      `5 (${event}): there was no room left for it`,
    ]),
  );
});

test('fire names the condition that a hook waits for', async ({ world }) => {
  const conditions = {
    input_matches: '^git push$',
    output_matches: 'error: [0-9]+',
    output_contains: 'no such words',
    failed: true,
    exclude: { tools: ['Bash'] },
    branch: 'release/*',
    project: 'nobody',
    repeat: { times: 3, within: 60, same: 'call' },
  };
  const declarations = Object.entries(conditions).map(([field, value]) => ({
    event: 'post_tool_use',
    context: `By ${field}.`,
    matcher: { tool_name: 'Bash', [field]: value },
  }));
  await put(world, declarations, 'block', 'claude-code');
  const words = ['fire', 'guard', ...calling('post_tool_use', 'ls')];
  const { out } = await world.run([...words, '--json'], { env, whole: true });
  const { clients } = JSON.parse(out);
  const [{ hooks }] = clients[0].firings;
  const reasons = hooks.map(({ reason }: { reason: object }) => reason);
  expect(
    reasons.map((reason: { code: string; field: string }) => [reason.code, reason.field]),
  ).toEqual(Object.keys(conditions).map((field) => ['conditions', field]));
  const shown = await world.run(words, { env, whole: true });
  for (const field of Object.keys(conditions)) expect(shown.out).toContain(`(${field})`);
});

test('fire reports for a hook that is shown later only what is known', async ({ world }) => {
  const compacted = (more: object) => ({ event: 'pre_compact', ...more });
  const declarations = [
    compacted({ context: 'Here.', once: 'session' }),
    compacted({ context: 'Elsewhere.', matcher: { branch: 'nowhere' } }),
    compacted({ command: ['echo', 'kept'] }),
    compacted({ command: ['false'] }),
    compacted({ command: ['true'] }),
  ];
  await put(world, declarations, 'command', 'claude-code');
  const words = ['fire', 'guard', 'pre_compact', '--times', '2', '--json'];
  const { out } = await world.run(words, { env, whole: true });
  const [{ firings }] = JSON.parse(out).clients;
  const before = firings.filter(({ event }: { event: string }) => event === 'PreCompact');
  expect(
    before.map(({ hooks }: { hooks: { reason: { code: string } }[] }) =>
      hooks.map(({ reason }) => reason.code),
    ),
  ).toEqual([
    ['marked', 'conditions', 'marked', 'command', 'nothing-shown'],
    ['once', 'conditions', 'marked', 'command', 'nothing-shown'],
  ]);
});

test('fire simulates the end of a subagent in every client', async ({ world }) => {
  const declarations = [{ event: 'subagent_end', context: 'Read its answer.' }];
  await put(world, declarations);
  const said = await fired(world, ['subagent_end'], ({ text }) => text?.split('| ').at(-1));
  expect(new Set(Object.values(said).map((all) => all.split('; ')[0]))).toEqual(
    new Set(['Read its answer.']),
  );
});

test('verify does not fail for hooks whose conditions it cannot try', async ({ world }) => {
  await install(world);
  const { out } = await world.run('verify guard --json', { env, whole: true });
  const { verified } = JSON.parse(out);
  const found = verified.map(
    ({ client, events }: { client: string; events: { hooks: object[] }[] }) => [
      client,
      events.flatMap(({ hooks }) => hooks).filter((hook) => 'failure' in hook && hook.failure)
        .length,
    ],
  );
  expect(Object.fromEntries(found)).toEqual(all(0));
  const shown = await world.run('verify guard', { env, whole: true });
  const rows = shown.out.match(/\bready .*/g) ?? [];
  expect(rows.map((row) => row.replace(/ on \w+/g, ''))).toEqual(
    expect.arrayContaining([
      'ready   hook 1: when its program prints something',
      'ready   hook 2: when its conditions hold',
    ]),
  );
  const outcome = shown.out.replace(/\s+/g, ' ');
  expect(outcome).toContain(
    ` 1 hook fires in ${IDS.length} clients once you trust this folder in `,
  );
  expect(outcome).toMatch(/\. Depends on conditions: 2 hooks\. $/);
  const declarations = [
    { event: 'pre_request', context: 'Hello.', matcher: { branch: 'release/*' } },
  ];
  await put(world, declarations, 'block', 'gemini-cli');
  const alone = await world.run('verify guard --client gemini', { env, whole: true });
  expect(alone.out).toContain('\n\nDepends on conditions: 1 hook in 1 client once you trust ');
});

test('a program gets the event as the page shows it', async ({ world }) => {
  await world.write('keep.sh', 'cat > seen.json\n');
  await world.folder('.git/objects', '.git/refs');
  await world.write('.git/HEAD', 'ref: refs/heads/main\n');
  const hook = {
    event: 'pre_tool_use',
    command: ['sh', 'keep.sh'],
    matcher: { tool_name: 'Bash' },
  };
  const budget = { event: 'budget_exceeded', budget: { tokens: 160_000 }, context: 'Over.' };
  const usage = { input_tokens: 78_000, output_tokens: 124 };
  await world.write(
    'transcript.jsonl',
    `${JSON.stringify({ type: 'assistant', message: { usage } })}\n`,
  );
  await put(world, [hook, budget], 'command', 'claude-code');
  const args = ['fire', 'guard', 'pre_tool_use', '--payload', 'payload.json'];
  const payload = {
    session_id: 'abc',
    cwd: world.work,
    transcript_path: world.path('transcript.jsonl'),
    tool_name: 'Bash',
    tool_input: { command: 'git push --force' },
  };
  await world.write('payload.json', JSON.stringify(payload));
  await world.run(args, { env, whole: true });
  const seen: Record<string, object> = JSON.parse(await world.read('seen.json'));
  const shown: Record<string, object> = JSON.parse(
    code('docs/declaration.md', 'code: envelope').replace(/^```\w*$/gm, ''),
  );
  expect(Object.keys(shown)).toEqual(Object.keys(seen));
  const local = [
    'timestamp',
    'repository',
    'cwd',
    'project_path',
    'project_name',
    'transcript_path',
  ];
  for (const key of Object.keys(shown).filter((one) => !local.includes(one)))
    expect([key, seen[key]]).toEqual([key, shown[key]]);
});
