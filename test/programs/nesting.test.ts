/** A hook that starts its client again does not run in that nested client. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chain, linesIn, reasonsOf, serverTold } from '../support/runner/chain.ts';
import { all, eachAsync } from '../support/runner/clients.ts';
import { bodies, install, scratch } from '../support/runner/world.ts';

const NAME = 'MCP_HOOKS_WITHIN';
const event = 'pre_tool_use';
/** Prints the variable as a client that it starts would find it. */
const SAYS = ['sh', '-c', `echo "$${NAME}"`];

describe('below a program', () => {
  test('the same hook does not run, and the log has the reason; other hooks run, and texts are shown', async () => {
    const world = chain({
      hooks: [
        { event, command: SAYS, order: 1 },
        { event, context: 'a text', order: 2 },
        { event, command: ['echo', 'of another'], order: 3 },
      ],
    });
    const [name = '', ...others] = linesIn((await world.fire('PreToolUse')).answer);
    expect(others).toEqual(['a text', 'of another']);
    expect(name).toMatch(/^annal\/[\w-]+$/);
    expect(reasonsOf(world)).toEqual([]);
    expect(linesIn((await world.fire('PreToolUse', {}, { [NAME]: name })).answer)).toEqual(others);
    expect(reasonsOf(world)).toEqual(['within-itself']);
    // A program that wants its hook to run again starts the client without the variable.
    expect(linesIn((await world.fire('PreToolUse')).answer)).toEqual([name, ...others]);
  });

  test('two programs that start each other do not run forever', async () => {
    const world = chain({
      hooks: [
        { event, command: SAYS, order: 1 },
        { event, command: [...SAYS, 'second'], order: 2 },
      ],
    });
    const [first = '', second = ''] = linesIn((await world.fire('PreToolUse')).answer);
    const below = linesIn((await world.fire('PreToolUse', {}, { [NAME]: first })).answer);
    expect(below).toEqual([`${first} ${second}`]);
    const last = await world.fire('PreToolUse', {}, { [NAME]: below[0] });
    expect(linesIn(last.answer)).toEqual([]);
  });

  test('a hook of the same name in another label still runs', async () => {
    const world = chain({ hooks: [{ event, command: SAYS }] });
    const [name = ''] = linesIn((await world.fire('PreToolUse')).answer);
    const other = name.replace('annal', 'other');
    const { answer } = await world.fire('PreToolUse', {}, { [NAME]: other });
    expect(linesIn(answer)).toEqual([`${other} ${name}`]);
  });

  test.each([
    ['deny', /hook 1 failed \(.*started this client.*\)/],
    ['allow', /^undefined$/],
  ])('a guard that does not run counts as failed: %s', async (on_failure, reason) => {
    const says = ['sh', '-c', `echo "$${NAME}" >name`];
    const world = chain({ hooks: [{ event, command: says, may: ['block'], on_failure }] });
    expect((await world.fire('PreToolUse')).answer).toBeUndefined();
    const name = readFileSync(join(world.cwd, 'name'), 'utf8').trim();
    const { answer } = await world.fire('PreToolUse', {}, { [NAME]: name });
    expect(JSON.stringify(answer) ?? 'undefined').toMatch(reason);
    expect(reasonsOf(world)).toEqual(['within-itself']);
  });
});

describe('below a server that was started for a hook', () => {
  /** What each start of the server had in its environment. */
  const startsIn = (log: string): string[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .flatMap(({ env }) => (env ? [env[NAME]] : []))
      : [];

  test("the same hook's tool is not called, in any client", async () => {
    const told = await eachAsync(async (id) => {
      const log = join(scratch('log'), 'log');
      const world = install({
        whole: true,
        hooks: [{ event: 'pre_request', context_tool: 'tool' }],
        server: serverTold({
          log,
          results: { tool: { content: [{ type: 'text', text: 'said' }] } },
        }),
      });
      const first = bodies(await world.told(id, 'prompt'));
      const [name = ''] = startsIn(log);
      expect(name).toMatch(/^annal\/[\w-]+$/);
      const env = { PATH: process.env.PATH ?? '', HOME: world.folder, [NAME]: name };
      const below = bodies(await world.told(id, 'prompt', {}, { env }));
      return { first, below, starts: startsIn(log).length };
    });
    expect(told).toEqual(all({ first: ['said'], below: [], starts: 1 }));
  });

  test("the same hook's tool is not called with hooks of version 2", async () => {
    const log = join(scratch('log'), 'log');
    const world = chain({
      server: serverTold({ log }),
      hooks: [{ event, context_tool: 'tool', order: 1 }],
    });
    await world.fire('PreToolUse');
    const [name] = startsIn(log);
    await world.fire('PreToolUse', {}, { [NAME]: name });
    expect(startsIn(log)).toEqual([name]);
    expect(reasonsOf(world)).toEqual(['within-itself']);
  });
});
