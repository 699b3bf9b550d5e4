/** A server's declaration and a tool's input may be as bad as the limits allow: the cost of an event stays bounded. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainWorld, chain, linesIn } from '../support/runner/chain.ts';
import { processorTime } from '../support/runner/processor.ts';
import { DECLARATIONS, nested, VALUES } from '../support/runner/worst.ts';
import { tries } from '../support/tries.ts';
import { attack } from './attack.ts';

const here = (world: ChainWorld) => ({
  cwd: world.cwd,
  env: { PATH: process.env.PATH ?? '', HOME: world.folder },
});

/** The processor time of an event, as a multiple of a node that does nothing, and its output. */
function costOf(world: ChainWorld, native: string, value: string, tool = 'Bash') {
  const payload = {
    session_id: 'one',
    cwd: world.cwd,
    transcript_path: join(world.cwd, 'transcript.jsonl'),
    tool_name: tool,
    tool_use_id: String(Math.random()),
  };
  const response = native === 'PostToolUse' ? `,"tool_response":${value}` : '';
  const input = JSON.stringify(payload).replace(/\}$/, () => `,"tool_input":${value}${response}}`);
  const runner = join(world.folder, 'runner/runner.cjs');
  const words = ['--v8-pool-size=1', runner, 'claude-code', native, 'whole'];
  const { seconds, stdout } = processorTime([process.execPath, ...words], input, here(world));
  const factor = seconds / idle(world);
  return { factor, isBounded: factor < MOST || seconds < SECONDS, stdout };
}

/** Seconds of a node that does nothing, from ten of them, because the system counts in steps of 10 ms. */
function idle(world: ChainWorld): number {
  known ??=
    processorTime(
      ['/bin/sh', '-c', 'for i in 1 2 3 4 5 6 7 8 9 10; do "$0" -e 0; done', process.execPath],
      '',
      here(world),
    ).seconds / 10;
  return known;
}
let known: number | undefined;

/**
 * The goal of half a second, or the same amount of work on a machine on which an idle node takes longer than 20 ms. The runner's
 * own budget is in seconds. Without limits, some of these cases take minutes.
 */
const SECONDS = 0.5;
const MOST = 25;

attack(
  'the worst declarations within the limits take bounded time on a megabyte',
  ({ expect }) => {
    const values = Object.keys(VALUES);
    for (const [nth, [name, hooks]] of Object.entries(DECLARATIONS).entries()) {
      const world = chain({ hooks });
      const isBudget = name === 'budgets';
      if (isBudget) {
        const line = `{"type":"system","subtype":"compact_boundary"${','.repeat(100)}\n`;
        writeFileSync(join(world.cwd, 'transcript.jsonl'), line.repeat(300_000));
      }
      // A sample of the values, different for each declaration.
      const some = Array.from({ length: tries(1, values.length) }, (_, at) => 5 * nth + 3 + at);
      for (const what of [
        'one long string',
        ...some.map((at) => values[at % values.length] ?? ''),
      ]) {
        const native = isBudget ? 'PreToolUse' : 'PostToolUse';
        // The runner looks for paths only in the input of tools that take a file.
        const tool = name === 'excluded paths' ? 'Edit' : 'Bash';
        const { factor, isBounded } = costOf(world, native, VALUES[what] ?? '', tool);
        expect([name, what, factor, isBounded]).toEqual([name, what, factor, true]);
      }
    }
  },
  600_000,
);

attack('an output full of secrets is masked in bounded time if a hook changes it', ({ expect }) => {
  const rows = Array.from({ length: 9900 }, (_, at) => `ghp_${1e12 + at}${'aB3d'.repeat(8)}`);
  const changes = `let text = '';
    process.stdin.on('data', (part) => { text += part; }).on('end', () => {
      const { rows } = JSON.parse(text).tool.output;
      const modifiedOutput = { rows: [...rows, 'one more'] };
      process.stdout.write(JSON.stringify({ action: 'modify', modifiedOutput }));
    });`;
  const command = ['node', '-e', changes];
  const world = chain({ hooks: [{ event: 'post_tool_use', command, may: ['modify'] }] });
  const { factor, isBounded, stdout } = costOf(world, 'PostToolUse', JSON.stringify({ rows }));
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { updatedToolOutput: { rows: [...rows.map(() => '***'), 'one more'] } },
  });
  expect([factor, isBounded]).toEqual([factor, true]);
});

