// `fire --times` repeats an event in one session, for hooks that count, in all clients side by side.
import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { expected } from '../clients/expectations.ts';
import { env } from '../support/fired.ts';
import { code as codeOf } from '../support/pages.ts';
import { all, each, IDS } from '../support/runner/at-once.ts';
import { trustInCodex } from '../support/trusted.ts';
import { test, type World } from '../support/world.ts';

interface Firing {
  readonly event: string;
  readonly time: number;
  readonly payload: Record<string, unknown>;
  readonly hooks: readonly {
    readonly hook: number;
    readonly shown: boolean;
    readonly reason?: { readonly code: string; readonly field?: string };
  }[];
}
interface Fired {
  readonly id: string;
  readonly firings: readonly Firing[];
}

const write = (world: World, ...declarations: readonly object[]) =>
  world.write('guard.json', JSON.stringify({ version: 2, hooks: { declarations } }));

async function fire(world: World, words: string): Promise<readonly Fired[]> {
  const { out, err, code } = await world.run(`fire ./guard.json ${words} --json`, { env });
  if (code !== 0) throw new Error(err);
  const fired: readonly Fired[] = JSON.parse(out).clients;
  return fired.filter(({ id }) => IDS.some((one) => one === id));
}

/** For each client, the result of hook 1 each time on the last native event. */
const became = (fired: readonly Fired[], of: (firings: readonly Firing[]) => string = lastOf) =>
  Object.fromEntries(
    fired
      .filter(({ id }) => IDS.some((one) => one === id))
      .map(({ id, firings }) => [id, of(firings)]),
  );
const lastOf = (firings: readonly Firing[]): string => {
  const event = firings.at(-1)?.event;
  return firings
    .filter((one) => one.event === event)
    .map(ofHook1)
    .join(', ');
};
const ofHook1 = ({ time, hooks }: Firing): string => {
  const { shown, reason } = hooks.find(({ hook }) => hook === 1) ?? {};
  return `${time} ${shown ? 'told' : (reason?.field ?? reason?.code ?? 'not here')}`;
};

/** In each client that reports failed calls. */
const where = (counted: string) => each((id) => (expected[id].failures.length > 0 ? counted : ''));

