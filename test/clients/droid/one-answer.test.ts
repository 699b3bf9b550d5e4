// Droid runs the hooks of an event at the same time, and reads the first answer: one of our runners waits for the others.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { env } from '../../support/fired.ts';
import { COMMITTED, manifest } from '../../support/hooks.ts';
import { test, type World } from '../../support/world.ts';

const TEXTS = { annal: 'Of annal.', other: 'Of other.' };
const ANSWERS = 'fire other post_tool_use --client droid --json';
const COMMIT = ['--tool', 'Bash', '--input', '{"command": "git commit -m x"}'];

async function withTwoLabels(world: World): Promise<string[]> {
  for (const [name, context] of Object.entries(TEXTS)) {
    await world.write(`${name}.json`, manifest({ ...COMMITTED, context }));
    const { code, err } = await world.run(`install ${name}.json --client droid --yes`, { env });
    if (code !== 0) throw new Error(err);
  }
  const { PostToolUse } = JSON.parse(await world.read('~/.factory/hooks.json'));
  return PostToolUse.flatMap(({ hooks }: { hooks: { command: string }[] }) =>
    hooks.map(({ command }) => command),
  );
}

/** The payload that `fire` sends. */
async function payloadOf(world: World): Promise<string> {
  const { out } = await world.run([...ANSWERS.split(' '), ...COMMIT], { env });
  return JSON.stringify(JSON.parse(out).clients[0].firings[0].payload);
}

describe('two labels for one event', () => {
  test('add their texts in one answer, whatever else has a runner among its words', async ({
    world,
    expect,
  }) => {
    const commands = await withTwoLabels(world);
    const payload = await payloadOf(world);
    const folder = '~/.mcp-hooks/servers';
    for (const label of Object.keys(TEXTS)) {
      // A runner that waits for anything else takes two minutes then.
      const program = `${folder}/${label}/droid.PostToolUse.json`;
      const text = await world.read(program);
      await world.write(program, text.replace('"most": 14000', '"most": 120000'));
    }
    const file = world.path(`${folder}/annal/droid.PostToolUse.sh`);
    const [command = ''] = commands;
    const idle = ['-e', 'setInterval(() => {}, 1000)'];
    const inShell = ['-c', '"$@"; :', 'sh', process.execPath, ...idle];
    // An editor, a shell that started one, and what started the shell of a hook.
    const others = [
      spawn(process.execPath, [...idle, file], { detached: true }),
      spawn('/bin/sh', [...inShell, file], { detached: true }),
      spawn(process.execPath, [...idle, 'sh', '-c', command], { detached: true }),
      spawn('/bin/sh', [...inShell, 'sh', '-c', command], { detached: true }),
    ];
    try {
      const began = performance.now();
      const answers = await Promise.all(
        commands.map(async (one) => {
          const run = promisify(execFile)('sh', ['-c', one], {
            env: { ...world.env(env), FACTORY_PROJECT_DIR: world.work },
          });
          run.child.stdin?.end(payload);
          return (await run).stdout;
        }),
      );
      expect(performance.now() - began).toBeLessThan(60_000);
      expect(answers.filter((one) => one.includes('Of '))).toEqual([
        expect.stringMatching(/Of annal\..*Of other\.|Of other\..*Of annal\./),
      ]);
    } finally {
      for (const { pid } of others) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    }
  });

  test('answer alone when only one of them is fired', async ({ world, expect }) => {
    await withTwoLabels(world);
    const { out } = await world.runProcess([...ANSWERS.split(' '), ...COMMIT], { env });
    const [{ text, milliseconds }] = JSON.parse(out).clients[0].firings;
    expect(text).toContain(TEXTS.other);
    // Its deadline.
    expect(milliseconds).toBeLessThan(14_000);
  });
});