attack('the log says so if many hooks run out of time on one long input', async ({ expect }) => {
  const world = chain({ hooks: [...(DECLARATIONS['patterns of an output'] ?? [])] });
  const { stdout } = costOf(world, 'PostToolUse', VALUES['ordinary code'] ?? '');
  expect(stdout).toBe('');
  expect(JSON.stringify(world.log())).toContain('out-of-time');
});

attack(
  'a deeply nested input does not get past a block',
  async ({ expect }) => {
    const blocks = (matcher: object) =>
      chain({ hooks: [{ event: 'pre_tool_use', block: 'NO', matcher }] });
    for (const depth of [3000, 8000])
      for (const [open, close] of [
        ['[', ']'],
        ['{"path":', '}'],
      ] as const) {
        const value = `{"command":"FORBIDDEN","more":${nested(open, '"DEEP"', close, depth)}}`;
        for (const matcher of [
          { tool_name: 'Bash' },
          { input_contains: 'FORBIDDEN' },
          { input_contains: 'DEEP' },
          { input_matches: 'FORBID+EN' },
          { input_matches: '"DEEP"' },
          { exclude: { paths: ['no/such/*'] } },
          { repeat: { times: 2, within: 60, same: 'tool' } },
        ]) {
          const world = blocks(matcher);
          const fire = () => costOf(world, 'PreToolUse', value).stdout;
          if ('repeat' in matcher) fire();
          const stdout = fire();
          expect([depth, open, matcher, stdout.includes('deny')]).toEqual([
            depth,
            open,
            matcher,
            true,
          ]);
        }
      }
  },
  120_000,
);

attack('the other hooks still block if one pattern runs out of time', async ({ expect }) => {
  const world = chain({
    hooks: [
      { event: 'pre_tool_use', block: 'SLOW', matcher: { input_matches: `${'a*'.repeat(200)}b` } },
      { event: 'pre_tool_use', block: 'NO', matcher: { tool_name: 'Bash' } },
    ],
  });
  const tool_input = { command: 'a'.repeat(1_000_000) };
  const { answer } = await world.fire('PreToolUse', { tool_input });
  expect(JSON.stringify(answer)).toContain('NO');
  expect(JSON.stringify(world.log())).toContain('out-of-time');
});

attack("a clone's git configuration does not slow a hook down", ({ expect }) => {
  const hooks = Array.from({ length: 16 }, () => ({ event: 'pre_tool_use', command: ['true'] }));
  const world = chain({ hooks });
  for (const one of ['objects', 'refs'])
    mkdirSync(join(world.cwd, '.git', one), { recursive: true });
  const cost = (config: string, head: string) => {
    writeFileSync(join(world.cwd, '.git/config'), config);
    writeFileSync(join(world.cwd, '.git/HEAD'), head);
    return costOf(world, 'PreToolUse', '{"command":"ls"}').factor;
  };
  const usual = cost(
    '[remote "origin"]\n\turl = https://example.com/a/b.git\n',
    'ref: refs/heads/m\n',
  );
  const long = (piece: string) => piece.repeat(16_000 / piece.length);
  for (const config of [
    long('\n'),
    long(' '),
    long('[remote "origin"]'),
    `[remote "origin"]${long('\n')}`,
    `[remote "origin"]\nurl = ${long('a')}`,
    `[remote "origin"]\nurl = ${long('/a')}`,
    `[remote "origin"]\nurl = ${long('a:')}`,
  ])
    expect([config.slice(0, 30), cost(config, long('ref: refs/heads/')) < 2 * usual]).toEqual([
      config.slice(0, 30),
      true,
    ]);
});

attack('a text with 60,000 placeholders stays within its limit', async ({ expect }) => {
  const world = chain({
    hooks: [{ event: 'pre_tool_use', context: '{tool_name} '.repeat(60_000) }],
  });
  const { answer } = await world.fire('PreToolUse', {});
  const [line = ''] = linesIn(answer);
  expect(line.startsWith('Bash Bash Bash')).toBe(true);
  expect(line.length).toBeLessThan(9000);
});