describe('the same call again and again', () => {
  test('shows the hook once the call has failed often enough', async ({ world }) => {
    const repeat = { times: 3, within: 360, same: 'call' };
    await write(world, {
      event: 'post_tool_use',
      matcher: { failed: true, repeat },
      context: 'Try something else.',
    });
    const counted = '1 repeat, 2 repeat, 3 told, 4 told';
    // In a client with a native event only for failures, only that one is fired.
    expect(became(await fire(world, 'post_tool_use --tool Bash --failed --times 4'))).toEqual(
      where(counted),
    );
    const events = (await fire(world, 'post_tool_use --failed')).map(({ id, firings }) => [
      id,
      [...new Set(firings.map(({ event }) => event))].join(),
    ]);
    expect(Object.fromEntries(events)).toMatchObject(each((id) => expected[id].failures.join()));
  });

  test('is counted even for a hook that was shown', async ({ world }) => {
    const repeat = { times: 2, within: 360, same: 'call' };
    await write(world, {
      event: 'post_tool_use',
      matcher: { repeat },
      context: 'Try something else.',
      once: 'session',
    });
    expect(became(await fire(world, 'post_tool_use --tool Bash --times 3'))).toEqual(
      all('1 repeat, 2 told, 3 once'),
    );
  });

  test('does not show a hook for errors while the call succeeds', async ({ world }) => {
    const repeat = { times: 2, within: 360, same: 'error' };
    await write(world, { event: 'post_tool_use', matcher: { repeat }, context: 'Stop.' });
    const first = (firings: readonly Firing[]) =>
      firings
        .filter(({ event }) => event === firings[0]?.event)
        .map(ofHook1)
        .join(', ');
    expect(became(await fire(world, 'post_tool_use --times 2'), first)).toEqual(
      where('1 repeat, 2 repeat'),
    );
    expect(became(await fire(world, 'post_tool_use --times 2 --failed'), first)).toEqual(
      where('1 repeat, 2 told'),
    );
  });

  test('counts as failed for tool_error, without a flag', async ({ world }) => {
    const repeat = { times: 2, within: 60, same: 'error' };
    await write(world, { event: 'tool_error', matcher: { repeat }, context: 'Again.' });
    const counted = '1 repeat, 2 told, 3 told';
    expect(became(await fire(world, 'tool_error --times 3'))).toEqual(where(counted));
    // The payload is that of a failed command: one client drops the event of a tool that has failed itself.
    const fired = await fire(world, 'tool_error --client gemini-cli');
    expect(fired[0]?.firings[0]?.payload.tool_name).toBe('run_shell_command');
    // Another tool has its own form of failure.
    const other = await fire(world, 'tool_error --client gemini-cli --tool Grep');
    expect(other[0]?.firings[0]?.payload.tool_response).toHaveProperty('error');
  });

  test('is a new call each time, with its own id in the payload', async ({ world }) => {
    await write(world, { event: 'post_tool_use', context: 'Hello.' });
    const again = became(await fire(world, 'post_tool_use --times 3'));
    expect(again).toEqual(all('1 told, 2 told, 3 told'));
    const payload = { tool_use_id: 'toolu_1', session_id: 'mine', tool_name: 'Read' };
    await world.write('call.json', JSON.stringify(payload));
    const words = 'post_tool_use --times 3 --payload call.json --client claude-code';
    const [one] = await fire(world, words);
    const calls = one?.firings.filter(({ event }) => event === 'PostToolUse') ?? [];
    expect(calls.map(ofHook1)).toEqual(['1 told', '2 told', '3 told']);
    expect(calls.map(({ payload: { tool_use_id: id } }) => id)).toEqual([
      'toolu_1',
      'toolu_1-2',
      'toolu_1-3',
    ]);
    expect(new Set(calls.map(({ payload: { session_id: id } }) => id))).toEqual(new Set(['mine']));
    const [gemini] = await fire(world, 'post_tool_use --times 2 --client gemini-cli');
    const times = gemini?.firings.map(({ payload: { timestamp } }) => Date.parse(`${timestamp}`));
    expect((times?.[1] ?? 0) - (times?.[0] ?? 0)).toBe(1000);
  });

  test("keeps the tool's name and the source of the event", async ({ world }) => {
    /** The number of different values of a key in the payloads of the first native event. */
    const values = async (words: string, key: string) =>
      became(await fire(world, `${words} --times 2`), (firings) => {
        const own = firings.filter(({ event }) => event === firings[0]?.event);
        return `${own.length}: ${new Set(own.map(({ payload }) => payload[key])).size}`;
      });
    await write(world, { event: 'post_tool_use', context: 'Hello.' });
    expect(await values('post_tool_use --tool mcp__n2__add1', 'tool_name')).toEqual(all('2: 1'));
    await write(world, { event: 'session_start', context: 'Hello.' });
    expect(await values('session_start', 'source')).toEqual(all('2: 1'));
  });
});

describe('alternating calls', () => {
  const alternating = {
    event: 'post_tool_use',
    matcher: { repeat: { times: 2, within: 60, same: 'alternating' } },
    context: 'You go in circles.',
  };
  const counted = '1 repeat, 2 repeat, 3 repeat, 4 told, 5 told';

  test('can be of two tools', async ({ world }) => {
    await write(world, alternating);
    const words = 'post_tool_use --tool Read --tool Edit --times 5';
    expect(became(await fire(world, words))).toEqual(all(counted));
    const [one] = await fire(world, `${words} --client claude-code`);
    const tools = one?.firings.map(({ payload: { tool_name: name } }) => name).slice(0, 5);
    expect(tools).toEqual(['Read', 'Edit', 'Read', 'Edit', 'Read']);
  });

  test('can be of one tool with two inputs, each once without --times', async ({ world }) => {
    await write(world, alternating);
    const words = `post_tool_use --tool Bash --input {"command":"a"} --input {"command":"b"}`;
    expect(became(await fire(world, `${words} --times 5`))).toEqual(all(counted));
    expect(became(await fire(world, words))).toEqual(all('1 repeat, 2 repeat'));
  });

  test('work as the page shows', async ({ world }) => {
    const { event, matcher } = alternating;
    const repeat = { ...matcher.repeat, times: 3 };
    await write(world, { event, matcher: { repeat }, context: 'You go in circles.' });
    const lines = codeOf('docs/declaration.md', 'code: fire-times').match(/(?<=^mcp-hooks ).*/gm);
    const [failing = '', turns = ''] = (lines ?? []).map((line) => line.replace(/ *#.*/, ''));
    const words = turns.replace('fire ./guard.json ', '');
    const told = '1 repeat, 2 repeat, 3 repeat, 4 repeat, 5 repeat, 6 told';
    expect(became(await fire(world, words))).toEqual(all(told));
    await write(world, {
      event,
      matcher: { repeat: { ...repeat, same: 'error' } },
      context: 'No.',
    });
    const [one] = await fire(world, `${failing.replace('fire ./guard.json ', '')} --client gemini`);
    expect(one?.firings.map(ofHook1)).toEqual(['1 repeat', '2 repeat', '3 told']);
  });

  test('are not the calls of one tool with one input', async ({ world }) => {
    await write(world, alternating);
    const [one] = await fire(world, 'post_tool_use --tool Bash --times 50 --client codex');
    expect(one?.firings.map(ofHook1)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${index + 1} repeat`),
    );
  });
});

describe('texts that are shown once', () => {
  test('in a session, in a turn, or within some time', async ({ world }) => {
    const event = 'post_tool_use';
    const told = async (hook: object) => {
      await write(world, { event, context: 'Hello.', ...hook });
      return became(await fire(world, `${event} --times 3`));
    };
    expect(await told({ once: 'session' })).toEqual(all('1 told, 2 once, 3 once'));
    expect(await told({ cooldown: 600 })).toEqual(all('1 told, 2 cooldown, 3 cooldown'));
    // The prompt that begins the turn is fired once, before all calls.
    expect(await told({ once: 'turn' })).toEqual(all('1 told, 2 once-per-turn, 3 once-per-turn'));
  });

  test('in a turn are shown for each prompt', async ({ world }) => {
    await write(world, { event: 'pre_request', context: 'Hello.', once: 'turn' });
    expect(became(await fire(world, 'pre_request --times 2'))).toEqual(all('1 told, 2 told'));
    // A text that waits for the next prompt is recorded each time.
    for (const once of [undefined, 'turn']) {
      await write(world, { event: 'post_request', context: 'Hello.', once });
      expect(became(await fire(world, 'post_request --times 2'))).toEqual(all('1 told, 2 told'));
    }
  });

  test('in a session of an installed hook, without a trace afterwards', async ({ world }) => {
    await write(world, { event: 'pre_request', context: 'Hello.', once: 'session' });
    await world.run(`install guard.json --client ${IDS.join()} --yes`, { env });
    await trustInCodex(world, 'user');
    for (let run = 1; run <= 2; run++) {
      const { out } = await world.run('fire guard pre_request --times 2 --json', { env });
      expect(became(JSON.parse(out).clients)).toEqual(all('1 told, 2 once'));
    }
    expect(readdirSync(world.path('~/.mcp-hooks'))).not.toContain('sessions');
  });
});

describe('the output', () => {
  const repeat = (same: string, times = 3) => ({
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', repeat: { times, within: 60, same } },
    context: 'Try something else.',
  });
  const printed = async (world: World, words: string) => {
    const { out, err } = await world.run(`fire ./guard.json ${words}`, { env });
    return `${out}${err}`.replace(/\d+( to \d+)? ms/g, 'N ms').replace(/^Firing .*\n/gm, '');
  };

  test('groups times with the same result', async ({ world, expect }) => {
    await write(world, repeat('call'));
    const words = 'post_tool_use --tool Bash --times 4 --client gemini-cli';
    expect(await printed(world, words)).toMatchInlineSnapshot(`
      "Gemini CLI
        1 to 2. AfterTool of run_shell_command: nothing shown  in N ms
          hook 1 (post_tool_use): it has not been repeated often enough in this session (repeat)
        3 to 4. AfterTool of run_shell_command: hook 1 shown  in N ms
          | Note from the MCP server "guard", not from the user, after your run_shell_command call; each
          | of its lines begins with |. Optional: use it only if it helps.
          | | Try something else.
      "
    `);
    await write(world, { event: 'post_tool_use', context: 'After {tool_input}.' });
    const other = ['--input', '{"command":"a"}', '--input', '{"command":"b"}'];
    const { out } = await world.run(
      `fire ./guard.json post_tool_use --client gemini-cli --tool Bash --times 3 ${other.join(' ')}`,
      { env },
    );
    expect(out.match(/^ {2}\S+ AfterTool| {2}\(.*/gm)).toEqual([
      '  1. AfterTool',
      '  2. AfterTool',
      '  3. AfterTool',
      '  (the same as with 1. AfterTool)',
    ]);
    expect(out.match(/shown {2}in \d+ ms$/gm)).toHaveLength(3);
  });

  test('says how often an event has to be fired for a hook that counts', async ({ world }) => {
    const hint = async (words: string, client = 'claude-code') => {
      const out = await printed(world, `${words} --client ${client}`);
      return /^One hook fires only .*$/m.exec(out)?.[0];
    };
    await write(world, repeat('call', 5));
    const once = 'post_tool_use --tool Bash';
    expect(await hint(once)).toBe('One hook fires only after repeats: add --times 5');
    expect(await hint(`${once} --times 2`)).toBe(undefined);
    await write(world, repeat('error'));
    expect(await hint(once)).toBe('One hook fires only after repeats: add --failed --times 3');
    expect(await hint(`${once} --failed`)).toBe('One hook fires only after repeats: add --times 3');
    await write(world, repeat('alternating'));
    expect(await hint(once)).toBe(
      'One hook fires only after repeats: add --times 6 --tool <one> --tool <other>',
    );
    const failing = { ...repeat('error'), event: 'tool_error' };
    await write(world, failing);
    expect(await hint('tool_error --tool Bash')).toBe(
      'One hook fires only after repeats: add --times 3',
    );
    const plain = { event: 'post_tool_use', context: 'Hello.' };
    await write(world, plain);
    expect(await hint(once)).toBe(undefined);
    // A hook of another event on the same native event is not reported.
    await write(world, plain, failing);
    expect(await hint(`${once} --failed`, 'gemini-cli')).toBe(undefined);
  });

  test('refuses what cannot be fired', async ({ world }) => {
    await write(world, repeat('call'));
    for (const times of ['0', '51', '-1', '1.5', 'x', '']) {
      const words = ['fire', './guard.json', 'post_tool_use', '--times', times];
      const { code, err } = await world.run(words, { env });
      expect([times, code, err.includes('Give a whole number from 1 to 50.')]).toEqual([
        times,
        2,
        true,
      ]);
    }
    expect(await printed(world, 'post_tool_use --times 1 --tool Read --tool Edit')).toBe(
      '--times 1 is too few: there are 2 values of --tool or --input, which take turns. Nothing was fired.\n',
    );
    await write(world, { event: 'pre_request', context: 'Hello.' });
    expect(await printed(world, 'pre_request --failed')).toBe(
      '--failed does not apply to pre_request: no client sends that with the event. Nothing was fired.\n',
    );
    await write(world, { event: 'post_tool_use', context: 'Hello.' });
    expect(await printed(world, 'post_tool_use --failed --client codex,gemini-cli')).toContain(
      '  Codex CLI does not report failed calls here, so a call that succeeded was fired\n',
    );
  });
});
